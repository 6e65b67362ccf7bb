/**
 * What the seats of this browser contribute to the shuffle. It is drawn and kept before a seat is taken; only its hash is
 * sent then. It is revealed when all seats are taken and nobody can change a contribution any more, so that nobody
 * can choose the deal, not even a host who plays.
 */

import { post } from "./api.js";
import { memory } from "./memory.js";
import { hexadecimal, randomHex } from "./random.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Noted} Noted
 */

const BYTES = 32;

/** @returns {string} */
export function drawEntropy() {
    return randomHex(BYTES);
}

/**
 * The hash that is sent before the entropy itself. Undefined on pages without TLS, where browsers have no SHA-256: their
 * seats contribute nothing to the shuffle.
 *
 * @param {string} entropy
 * @returns {Promise<string | undefined>}
 */
export async function commitmentOf(entropy) {
    if (!crypto.subtle) return undefined;
    const bytes = Uint8Array.from(entropy.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    return hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/**
 * Reveals the entropy of each seat of this browser that the game waits for. All commitments are noted before; if they
 * have changed since this browser revealed anything, nothing more is revealed.
 *
 * @param {string} game
 * @param {View} view
 * @returns {Promise<boolean>} Whether something was revealed.
 */
export async function revealEntropy(game, view) {
    let revealed = false;
    for (const seat of view.fairness?.entropyAwaited ?? []) {
        const holding = memory.game(game).seats[seat];
        const shown = shownBy(view);
        if (!holding?.entropy || !shown || changed(game, view)) continue;
        if ((await commitmentOf(holding.entropy)) !== shown.seats[seat]) continue; // another device has taken the seat
        memory.remember(game, (known) => (known.noted = shown));
        await post(`/v1/games/${game}:revealEntropy`, { entropy: holding.entropy }, { token: holding.token });
        revealed = true;
    }
    return revealed;
}

/**
 * Whether the commitments are others than those that this browser noted before it revealed anything.
 *
 * @param {string} game
 * @param {View} view
 * @returns {boolean}
 */
export function changed(game, view) {
    const { noted } = memory.game(game);
    const shown = shownBy(view);
    return Boolean(noted && shown && JSON.stringify(noted) !== JSON.stringify(shown));
}

/**
 * The commitments in a view; null in answers to moves, which leave them out.
 *
 * @param {View} view
 * @returns {Noted | null}
 */
function shownBy(view) {
    const { fairness } = view;
    return fairness?.commitment ? { commitment: fairness.commitment, seats: fairness.entropyCommitments ?? [] } : null;
}
