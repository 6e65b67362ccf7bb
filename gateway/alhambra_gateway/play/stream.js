/**
 * The stream of a game's events. It is read with `fetch`, because a browser's EventSource can send neither the token of a
 * seat nor the language of the reader.
 */

import { memory } from "./memory.js";
import { Refused, Unreachable } from "./api.js";

/** @typedef {{type: string, data: any}} Message */

const STREAM = "text/event-stream";

/**
 * The messages of a stream, until it ends.
 *
 * @param {string} address
 * @param {string | undefined} token
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Message, void, void>}
 */
export async function* messages(address, token, signal) {
    const headers = {
        Accept: STREAM,
        "Accept-Language": memory.language,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
    };
    const answer = await fetch(address, { headers, signal, cache: "no-store" }).catch(() => {
        throw new Unreachable(address);
    });
    if (!answer.ok || !answer.body) throw new Refused(answer.status, await answer.json().catch(() => ({})));
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { done, value } = await reader.read().catch(() => ({ done: true, value: "" }));
        if (done) return;
        const parts = (rest + value).split("\n\n");
        rest = parts.pop() ?? "";
        for (const part of parts) {
            const found = message(part);
            if (found) yield found;
        }
    }
}

/**
 * @param {string} part The lines of one message.
 * @returns {Message | null} Null for a comment.
 */
function message(part) {
    const lines = part.split("\n").map((line) => /** @type {const} */ ([line.split(":")[0], line.replace(/^\w*: ?/, "")]));
    const data = lines.filter(([name]) => name === "data").map(([, text]) => text);
    const type = lines.find(([name]) => name === "event")?.[1] ?? "message";
    return data.length ? { type, data: JSON.parse(data.join("\n")) } : null;
}

/**
 * Whether an event comes after another one; ids begin with two numbers, "17.2.9f3c1a".
 *
 * @param {string} one
 * @param {string} other Empty for the beginning of the game.
 * @returns {boolean}
 */
export function later(one, other) {
    if (!other) return true;
    const [version = 0, index = 0] = one.split(".").map(Number);
    const [otherVersion = 0, otherIndex = 0] = other.split(".").map(Number);
    return version > otherVersion || (version === otherVersion && index > otherIndex);
}
