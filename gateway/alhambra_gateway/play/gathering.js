/** Before a game begins, and between two people at one screen. */

import { Refused, server } from "./api.js";
import { newEntropy } from "./client/entropy.js";
import { h } from "./dom.js";
import { changed, contribution, revealEntropy } from "./entropy.js";
import { cancelGame, confirm, giveToComputer, openSeat, organiser } from "./leave.js";
import { dot } from "./log.js";
import { memory } from "./memory.js";
import { link } from "./sheets.js";
import { agreedTimes } from "./time-control.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SeatView} SeatView
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./session.js").Session} Session
 */

const MALFORMED = "REQUEST_MALFORMED";

/**
 * The waiting room: the seats of a game that has not begun, with the links of those that are open, and what can be done
 * about friends who do not come.
 *
 * @param {Session} session
 * @param {View} view
 * @param {Names} names
 * @returns {HTMLElement}
 */
export function gathering(session, view, names) {
    const awaited = view.fairness?.entropyAwaited ?? [];
    const modules = (session.setup?.modules ?? []).map((key) => names.module(key));
    if (session.refused.length) return gone();
    const cancel = () => confirm(say("cancel.game"), say("cancel.text"), () => cancelGame(session));
    return h(
        "section",
        { class: "panel waiting-room" },
        h("h1", {}, say("gathering")),
        h("p", {}, say(awaited.length ? "gathering.awaited" : "gathering.text")),
        modules.length ? h("p", { class: "note" }, `${say("modules")}: ${modules.join(", ")}`) : null,
        session.setup ? agreedTimes(session.setup).map((text) => h("p", { class: "note" }, text)) : null,
        session.setup?.noHints ? h("p", { class: "note" }, say("hints.none")) : null,
        changed(session.game, view) ? h("p", { class: "refused", role: "alert" }, say("record.changed")) : null,
        h(
            "ul",
            { class: "gathering" },
            view.seats.map((seat) => h("li", {}, place(session, seat, awaited))),
        ),
        h("div", { class: "refused", role: "alert", hidden: true }),
        session.setup?.visibility === "seats" ? null : watchers(session),
        organiser(session.game)
            ? h("button", { type: "button", "data-key": "cancel game", onclick: cancel }, say("cancel.game"))
            : null,
    );
}

/** The game is gone, or the seat of this browser is. */
function gone() {
    return h(
        "section",
        { class: "panel" },
        h("h1", {}, say("gathering")),
        h("p", { class: "refused", role: "alert" }, say("gathering.gone")),
        h("a", { class: "button", href: "#" }, say("to.lobby")),
    );
}

/** A link for spectators, folded: few people need it before the game begins. @param {Session} session */
function watchers(session) {
    return h("details", {}, h("summary", {}, say("links.watch")), link(say("links.watch"), session.game, {}));
}

/**
 * One seat: who it is for, whether the player is there, and what can be done.
 *
 * @param {Session} session
 * @param {SeatView} seat
 * @param {readonly number[]} awaited The seats that have not contributed to the shuffle.
 */
function place(session, seat, awaited) {
    const known = memory.game(session.game);
    const open = seat.occupancy === "open";
    const invitation = known.invitations[seat.seat];
    const mine = seat.seat in known.seats;
    const host = organiser(session.game) !== undefined;
    const here = seat.serverPlayer ? "seat.computer" : awaited.includes(seat.seat) ? "seat.awaited" : "seat.taken";
    const button = (/** @type {string} */ key, /** @type {() => Promise<string>} */ act) =>
        h(
            "button",
            {
                type: "button",
                class: "plain",
                "data-key": `${key} ${seat.seat}`,
                "aria-label": `${say(key)}: ${seat.name}`,
                onclick: (/** @type {Event} */ event) => void tell(event, act),
            },
            say(key),
        );
    return [
        h(
            "div",
            { class: "place" },
            dot(seat.colour),
            h("strong", {}, seat.name),
            h("span", { class: open ? "note" : "here" }, open ? say("seat.open") : `✓ ${say(here)}`),
            host && open ? button("seat.computer.instead", () => giveToComputer(session, seat.seat)) : null,
            host && !open && !mine ? button("seat.free", () => openSeat(session, seat.seat)) : null,
            mine && !host ? button("seat.leave", () => openSeat(session, seat.seat)) : null,
        ),
        open && invitation ? link(say("links.friend", { name: seat.name }), session.game, { invitation }) : null,
    ];
}

/**
 * Does something and shows below the seats why it was refused.
 *
 * @param {Event} event
 * @param {() => Promise<string>} act
 */
async function tell(event, act) {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    const refused = /** @type {HTMLElement | null} */ (button.closest(".waiting-room")?.querySelector("div.refused"));
    button.disabled = true;
    const why = await act();
    button.disabled = false;
    if (!refused) return;
    refused.textContent = why;
    refused.hidden = !why;
}

/**
 * Hides the table until the next person at this screen is there.
 *
 * @param {string} name
 * @param {() => void} go
 * @returns {HTMLElement}
 */
export function curtain(name, go) {
    const button = { type: "button", class: "primary", "data-key": "curtain", onclick: go };
    return h(
        "section",
        { class: "panel" },
        h("h1", {}, say("curtain", { name })),
        h("p", {}, say("curtain.text")),
        h("button", button, say("curtain.go", { name })),
    );
}

/**
 * Takes a seat by its invitation; the token is kept before it is used for the first time, and what the seat contributes
 * to the shuffle before its hash is sent. In a game that has begun, where a computer plays in place of a friend who comes
 * late, the seat keeps its name.
 *
 * @param {string} game
 * @param {string} invitation
 * @param {string} name Another name than the one given at creation; empty to keep that.
 */
export async function takeSeat(game, invitation, name) {
    const entropy = memory.drawn(invitation) ?? newEntropy();
    memory.setDrawn(invitation, entropy);
    const body = { game, invitation, entropyCommitment: await contribution(entropy) };
    const claimed = await server.send("claimSeat", { ...body, name }).catch((error) => {
        if (!(error instanceof Refused && error.reason === MALFORMED && name)) throw error;
        return server.send("claimSeat", body);
    });
    memory.remember(game, (known) => {
        known.seats[claimed.seat] = { token: claimed.token, name: claimed.view.seats[claimed.seat]?.name ?? "", entropy };
        known.opened = Date.now();
    });
    memory.setDrawn(invitation, null);
    await revealEntropy(game, claimed.view);
}
