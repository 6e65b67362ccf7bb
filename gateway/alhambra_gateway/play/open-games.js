/** Games that are open to anyone and wait for players: found, filtered, joined with one press. */

import { Refused, server, Unreachable } from "./api.js";
import { fill, h, select } from "./dom.js";
import { joinOpen } from "./leave.js";
import { LANGUAGES, memory } from "./memory.js";
import { say } from "./words.js";

/**
 * @typedef {import("./client/contract").GameSummary} GameSummary
 * @typedef {import("./types.js").Module} Module
 */

const SHOWN = 20;
/** How often the list is read again while it is looked at, in milliseconds. */
const REFRESH = 15_000;
const SEATS = [2, 3, 4, 5, 6];

export class OpenGames extends HTMLElement {
    /** @type {readonly Module[]} */
    modules = [];
    /** An API key, on servers that list games only for their hosts. */
    key = "";
    #seats = 0;
    #language = "";
    /** @type {GameSummary[]} */
    #games = [];
    /** @type {string} */
    #refused = "";
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #timer;
    #look = () => {
        if (!document.hidden) void this.#read();
    };

    connectedCallback() {
        this.#look();
        this.#timer = setInterval(this.#look, REFRESH);
        document.addEventListener("visibilitychange", this.#look);
    }

    disconnectedCallback() {
        clearInterval(this.#timer);
        document.removeEventListener("visibilitychange", this.#look);
    }

    async #read() {
        const filters = { seatCount: this.#seats || undefined, language: this.#language || undefined };
        try {
            const { games } = await server.send("listGames", { open: true, pageSize: SHOWN, ...filters }, { token: this.key });
            this.#games = games.filter(({ game }) => !Object.keys(memory.game(game).seats).length);
        } catch (error) {
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
            this.#games = []; // the server lists no games for this caller
        }
        if (this.isConnected) this.#draw();
    }

    #draw() {
        const filtered = this.#seats || this.#language;
        this.hidden = !this.#games.length && !filtered;
        if (this.hidden) return fill(this);
        fill(
            this,
            h("h2", {}, say("open.games")),
            this.#filters(),
            this.#games.length
                ? h(
                      "ul",
                      {},
                      this.#games.map((one) => this.#row(one)),
                  )
                : h("p", { class: "note" }, say("open.none")),
            this.#refused ? h("p", { class: "refused", role: "alert" }, this.#refused) : null,
        );
    }

    #filters() {
        const seats = select(
            [["", say("open.any.seats")], ...SEATS.map((count) => pair(count, say("open.seats", { count })))],
            {
                "aria-label": say("seats"),
                "data-key": "open seats",
                onchange: () => {
                    this.#seats = Number(seats.value);
                    void this.#read();
                },
            },
            this.#seats ? String(this.#seats) : "",
        );
        const language = select(
            [["", say("open.any.language")], ...Object.entries(LANGUAGES)],
            {
                "aria-label": say("language"),
                "data-key": "open language",
                onchange: () => {
                    this.#language = language.value;
                    void this.#read();
                },
            },
            this.#language,
        );
        return h("div", { class: "filters" }, seats, language);
    }

    /** @param {GameSummary} one */
    #row({ game, seats, modules, language }) {
        const here = seats.filter(({ occupancy }) => occupancy !== "open").map(({ name }) => name);
        const free = seats.length - here.length;
        const named = modules.map((key) => this.modules.find((known) => known.key === key)?.name ?? key);
        const spoken = LANGUAGES[/** @type {keyof typeof LANGUAGES} */ (language)] ?? language;
        const about = [say("open.free", { free, all: seats.length }), named.join(", "), spoken];
        return h(
            "li",
            {},
            h(
                "span",
                {},
                h("strong", {}, here.join(", ") || say("open.nobody")),
                h("span", { class: "note" }, about.filter(Boolean).join(" · ")),
            ),
            h(
                "button",
                {
                    type: "button",
                    class: "primary",
                    "data-key": `open ${game}`,
                    "aria-label": say("open.join", { names: here.join(", ") || game }),
                    onclick: () => void this.#join(game),
                },
                say("join.go"),
            ),
        );
    }

    /** @param {string} game */
    async #join(game) {
        this.#refused = "";
        try {
            await joinOpen(game, memory.wishes.name);
            location.hash = `game=${game}`;
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            this.#refused = error.lines.join(" ");
            await this.#read();
        }
    }
}

customElements.define("open-games", OpenGames);

/**
 * @param {number} value
 * @param {string} text
 * @returns {[string, string]}
 */
function pair(value, text) {
    return [String(value), text];
}
