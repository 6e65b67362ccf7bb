/**
 * What a seat contributes to the shuffle, so that no player and no operator can choose the deal: random bytes. Their
 * hash is sent when the seat is claimed, the bytes themselves when all seats are claimed and the game waits for them.
 */

const ENTROPY_BYTES = 32;

/**
 * Whether this seat can contribute. Browsers have no SHA-256 in pages without HTTPS, except those of localhost.
 *
 * @returns {boolean}
 */
export function canContribute() {
    return globalThis.crypto?.subtle !== undefined;
}

/**
 * Random bytes that a seat can contribute, in hexadecimal digits.
 *
 * @returns {string}
 */
export function newEntropy() {
    return hexadecimal(crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES)));
}

/**
 * What is sent before the entropy itself: its SHA-256.
 *
 * @param {string} entropy
 * @returns {Promise<string>}
 */
export async function commitmentOf(entropy) {
    const bytes = Uint8Array.from(entropy.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
    return hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function hexadecimal(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
