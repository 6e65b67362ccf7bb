/** Creating a game: the keys of its seats, its invitations and the contributions to the shuffle are kept in this browser. */

import { post } from "./api.js";
import { commitmentOf, drawEntropy, revealEntropy } from "./entropy.js";
import { memory } from "./memory.js";

/**
 * @typedef {object} WantedSeat
 * @property {string} [name]
 * @property {boolean} [claim] Whether the seat is played in this browser.
 * @property {string} [serverPlayer]
 */

/**
 * Creates a game and returns its id. Throws Refused if the server refuses it.
 *
 * @param {WantedSeat[]} seats
 * @param {Record<string, unknown>} [choices] Modules, options and whatever else the game is created with.
 * @param {string} [key] An API key, if the server requires one.
 * @returns {Promise<string>}
 */
export async function createGame(seats, choices = {}, key = "") {
    const seeded = Boolean(choices["seed"]); // a game with a given seed takes no contributions
    const entropies = seats.map(drawEntropy);
    const commitments = await Promise.all(entropies.map(commitmentOf));
    const sent = seats.map((seat, place) =>
        seat.claim && !seeded ? { ...seat, entropyCommitment: commitments[place] } : seat,
    );
    const created = await post("/v1/games", { ...choices, seats: sent }, { token: key });
    memory.remember(created.game, (known) => {
        for (const { seat, token, invitation } of created.seatKeys) {
            const { name } = created.view.seats[seat];
            if (token) known.seats[seat] = { token, name, ...(seeded ? {} : { entropy: entropies[seat] }) };
            else known.invitations[seat] = invitation;
        }
        known.opened = Date.now();
        known.names = created.view.seats.map((/** @type {any} */ one) => one.name).join(", ");
    });
    await revealEntropy(created.game, created.view);
    return created.game;
}
