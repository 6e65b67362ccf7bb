/**
 * The HTTP interface `/v1`. Texts come in the language of the reader. A call that finds the server busy, or no network,
 * is repeated: a read a few times, a change under the same key until it is answered, so that it is made exactly once.
 */

import { memory } from "./memory.js";
import { newKey } from "./random.js";

const BUSY = [429, 502, 503, 504];
const READ_ATTEMPTS = 5;
const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 5000;
/** A header names whole seconds: a smaller difference between two clocks cannot be seen. */
const CLOCKS_AGREE = 2000;

/** A refusal of the server. `lines` says why, for people. */
export class Refused extends Error {
    /**
     * @param {number} status
     * @param {any} problem
     */
    constructor(status, problem) {
        /** @type {string[]} */
        const violations = (problem?.violations ?? []).map((/** @type {any} */ one) => one.text).filter(Boolean);
        const lines = violations.length ? [...new Set(violations)] : [problem?.detail ?? String(status)];
        super(lines.join("\n"));
        this.status = status;
        /** @type {string} */
        this.reason = problem?.reason ?? "";
        this.lines = lines;
    }
}

/** The network does not answer. */
export class Unreachable extends Error {}

/** Tells whether calls arrive: an event `change`, and the member `online`. */
class Line extends EventTarget {
    online = true;

    /** @param {boolean} online */
    report(online) {
        if (online === this.online) return;
        this.online = online;
        this.dispatchEvent(new Event("change"));
    }
}
export const line = new Line();

/** How far the clock of the server is ahead of this one, in milliseconds. */
let ahead = 0;

/** The time by the clock of the server, which deadlines are told in. @returns {number} */
export function serverTime() {
    return Date.now() + ahead;
}

/** @param {string | null} date The header Date of an answer. */
function compareClocks(date) {
    const difference = Date.parse(date ?? "") - Date.now();
    ahead = Math.abs(difference) > CLOCKS_AGREE ? difference : 0;
}

/**
 * @typedef {object} Call
 * @property {string} [token]
 * @property {Record<string, string | number | boolean | string[]>} [query]
 * @property {string} [accept]
 * @property {boolean} [raw] Whether the answer is wanted as it was sent, byte for byte, and not read as JSON.
 * @property {string} [key] The name of the attempt; a new one if it is left out.
 */

/**
 * Reads something.
 *
 * @param {string} path
 * @param {Call} [call]
 * @returns {Promise<any>}
 */
export async function get(path, { token, query = {}, accept = "application/json", raw = false } = {}) {
    const named = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
        for (const one of [value].flat()) named.append(name, String(one));
    const address = named.size ? `${path}?${named}` : path;
    const headers = head(token, accept);
    return repeated((left) => attempt(address, { headers, cache: "no-cache" }, left > 0, raw), READ_ATTEMPTS);
}

/**
 * Changes something, at most once.
 *
 * @param {string} path
 * @param {object} body
 * @param {Call} [call]
 * @returns {Promise<any>}
 */
export async function post(path, body, { token, key = newKey() } = {}) {
    const headers = { ...head(token, "application/json"), "Content-Type": "application/json", "Idempotency-Key": key };
    return repeated(() => attempt(path, { method: "POST", headers, body: JSON.stringify(body) }, true), Infinity);
}

/**
 * @param {string | undefined} token
 * @param {string} accept
 * @returns {Record<string, string>}
 */
function head(token, accept) {
    return {
        Accept: accept,
        "Accept-Language": memory.language,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
    };
}

/** Says that the call is worth another attempt, and when. */
class Later extends Error {
    /**
     * @param {number} seconds
     * @param {Error} cause
     */
    constructor(seconds, cause) {
        super("later");
        this.seconds = seconds;
        this.cause = cause;
    }
}

/**
 * @param {string} address
 * @param {RequestInit} request
 * @param {boolean} again Whether there are attempts left.
 * @param {boolean} [raw] Whether the answer is not read as JSON.
 * @returns {Promise<any>}
 */
async function attempt(address, request, again, raw = false) {
    let answer, text;
    try {
        answer = await fetch(address, request);
        text = await answer.text();
    } catch {
        line.report(false);
        throw new Later(0, new Unreachable(address));
    }
    line.report(true);
    compareClocks(answer.headers.get("Date"));
    const type = answer.headers.get("Content-Type") ?? "";
    const found = type.includes("json") && !(raw && answer.ok) ? JSON.parse(text) : text;
    if (answer.ok) return found;
    const refused = new Refused(answer.status, found);
    if (again && BUSY.includes(answer.status)) throw new Later(Number(answer.headers.get("Retry-After") ?? 0), refused);
    throw refused;
}

/**
 * @param {(left: number) => Promise<any>} call
 * @param {number} attempts
 * @returns {Promise<any>}
 */
async function repeated(call, attempts) {
    let pause = FIRST_PAUSE;
    for (let left = attempts - 1; ; left -= 1) {
        try {
            return await call(left);
        } catch (error) {
            if (!(error instanceof Later)) throw error;
            if (left <= 0) throw error.cause;
            await sleep(Math.max(error.seconds * 1000, pause));
            pause = Math.min(pause * 2, LONGEST_PAUSE);
        }
    }
}

/**
 * Waits; a network that comes back ends the wait.
 *
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function sleep(milliseconds) {
    return new Promise((resolve) => {
        const timer = setTimeout(done, milliseconds);
        function done() {
            clearTimeout(timer);
            removeEventListener("online", done);
            resolve();
        }
        addEventListener("online", done);
    });
}
