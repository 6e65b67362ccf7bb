/**
 * Why a call failed.
 *
 *     AlhambraError
 *     ├── Unreachable           the server could not be reached, or did not answer a call without a request id
 *     ├── OutcomeUnknown        the last answer was lost; `client.repeat` finds out what became of the change
 *     ├── UnexpectedAnswer      what answered is not this service
 *     ├── CommitmentsChanged    the server changed what the deal depends on after this seat had revealed its part
 *     └── Refused               the server refused the call; nothing was changed
 *         ├── IllegalMove       the rules refuse the move or the undo: `violations` says why
 *         ├── InvalidSetup      a game cannot be created like this
 *         ├── InvalidRequest    the request cannot be read, or asks for too much
 *         ├── AccessDenied      the token or the API key is missing, wrong or not sufficient
 *         ├── NotFound          there is no such game or component
 *         ├── Stale             the game has moved on or is over: read it again
 *         ├── Conflict          the call contradicts an earlier one, or a seat cannot be left
 *         ├── NotReady          the game has not been dealt yet, or does not accept this entropy
 *         ├── TooManyCalls      a limit is reached: `retryAfter` says how many seconds to wait
 *         ├── Unavailable       the server cannot answer at the moment
 *         └── ServerFault       a defect of the server
 *
 * A reason that this version of the library does not know has the class of its HTTP status. A call that was aborted by
 * its `signal` fails with the reason of the signal, as `fetch` does.
 */

import { REASONS } from "./contract.js";

/**
 * @import { Call } from "./calls.js"
 * @import { Problem, Violation } from "./contract.js"
 */

/** The base of all errors of this library. */
export class AlhambraError extends Error {
    /**
     * @param {string} message
     * @param {Call | null} [call]
     * @param {ErrorOptions} [options]
     */
    constructor(message, call = null, options) {
        super(message, options);
        this.name = new.target.name;
        /** The call that failed; null if the error is not about one. Consoles do not show it. */
        this.call = call;
        Object.defineProperty(this, "call", { enumerable: false });
    }
}

/**
 * The server could not be reached, or a call without a request id was not answered. No game was changed; a change of a
 * webhook other than its registration may have been carried out, and can be called again.
 */
export class Unreachable extends AlhambraError {}

/** A change was sent, and no answer came. Pass the error to `client.repeat`: the change is not made twice. */
export class OutcomeUnknown extends AlhambraError {}

/** The answer is not one of this service, for example the page of a proxy. */
export class UnexpectedAnswer extends AlhambraError {}

/** The commitments of a game changed after this seat had revealed its entropy: someone may be choosing the deal. */
export class CommitmentsChanged extends AlhambraError {}

/** The server refused the call with a problem document (RFC 9457). */
export class Refused extends AlhambraError {
    /**
     * @param {number} status
     * @param {Partial<Problem>} problem
     * @param {number} [retryAfter]
     * @param {Call | null} [call]
     */
    constructor(status, problem, retryAfter = 0, call = null) {
        const detail = problem.detail || problem.title || "";
        super(`${problem.reason || status}: ${detail}`, call);
        this.status = status;
        /** One word that never changes, `UNDERPAID` for example; empty if a proxy refused the call. */
        this.reason = problem.reason ?? "";
        this.title = problem.title ?? "";
        /** A sentence for people, in the language of the client. */
        this.detail = detail;
        /** The address of the page that explains the reason. */
        this.type = problem.type ?? "";
        /** The facts of the case: which card, what was due, which version is current. */
        this.facts = problem.metadata ?? {};
        /** Every rule that the move breaks, each with its facts and a text. @type {Violation[]} */
        this.violations = problem.violations ?? [];
        /** How many seconds the server asks to wait before the next attempt; 0 if it does not say. */
        this.retryAfter = retryAfter;
    }

    /** What to tell a person: a sentence for each rule that the move breaks, or else the detail. @returns {string[]} */
    get lines() {
        const texts = new Set(this.violations.flatMap(({ text }) => text || []));
        return texts.size ? [...texts] : [this.detail || String(this.status)];
    }
}

/** The rules refuse the move or the undo. */
export class IllegalMove extends Refused {}

/** A game cannot be created like this. */
export class InvalidSetup extends Refused {}

/** The request cannot be read, or asks for more than the server allows. */
export class InvalidRequest extends Refused {}

/** The token or the API key is missing, wrong or not sufficient. */
export class AccessDenied extends Refused {}

/** There is no such game or component. */
export class NotFound extends Refused {}

/** The game has moved on or is over: read it again. */
export class Stale extends Refused {}

/** The call contradicts an earlier one, for example with the same request id. */
export class Conflict extends Refused {}

/** The game has not been dealt yet, or does not accept this entropy. */
export class NotReady extends Refused {}

/** A limit of the server is reached. */
export class TooManyCalls extends Refused {}

/** The server cannot answer at the moment. */
export class Unavailable extends Refused {}

/** A defect of the server. */
export class ServerFault extends Refused {}

/** @typedef {Readonly<Record<string | number, typeof Refused>>} Kinds */

/** @type {Kinds} */
const BY_GROUP = {
    form: IllegalMove,
    moment: IllegalMove,
    things: IllegalMove,
    money: IllegalMove,
    board: IllegalMove,
    creation: InvalidSetup,
};
/** @type {Kinds} */
const BY_REASON = {
    VERSION_STALE: Stale,
    PRECONDITION_FAILED: Stale,
    GAME_OVER: Stale,
    GAME_WAITING: NotReady,
    ENTROPY_REFUSED: NotReady,
    SEAT_REFUSED: Conflict,
};
/** @type {Kinds} */
const BY_STATUS = {
    401: AccessDenied,
    403: AccessDenied,
    404: NotFound,
    409: Conflict,
    422: IllegalMove,
    429: TooManyCalls,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
};

/**
 * The error that an HTTP answer stands for.
 *
 * @param {number} status
 * @param {string} text The body of the answer.
 * @param {string | null} [retryAfter] The header of that name.
 * @param {Call | null} [call]
 * @returns {Refused}
 */
export function refusal(status, text, retryAfter = null, call = null) {
    const problem = problemIn(text);
    const group = REASONS[problem.reason ?? ""]?.[0] ?? "";
    const byStatus = BY_STATUS[status] ?? (status < 500 ? InvalidRequest : ServerFault);
    const Kind = BY_REASON[problem.reason ?? ""] ?? BY_GROUP[group] ?? byStatus;
    return new Kind(status, problem, secondsIn(retryAfter ?? ""), call);
}

/**
 * @param {string} text
 * @returns {Partial<Problem>}
 */
function problemIn(text) {
    try {
        const found = JSON.parse(text);
        if (found && typeof found === "object" && !Array.isArray(found)) return found;
    } catch {
        // a proxy has answered
    }
    return { detail: text.slice(0, 200) };
}

/**
 * The header Retry-After, a number of seconds or a date, as seconds from now.
 *
 * @param {string} retryAfter
 * @returns {number}
 */
function secondsIn(retryAfter) {
    if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
    const time = Date.parse(retryAfter);
    return Number.isNaN(time) ? 0 : Math.max(0, (time - Date.now()) / 1000);
}
