/**
 * Waiting, in ways that a signal can end.
 */

/**
 * Wait. Throws the reason of the signal if it is aborted.
 *
 * @param {number} seconds
 * @param {AbortSignal} [signal]
 * @param {boolean} [untilOnline] Whether the wait ends early if the browser tells that it has a network again.
 * @returns {Promise<void>}
 */
export function pause(seconds, signal, untilOnline = false) {
    return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const ended = new AbortController();
        const once = { once: true, signal: ended.signal };
        const end = () => {
            clearTimeout(timer);
            ended.abort();
            if (signal?.aborted) reject(signal.reason);
            else resolve();
        };
        const timer = setTimeout(end, 1000 * seconds);
        signal?.addEventListener("abort", end, once);
        if (untilOnline) globalThis.addEventListener?.("online", end, once);
    });
}

/** A signal that is aborted with another one, when a time has passed since `start`, or by `close`. */
export class Deadline {
    #controller = new AbortController();
    #seconds;
    #outer;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #abort = () => this.#controller.abort(this.#outer?.reason);

    /**
     * @param {number} seconds
     * @param {AbortSignal} [outer]
     */
    constructor(seconds, outer) {
        outer?.throwIfAborted();
        outer?.addEventListener("abort", this.#abort);
        this.#seconds = seconds;
        this.#outer = outer;
    }

    get signal() {
        return this.#controller.signal;
    }

    /** Let the time begin, also anew. */
    start() {
        this.stop();
        const late = new DOMException(`No answer within ${this.#seconds} s`, "TimeoutError");
        this.#timer = setTimeout(() => this.#controller.abort(late), 1000 * this.#seconds);
    }

    /** Let the time stand still. */
    stop() {
        clearTimeout(this.#timer);
    }

    /** Abort whatever still uses the signal. */
    close() {
        this.stop();
        this.#outer?.removeEventListener("abort", this.#abort);
        this.#controller.abort();
    }
}
