/**
 * What players say to each other: fixed phrases, shown for a few seconds as a bubble at the Alhambra of the player, or at
 * the edge of the screen if that cannot be seen. The reader can mute a player, or everybody.
 */

import { Refused, Unreachable } from "./api.js";
import { dialogue, h } from "./dom.js";
import { dot } from "./log.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Reaction} Reaction
 * @typedef {import("./session.js").Session} Session
 */

/** What players can say. */
const PHRASES = /** @type {const} */ ([
    "hello",
    "thanks",
    "well_played",
    "ouch",
    "oops",
    "lucky",
    "laugh",
    "thinking",
    "your_turn",
    "good_game",
]);
/** What only the server says. */
const HINTED = "asked_for_hint";
const SHOWN = 5000;
/** The pause after a phrase: the server takes one a second. */
const PAUSE = 2000;
/** The most lines at the edge of the screen. */
const MOST = 3;

export class Reactions {
    #session;
    #table;
    #spoken = 0;
    #edge = h("div", { class: "said-edge", role: "log", "aria-live": "polite" });

    /**
     * @param {Session} session
     * @param {HTMLElement} table
     */
    constructor(session, table) {
        this.#session = session;
        this.#table = table;
        session.addEventListener("reaction", (event) => {
            if (event instanceof CustomEvent) this.#hear(event.detail);
        });
    }

    /** Shows what was said at the edge of the screen, as long as the table is open. */
    open() {
        this.#edge.setAttribute("aria-label", say("said"));
        document.body.append(this.#edge);
    }

    close() {
        this.#edge.remove();
    }

    /** @param {Reaction} reaction */
    #hear({ seat, phrase }) {
        if (phrase === undefined || memory.wishes.mute || memory.game(this.#session.game).muted?.includes(seat)) return;
        const who = this.#session.view?.seats[seat];
        const known = /** @type {readonly string[]} */ (PHRASES).includes(phrase) || phrase === HINTED;
        if (!who || !known || (phrase === HINTED && seat === this.#session.seat)) return;
        const words = say(`phrase.${phrase}`);
        const line = h("p", { class: "said" }, dot(who.colour), h("strong", {}, `${who.name}: `), words);
        const board = this.#table.querySelector(`.seat-board[data-seat="${seat}"]`);
        if (board && isSeen(board)) {
            board.querySelector(".bubble")?.remove();
            const bubble = h("p", { class: "bubble", "aria-hidden": "true" }, words);
            board.append(bubble);
            line.classList.add("unseen");
            setTimeout(() => bubble.remove(), SHOWN);
        }
        this.#edge.append(line);
        while (this.#edge.childElementCount > MOST) this.#edge.firstElementChild?.remove();
        setTimeout(() => line.remove(), SHOWN);
    }

    /** A sheet with the phrases, and with whom the reader does not want to hear. */
    sheet() {
        const { view, seat } = this.#session;
        if (!view || seat === null) return;
        const phrases = PHRASES.map((phrase) =>
            h(
                "li",
                {},
                h(
                    "button",
                    { type: "button", "data-key": `say ${phrase}`, onclick: () => (sheet.close(), void this.#say(phrase)) },
                    say(`phrase.${phrase}`),
                ),
            ),
        );
        const others = view.seats.filter((one) => one.seat !== seat && !one.serverPlayer);
        const sheet = dialogue(
            say("say"),
            say("close"),
            h("ul", { class: "phrases" }, phrases),
            h("p", { class: "note" }, say("say.text")),
            h(
                "ul",
                { class: "settings" },
                others.map((one) => this.#mute(one.seat, one.name)),
                this.#muteAll(),
            ),
        );
    }

    /** @param {import("./client/contract").Phrase} phrase */
    async #say(phrase) {
        if (!this.#session.token || Date.now() < this.#spoken + PAUSE) return;
        this.#spoken = Date.now();
        try {
            await this.#session.send("react", { phrase });
        } catch (error) {
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error; // a phrase may be lost
        }
    }

    /**
     * @param {number} seat
     * @param {string} name
     */
    #mute(seat, name) {
        const { game } = this.#session;
        return box(say("mute", { name }), `mute ${seat}`, Boolean(memory.game(game).muted?.includes(seat)), (on) =>
            memory.remember(game, (known) => {
                const rest = (known.muted ?? []).filter((one) => one !== seat);
                known.muted = on ? [...rest, seat] : rest;
            }),
        );
    }

    #muteAll() {
        return box(say("mute.all"), "mute all", memory.wishes.mute, (on) => memory.wish({ mute: on }));
    }
}

/**
 * @param {string} text
 * @param {string} key
 * @param {boolean} checked
 * @param {(on: boolean) => void} turn
 */
function box(text, key, checked, turn) {
    const field = /** @type {HTMLInputElement} */ (
        h("input", { type: "checkbox", checked, "data-key": key, onchange: () => turn(field.checked) })
    );
    return h("li", {}, h("label", {}, field, text));
}

/**
 * @param {Element} element
 * @returns {boolean} Whether most of it is in the window.
 */
function isSeen(element) {
    const { top, bottom, width } = element.getBoundingClientRect();
    return width > 0 && top >= 0 && bottom <= innerHeight && !document.querySelector("dialog[open]");
}
