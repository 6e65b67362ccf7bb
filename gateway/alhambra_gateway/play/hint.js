/**
 * Hints on request: what computers would do in place of the person who is asked, and what it gains. The move that is
 * meant is picked on the table, so that it lights up; it is made only when its sentence is pressed, like any other.
 */

import { Refused, Unreachable } from "./api.js";
import { entry, GROUP, parts, VERB } from "./choice.js";
import { h } from "./dom.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Suggestion} Suggestion
 * @typedef {import("./session.js").Session} Session
 */

/** Below this many tenths of a point two moves are called equally good. */
const ALIKE = 5;

export class Hints {
    #session;
    #changed;
    /** The question that the suggestions answer. */
    #question = "";
    /** @type {Suggestion[] | null} Null while the answer is awaited. */
    #found = null;

    /**
     * @param {Session} session
     * @param {() => void} changed
     */
    constructor(session, changed) {
        this.#session = session;
        this.#changed = changed;
    }

    /** Whether a hint can be asked for now. */
    get open() {
        const session = this.#session;
        return session.asked && !session.busy && !session.setup?.noHints;
    }

    /** Asks for a hint, once for each question. */
    async ask() {
        const question = this.#asked;
        if (!this.open || question === this.#question) return;
        this.#question = question;
        this.#found = null;
        this.#changed();
        try {
            const minVersion = this.#session.view?.version ?? 0;
            const { suggestions } = await this.#session.send("suggestMoves", { minVersion });
            if (question !== this.#asked) return;
            this.#found = suggestions;
            const best = suggestions.at(-1);
            if (best) this.#show(best);
        } catch (error) {
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
            this.#found = [];
        }
        this.#changed();
    }

    get #asked() {
        const session = this.#session;
        return session.asked ? `${session.view?.version} ${session.seat} ${memory.language}` : "";
    }

    /** A button, or the hint if there is one. @returns {HTMLElement | null} */
    render() {
        if (!this.open && this.#question !== this.#asked) return null;
        if (!this.#question || this.#question !== this.#asked) return this.#button();
        if (!this.#found) return h("p", { class: "hint note", role: "status" }, say("hint.wait"));
        const [one, other] = this.#found;
        if (!one || !other) return h("p", { class: "hint note", role: "status" }, say("hint.none"));
        const agreed = JSON.stringify(one.move) === JSON.stringify(other.move);
        return h(
            "section",
            { class: "hint", role: "status", "aria-label": say("hint") },
            agreed
                ? this.#suggestion(other, say("hint.both"))
                : [other, one].map((each) => this.#suggestion(each, say(`hint.${each.player}`))),
        );
    }

    #button() {
        const ask = () => void this.ask();
        return h(
            "button",
            {
                type: "button",
                class: "hint-button",
                "data-key": "hint",
                title: say("hint.key"),
                "aria-keyshortcuts": "H",
                onclick: ask,
            },
            h("span", { "aria-hidden": "true" }, "✦ "),
            say("hint"),
        );
    }

    /**
     * @param {Suggestion} suggestion
     * @param {string} who
     */
    #suggestion(suggestion, who) {
        const { move, nextBest, pointsBefore: before, pointsAfter: after, leadTenths } = suggestion;
        const text = this.#session.people.text(move?.text);
        const other = nextBest ? this.#session.people.text(nextBest.text) : "";
        const points = (leadTenths / 10).toLocaleString(memory.locale, { maximumFractionDigits: 1 });
        return h(
            "div",
            {},
            h("p", { class: "hint-who" }, who),
            h(
                "button",
                { type: "button", class: "hint-move", "data-key": `hint ${suggestion.player}`, onclick: () => this.#pick(suggestion) },
                text,
            ),
            h("p", {}, say(before === after ? "hint.same" : "hint.points", { before, after })),
            other ? h("p", {}, say(leadTenths < ALIKE ? "hint.alike" : "hint.lead", { points, move: other })) : null,
        );
    }

    /** @param {Suggestion} suggestion */
    #pick(suggestion) {
        this.#show(suggestion);
        this.#changed();
    }

    /**
     * Picks what a suggested move names.
     *
     * @param {Suggestion} suggestion
     */
    #show({ move }) {
        if (!move) return;
        const { choice } = this.#session;
        const meant = entry(move);
        const known = JSON.stringify(meant.move);
        if (!choice.entries.some((one) => JSON.stringify(one.move) === known)) choice.take([...choice.entries, meant], true);
        const atoms = [...meant.atoms].flatMap(([one, times]) => Array.from({ length: times }, () => one));
        const named = atoms.filter((one) => ![VERB, GROUP].includes(parts(one)[0]));
        choice.picked = named.length ? named : atoms.filter((one) => parts(one)[0] === GROUP);
    }
}
