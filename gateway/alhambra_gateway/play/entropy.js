/**
 * What the seats of this browser contribute to the shuffle. It is drawn and kept before a seat is taken; only its hash is
 * sent then. It is revealed when all seats are taken and nobody can change a contribution any more, so that nobody
 * can choose the deal, not even a host who plays.
 */

import { server } from "./api.js";
import { canContribute, commitmentOf } from "./client/entropy.js";
import { memory } from "./memory.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Noted} Noted
 */

/**
 * What a seat sends when it is taken: the hash of its entropy. Undefined on pages without TLS, where browsers have no
 * SHA-256: their seats contribute nothing to the shuffle.
 *
 * @param {string} entropy
 * @returns {Promise<string | undefined>}
 */
export async function contribution(entropy) {
    return canContribute() ? commitmentOf(entropy) : undefined;
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
    if (changed(game, view)) {
        memory.remember(game, (known) => (known.alarmed = true));
        return false;
    }
    let revealed = false;
    for (const seat of view.fairness?.entropyAwaited ?? []) {
        const holding = memory.game(game).seats[seat];
        const shown = shownBy(view);
        if (!holding?.entropy || !shown) continue;
        if ((await contribution(holding.entropy)) !== shown.seats[seat]) continue; // another device has taken the seat
        memory.remember(game, (known) => (known.noted = shown));
        await server.send("revealEntropy", { game, entropy: holding.entropy }, { token: holding.token });
        revealed = true;
    }
    return revealed;
}

/**
 * Whether the commitments are others than those that this browser noted before it revealed anything, or were so once.
 *
 * @param {string} game
 * @param {View} view
 * @returns {boolean}
 */
export function changed(game, view) {
    const { noted, alarmed } = memory.game(game);
    const shown = shownBy(view);
    return Boolean(alarmed) || Boolean(noted && shown && JSON.stringify(noted) !== JSON.stringify(shown));
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
