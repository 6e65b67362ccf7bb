/** Random values as hexadecimal digits. Unlike `crypto.randomUUID`, they are there on pages without TLS, too. */

const KEY_BYTES = 16;

/** The key of a request, under which it can be repeated. @returns {string} */
export function newKey() {
    return randomHex(KEY_BYTES);
}

/**
 * @param {number} count How many bytes.
 * @returns {string}
 */
export function randomHex(count) {
    return hexadecimal(crypto.getRandomValues(new Uint8Array(count)));
}

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function hexadecimal(bytes) {
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
