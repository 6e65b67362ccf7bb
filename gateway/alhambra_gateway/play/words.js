/** The page's own words, in the language of the reader. Words of the game come from the server. */

import { memory } from "./memory.js";

/** @type {Record<string, string>} */
let words = {};

/** Reads the words of the reader's language. */
export async function loadWords() {
    const answer = await fetch(new URL(`./words-${memory.language}.json`, import.meta.url));
    words = await answer.json();
    document.documentElement.lang = memory.language;
}

/**
 * A word of the page. `{name}` in it stands for a fact of that name.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [facts]
 * @returns {string}
 */
export function say(key, facts = {}) {
    return (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(facts[name] ?? ""));
}
