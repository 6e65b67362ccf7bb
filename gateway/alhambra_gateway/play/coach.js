/**
 * A first game that explains itself: beside the table, each rule when it first matters. What was read is remembered with
 * the game, so a reload goes on; the reader can leave the guide at any moment and plays on without it.
 */

import { h, fill } from "./dom.js";
import { memory } from "./memory.js";
import { loadLessons, openRules } from "./rules-sheet.js";
import { say } from "./words.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").View} View
 * @typedef {import("./rules-sheet.js").Lesson} Lesson
 * @typedef {import("./rules-sheet.js").Occasion} Occasion
 */

/**
 * Whether a lesson matters now.
 *
 * @param {Occasion} occasion
 * @param {Session} session
 * @param {View} view
 * @param {string[]} seen The lessons that were read.
 * @returns {boolean}
 */
function matters(occasion, session, view, seen) {
    const { decisions, event, fact, own, after, offers, reserve, seats, tilesLeft } = occasion;
    const me = session.seat === null ? undefined : view.seats[session.seat];
    return (
        (!decisions || (session.asked && decisions.includes(view.decision?.kind ?? ""))) &&
        (!after || seen.includes(after)) &&
        (!offers || session.offers.length > 0) &&
        (!reserve || Boolean(me?.reserve.length)) &&
        (!seats || view.seats.length === seats) &&
        (tilesLeft === undefined || (view.table?.towerCount ?? Infinity) <= tilesLeft) &&
        (!event ||
            session.events.some(
                ({ kind, seat, facts }) =>
                    kind === event && (!own || seat === session.seat) && (!fact || facts?.[fact] === true),
            ))
    );
}

export class PlayCoach extends HTMLElement {
    /** @type {Map<string, Lesson>} */
    #lessons = new Map();
    /** @type {Occasion[]} */
    #occasions = [];
    #heard = () => this.#render();

    /** @param {Session} session */
    constructor(session) {
        super();
        this.session = session;
    }

    async connectedCallback() {
        this.setAttribute("role", "complementary");
        this.setAttribute("aria-label", say("guide"));
        this.session.addEventListener("change", this.#heard);
        const { lessons, occasions } = await loadLessons();
        this.#occasions = occasions;
        this.#lessons = new Map(lessons.map((lesson) => [lesson.key, lesson]));
        this.#render();
    }

    disconnectedCallback() {
        this.session.removeEventListener("change", this.#heard);
    }

    #render() {
        const { session } = this;
        const { view } = session;
        const seen = memory.game(session.game).lessons;
        if (!seen) return this.remove();
        if (!view || !this.#lessons.size) return;
        const due = this.#occasions.find((one) => !seen.includes(one.lesson) && matters(one, session, view, seen));
        const lesson = due && this.#lessons.get(due.lesson);
        const shown = lesson ? `${lesson.key} ${document.documentElement.lang}` : "";
        if (this.dataset["lesson"] === shown) return;
        this.dataset["lesson"] = shown;
        this.toggleAttribute("hidden", !lesson);
        if (!lesson) return fill(this);
        fill(
            this,
            h("span", { class: "note" }, say("guide.count", { seen: seen.length + 1, all: this.#occasions.length })),
            h("p", { class: "explained", role: "status" }, h("strong", {}, lesson.title), ` ${lesson.first}`),
            h(
                "div",
                { class: "buttons" },
                h(
                    "button",
                    { type: "button", class: "primary", "data-key": "guide next", onclick: () => this.#next(lesson.key) },
                    say("guide.next"),
                ),
                h(
                    "button",
                    { type: "button", "data-key": "guide more", onclick: () => void openRules([], lesson.key) },
                    say("guide.more"),
                ),
                h(
                    "button",
                    { type: "button", class: "plain", "data-key": "guide leave", onclick: () => this.#leave() },
                    say("guide.leave"),
                ),
            ),
        );
    }

    /** @param {string} key */
    #next(key) {
        memory.remember(this.session.game, (known) => (known.lessons = [...(known.lessons ?? []), key]));
        this.#render();
    }

    #leave() {
        memory.remember(this.session.game, (known) => delete known.lessons);
        this.remove();
    }
}

customElements.define("play-coach", PlayCoach);
