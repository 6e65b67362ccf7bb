/**
 * What one seat, or a spectator, knows of a game. Nothing here uses the network.
 *
 * The state remembers the newest version that was seen, and its link. Reads ask for at least this version, so they
 * never show an older game than was seen already. If the server has lost moves, the state is forgotten and read anew.
 */

import { commitmentOf } from "./entropy.js";
import { CommitmentsChanged } from "./errors.js";
import { ViewParts } from "./view-parts.js";

/** @import { Include, Included, ListLegalMovesResponse, View } from "./contract.js" */

export class GameState {
    /** @type {View | null} */
    view = null;
    version = 0;
    link = "";
    /** Whether an older view came than was seen before: from a server that is behind, or that has lost moves. */
    isDoubtful = false;
    /** What answers hold besides the view. @type {Include[]} */
    include = [];
    /** The first page of the legal moves that came last with a view. @type {ListLegalMovesResponse | null} */
    moves = null;
    parts = new ViewParts();
    /** The commitments of the server and of all seats when this seat revealed its entropy. @type {string | null} */
    #commitments = null;

    /**
     * @param {string} id
     * @param {string} [token]
     * @param {number | null} [seat]
     * @param {string} [entropy] What the seat contributes to the shuffle; empty for nothing.
     */
    constructor(id, token = "", seat = null, entropy = "") {
        this.id = id;
        this.token = token;
        this.seat = seat;
        this.entropy = entropy;
    }

    /** Whether the game waits for a decision of this seat. */
    get isAsked() {
        return this.seat !== null && this.view?.decision?.seat === this.seat;
    }

    get isOver() {
        return this.view?.status === "over";
    }

    /** The members of a request that say what its answer shall hold besides the view. */
    get wanted() {
        return this.include.length ? { include: this.include, knownChecksum: this.parts.checksum || undefined } : {};
    }

    /**
     * Remember the view of an answer, unless it is older than the present one, and what came with it. Return the view
     * with what never changes in a game; null if it was sent as changes that do not fit to the present one.
     *
     * @param {{ view: View, included?: Included }} answer
     * @returns {View | null}
     */
    see({ view, included }) {
        const isOlder = view.version < this.version;
        if (isOlder) this.isDoubtful = true;
        if (isOlder && view.parts) return this.view;
        const whole = this.parts.join(view, included, this.view);
        if (!whole) return null;
        const seen = this.view ? completed(whole, this.view) : whole;
        if (isOlder) return seen;
        this.view = seen;
        this.version = seen.version;
        this.link = seen.fairness.link;
        this.seat = seen.viewer ?? this.seat;
        this.moves = included?.moves ?? this.moves;
        return seen;
    }

    /** Become a spectator's: the seat belongs to somebody else from now on. */
    leave() {
        this.token = this.entropy = "";
        this.seat = null;
    }

    /** Forget everything that was read, because the server has lost the newest moves. */
    forget() {
        this.view = null;
        this.version = 0;
        this.link = "";
        this.isDoubtful = false;
        this.moves = null;
        this.parts = new ViewParts();
    }

    /**
     * The entropy of this seat if the game waits for it now; otherwise "".
     *
     * It is revealed only while the game shows the commitment of this seat. Throws CommitmentsChanged if the game shows
     * other commitments than when the entropy was revealed.
     *
     * @returns {Promise<string>}
     */
    async entropyToReveal() {
        const { entropy, seat } = this;
        const fairness = this.view?.fairness;
        if (!fairness || !entropy || seat === null || !fairness.entropyAwaited.includes(seat)) return "";
        const shown = [fairness.commitment, ...fairness.entropyCommitments].join();
        if (this.#commitments !== null && this.#commitments !== shown)
            throw new CommitmentsChanged(`The commitments of game ${this.id} changed after this seat had revealed.`);
        const isOwn = (await commitmentOf(entropy)) === fairness.entropyCommitments[seat];
        if (!isOwn) return ""; // another device has claimed the seat
        this.#commitments = shown;
        return entropy;
    }
}

/**
 * A view with what answers to moves leave out because it never changes.
 *
 * @param {View} view
 * @param {View} earlier
 * @returns {View}
 */
function completed(view, earlier) {
    if (view.ruleset || !earlier.ruleset) return view;
    const { commitment, entropyCommitments } = earlier.fairness;
    const fairness = { ...view.fairness, commitment, entropyCommitments };
    return { ...view, setup: view.setup ?? earlier.setup, ruleset: earlier.ruleset, fairness };
}
