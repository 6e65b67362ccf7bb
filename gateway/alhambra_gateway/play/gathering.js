/** Before a game begins, and between two people at one screen. */

import { post } from "./api.js";
import { h } from "./dom.js";
import { changed, commitmentOf, drawEntropy, revealEntropy } from "./entropy.js";
import { dot } from "./log.js";
import { memory } from "./memory.js";
import { link } from "./sheets.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./session.js").Session} Session
 */

/**
 * The seats of a game that has not begun, with the links of those that are open.
 *
 * @param {Session} session
 * @param {View} view
 * @returns {HTMLElement}
 */
export function gathering(session, view) {
    const known = memory.game(session.game);
    const awaited = view.fairness?.entropyAwaited ?? [];
    const rows = view.seats.map((seat) => {
        const invitation = known.invitations[seat.seat];
        const taken = awaited.includes(seat.seat) ? say("seat.awaited") : say("seat.taken");
        const state = seat.occupancy === "open" ? say("seat.open") : taken;
        const shown = seat.occupancy === "open" && invitation;
        return h(
            "li",
            {},
            dot(seat.colour),
            h("strong", {}, seat.name),
            ` – ${state}`,
            shown ? link(say("links.friend", { name: seat.name }), session.game, { invitation }) : null,
        );
    });
    return h(
        "section",
        { class: "panel" },
        h("h1", {}, say("gathering")),
        h("p", {}, say(awaited.length ? "gathering.awaited" : "gathering.text")),
        changed(session.game, view) ? h("p", { class: "refused", role: "alert" }, say("record.changed")) : null,
        h("ul", { class: "gathering" }, rows),
    );
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
 * to the shuffle before its hash is sent.
 *
 * @param {string} game
 * @param {string} invitation
 * @param {string} name Another name than the one given at creation; empty to keep that.
 */
export async function takeSeat(game, invitation, name) {
    const entropy = memory.drawn(invitation) ?? drawEntropy();
    memory.setDrawn(invitation, entropy);
    const body = { invitation, name, entropyCommitment: await commitmentOf(entropy) };
    const claimed = await post(`/v1/games/${game}:claimSeat`, body);
    memory.remember(game, (known) => {
        known.seats[claimed.seat] = { token: claimed.token, name: claimed.view.seats[claimed.seat].name, entropy };
        delete known.invitations[claimed.seat];
        known.opened = Date.now();
    });
    memory.setDrawn(invitation, null);
    await revealEntropy(game, claimed.view);
}
