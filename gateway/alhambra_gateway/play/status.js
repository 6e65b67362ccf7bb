/** What stands around the table: buttons, the open question, who is waited for. */

import { line } from "./api.js";
import { clock, isByCorrespondence } from "./clock.js";
import { dialogue, h } from "./dom.js";
import { confirm, giveToComputer, organiser, takeBack } from "./leave.js";
import { dot } from "./log.js";
import { memory } from "./memory.js";
import { image } from "./pictures.js";
import { result } from "./result.js";
import { scoringSheet } from "./scoring.js";
import { settingsSheet } from "./settings.js";
import { linkSheet, orderSheet, recordSheet, tileSheet } from "./sheets.js";
import { allowNotices } from "./turn-signal.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SeatView} SeatView
 * @typedef {import("./types.js").GameEvent} GameEvent
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
 * @param {() => void} speak Opens what can be said to the others.
 */
export function tools(session, names, view, changed, speak) {
    const button = (/** @type {string} */ key, /** @type {() => void} */ onclick, /** @type {object} */ more = {}) =>
        h("button", { type: "button", "data-key": `tool ${key}`, onclick, ...more }, say(key));
    const asText = () => {
        memory.wish({ textMode: !memory.wishes.textMode });
        changed();
    };
    const playing = session.seat !== null && !session.keptAt && view.status === "running" && !view.seats[session.seat]?.resigned;
    return h(
        "div",
        { class: "buttons" },
        playing ? button("undo", () => void session.undo(), {
                  disabled: !session.canUndo || session.busy,
                  title: say("undo.key"),
                  "aria-keyshortcuts": "U",
              }) : null,
        session.seat === null || view.status === "waiting"
            ? null
            : button("say", speak, { title: say("say.key"), "aria-keyshortcuts": "R" }),
        button("text.mode", asText, { "aria-pressed": String(memory.wishes.textMode) }),
        button("scorings", () => scoringSheet(session, names)),
        button("tiles", () => tileSheet(session, names)),
        button("replay", () => void import("./past.js").then(({ pastSheet }) => pastSheet(session, names))),
        button("links", () => linkSheet(session)),
        button("record", () => recordSheet(session)),
        playing && (session.setup?.modules.length || view.orders?.length) ? button("orders", () => void orderSheet(session, names)) : null,
        button("settings", () => settingsSheet(changed)),
        playing ? button("resign", () => confirmResign(session)) : null,
    );
}

/**
 * What can be done without a connection: the next move is kept, or only how the game stood is shown.
 *
 * @param {Session} session
 */
function offline({ keptAt }) {
    const when = new Intl.DateTimeFormat(memory.locale, { dateStyle: "medium", timeStyle: "short" });
    return keptAt ? say("offline.kept", { time: when.format(keptAt) }) : say("offline");
}

/** @param {Session} session */
function confirmResign(session) {
    const step = async () => {
        if (session.seat !== null) await giveToComputer(session, session.seat);
        sheet.close();
    };
    const sheet = dialogue(
        say("resign"),
        say("back"),
        h("p", {}, say("computer.text")),
        h("button", { type: "button", class: "primary", "data-key": "computer", onclick: () => void step() }, say("computer.mine")),
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
 * @param {Names} names
 */
export function question(session, view, names) {
    const { decision } = view;
    const who = decision ? view.seats[decision.seat] : undefined;
    const proposal = view.undoProposal;
    return h(
        "div",
        {},
        line.online ? null : h("p", { class: "offline", role: "alert" }, offline(session)),
        view.status === "over" ? result(session, view, names) : null,
        decision && who ? headline(session, view, names, decision, who) : null,
        timeUp(session, view),
        view.status === "running" && session.seat !== null && isByCorrespondence(session.setup)
            ? noticeOffer()
            : null,
        proposal ? wantedUndo(session, view, proposal) : null,
    );
}

/**
 * What has happened to a person whose time ran out: for one decision, or for the whole game.
 *
 * @param {Session} session
 * @param {View} view
 */
function timeUp({ seat, late }, view) {
    const me = seat === null ? undefined : view.seats[seat];
    const used = seat !== null && view.clocks?.leftMilliseconds[seat] === 0;
    const key =
        used && me?.resigned ? "time.up.resigns" : used && me?.serverPlayer ? "time.up.server_plays" : late ? "time.up" : "";
    return key ? h("p", { class: "note" }, say(key)) : null;
}

/** In a game by correspondence: a button that lets the system call the reader; null if it does already, or cannot. */
function noticeOffer() {
    if (memory.wishes.notify || !("Notification" in window) || Notification.permission === "denied") return null;
    const allow = async () => {
        memory.wish({ notify: await allowNotices() });
        button.remove();
    };
    const button = h("button", { type: "button", class: "plain", "data-key": "notify", onclick: allow }, say("time.notify"));
    return button;
}

/**
 * Whose turn it is: the question to the person who is asked, "Bob is choosing" to everybody else.
 *
 * @param {Session} session
 * @param {View} view
 * @param {Names} names
 * @param {NonNullable<View["decision"]>} decision
 * @param {SeatView} who
 */
function headline(session, view, names, decision, who) {
    const { name, colour } = who;
    const call = session.seats.length > 1 ? say("your.turn.named", { name }) : say("your.turn");
    const time = clock(decision, session.setup);
    return session.asked
        ? h(
              "p",
              { class: "mine" },
              h("strong", {}, dot(colour), call),
              actsAgain(session, view) ? h("em", {}, say("again")) : null,
              h("span", {}, decision.text),
              who.pending.map((tile) => image(names.component(tile, "tile"))),
              time,
          )
        : h("p", { class: "theirs" }, dot(colour), h("span", {}, say("choosing", { name })), time);
}

/**
 * Whether the seat has just paid exactly and may act again.
 *
 * @param {Session} session
 * @param {View} view
 * @returns {boolean}
 */
function actsAgain(session, view) {
    if (view.turn?.seat !== session.seat || !view.turn?.takenActions.length || !view.turn.actionsLeft) return false;
    const began = session.events.findLastIndex(({ facts }) => facts?.turn !== undefined);
    return session.events.slice(began + 1).some(({ seat, facts }) => seat === session.seat && facts?.exact === true);
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
 * What another player has just done, with the cards and the tile that it names.
 *
 * @param {GameEvent} step
 * @param {View} view
 * @param {Names} names
 */
export function stepShown(step, view, names) {
    const colour = step.seat === undefined ? undefined : view.seats[step.seat]?.colour;
    const cards = [...(step.cards ?? []), ...(step.display ?? [])];
    return h(
        "p",
        { class: "theirs step" },
        colour ? dot(colour) : null,
        h("span", {}, step.text ?? ""),
        cards.map((card) => image(names.component(card, "card"))),
        step.tile ? image(names.component(step.tile, "tile")) : null,
    );
}

/**
 * @param {Session} session
 * @param {View} view
 * @param {(() => void) | null} skip Skips the steps that are being shown; null if none are.
 */
export function waitingFor(session, view, skip) {
    if (skip) return h("button", { type: "button", class: "primary", "data-key": "skip", onclick: skip }, say("skip"));
    const who = view.decision ? view.seats[view.decision.seat]?.name : "";
    const delay = session.seat === null && view.status === "running" ? session.setup?.spectatorDelay : 0;
    return h(
        "div",
        {},
        session.refused.length ? h("p", { class: "refused", role: "alert" }, session.refused.join(" ")) : null,
        view.status === "running" && !session.keptAt
            ? h("p", { class: "note" }, say(session.seat === null ? "watching" : "waiting", { name: who ?? "" }))
            : null,
        delay ? h("p", { class: "note" }, say("watching.delayed", { count: delay })) : null,
        view.status === "running" && !session.keptAt ? standIn(session, view) : null,
    );
}

/**
 * A button for a person whose seat a computer plays, or for the one who created the game and waits for a friend.
 *
 * @param {Session} session
 * @param {View} view
 */
function standIn(session, view) {
    const seat = session.seat;
    if (seat !== null && view.seats[seat]?.serverPlayer)
        return h(
            "button",
            { type: "button", class: "primary", "data-key": "take back", onclick: () => void takeBack(session, seat) },
            say("computer.back"),
        );
    const who = view.decision ? view.seats[view.decision.seat] : undefined;
    if (!who || who.serverPlayer || session.seats.includes(who.seat)) return null;
    if (session.setup?.turnSeconds || session.setup?.clockSeconds) return null;
    if (!organiser(session.game)) return null;
    const title = say("computer.for", { name: who.name });
    const ask = () => confirm(title, say("computer.for.text"), () => giveToComputer(session, who.seat));
    return h("button", { type: "button", class: "plain", "data-key": "replace", onclick: ask }, title);
}
