/** What happened, as sentences. Lines of a scoring stand together below the sentence that opens it. */

import { h } from "./dom.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./types.js").View} View
 * @typedef {import("./novelty.js").Novelty} Novelty
 */

export const SHOWN = 150;
const STORY = "story";

/**
 * The events that the reader wants to be told: all with a sentence, or the story without the bookkeeping.
 *
 * @param {readonly GameEvent[]} events
 * @returns {GameEvent[]}
 */
export function told(events) {
    return events.filter(({ level, text }) => text && (memory.wishes.details || level === STORY));
}

/**
 * The log, the newest event first.
 *
 * @param {readonly GameEvent[]} events
 * @param {View} view
 * @param {Novelty} novel
 * @returns {HTMLElement}
 */
export function log(events, view, novel) {
    return h(
        "ol",
        { class: "log", reversed: true, "aria-label": say("log") },
        told(events).slice(-SHOWN).reverse().map((event) => novel.mark(entry(event, view), event.id ?? "")),
    );
}

/**
 * @param {GameEvent} event
 * @param {View} view
 * @returns {HTMLElement}
 */
function entry(event, view) {
    const points = event.facts?.points;
    const colour = event.seat === undefined ? undefined : view.seats[event.seat]?.colour;
    const made = h(
        "li",
        { class: [event.level === STORY ? "" : "detail", typeof points === "number" ? "line" : ""].join(" ") },
        colour ? dot(colour) : null,
        h("span", {}, event.text ?? ""),
        typeof points === "number"
            ? h(
                  "span",
                  { class: `points ${points < 0 ? "minus" : "plus"}`, "aria-hidden": "true" },
                  points > 0 ? `+${points}` : String(points),
              )
            : null,
    );
    return made;
}

/**
 * The colour of a seat as a dot. Colours of seats are names that style sheets know.
 *
 * @param {string} colour
 * @returns {HTMLElement}
 */
export function dot(colour) {
    const made = h("span", { class: "dot", "aria-hidden": "true" });
    made.style.backgroundColor = colour;
    return made;
}
