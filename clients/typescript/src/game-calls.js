/**
 * The calls about one game, sent with the token of the seat. Reads ask for at least the version that was seen, and
 * every view that comes is remembered.
 */

import { Call } from "./calls.js";
import { Stale } from "./errors.js";
import { ViewParts } from "./view-parts.js";

/**
 * @import { Included, Operations, View } from "./contract.js"
 * @import { GameState } from "./state.js"
 * @import { Transport } from "./transport.js"
 */

/** The beginning of the names under which changes are kept until they are answered. */
const PENDING = "alhambra.pending.";

export class GameCalls {
    /** Settled when the changes that were sent until now are answered, and their answers remembered. */
    #changes = /** @type {Promise<unknown>} */ (Promise.resolve());

    /**
     * @param {Transport} transport
     * @param {GameState} state
     */
    constructor(transport, state) {
        this.transport = transport;
        this.state = state;
    }

    /**
     * Send a request about this game with the token of the seat.
     *
     * @template {keyof Operations} Name
     * @param {Name} operation
     * @param {object} request
     * @param {AbortSignal} [signal]
     * @returns {Promise<Operations[Name]["answer"]>}
     */
    ask(operation, request, signal) {
        const { id, token } = this.state;
        return this.transport.send(new Call(operation, { ...request, game: id }, token), signal);
    }

    /**
     * Send a read that has to know at least the version that was seen.
     *
     * @template {keyof Operations} Name
     * @param {Name} operation
     * @param {object} request
     * @param {AbortSignal} [signal]
     * @returns {Promise<Operations[Name]["answer"]>}
     */
    async askFresh(operation, request, signal) {
        if (!this.state.version) return this.ask(operation, request, signal);
        try {
            return await this.ask(operation, { ...request, minVersion: this.state.version }, signal);
        } catch (error) {
            if (!(error instanceof Stale)) throw error;
            this.state.forget();
            return this.ask(operation, request, signal);
        }
    }

    /**
     * Send a change and remember the view of its answer. If a page is left before it is answered, `repeatPending` of
     * the next page sends it again.
     *
     * @template {"applyMove" | "undo" | "resign" | "setOrders" | "leaveSeat"} Name
     * @param {Name} operation
     * @param {object} request
     * @param {AbortSignal} [signal]
     * @returns {Promise<Operations[Name]["answer"]>}
     */
    change(operation, request, signal) {
        const { id, token, wanted } = this.state;
        const call = new Call(operation, { ...request, ...wanted, game: id }, token);
        return this.#carryOut(call, signal);
    }

    /**
     * Send the change again that was not answered when its page was left.
     *
     * @param {AbortSignal} [signal]
     * @returns {Promise<any>} The answer; null if there is no such change.
     */
    async repeatPending(signal) {
        const kept = this.transport.storage?.getItem(this.#keptAs);
        if (!kept) return null;
        const { operation, request } = JSON.parse(kept);
        return this.#carryOut(new Call(operation, request, this.state.token), signal);
    }

    get #keptAs() {
        return `${PENDING}${this.state.id}.${this.state.seat}`;
    }

    /**
     * @param {Call} call
     * @param {AbortSignal} [signal]
     */
    #carryOut(call, signal) {
        call.keptAs = this.#keptAs;
        const answered = this.transport.send(call, signal).then((answer) => this.changed(answer, signal));
        this.#changes = Promise.allSettled([this.#changes, answered]);
        return answered;
    }

    /**
     * Read the game. Reveal the entropy of the seat if the game waits for it.
     *
     * @param {AbortSignal} [signal]
     * @returns {Promise<View>}
     */
    async read(signal) {
        const answer = await this.askFresh("getGame", this.state.wanted, signal);
        this.state.isDoubtful = false;
        const { view } = await this.changed(answer, signal);
        await this.reveal(signal);
        return this.state.view ?? view;
    }

    /**
     * What a change refers to: it is refused if the game has gone on, or has another history at this version.
     *
     * @param {AbortSignal} [signal]
     */
    async seen(signal) {
        if (!this.state.view) await this.read(signal);
        return { version: this.state.version, link: this.state.link };
    }

    /**
     * Remember the view of an answer, and return the answer with the whole view. If it was sent as changes that do not
     * fit, the game is read.
     *
     * @template {{ view?: View, included?: Included }} Answer
     * @param {Answer} answer
     * @param {AbortSignal} [signal]
     * @returns {Promise<Answer>}
     */
    async changed(answer, signal) {
        const { view, included } = answer;
        if (!view) return answer;
        return { ...answer, view: this.state.see({ view, included }) ?? (await this.#readWhole(view.version, signal)) };
    }

    /**
     * Read the game without naming the view that is known.
     *
     * @param {number} minVersion
     * @param {AbortSignal} [signal]
     * @returns {Promise<View>}
     */
    async #readWhole(minVersion, signal) {
        this.state.parts = new ViewParts();
        const answer = await this.ask("getGame", { ...this.state.wanted, minVersion }, signal);
        return this.state.see(answer) ?? answer.view;
    }

    /**
     * Remember the view of a snapshot. It is compared after the answers to changes that are under way: these hold what
     * snapshots leave out.
     *
     * @template {{ view: View, included?: Included }} Told
     * @param {Told} snapshot
     * @param {AbortSignal} [signal]
     * @returns {Promise<Told>}
     */
    async told(snapshot, signal) {
        await this.#changes;
        return this.changed(snapshot, signal);
    }

    /**
     * Do what a view asks for: read the game if an older view than before came, and reveal the entropy of the seat if
     * the game waits for it.
     *
     * @param {AbortSignal} [signal]
     */
    async catchUp(signal) {
        if (this.state.isDoubtful) await this.read(signal);
        else await this.reveal(signal);
    }

    /**
     * Reveal the entropy of the seat if the game waits for it.
     *
     * @param {AbortSignal} [signal]
     */
    async reveal(signal) {
        const entropy = await this.state.entropyToReveal();
        if (entropy) await this.changed(await this.ask("revealEntropy", { entropy }, signal), signal);
    }
}
