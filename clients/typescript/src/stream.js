/**
 * What the streams of games and of notices have in common: their messages are parsed, and a stream that ends or breaks
 * is opened again, when the server says or with growing pauses.
 */

import { AlhambraError, Refused, Unreachable } from "./errors.js";
import { EventParser } from "./event-parser.js";
import { Attempts } from "./retries.js";
import { pause } from "./time.js";

/**
 * @import { Call } from "./calls.js"
 * @import { ServerSentEvent } from "./event-parser.js"
 * @import { Retry } from "./retries.js"
 * @import { Transport } from "./transport.js"
 */

/**
 * A reader of one stream after the other. `open` and `feed` say what they are about.
 *
 * @template Told What the reader is told.
 */
export class Stream {
    /** Whether there is nothing more to read. */
    isFinished = false;
    /** Whether the present stream has said that it ends. */
    isClosed = false;
    #retry;
    #attempts;
    #parser = new EventParser();
    /** Whether the present stream has sent something. */
    #isAlive = false;

    /** @param {Retry} retry */
    constructor(retry) {
        this.#retry = retry;
        this.#attempts = new Attempts(retry);
    }

    /**
     * The call that opens the next stream.
     *
     * @returns {Call | Promise<Call>}
     */
    open() {
        throw new TypeError("A stream says which call opens it.");
    }

    /**
     * Yield what the reader is told by these bytes of the stream.
     *
     * @param {Uint8Array} _bytes
     * @returns {Iterable<Told>}
     */
    feed(_bytes) {
        throw new TypeError("A stream says what its bytes mean.");
    }

    /** Get ready for the bytes of the next stream. */
    begin() {
        this.#parser = new EventParser();
        this.#isAlive = this.isClosed = false;
    }

    /**
     * Yield the messages that are complete with these bytes.
     *
     * @param {Uint8Array} bytes
     * @returns {Generator<ServerSentEvent, void>}
     */
    *parse(bytes) {
        for (const message of this.#parser.feed(bytes)) {
            this.#isAlive = true;
            yield message;
        }
    }

    /**
     * How many seconds to wait before the next stream is opened. Throws the failure if another stream is not worth it.
     *
     * @param {AlhambraError | null} failure Why the present stream could not be opened or read; null if it ended.
     * @returns {number}
     */
    pauseAfter(failure) {
        if (this.#isAlive) {
            this.#attempts = new Attempts(this.#retry);
            return this.#parser.retrySeconds;
        }
        return this.#attempts.pauseAfter(failure ?? new Unreachable("The stream ended before it had begun."));
    }
}

/**
 * Yield what a reader is told, over as many streams as it takes.
 *
 * @template Told
 * @param {Transport} transport
 * @param {Stream<Told>} stream
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Told, void>}
 */
export async function* follow(transport, stream, signal) {
    while (!stream.isFinished) {
        const call = await stream.open();
        let failure = null;
        try {
            for await (const bytes of transport.stream(call, signal)) {
                yield* stream.feed(bytes);
                if (stream.isClosed || stream.isFinished) break;
            }
        } catch (error) {
            if (!(error instanceof AlhambraError)) throw error;
            failure = error;
        }
        if (!stream.isFinished) await pause(stream.pauseAfter(failure), signal, !(failure instanceof Refused));
    }
}
