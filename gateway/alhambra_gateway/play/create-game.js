/** Creating a game: the call, and what this browser remembers of it. */

import { server } from "./api.js";
import { newEntropy } from "./client/entropy.js";
import { contribution, revealEntropy } from "./entropy.js";
import { memory } from "./memory.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {{name?: string, claim?: boolean, serverPlayer?: string}} Seat
 */

/**
 * Creates a game and takes the seats of it that are claimed.
 *
 * @param {{seats: Seat[]} & Record<string, unknown>} wanted
 * @param {string} [key] The API key, if the server requires one.
 * @returns {Promise<string>} The game.
 */
export async function createGame(wanted, key) {
    const entropies = wanted.seats.map(newEntropy);
    const commitments = await Promise.all(entropies.map(contribution));
    const seats = wanted.seats.map((seat, place) =>
        seat.claim && !wanted["seed"] ? { ...seat, entropyCommitment: commitments[place] } : seat,
    );
    const created = await server.send("createGame", { ...wanted, seats }, { token: key });
    memory.remember(created.game, (known) => {
        for (const { seat, token, invitation } of created.seatKeys) {
            const name = created.view.seats[seat]?.name ?? "";
            const entropy = wanted["seed"] ? undefined : entropies[seat]; // a given seed takes no contributions
            if (token) known.organises ??= seat;
            if (token) known.seats[seat] = { token, name, ...(entropy ? { entropy } : {}) };
            else known.invitations[seat] = invitation;
        }
        known.opened = Date.now();
        known.names = created.view.seats.map((one) => one.name).join(", ");
    });
    await revealEntropy(created.game, created.view);
    return created.game;
}

/**
 * Creates the game that was agreed on here once more: the same players, the next seat first. Friends get new links.
 *
 * @param {Session} session
 * @returns {Promise<string>} The game.
 */
export function rematch(session) {
    const { setup, seats: mine, people } = session;
    if (!setup) throw new TypeError("a game that was read has its setup");
    const seats = (session.view?.seats ?? []).map(({ seat, serverPlayer }) => {
        const name = people.ownName(seat);
        return {
            ...(name ? { name } : {}),
            ...(mine.includes(seat) ? { claim: true } : serverPlayer ? { serverPlayer } : {}), // a stand-in is not wanted again
        };
    });
    const { edition, modules, variants, options, turnSeconds, visibility, spectatorDelay, noHints } = setup;
    const { clockSeconds, clockIncrementSeconds, flagFall } = setup;
    return createGame({
        seats: [...seats.slice(1), ...seats.slice(0, 1)],
        ...{ edition, modules, variants, options, turnSeconds, visibility, noHints },
        ...(clockSeconds ? { clockSeconds, clockIncrementSeconds, flagFall } : {}),
        ...(spectatorDelay ? { spectatorDelay } : {}),
    });
}
