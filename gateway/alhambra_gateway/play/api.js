/**
 * The server that this page came from, by the client library, which the gateway serves with these files. A call that
 * finds the server busy, or no network, is repeated: a read for some seconds, a change until it is answered.
 */

import { Server } from "./client/server.js";
import { Transport } from "./client/transport.js";
import { memory, storage } from "./memory.js";

export { Refused, Unreachable } from "./client/errors.js";

/** For how long calls are repeated, in seconds. */
const RETRY = { seconds: 8, changeSeconds: Infinity, firstPause: 0.4, longestPause: 5 };
/** A header names whole seconds: a smaller difference between two clocks, in milliseconds, cannot be seen. */
const CLOCKS_AGREE = 2000;

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

/**
 * Fetches, and notes whether the server can be reached and what time it has.
 *
 * @param {RequestInfo | URL} address
 * @param {RequestInit} [init]
 * @returns {Promise<Response>}
 */
async function observed(address, init) {
    try {
        const answer = await fetch(address, init);
        line.report(!answer.headers.has("Alhambra-Kept")); // the service worker had it
        const difference = Date.parse(answer.headers.get("Date") ?? "") - Date.now();
        ahead = Math.abs(difference) > CLOCKS_AGREE ? difference : 0;
        return answer;
    } catch (error) {
        if (!init?.signal?.aborted) line.report(false);
        throw error;
    }
}

export const transport = new Transport("/", { language: memory.language, retry: RETRY, storage, fetch: observed });
export const server = new Server(transport, "");
