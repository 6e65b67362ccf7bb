/** The catalogue of one game: names, texts and pictures of everything that has an id or a key. */

import { server } from "./api.js";

/**
 * @typedef {import("./types.js").Component} Component
 * @typedef {import("./types.js").Module} Module
 * @typedef {import("./types.js").Word} Word
 * @typedef {import("./types.js").DecisionKind} DecisionKind
 */

const BASE = "base";
/** Which component an id means where several have it. */
const ORDER = ["tile", "card", "piece", "piece_kind", "slot", "item", "type", "currency", "choice"];

export class Names {
    /** @type {Component[]} */
    components = [];
    /** @type {Module[]} */
    modules = [];
    /** @type {DecisionKind[]} */
    decisions = [];
    /** @type {Map<string, Component>} */
    #byId = new Map();
    /** @type {Map<string, Word>} */
    #words = new Map();
    /** @type {Map<string, string>} */
    #reasons = new Map();
    /** @type {Map<string, string>} */
    outlines = new Map();

    /**
     * @param {readonly string[]} modules The modules of the game.
     * @returns {Promise<Names>}
     */
    static async load(modules) {
        const names = new Names();
        const [components, listed, verbs] = await Promise.all([
            server.components({ modules: [BASE, ...modules] }),
            modules.length ? server.modules() : [],
            server.verbs({ modules: [BASE, ...modules] }),
        ]);
        names.components = components;
        names.modules = listed.filter((one) => modules.includes(one.key));
        names.decisions = verbs.decisions;
        for (const kind of [...ORDER].reverse())
            for (const one of components) if (one.kind === kind) names.#byId.set(one.id, one);
        for (const { key, name } of verbs.scoreReasons) names.#reasons.set(key, name);
        for (const word of [...verbs.scoreReasons, ...verbs.phases, ...verbs.verbs]) names.#words.set(word.key, word);
        for (const one of names.modules) {
            names.#words.set(one.key, /** @type {any} */ (one));
            for (const word of [...one.facts, ...one.pieces]) names.#words.set(word.key, /** @type {any} */ (word));
            for (const piece of one.pieces) if (piece.outline) names.outlines.set(piece.key, piece.outline);
        }
        return names;
    }

    /**
     * @param {string} id
     * @param {string} [kind]
     * @returns {Component | undefined}
     */
    component(id, kind) {
        const stem = id.split(":")[0] ?? id;
        if (!kind) return this.#byId.get(stem);
        return this.components.find((one) => one.kind === kind && one.id === stem) ?? this.#byId.get(stem);
    }

    /**
     * The name of a word of the server, with its argument if it has one; the word itself if it has no name.
     *
     * @param {string} word
     * @returns {string}
     */
    of(word) {
        const [stem = "", argument] = word.split(":");
        const name = this.#byId.get(stem)?.name ?? this.#words.get(stem)?.name ?? stem.replaceAll("_", " ");
        return argument === undefined ? name : `${name} ${argument}`;
    }

    /**
     * What points are for: a piece of some module may have the same word as its id.
     *
     * @param {string} reason
     * @returns {string}
     */
    reason(reason) {
        return this.#reasons.get(reason) ?? this.of(reason);
    }

    /**
     * @param {string} key
     * @returns {string} The name of a module.
     */
    module(key) {
        return this.modules.find((one) => one.key === key)?.name ?? key;
    }

    /**
     * What a word means, in a sentence; empty if nothing is said about it.
     *
     * @param {string} word
     * @returns {string}
     */
    text(word) {
        const stem = word.split(":")[0] ?? word;
        return this.#byId.get(stem)?.text ?? this.#words.get(stem)?.text ?? "";
    }

    /**
     * What a member of an answer is called: its name in the catalogue, or its own name in plain words.
     *
     * @param {string} member
     * @returns {string}
     */
    label(member) {
        return this.#words.get(member)?.name ?? member.replace(/(?<=[a-z])(?=[A-Z])|_/g, " ").toLowerCase();
    }
}
