/**
 * Sends calls over HTTP, each as often as necessary, and reads streams. All network access of the library is here.
 */

import { AlhambraError, OutcomeUnknown, Refused, refusal, UnexpectedAnswer, Unreachable } from "./errors.js";
import { Attempts, RETRY } from "./retries.js";
import { Deadline, pause } from "./time.js";

/**
 * @import { Call } from "./calls.js"
 * @import { Retry } from "./retries.js"
 *
 * @typedef {object} Connection How the server is called.
 * @property {string} [language] The language of texts, "de" for example; by default that of the browser.
 * @property {Partial<Retry>} [retry] For how long calls are repeated; by default for a minute.
 * @property {number} [seconds] How long one answer may take, and how long a stream may be silent; 20 by default. The
 *     server sends a sign of life every ten seconds.
 * @property {Pick<Storage, "getItem" | "setItem" | "removeItem">} [storage] Where changes of games are kept until they are
 *     answered, without their tokens: `localStorage`, for example. After a reload, `game.repeatPending` sends them again.
 * @property {typeof globalThis.fetch} [fetch] Another implementation of `fetch`.
 */

/** How long an answer, or the next bytes of a stream, may take. */
const ANSWER_SECONDS = 20;

/** Failures of Node.js that happen before a request is sent. Browsers do not tell them apart. */
const NOT_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/** The connection to a server. */
export class Transport {
    #base;
    #seconds;
    #fetch;

    /**
     * @param {string} address
     * @param {Connection} [connection]
     */
    constructor(address, connection = {}) {
        const { language = "", retry, seconds = ANSWER_SECONDS, storage, fetch = globalThis.fetch } = connection;
        const { origin, pathname } = new URL(address, globalThis.location?.href);
        this.#base = origin + pathname.replace(/\/$/, "").replace(/\/v1$/, "");
        /** The language of texts; empty for that of the browser. */
        this.language = language;
        this.retry = { ...RETRY, ...retry };
        this.storage = storage;
        this.#seconds = seconds;
        this.#fetch = (/** @type {string} */ url, /** @type {RequestInit} */ init) => fetch(url, init);
    }

    /**
     * Send a call, as often as necessary, and return its answer. Until then, the call is kept if it says where.
     *
     * @param {Call} call
     * @param {AbortSignal} [signal]
     * @returns {Promise<any>}
     */
    async send(call, signal) {
        if (call.keptAs) this.storage?.setItem(call.keptAs, JSON.stringify(call));
        try {
            const answer = await this.#repeat(call, signal);
            this.#answered(call);
            return answer;
        } catch (error) {
            if (error instanceof Refused) this.#answered(call);
            throw error;
        }
    }

    /** @param {Call} call */
    #answered({ keptAs }) {
        if (keptAs) this.storage?.removeItem(keptAs);
    }

    /**
     * @param {Call} call
     * @param {AbortSignal} [signal]
     * @returns {Promise<any>}
     */
    async #repeat(call, signal) {
        const { seconds, changeSeconds = seconds } = this.retry;
        const attempts = new Attempts({ ...this.retry, seconds: call.changes ? changeSeconds : seconds });
        for (;;) {
            try {
                return await this.#attempt(call, signal);
            } catch (error) {
                if (!(error instanceof AlhambraError) || error instanceof UnexpectedAnswer) throw error;
                await pause(attempts.pauseAfter(error), signal, !(error instanceof Refused));
            }
        }
    }

    /**
     * @param {Call} call
     * @param {AbortSignal} [signal]
     * @returns {Promise<any>}
     */
    async #attempt(call, signal) {
        const deadline = new Deadline(this.#seconds, signal);
        const init = call.init(this.language);
        let response, text;
        try {
            deadline.start();
            response = await this.#fetch(this.#base + call.address, { ...init, signal: deadline.signal });
            text = await response.text();
        } catch (error) {
            throw signal?.aborted ? signal.reason : noAnswer(call, error);
        } finally {
            deadline.close();
        }
        if (!response.ok) throw refusal(response.status, text, response.headers.get("Retry-After"), call);
        return call.read(text);
    }

    /**
     * Open a stream once and yield its bytes until it ends. Throws if it cannot be opened, breaks, or is silent for too
     * long.
     *
     * @param {Call} call
     * @param {AbortSignal} [signal]
     * @returns {AsyncGenerator<Uint8Array, void>}
     */
    async *stream(call, signal) {
        const deadline = new Deadline(this.#seconds, signal);
        const init = call.init(this.language);
        try {
            deadline.start();
            const response = await this.#fetch(this.#base + call.address, { ...init, signal: deadline.signal });
            if (!response.ok)
                throw refusal(response.status, await response.text(), response.headers.get("Retry-After"), call);
            const reader = response.body?.getReader();
            if (!reader) throw new UnexpectedAnswer("This implementation of fetch cannot read streams.", call);
            for (;;) {
                deadline.start();
                const { done, value } = await reader.read();
                deadline.stop(); // the time that the reader of the events takes does not count
                if (done) return;
                yield value;
            }
        } catch (error) {
            if (signal?.aborted) throw signal.reason;
            throw error instanceof AlhambraError ? error : noAnswer(call, error);
        } finally {
            deadline.close();
        }
    }
}

/**
 * The error for a call that was not answered.
 *
 * @param {Call} call
 * @param {any} failure
 * @returns {AlhambraError}
 */
function noAnswer(call, failure) {
    const why = failure?.cause?.message || failure?.cause?.code || failure?.message;
    const Kind = call.changes && !NOT_SENT.includes(failure?.cause?.code) ? OutcomeUnknown : Unreachable;
    return new Kind(`${call.name} was not answered: ${why}`, call, { cause: failure });
}
