/**
 * The calls about one game, sent with the token of the seat. Reads ask for at least the version that was seen, and
 * every view that comes is remembered.
 */

import { Call } from "./calls.js";
import { Stale } from "./errors.js";

/**
 * @import { Operations, View } from "./contract.js"
 * @import { GameState } from "./state.js"
 * @import { Transport } from "./transport.js"
 */

export class GameCalls {
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
     * Read the game. Reveal the entropy of the seat if the game waits for it.
     *
     * @param {AbortSignal} [signal]
     * @returns {Promise<View>}
     */
    async read(signal) {
        const answer = await this.askFresh("getGame", {}, signal);
        this.state.isDoubtful = false;
        const seen = this.state.see(answer.view);
        await this.reveal(signal);
        return this.state.view ?? seen;
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
     * Remember the view of an answer, and return the answer with the whole view.
     *
     * @template {{ view: View }} Answer
     * @param {Answer} answer
     * @returns {Answer}
     */
    changed(answer) {
        return { ...answer, view: this.state.see(answer.view) };
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
        if (entropy) this.changed(await this.ask("revealEntropy", { entropy }, signal));
    }
}
