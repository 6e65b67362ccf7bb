/** The first thing that a player sees: play now, play a guided first game, join a friend. */

import { Refused, Unreachable } from "./api.js";
import { createGame } from "./create-game.js";
import { h } from "./dom.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/** @typedef {{key: string, name: string, text?: string}} ServerPlayer */

/** The deal of the guided first game: the first player can pay exactly with two cards in the first turn. */
const FIRST_GAME = "first-game-63";
/** Where the address asks for the guided first game. */
export const LEARN = "learn";

/**
 * @param {ServerPlayer[]} players The server's players, the weakest first.
 * @param {string} key An API key, if the reader has entered one.
 * @returns {HTMLElement}
 */
export function welcomeDoors(players, key) {
    const refused = h("div", { class: "refused", role: "alert", hidden: true });
    const attempt = async (/** @type {() => Promise<string>} */ create) => {
        refused.hidden = true;
        try {
            location.hash = `game=${await create()}`;
        } catch (error) {
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
            refused.hidden = false;
            refused.textContent = error instanceof Refused ? error.lines.join(" ") : say("lost");
        }
    };
    const link = /** @type {HTMLInputElement} */ (
        h("input", { placeholder: say("join.link"), "aria-label": say("join.link"), "data-key": "join link" })
    );
    const join = (/** @type {Event} */ event) => {
        event.preventDefault();
        const asked = placeOf(link.value);
        if (asked) location.hash = asked;
        else {
            refused.hidden = false;
            refused.textContent = say("join.wrong");
        }
    };
    const opponent = players[1] ?? players[0];
    return h(
        "section",
        { class: "panel welcome" },
        h("h1", {}, say("welcome")),
        opponent
            ? h(
                  "div",
                  { class: "welcome-doors" },
                  h(
                      "button",
                      {
                          type: "button",
                          class: "primary",
                          "data-key": "play now",
                          onclick: () => void attempt(() => playNow(opponent.key, key)),
                      },
                      h("strong", {}, say("play.now")),
                      h("span", {}, say("play.now.text", { name: opponent.name })),
                  ),
                  h(
                      "button",
                      { type: "button", "data-key": "learn", onclick: () => void attempt(() => learn(players, key)) },
                      h("strong", {}, say("learn")),
                      h("span", {}, say("learn.text")),
                  ),
              )
            : null,
        h(
            "form",
            { class: "join", onsubmit: join },
            link,
            h("button", { type: "submit", "data-key": "join" }, say("join.go")),
        ),
        refused,
    );
}

/**
 * @param {string} opponent
 * @param {string} key
 */
function playNow(opponent, key) {
    const { name } = memory.wishes;
    return createGame({ seats: [{ claim: true, ...(name ? { name } : {}) }, { serverPlayer: opponent }] }, key);
}

/**
 * Creates the guided first game against the weakest player. Where this caller may not choose a deal, any deal will do:
 * the guide explains each rule when it matters.
 *
 * @param {ServerPlayer[]} players
 * @param {string} [key]
 * @returns {Promise<string>}
 */
export async function learn(players, key = "") {
    const { name } = memory.wishes;
    const seats = [{ claim: true, ...(name ? { name } : {}) }, { serverPlayer: players[0]?.key ?? "" }];
    let game;
    try {
        game = await createGame({ seats, seed: FIRST_GAME }, key);
    } catch (error) {
        if (!(error instanceof Refused) || error.reason !== "PERMISSION_DENIED") throw error;
        game = await createGame({ seats }, key);
    }
    memory.remember(game, (known) => (known.lessons = []));
    return game;
}

/**
 * What stands behind `#` in a link to a game, or the id of a game alone; "" if it is neither.
 *
 * @param {string} text
 * @returns {string}
 */
function placeOf(text) {
    const behind = text.trim().split("#").at(-1) ?? "";
    const asked = new URLSearchParams(/^[a-z0-9]{12,32}$/.test(behind) ? `game=${behind}` : behind);
    return /^[a-z0-9]{12,32}$/.test(asked.get("game") ?? "") ? asked.toString() : "";
}
