/**
 * The question that is open and the moves that answer it: what has been picked, what else tells the moves apart, and the
 * moves themselves as sentences, a page at a time. Everything can be done here alone, without a look at the table.
 */

import { atom, CELL, GROUP, parts, VERB } from "./choice.js";
import { dialogue, h } from "./dom.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Entry} Entry
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./names.js").Names} Names
 */

const PAGE = 12;
const FEW = 6;
/** What needs no button among the nouns: verbs and groups have buttons of their own, cells are on the board. */
const ELSEWHERE = [VERB, GROUP, CELL];

export class Moves {
    /** How many moves are shown. */
    #shown = PAGE;
    #last = "";

    /**
     * @param {Session} session
     * @param {Names} names
     * @param {() => void} changed
     */
    constructor(session, names, changed) {
        this.session = session;
        this.names = names;
        this.changed = changed;
    }

    /** @returns {(HTMLElement | null)[]} */
    render() {
        const { session } = this;
        const { choice } = session;
        const now = `${session.view?.version} ${choice.picked.join(" ")}`;
        if (now !== this.#last) this.#shown = PAGE;
        this.#last = now;
        const left = choice.left;
        return [
            this.#refusals(),
            this.#picked(),
            this.#groups(),
            this.#facets(left),
            this.#list(left),
            session.cut ? h("p", { class: "note" }, say("cut", { count: choice.entries.length })) : null,
        ];
    }

    #refusals() {
        const { refused } = this.session;
        return refused.length
            ? h(
                  "div",
                  { class: "refused", role: "alert" },
                  refused.map((text) => h("p", {}, text)),
              )
            : null;
    }

    #picked() {
        const { choice } = this.session;
        if (!choice.picked.length) return null;
        const entries = choice.picked.map((one) =>
            h(
                "li",
                {},
                h(
                    "button",
                    {
                        type: "button",
                        class: "pick",
                        "data-key": `picked ${one}`,
                        "aria-label": say("unpick", { what: this.#name(one) }),
                        onclick: () => {
                            choice.drop(one);
                            this.changed();
                        },
                    },
                    this.#name(one),
                    h("span", { "aria-hidden": "true" }, " ×"),
                ),
            ),
        );
        const clear = () => {
            choice.clear();
            this.changed();
        };
        return h(
            "div",
            { class: "picked" },
            h("ul", { class: "chips", "aria-label": say("picked") }, entries),
            h("button", { type: "button", class: "plain", "data-key": "clear", onclick: clear }, say("clear")),
        );
    }

    /** One button for each group of moves; groups with the same verb are behind one button until it is pressed. */
    #groups() {
        const { choice, groups } = this.session;
        /** @type {Map<string, Map<string, number>>} */
        const verbs = new Map();
        for (const { move, group } of choice.left) {
            const held = verbs.get(move.verb) ?? new Map();
            verbs.set(move.verb, held.set(group, (held.get(group) ?? 0) + 1));
        }
        if (verbs.size < 2 && [...verbs.values()].every((held) => held.size < 2)) return null;
        const buttons = [...verbs].flatMap(([verb, held]) => {
            const moves = [...held.values()].reduce((sum, one) => sum + one, 0);
            if (verbs.size > 1 && held.size > 1)
                return [this.#pickButton(atom(VERB, verb), this.names.of(verb), moves)];
            return [...held].map(([key, one]) => this.#pickButton(atom(GROUP, key), groups.get(key) ?? key, one));
        });
        if (buttons.length === choice.left.length) return null; // each would repeat one of the moves below it
        const entries = buttons.map((button) => h("li", {}, button));
        return h("ul", { class: "groups", "aria-label": say("groups") }, entries);
    }

    /**
     * Buttons for whatever tells the moves apart that are left, if there are more than can be read at a glance.
     *
     * @param {Entry[]} left
     */
    #facets(left) {
        if (left.length <= FEW) return null;
        const { choice } = this.session;
        /** @type {Map<string, Map<string, number>>} */
        const nouns = new Map();
        for (const { atoms } of left)
            for (const [one, times] of atoms) {
                const [noun] = parts(one);
                if (ELSEWHERE.includes(noun) || times <= choice.times(one)) continue;
                const values = nouns.get(noun) ?? new Map();
                nouns.set(noun, values.set(one, (values.get(one) ?? 0) + 1));
            }
        const rows = [...nouns].flatMap(([noun, values]) => {
            const telling = [...values].filter(([, moves]) => moves < left.length);
            if (!telling.length) return [];
            const buttons = telling.map(([one, moves]) => h("li", {}, this.#pickButton(one, this.#name(one), moves)));
            return [
                h(
                    "div",
                    { class: "facet" },
                    h("span", { class: "facet-name" }, say(`noun.${noun}`)),
                    h("ul", { class: "chips" }, buttons),
                ),
            ];
        });
        return rows.length ? h("details", { class: "facets" }, h("summary", {}, say("narrow")), rows) : null;
    }

    /**
     * @param {string} one
     * @param {string} text
     * @param {number} moves
     */
    #pickButton(one, text, moves) {
        const pick = () => {
            this.session.choice.pick([one]);
            this.changed();
        };
        return h(
            "button",
            { type: "button", class: "pick", "data-key": `pick ${one}`, onclick: pick },
            text,
            h("span", { class: "count" }, h("span", { class: "unseen" }, ", "), moves),
        );
    }

    /** @param {Entry[]} left */
    #list(left) {
        const { session } = this;
        const sorted = left.some(({ overpaid }) => overpaid !== undefined) ? [...left].sort(byWaste) : left;
        const shown = sorted.slice(0, this.#shown);
        const only = left.length === 1 && session.choice.picked.length > 0;
        const more = () => {
            this.#shown += PAGE;
            this.changed();
        };
        return h(
            "div",
            { class: "list" },
            left.length > 1 ? h("p", { class: "note", role: "status" }, say("possible", { count: left.length })) : null,
            h(
                "ol",
                { class: "moves" },
                shown.map((one, place) => this.#entry(one, place, only)),
            ),
            left.length > this.#shown
                ? h(
                      "button",
                      { type: "button", class: "plain", "data-key": "more", onclick: more },
                      say("more", { count: left.length - this.#shown }),
                  )
                : null,
            this.#morePayments(left),
        );
    }

    /** @param {Entry[]} left */
    #morePayments(left) {
        const groups = new Set(left.map(({ group }) => group));
        if (groups.size !== 1) return null;
        const offer = this.session.offers.find(({ group, morePayments }) => groups.has(group ?? "") && morePayments);
        if (!offer) return null;
        return h(
            "button",
            { type: "button", class: "plain", "data-key": "all", onclick: () => this.session.allPayments(offer) },
            say("payments"),
        );
    }

    /**
     * @param {Entry} one
     * @param {number} place
     * @param {boolean} only
     */
    #entry(one, place, only) {
        const ranged = one.amountMin !== undefined;
        const amount = /** @type {HTMLInputElement | null} */ (
            ranged
                ? h("input", {
                      type: "number",
                      min: one.amountMin,
                      max: one.amountMax,
                      value: one.amountMin,
                      "aria-label": say("amount", { least: one.amountMin ?? 0, most: one.amountMax ?? 0 }),
                      "data-key": `amount ${place}`,
                  })
                : null
        );
        const make = () => this.make(one, amount);
        return h(
            "li",
            {},
            h(
                "button",
                {
                    type: "button",
                    class: `move${only ? " only" : ""}`,
                    "data-key": `move ${place}`,
                    disabled: this.session.busy,
                    onclick: make,
                },
                one.text,
                one.exact ? [" ", h("span", { class: "exact" }, say("exact"))] : null,
            ),
            amount,
        );
    }

    /**
     * Makes a move, after a confirmation if the reader wants one.
     *
     * @param {Entry} one
     * @param {HTMLInputElement | null} [amount]
     */
    make(one, amount = null) {
        const move = amount ? { ...one.move, amount: Number(amount.value) } : one.move;
        if (!memory.wishes.ask) return void this.session.move(move);
        const asked = dialogue(
            say("sure"),
            say("back"),
            h("p", {}, one.text),
            h(
                "button",
                { type: "button", class: "primary", onclick: () => (asked.close(), void this.session.move(move)) },
                say("do"),
            ),
        );
    }

    /** @param {string} one */
    #name(one) {
        const [noun, value] = parts(one);
        if (noun === GROUP) return this.session.groups.get(value) ?? value;
        if (noun === CELL) return `(${value.replace(",", ", ")})`;
        if (noun === "seat") return this.session.view?.seats[Number(value)]?.name ?? value;
        // What lies in a slot tells more than where the slot is.
        const held = noun === "slot" && this.session.view?.table?.market.find(({ slot }) => slot === value)?.tile;
        if (held) return this.names.of(held);
        if (noun === "side") return say(`side.${value}`);
        if (noun === "rotation") return `${value}°`;
        return this.names.of(value);
    }
}

/**
 * Exact payments come first, then what is paid for with nothing, then payments by what they waste.
 *
 * @param {Entry} one
 * @param {Entry} other
 * @returns {number}
 */
function byWaste(one, other) {
    const rank = (/** @type {Entry} */ { exact, overpaid }) => (exact ? 0 : 1 + (overpaid ?? 0));
    return rank(one) - rank(other) || (one.move.cards?.length ?? 0) - (other.move.cards?.length ?? 0);
}
