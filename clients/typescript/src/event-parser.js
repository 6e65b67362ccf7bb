/**
 * Server-Sent Events: puts messages together from the bytes of one stream.
 */

/**
 * @typedef {object} ServerSentEvent
 * @property {string} type
 * @property {string | null} id Null if the message has no id; empty if it tells to forget the last one.
 * @property {string} data
 */

export class EventParser {
    /** The pause before the stream is opened again; the server can name another one. */
    retrySeconds = 1;
    #decoder = new TextDecoder();
    #rest = "";
    /** @type {Map<string, string>} */
    #fields = new Map();

    /**
     * Yield the messages that are complete with these bytes.
     *
     * @param {Uint8Array} bytes
     * @returns {Generator<ServerSentEvent, void>}
     */
    *feed(bytes) {
        const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
        this.#rest = lines.pop() ?? "";
        for (const line of lines) {
            const message = this.#line(line.replace(/\r$/, ""));
            if (message) yield message;
        }
    }

    /**
     * @param {string} line
     * @returns {ServerSentEvent | null} The message that the line ends.
     */
    #line(line) {
        if (line === "") return this.#end();
        const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
        if (name === "retry" && /^\d+$/.test(value)) this.retrySeconds = Number(value) / 1000;
        else if (name) {
            const before = name === "data" ? this.#fields.get(name) : undefined;
            this.#fields.set(name, before === undefined ? value : `${before}\n${value}`);
        } // a line without a name is a remark
        return null;
    }

    /** @returns {ServerSentEvent | null} */
    #end() {
        const found = this.#fields;
        this.#fields = new Map();
        const data = found.get("data");
        if (data === undefined) return null;
        return { type: found.get("event") ?? "message", id: found.get("id") ?? null, data };
    }
}
