/** The end of a game: who won and why, what each scoring gave, and what comes next. */

import { Refused } from "./api.js";
import { rematch } from "./create-game.js";
import { h } from "./dom.js";
import { dot } from "./log.js";
import { pointsOf, scorers, scorings, scoringSheet } from "./scoring.js";
import { reviewSheet } from "./review.js";
import { linkSheet, recordSheet } from "./sheets.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./session.js").Session} Session
 */

const LAST = 3;

/**
 * @param {Session} session
 * @param {View} view
 * @param {Names} names
 * @returns {HTMLElement}
 */
export function result(session, view, names) {
    const refused = h("p", { class: "refused", role: "alert", hidden: true });
    const again = async () => {
        try {
            location.hash = `game=${await rematch(session)}`;
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            refused.hidden = false;
            refused.textContent = error.lines.join(" ");
        }
    };
    const button = (/** @type {string} */ key, /** @type {() => void} */ onclick, kind = "") =>
        h("button", { type: "button", "data-key": `end ${key}`, class: kind, onclick }, say(key));
    return h(
        "div",
        { class: "result" },
        h("h2", {}, outcome(session, view)),
        reason(view),
        h(
            "ol",
            { class: "ranking" },
            (view.result?.ranking ?? []).map(({ seat, place, score }) => {
                const who = view.seats[seat];
                return h(
                    "li",
                    { value: place },
                    who ? dot(who.colour) : null,
                    `${who?.name ?? say("third")}: ${score}`,
                    who?.resigned ? h("span", { class: "note" }, ` ${say("resigned")}`) : null,
                );
            }),
        ),
        breakdown(session, view),
        h(
            "div",
            { class: "buttons" },
            session.seat === null ? null : button("rematch", () => void again(), "primary"),
            h("a", { href: "#", class: "button" }, say("new")),
            button("review", () => void reviewSheet(session, view, names)),
            button("scorings", () => scoringSheet(session, names)),
            button("record", () => recordSheet(session)),
            button("links", () => linkSheet(session)),
        ),
        refused,
    );
}

/**
 * Who won, in the words of the person who looks.
 *
 * @param {Session} session
 * @param {View} view
 * @returns {string}
 */
function outcome(session, view) {
    const winners = view.result?.winners ?? [];
    const names = winners.map((seat) => view.seats[seat]?.name ?? say("third")).join(", ");
    if (!winners.length) return say("over");
    const playing = session.seats.length === 1 ? session.seat : null;
    if (playing === null) return say(winners.length > 1 ? "winners" : "winner", { names });
    if (!winners.includes(playing)) return say("lost.to", { names });
    return say(winners.length > 1 ? "won.with" : "won", { names });
}

/**
 * Why it ended so: everybody else resigned, nobody won, or several share the first place.
 *
 * @param {View} view
 */
function reason(view) {
    const { ranking = [], winners = [], tie } = view.result ?? {};
    const left = view.seats.filter(({ resigned }) => !resigned);
    const resigned = view.seats.filter((seat) => seat.resigned).map(({ name }) => name);
    const text = !ranking.length
        ? say("over.limit")
        : left.length === 1 && winners.length === 1
          ? say("over.resigned", { names: resigned.join(", ") })
          : tie
            ? say(`tie.${tie}`)
            : "";
    return text ? h("p", {}, text) : null;
}

/**
 * What each scoring gave to whom, and everything else; null if there was none.
 *
 * @param {Session} session
 * @param {View} view
 */
function breakdown(session, view) {
    const held = scorings(session.events);
    if (!held.length) return null;
    const rows = scorers(view).map(({ seat, name, colour, score }) => {
        const parts = Array.from({ length: LAST }, (_, place) => {
            const one = held.find(({ number }) => number === place + 1);
            return one ? pointsOf(one, seat) : null;
        });
        const other = score - parts.reduce((/** @type {number} */ sum, one) => sum + (one ?? 0), 0);
        return { name, colour, score, parts, other };
    });
    const others = rows.some(({ other }) => other);
    return h(
        "div",
        { class: "wide" },
        h(
            "table",
            { class: "score-table" },
            h("caption", {}, say("breakdown")),
            h(
                "thead",
                {},
                h(
                    "tr",
                    {},
                    h("td", {}),
                    Array.from({ length: LAST }, (_, place) => h("th", { scope: "col" }, String(place + 1))),
                    others ? h("th", { scope: "col" }, say("scoring.other")) : null,
                    h("th", { scope: "col" }, say("scoring.total")),
                ),
            ),
            h(
                "tbody",
                {},
                rows.map(({ name, colour, score, parts, other }) =>
                    h(
                        "tr",
                        {},
                        h("th", { scope: "row" }, colour ? dot(colour) : null, name),
                        parts.map((one) => h("td", {}, one ?? "–")),
                        others ? h("td", {}, other) : null,
                        h("td", {}, h("strong", {}, score)),
                    ),
                ),
            ),
        ),
    );
}
