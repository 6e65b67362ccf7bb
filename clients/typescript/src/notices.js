/**
 * A reader of notices about many games, over as many streams as it takes. Each stream goes on after the last message of
 * the one before. A stream about seats is opened with a ticket, which is valid once: each stream gets a new one.
 */

import { Call } from "./calls.js";
import { Refused, Unreachable } from "./errors.js";
import { Stream } from "./stream.js";

/**
 * @import { Notice, NoticeKind } from "./contract.js"
 * @import { AlhambraError } from "./errors.js"
 * @import { Retry } from "./retries.js"
 *
 * @typedef {{ type: "notice", notice: Notice, after: string }} SentNotice A notice. `after` is what to pass to
 *     `client.notices` to go on behind it.
 * @typedef {{ type: "missed", after: string }} NoticesMissed Notices are gone, because this client was away for too
 *     long. Read the games once; what follows is complete.
 * @typedef {SentNotice | NoticesMissed} NoticeMessage What a reader of notices is told.
 *
 * @typedef {object} Wanted Which notices are read.
 * @property {NoticeKind[]} [kinds]
 * @property {string} [after] The id of the last message that is known.
 * @property {string} [apiKey]
 * @property {() => Promise<string>} [newTicket] Makes a ticket for the seats that the notices are about. Without it, they
 *     are about all games of the API key.
 */

/** @extends {Stream<NoticeMessage>} */
export class NoticeWatch extends Stream {
    #wanted;
    #after;

    /**
     * @param {Retry} retry
     * @param {Wanted} [wanted]
     */
    constructor(retry, wanted = {}) {
        super(retry);
        this.#wanted = wanted;
        this.#after = wanted.after ?? "";
    }

    /** @override */
    async open() {
        this.begin();
        const { kinds, apiKey, newTicket } = this.#wanted;
        const ticket = await newTicket?.();
        const request = { after: this.#after || undefined, kinds, ticket };
        return new Call("watchNotices", request, newTicket ? "" : apiKey, { Accept: "text/event-stream" });
    }

    /**
     * @override
     * @param {Uint8Array} bytes
     * @returns {Generator<NoticeMessage, void>}
     */
    *feed(bytes) {
        for (const { type, id, data } of this.parse(bytes)) {
            const after = (this.#after = id || this.#after);
            if (type === "notice") yield { type, notice: JSON.parse(data), after };
            else if (type === "opened" && JSON.parse(data).missed) yield { type: "missed", after };
            else if (type === "resume") this.isClosed = true;
        }
    }

    /**
     * A ticket that was not accepted is no reason to end: it expired on the way, or opened a stream that was lost. If
     * the tokens of the seats are not valid, no new ticket is made.
     *
     * @override
     * @param {AlhambraError | null} failure
     */
    pauseAfter(failure) {
        const isLate = this.#wanted.newTicket && failure instanceof Refused && failure.reason === "TOKEN_INVALID";
        return super.pauseAfter(isLate ? new Unreachable(failure.message, failure.call, { cause: failure }) : failure);
    }
}
