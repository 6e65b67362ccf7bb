/**
 * How a game went: a curve of points, also as a table, and the moves that mattered. The server reviews a long game in
 * parts; the sheet waits until it is done.
 */

import { Refused, Unreachable } from "./api.js";
import { pause } from "./client/time.js";
import { curve, sample } from "./curve.js";
import { dialogue, fill, h } from "./dom.js";
import { dot } from "./log.js";
import { pastSheet } from "./past.js";
import { fitting } from "./scoring.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Review} Review
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./session.js").Session} Session
 */

const PAUSE = 0.12;

/**
 * @param {Session} session
 * @param {View} view
 * @param {Names} names
 */
export async function reviewSheet(session, view, names) {
    const body = h("div", { class: "review", "aria-live": "polite" }, h("p", { class: "note" }, say("review.wait")));
    const sheet = dialogue(say("review"), say("close"), body);
    try {
        const found = await review(session, () => sheet.open);
        if (!found) return;
        fill(body, ...(found.points.length ? shown(session, view, names, found) : [h("p", {}, say("review.none"))]));
    } catch (error) {
        if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        fill(body, h("p", { class: "refused" }, error instanceof Refused ? error.lines.join(" ") : say("lost")));
    }
}

/**
 * @param {Session} session
 * @param {() => boolean} wanted
 * @returns {Promise<Review | null>} Null if it is not wanted any more.
 */
async function review(session, wanted) {
    while (wanted()) {
        const found = await session.send("getReview", {});
        if (found.complete) return found;
        await pause(PAUSE);
    }
    return null;
}

/**
 * @param {Session} session
 * @param {View} view
 * @param {Names} names
 * @param {Review} found
 * @returns {HTMLElement[]}
 */
function shown(session, view, names, { points, keyMoves }) {
    const lines = view.seats.map(({ seat, name, colour }) => ({
        name,
        colour,
        values: points.map((point) => point.projectedScores[seat] ?? 0),
    }));
    const parts = points.flatMap(({ scoring }, at) =>
        scoring ? [{ at, number: scoring, text: say("scoring.now", { number: scoring }) }] : [],
    );
    const marks = keyMoves.map(({ version, seat }, place) => ({
        line: seat,
        at: Math.max(0, points.findIndex((point) => point.version >= version)),
        text: String(place + 1),
    }));
    const legend = lines.map(({ name, colour }, place) => h("li", {}, sample(colour, place), name));
    return [
        h("p", { class: "note" }, say("review.text")),
        h("figure", {}, curve(say("review.curve"), lines, parts, marks), h("ul", { class: "curve-names" }, legend)),
        h("details", {}, h("summary", {}, say("review.table")), table(view, points)),
        h("h3", {}, say("review.moves")),
        keyMoves.length ? moves(session, view, names, keyMoves) : h("p", {}, say("review.even")),
    ];
}

/**
 * The points of every turn, for readers who cannot or do not want to see the curve.
 *
 * @param {View} view
 * @param {Review["points"]} points
 */
function table(view, points) {
    const head = view.seats.map(({ name, colour }) => h("th", { scope: "col" }, dot(colour), name));
    const rows = points.map(({ turn, scoring, scores, projectedScores }) =>
        h(
            "tr",
            { class: scoring ? "sums" : "" },
            h("th", { scope: "row" }, scoring ? `★ ${say("scoring.now", { number: scoring })}` : say("review.turn", { number: turn })),
            scores.map((score, seat) => h("td", {}, `${score} (${projectedScores[seat] ?? score})`)),
        ),
    );
    const made = h(
        "table",
        { class: "score-table" },
        h("caption", {}, say("review.caption")),
        h("thead", {}, h("tr", {}, h("td", {}), head)),
        h("tbody", {}, rows),
    );
    return fitting(made, head.length);
}

/**
 * @param {Session} session
 * @param {View} view
 * @param {Names} names
 * @param {Review["keyMoves"]} keyMoves
 */
function moves(session, view, names, keyMoves) {
    const entries = keyMoves.map(({ version, seat, text, leadBefore, leadAfter }) => {
        const who = view.seats[seat];
        const name = who?.name ?? "";
        const show = () => pastSheet(session, names, version);
        return h(
            "li",
            {},
            h("p", {}, who ? dot(who.colour) : null, h("strong", {}, `${name}: `), session.people.text(text)),
            h("p", { class: "note" }, say("review.swing", { name, before: signed(leadBefore), after: signed(leadAfter) })),
            h("button", { type: "button", class: "plain", "data-key": `show ${version}`, onclick: show }, say("review.show")),
        );
    });
    return h("ol", { class: "key-moves" }, entries);
}

/**
 * @param {number} value
 * @returns {string}
 */
function signed(value) {
    return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}
