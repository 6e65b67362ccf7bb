/**
 * The time that a decision may take, and the clocks of the players: what is left now, and a warning before it ends. Days
 * are for games by correspondence, in which people look in from time to time. What can be chosen for a new game is in
 * `time-control.js`.
 */

import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Decision} Decision
 * @typedef {import("./types.js").View} View
 */

export const [MINUTE, HOUR, DAY] = /** @type {const} */ ([60, 3600, 86400]);
/** The warning begins with this many seconds left, or with this part of the time if that is more; never before half of it. */
const [LAST_SECONDS, LAST_PART] = [30, 0.1];

/**
 * @param {number} seconds The time for a decision.
 * @returns {number} How many seconds before the end the warning begins.
 */
export function warningBefore(seconds) {
    return Math.min(Math.max(LAST_SECONDS, LAST_PART * seconds), seconds / 2);
}

/**
 * Whether people look in only from time to time, so that they need to be called.
 *
 * @param {View["setup"]} setup
 */
export function isByCorrespondence(setup) {
    return Math.max(setup?.turnSeconds ?? 0, setup?.clockSeconds ?? 0) >= DAY;
}

/**
 * The time that is left for a decision; `tick` keeps it right.
 *
 * @param {Decision} decision
 * @param {View["setup"]} setup
 * @returns {HTMLElement | null} Null if there is no limit.
 */
export function clock({ deadline }, setup) {
    const seconds = setup?.turnSeconds || setup?.clockSeconds || 0;
    return deadline
        ? h("span", { class: "clock", role: "timer", "data-until": deadline, "data-warn": warningBefore(seconds) })
        : null;
}

/**
 * The clock of a player: it runs down while the player is asked, and stands still otherwise.
 *
 * @param {View} view
 * @param {number} seat
 * @param {View["setup"]} setup
 * @returns {HTMLElement | null} Null in a game without clocks, and for a computer.
 */
export function playerClock({ clocks, seats }, seat, setup) {
    const left = clocks?.leftMilliseconds[seat];
    if (!clocks || left === undefined || (left && seats[seat]?.serverPlayer)) return null;
    const label = h("span", { class: "unseen" }, `${say("time.player")}: `);
    if (!left) return h("span", { class: "clock flagged" }, ` ⚑ ${say("time.used")}`);
    if (clocks.running !== seat || !clocks.since)
        return h("span", { class: "clock still" }, label, ` ◷ ${remaining(Math.floor(left / 1000))}`);
    const until = new Date(Date.parse(clocks.since) + left).toISOString();
    const warn = warningBefore(setup?.clockSeconds ?? 0);
    return h("span", { class: "clock" }, label, h("span", { "data-until": until, "data-warn": warn }));
}

/**
 * Brings all clocks of a page up to date.
 *
 * @param {Element} page
 * @param {number} now Milliseconds by the clock of the server.
 * @returns {string} The warning that is shown; empty if no time runs out.
 */
export function tick(page, now) {
    let warning = "";
    for (const place of page.querySelectorAll("[data-until]")) {
        const left = Math.max(0, Math.floor((Date.parse(place.getAttribute("data-until") ?? "") - now) / 1000));
        const late = left <= Number(place.getAttribute("data-warn"));
        place.textContent = ` ◷ ${remaining(left)}`;
        place.classList.toggle("hurry", late);
        if (late) warning = say("time.low", { left: remaining(left) });
    }
    return warning;
}

/**
 * @param {number} seconds
 * @returns {string} "2:05" for minutes, "5:30 h" for hours, "2 d 5 h" for days.
 */
export function remaining(seconds) {
    const two = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, "0");
    if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}:${two(seconds % MINUTE)}`;
    if (seconds < DAY) return `${Math.floor(seconds / HOUR)}:${two((seconds % HOUR) / MINUTE)} h`;
    return `${Math.floor(seconds / DAY)} d ${Math.floor((seconds % DAY) / HOUR)} h`;
}
