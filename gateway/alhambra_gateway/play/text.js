/** The table as lists, for readers who do not see it: every member of a view with its name, whatever it holds. */

import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./names.js").Names} Names
 */

const HEADING = ["seat", "name", "colour", "age", "occupancy", "serverPlayer", "resigned", "score"];

export class TextTable {
    /**
     * @param {Names} names
     * @param {View} view
     */
    constructor(names, view) {
        this.names = names;
        this.view = view;
        this.players = new Map(view.seats.map(({ seat, name }) => [seat, name]));
    }

    /** @returns {HTMLElement[]} */
    render() {
        const { table, modules, seats } = this.view;
        return [
            h("section", {}, h("h2", {}, say("table")), h("ul", {}, this.#members(table ?? {}))),
            ...(Object.keys(modules).length
                ? [h("section", {}, h("h2", {}, say("modules")), h("ul", {}, this.#members(modules)))]
                : []),
            ...seats.map((seat) => {
                const members = Object.fromEntries(
                    Object.entries(seat).filter(([member]) => !HEADING.includes(member)),
                );
                return h(
                    "section",
                    {},
                    h("h2", {}, `${seat.name} · ${say("score")} ${seat.score}`),
                    h("ul", {}, this.#members(members)),
                );
            }),
        ];
    }

    /**
     * @param {object} value
     * @returns {HTMLElement[]}
     */
    #members(value) {
        return Object.entries(value).flatMap(([member, held]) => this.#member(member, held));
    }

    /**
     * @param {string} member
     * @param {unknown} value
     * @returns {HTMLElement[]}
     */
    #member(member, value) {
        const label = this.#label(member);
        if (Array.isArray(value) && value.length && value.every((one) => isObject(one)))
            return [
                h(
                    "li",
                    {},
                    `${label}:`,
                    h(
                        "ul",
                        {},
                        counted(value.map((one) => this.#line(one))).map((text) => h("li", {}, text)),
                    ),
                ),
            ];
        if (isObject(value) && !isCell(value)) {
            const inner = this.#members(value);
            return inner.length ? [h("li", {}, `${label}:`, h("ul", {}, inner))] : [];
        }
        const text = this.#text(member, value);
        return text ? [h("li", {}, `${label}: ${text}`)] : [];
    }

    /** @param {string} member */
    #label(member) {
        const own = say(`member.${member}`);
        return own === `member.${member}` ? this.names.label(member) : own;
    }

    /** @param {object} value */
    #line(value) {
        return Object.entries(value)
            .map(([member, held]) => {
                const text = this.#text(member, held);
                const speaks =
                    typeof held === "string" ||
                    Array.isArray(held) ||
                    isCell(held) ||
                    member.toLowerCase().endsWith("seat");
                return text && !speaks ? `${this.#label(member)} ${text}` : text;
            })
            .filter(Boolean)
            .join(" · ");
    }

    /**
     * A value in one line; empty if there is nothing to say.
     *
     * @param {string} member
     * @param {unknown} value
     * @returns {string}
     */
    #text(member, value) {
        if (value === null || value === undefined || value === false || value === "") return "";
        if (value === true) return "✓";
        if (typeof value === "number")
            return member.toLowerCase().endsWith("seat") ? (this.players.get(value) ?? String(value)) : String(value);
        if (typeof value === "string") return this.names.of(value);
        if (Array.isArray(value)) return counted(value.map((one) => this.#text(member, one))).join(", ");
        return isCell(value) ? `(${value.x}, ${value.y})` : this.#line(/** @type {object} */ (value));
    }
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {unknown} value
 * @returns {value is {x: number, y: number}}
 */
function isCell(value) {
    return isObject(value) && "x" in value && "y" in value;
}

/**
 * Equal texts together, with their number.
 *
 * @param {string[]} texts
 * @returns {string[]}
 */
function counted(texts) {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const text of texts.filter(Boolean)) found.set(text, (found.get(text) ?? 0) + 1);
    return [...found].map(([text, times]) => (times > 1 ? `${times} × ${text}` : text));
}
