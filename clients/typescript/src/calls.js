/**
 * A call as a value: an operation of the contract, its request, and the token that it is sent with. It can be sent,
 * repeated and kept.
 *
 * A call that changes something has a request id, which is chosen when the call is made. The server carries out a call
 * with the same request id once, however often it arrives, and repeats its first answer.
 */

import { ROUTES } from "./contract.js";
import { hexadecimal } from "./entropy.js";
import { UnexpectedAnswer } from "./errors.js";

/** @import { Operations } from "./contract.js" */

const REQUEST_ID_BYTES = 16;
const IN_PATH = /\{(\w+)\}/g;

/** An operation with its request and its credentials. Consoles do not show the token. */
export class Call {
    #token;
    /** Where the call is kept in the storage of the client until it is answered; empty for nowhere. */
    keptAs = "";

    /**
     * @param {keyof Operations} operation
     * @param {object} request Members that are undefined are left out. A change that takes a request id gets one if it has none.
     * @param {string} [token] The token of a seat or an API key; empty for none.
     * @param {Record<string, string>} [headers] Headers beside those that every call has.
     */
    constructor(operation, request, token = "", headers = {}) {
        this.operation = operation;
        this.route = ROUTES[operation];
        /** @type {Record<string, unknown>} */
        this.request = this.route.named ? { requestId: newRequestId(), ...request } : { ...request };
        this.headers = headers;
        this.#token = token;
    }

    /** The call without its token, as it is kept. */
    toJSON() {
        const { operation, request } = this;
        return { operation, request };
    }

    /** Whether the call changes something, so that an answer that is lost matters. */
    get changes() {
        return this.route.changes;
    }

    /** The method and the path, for texts: "POST /v1/games". */
    get name() {
        return `${this.route.method} ${this.#path}`;
    }

    get #path() {
        return this.route.path.replace(IN_PATH, (_, name) => encodeURIComponent(String(this.request[name])));
    }

    /** The members that are not part of the path. */
    get #members() {
        const inPath = [...this.route.path.matchAll(IN_PATH)].map(([, name]) => name);
        return Object.entries(this.request).filter(([name, value]) => value !== undefined && !inPath.includes(name));
    }

    /** The path with its parameters, "/v1/games/k3x9…/moves?verb=buy". */
    get address() {
        if (this.route.method === "POST") return this.#path;
        const query = new URLSearchParams();
        for (const [name, value] of this.#members) for (const each of [value].flat()) query.append(name, String(each));
        return `${this.#path}?${query}`.replace(/\?$/, "");
    }

    /**
     * The arguments for `fetch`. Throws a TypeError if a header cannot be sent.
     *
     * @param {string} language Empty for that of the browser.
     * @returns {RequestInit}
     */
    init(language) {
        const { method, json } = this.route;
        const headers = new Headers({ Accept: json ? "application/json" : "*/*", ...this.headers });
        if (language) headers.set("Accept-Language", language);
        if (this.#token) headers.set("Authorization", `Bearer ${this.#token}`);
        if (method !== "POST") return { method, headers, cache: "no-cache" };
        headers.set("Content-Type", "application/json");
        return { method, headers, body: JSON.stringify(Object.fromEntries(this.#members)) };
    }

    /**
     * The answer that the body of a good HTTP answer holds.
     *
     * @param {string} text
     * @returns {any}
     */
    read(text) {
        if (!this.route.json) return text;
        try {
            const answer = JSON.parse(text);
            if (answer && typeof answer === "object") return answer;
        } catch {
            // it is refused below
        }
        throw new UnexpectedAnswer(`${this.name} was answered with ${text.slice(0, 80)}`, this);
    }
}

/** A name for an attempt. `crypto.randomUUID` would need a page with HTTPS. */
function newRequestId() {
    return hexadecimal(crypto.getRandomValues(new Uint8Array(REQUEST_ID_BYTES)));
}
