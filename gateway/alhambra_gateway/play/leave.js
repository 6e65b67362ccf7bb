/** Leaving a seat, giving one to the server, and cancelling a game that has not begun. */

import { Refused, server } from "./api.js";
import { newEntropy } from "./client/entropy.js";
import { dialogue, h } from "./dom.js";
import { contribution } from "./entropy.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./session.js").Session} Session
 */

/** The status of a call whose token is not good: the seat was left by an earlier attempt. */
const UNAUTHENTICATED = 401;
const NOT_FOUND = 404;

/**
 * The seat of this browser that may act for the others: it created the game.
 *
 * @param {string} game
 * @returns {string | undefined} Its token.
 */
export function organiser(game) {
    const known = memory.game(game);
    return known.organises === undefined ? undefined : known.seats[known.organises]?.token;
}

/**
 * @param {Session} session
 * @param {object} body
 * @param {string | undefined} token
 * @param {"leaveSeat" | "cancelGame"} call
 * @returns {Promise<string>} Why it was refused; empty if it was done.
 */
async function leave(session, body, token, call = "leaveSeat") {
    try {
        await server.send(call, { game: session.game, ...body }, { token });
        return "";
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return [NOT_FOUND, UNAUTHENTICATED].includes(error.status) ? "" : error.lines.join(" ");
    }
}

/**
 * Opens a seat again.
 *
 * @param {Session} session
 * @param {number} seat
 */
export async function openSeat(session, seat) {
    const own = memory.game(session.game).seats[seat];
    const refused = await leave(session, own ? {} : { seat }, own?.token ?? organiser(session.game));
    if (own && !refused) {
        forgetSeat(session.game, seat);
        await session.look(session.seats[0] ?? null);
    }
    await session.sync();
    return refused;
}

/**
 * Lets a computer play a seat, of this browser or of a friend who is absent.
 *
 * @param {Session} session
 * @param {number} seat
 */
export async function giveToComputer(session, seat) {
    const { serverPlayers } = await server.editions();
    const serverPlayer = (serverPlayers[1] ?? serverPlayers[0])?.key;
    const own = memory.game(session.game).seats[seat];
    const refused = await leave(session, { seat, serverPlayer }, own?.token ?? organiser(session.game));
    if (!refused) await session.sync();
    return refused;
}

/**
 * Takes a seat of this browser back from the computer that plays it.
 *
 * @param {Session} session
 * @param {number} seat
 */
export async function takeBack(session, seat) {
    const own = memory.game(session.game).seats[seat];
    if (!own) return;
    const claimed = await server.send("claimSeat", { game: session.game, seat }, { token: own.token });
    memory.remember(session.game, (known) => (known.seats[seat] = { ...own, token: claimed.token }));
    await session.look(seat);
}

/** @param {Session} session */
export async function cancelGame(session) {
    const refused = await leave(session, {}, organiser(session.game), "cancelGame");
    if (refused) return refused;
    memory.forgetGame(session.game);
    location.hash = "";
    return "";
}

/**
 * Takes an open seat of a game that is open to anyone.
 *
 * @param {string} game
 * @param {string} name
 */
export async function joinOpen(game, name) {
    const entropy = newEntropy();
    const entropyCommitment = await contribution(entropy);
    const claimed = await server.send("claimSeat", { game, name: name || undefined, entropyCommitment });
    memory.remember(game, (known) => {
        known.seats[claimed.seat] = { token: claimed.token, name: claimed.view.seats[claimed.seat]?.name ?? "", entropy };
        known.opened = Date.now();
    });
}

/**
 * @param {string} game
 * @param {number} seat
 */
function forgetSeat(game, seat) {
    memory.remember(game, (known) => {
        delete known.seats[seat];
        if (known.organises === seat) delete known.organises;
    });
}

/**
 * Asks before something that cannot be undone. A refusal is shown in the same sheet.
 *
 * @param {string} title
 * @param {string} text
 * @param {() => Promise<string>} act Returns why it was refused; empty if it was done.
 */
export function confirm(title, text, act) {
    const refused = h("p", { class: "refused", role: "alert", hidden: true });
    const go = async () => {
        const why = await act();
        refused.textContent = why;
        refused.hidden = !why;
        if (!why) sheet.close();
    };
    const button = { type: "button", class: "danger", "data-key": "sure", onclick: () => void go() };
    const sheet = dialogue(title, say("back"), h("p", {}, text), refused, h("button", button, title));
}
