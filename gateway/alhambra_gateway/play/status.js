/** What stands around the table: buttons, the open question, the scores, the result. */

import { line } from "./api.js";
import { dialogue, h } from "./dom.js";
import { dot } from "./log.js";
import { memory } from "./memory.js";
import { pastSheet } from "./past.js";
import { linkSheet, orderSheet, recordSheet, tileSheet, wholeBoard } from "./sheets.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./session.js").Session} Session
 */

/**
 * The buttons above the table.
 *
 * @param {Session} session
 * @param {Names} names
 * @param {View} view
 * @param {() => void} changed Called when a wish of the reader has changed.
 */
export function tools(session, names, view, changed) {
    const button = (/** @type {string} */ key, /** @type {() => void} */ onclick, /** @type {object} */ more = {}) =>
        h("button", { type: "button", "data-key": `tool ${key}`, onclick, ...more }, say(key));
    const wish = (/** @type {"textMode" | "ask"} */ name) => () => {
        memory.wish({ [name]: !memory.wishes[name] });
        changed();
    };
    const playing = session.seat !== null && view.status === "running" && !view.seats[session.seat]?.resigned;
    return h(
        "div",
        { class: "buttons" },
        line.online ? null : h("span", { class: "offline", role: "alert" }, say("offline")),
        playing ? button("undo", () => void session.undo(), { disabled: !session.canUndo || session.busy }) : null,
        button("text.mode", wish("textMode"), { "aria-pressed": String(memory.wishes.textMode) }),
        button("tiles", () => tileSheet(session, names)),
        button("replay", () => pastSheet(session, names)),
        button("links", () => linkSheet(session)),
        button("record", () => recordSheet(session)),
        playing ? button("orders", () => orderSheet(session, names)) : null,
        playing ? button("ask", wish("ask"), { "aria-pressed": String(memory.wishes.ask) }) : null,
        playing ? button("resign", () => confirmResign(session)) : null,
    );
}

/** @param {Session} session */
function confirmResign(session) {
    const sheet = dialogue(
        say("resign"),
        say("back"),
        h("p", {}, say("resign.text")),
        h(
            "button",
            { type: "button", class: "danger", onclick: () => (sheet.close(), void session.resign()) },
            say("resign"),
        ),
    );
}

/**
 * @param {Session} session
 * @param {View} view
 */
export function question(session, view) {
    const { decision } = view;
    const who = decision ? view.seats[decision.seat] : undefined;
    const proposal = view.undoProposal;
    return h(
        "div",
        {},
        view.status === "over" ? result(session, view) : null,
        decision && who
            ? h(
                  "p",
                  { class: session.asked ? "mine" : "" },
                  dot(who.colour),
                  h("strong", {}, who.name),
                  ` ${decision.text}`,
                  decision.deadline
                      ? h("span", { class: "clock", role: "timer", "data-until": decision.deadline })
                      : null,
              )
            : null,
        session.late ? h("p", { class: "note" }, say("time.up")) : null,
        proposal ? wantedUndo(session, view, proposal) : null,
    );
}

/**
 * A seat wants its move back: a question to those who have not answered yet, a note for all others.
 *
 * @param {Session} session
 * @param {View} view
 * @param {NonNullable<View["undoProposal"]>} proposal
 */
function wantedUndo(session, view, { seat, waitingFor }) {
    const name = (/** @type {number} */ one) => view.seats[one]?.name ?? "";
    const answer = (/** @type {string} */ key, /** @type {boolean} */ consent) =>
        h("button", { type: "button", "data-key": key, onclick: () => void session.answerUndo(seat, consent) }, say(key));
    const mine = session.seat !== null && waitingFor.includes(session.seat);
    return h(
        "div",
        { class: "wanted" },
        h("p", {}, say("undo.wanted", { name: name(seat) })),
        mine
            ? [answer("agree", true), answer("refuse", false)]
            : h("p", { class: "note" }, say("undo.open", { names: waitingFor.map(name).join(", ") })),
    );
}

/**
 * @param {Session} session
 * @param {View} view
 */
function result(session, view) {
    const ranking = view.result?.ranking ?? [];
    return h(
        "div",
        { class: "result" },
        h("h2", {}, say("over")),
        h(
            "ol",
            {},
            ranking.map(({ seat, place, score }) =>
                h("li", { value: place }, `${view.seats[seat]?.name ?? "Dirk"}: ${score}`),
            ),
        ),
        h(
            "button",
            { type: "button", class: "plain", "data-key": "record", onclick: () => recordSheet(session) },
            say("record"),
        ),
    );
}

/**
 * @param {Session} session
 * @param {View} view
 */
export function waitingFor(session, view) {
    const who = view.decision ? view.seats[view.decision.seat]?.name : "";
    const delay = session.seat === null && view.status === "running" ? session.setup?.spectatorDelay : 0;
    return h(
        "div",
        {},
        session.refused.length ? h("p", { class: "refused", role: "alert" }, session.refused.join(" ")) : null,
        view.status === "running"
            ? h("p", { class: "note" }, say(session.seat === null ? "watching" : "waiting", { name: who ?? "" }))
            : null,
        delay ? h("p", { class: "note" }, say("watching.delayed", { count: delay })) : null,
    );
}

/**
 * @param {Session} session
 * @param {View} view
 */
export function scores(session, view) {
    const rows = view.seats.map((seat) => {
        const turn = view.decision?.seat === seat.seat;
        const open = () => wholeBoard(session, seat.seat);
        return h(
            "li",
            { class: turn ? "turn" : "" },
            h(
                "button",
                {
                    type: "button",
                    "data-key": `score ${seat.seat}`,
                    onclick: open,
                    title: say("whole", { name: seat.name }),
                },
                dot(seat.colour),
                h(
                    "span",
                    { class: "who" },
                    seat.name,
                    turn ? h("span", { class: "unseen" }, ` (${say("asked")})`) : null,
                    turn ? h("span", { "aria-hidden": "true" }, " ◀") : null,
                ),
                h(
                    "span",
                    { class: "cards-held", title: say("hand") },
                    h("span", { class: "unseen" }, `${say("hand")}: `),
                    h("span", { "aria-hidden": "true" }, "🂠 "),
                    seat.handCount,
                ),
                h("strong", {}, h("span", { class: "unseen" }, `${say("score")}: `), seat.score),
            ),
        );
    });
    const third = view.table?.dirk;
    if (third)
        rows.push(
            h(
                "li",
                {},
                h(
                    "span",
                    { class: "plain-row" },
                    h("span", { class: "who" }, "Dirk"),
                    h("span", { class: "cards-held" }, h("span", { "aria-hidden": "true" }, "▦ "), third.tiles.length),
                    h("strong", {}, third.score),
                ),
            ),
        );
    return h("ul", { class: "score-list" }, rows);
}
