/**
 * The past of a game: a slider over everything that happened, with the table as it stood then, as far as the reader could
 * see it. It can play by itself, and jump from turn to turn and from scoring to scoring.
 */

import "./board.js";
import { Refused, Unreachable } from "./api.js";
import { Choice } from "./choice.js";
import { dialogue, h, select } from "./dom.js";
import { told } from "./log.js";
import { Novelty } from "./novelty.js";
import { Things } from "./things.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./board.js").PlayBoard} PlayBoard
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./session.js").Session} Session
 */

const EARLIER = 5;
/** How long a sentence is shown before the next one, and how long the slider must rest before the table is drawn. */
const PACE = 1200;
const REST = 200;
/** Events that carry one of these facts begin a part of the game that a reader can jump to. */
const PARTS = /** @type {const} */ (["turn", "scoring"]);

/**
 * @param {Session} session
 * @param {Names} names
 * @param {number} [version] Where to begin; at the end if it is left out.
 */
export function pastSheet(session, names, version = Infinity) {
    const events = told(session.events);
    const at = events.findIndex((event) => (event.version ?? 0) >= version);
    if (events.length) new Past(session, names, events).open(at < 0 ? events.length : at + 1);
}

class Past {
    #session;
    #names;
    #told;
    #slider;
    #play;
    #moment = h("div", { class: "moment", "aria-live": "polite" });
    #table = h("div", { class: "past-table" });
    /** By seat. @type {Map<number, PlayBoard>} */
    #boards = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #resting;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #playing;

    /**
     * @param {Session} session
     * @param {Names} names
     * @param {readonly GameEvent[]} told
     */
    constructor(session, names, told) {
        this.#session = session;
        this.#names = names;
        this.#told = told;
        this.#slider = /** @type {HTMLInputElement} */ (
            h("input", {
                type: "range",
                min: 1,
                max: told.length,
                value: told.length,
                "aria-label": say("replay.moment"),
                oninput: () => this.#show(),
            })
        );
        this.#play = h("button", { type: "button", "data-key": "play", onclick: () => this.#toggle() }, say("replay.play"));
    }

    /** @param {number} at The number of the event to begin with, from 1. */
    open(at) {
        this.#slider.value = String(at);
        const step = (/** @type {number} */ by) => () => this.#go(Number(this.#slider.value) + by);
        const sheet = dialogue(
            say("replay"),
            say("close"),
            h(
                "div",
                { class: "slider" },
                h("button", { type: "button", onclick: step(-1), "aria-label": say("replay.back") }, "‹"),
                this.#slider,
                h("button", { type: "button", onclick: step(1), "aria-label": say("replay.on") }, "›"),
                this.#play,
            ),
            this.#jumps(),
            this.#moment,
            this.#table,
        );
        sheet.addEventListener("close", () => {
            clearInterval(this.#playing);
            clearTimeout(this.#resting);
        });
        this.#show();
    }

    /** A list of the turns and scorings to jump to. */
    #jumps() {
        /** @type {Set<string>} */
        const known = new Set();
        /** @type {[string, string][]} */
        const entries = [["", say("replay.jump")]];
        for (const [at, { facts, text }] of this.#told.entries())
            for (const part of PARTS) {
                const number = facts?.[part];
                if (number === undefined || known.has(`${part} ${number}`)) continue;
                known.add(`${part} ${number}`);
                entries.push([String(at + 1), `${part === "turn" ? `${number}.` : "★"} ${text}`]);
            }
        const choose = select(entries, {
            "aria-label": say("replay.jump"),
            "data-key": "jump",
            onchange: () => {
                if (choose.value) this.#go(Number(choose.value));
                choose.value = "";
            },
        });
        return choose;
    }

    /** Plays on by itself, from the beginning if it stands at the end; or stops. */
    #toggle() {
        if (this.#playing !== undefined) return this.#stop();
        if (Number(this.#slider.value) >= this.#told.length) this.#go(1);
        this.#play.textContent = say("replay.stop");
        this.#playing = setInterval(() => {
            this.#go(Number(this.#slider.value) + 1);
            if (Number(this.#slider.value) >= this.#told.length) this.#stop();
        }, PACE);
    }

    #stop() {
        clearInterval(this.#playing);
        this.#playing = undefined;
        this.#play.textContent = say("replay.play");
    }

    /** @param {number} at */
    #go(at) {
        this.#slider.value = String(at);
        this.#show();
    }

    #show() {
        const at = Number(this.#slider.value);
        const event = this.#told[at - 1];
        if (!event) return;
        this.#slider.setAttribute("aria-valuetext", event.text ?? "");
        this.#moment.replaceChildren(
            h(
                "p",
                { class: "note" },
                say("replay.at", { at, of: this.#told.length, version: event.version ?? 0 }),
            ),
            h("p", { class: "sentence" }, event.text ?? ""),
            h(
                "ol",
                { class: "log" },
                this.#told.slice(Math.max(0, at - 1 - EARLIER), at - 1).map((one) => h("li", {}, one.text ?? "")),
            ),
        );
        clearTimeout(this.#resting);
        this.#resting = setTimeout(() => void this.#draw(event.version ?? 0), REST);
    }

    /** @param {number} version */
    async #draw(version) {
        let view;
        try {
            view = await this.#session.at(version);
        } catch (error) {
            if (error instanceof Unreachable) return;
            if (!(error instanceof Refused)) throw error;
            return this.#table.replaceChildren(h("p", { class: "refused" }, error.lines.join(" ")));
        }
        if (this.#told[Number(this.#slider.value) - 1]?.version !== version) return;
        this.#table.dataset.version = String(version);
        const things = new Things(this.#names, new Choice(), view, new Novelty(), () => undefined);
        const mine = this.#session.seat === null ? undefined : view.seats[this.#session.seat];
        this.#table.replaceChildren(
            h("div", { class: "past-goods" }, things.market(), things.display(), mine ? things.hand(mine) : ""),
            h(
                "div",
                { class: "past-boards" },
                view.seats.map((seat) => this.#seat(view, seat.seat)),
            ),
        );
    }

    /**
     * @param {View} view
     * @param {number} seat
     */
    #seat(view, seat) {
        const board = this.#boards.get(seat) ?? /** @type {PlayBoard} */ (h("play-board", { whole: true }));
        this.#boards.set(seat, board);
        void board.draw(this.#session, view, seat, { past: true });
        return h("div", { class: "seat-board" }, board);
    }
}
