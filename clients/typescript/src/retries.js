/**
 * When a call that failed is sent again.
 *
 * A call is repeated if no answer came, or if the server says that it is busy (429, 502, 503, 504). Pauses double and
 * are drawn at random from their upper half, so that clients do not come back together; they are never shorter than the
 * server's `Retry-After`. Changes are repeated with their request id, so none is made twice.
 */

import { OutcomeUnknown, Refused } from "./errors.js";

/**
 * @import { AlhambraError } from "./errors.js"
 *
 * @typedef {object} Retry For how long calls are repeated, in seconds.
 * @property {number} seconds No attempt begins later than this after the first one. 0 makes one attempt only.
 * @property {number} [changeSeconds] The same for calls that change something; as long as other calls by default. With
 *     Infinity, they are repeated until they are answered.
 * @property {number} firstPause
 * @property {number} longestPause
 */

/** @type {Retry} */
export const RETRY = { seconds: 60, firstPause: 0.25, longestPause: 8 };

const BUSY = [429, 502, 503, 504];
/** Reasons of busy servers that a pause does not cure. */
const HOPELESS = ["QUOTA_EXCEEDED"];
/** Busy servers, and reasons, after which a change may have been made; a proxy gives no reason. */
const DOUBTFUL = [502, 503, 504];
const DOUBTFUL_REASONS = ["", "OUTCOME_UNKNOWN", "DEADLINE_PASSED"];

/** The attempts to make one call. */
export class Attempts {
    #retry;
    #clock;
    #draw;
    #end;
    #pause;
    /** Whether the change may have been made by an attempt until now. */
    #mayBeDone = false;

    /**
     * @param {Retry} retry
     * @param {() => number} [clock] The time in seconds.
     * @param {(low: number, high: number) => number} [draw]
     */
    constructor(retry, clock = () => performance.now() / 1000, draw = between) {
        this.#retry = retry;
        this.#clock = clock;
        this.#draw = draw;
        this.#end = clock() + retry.seconds;
        this.#pause = retry.firstPause;
    }

    /**
     * How many seconds to wait before the next attempt. Throws the failure if another attempt is not worth it or comes
     * too late, or OutcomeUnknown if an earlier attempt may have changed something.
     *
     * @param {AlhambraError} failure
     * @returns {number}
     */
    pauseAfter(failure) {
        if (isDoubtful(failure)) this.#mayBeDone = true;
        if (!isTemporary(failure)) throw failure;
        const asked = failure instanceof Refused ? failure.retryAfter : 0;
        const pause = Math.max(asked, this.#draw(this.#pause / 2, this.#pause));
        if (this.#clock() + pause > this.#end) throw this.#last(failure);
        this.#pause = Math.min(2 * this.#pause, this.#retry.longestPause);
        return pause;
    }

    /**
     * @param {AlhambraError} failure
     * @returns {AlhambraError}
     */
    #last(failure) {
        const { call } = failure;
        if (!this.#mayBeDone || !call?.changes || failure instanceof OutcomeUnknown) return failure;
        const text = `It is not known whether ${call.name} was carried out: ${failure.message}`;
        return new OutcomeUnknown(text, call, { cause: failure });
    }
}

/**
 * @param {number} low
 * @param {number} high
 */
function between(low, high) {
    return low + Math.random() * (high - low);
}

/** @param {AlhambraError} failure */
function isTemporary(failure) {
    return !(failure instanceof Refused) || (BUSY.includes(failure.status) && !HOPELESS.includes(failure.reason));
}

/** @param {AlhambraError} failure */
function isDoubtful(failure) {
    if (!(failure instanceof Refused)) return failure instanceof OutcomeUnknown;
    return DOUBTFUL.includes(failure.status) && DOUBTFUL_REASONS.includes(failure.reason);
}
