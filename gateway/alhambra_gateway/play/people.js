/**
 * What players are called. A seat without a name of its own has one from the server, in English only ("Player 2"), and
 * nothing in it says that a computer plays there. Both are put right here, once, in every view and sentence.
 */

import { server } from "./api.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SeatView} SeatView
 */

export class People {
    /** By the word for a server player: its name. @type {Map<string, string>} */
    #computers = new Map();
    /** By the name that the server gave to a seat: the name that is shown. @type {Map<string, string>} */
    #given = new Map();
    /** By seat: the name that its player chose. @type {string[]} */
    #own = [];
    /** @type {RegExp | null} */
    #found = null;

    /**
     * Reads what the computers are called, if any plays here.
     *
     * @param {View} view
     */
    async load(view) {
        if (this.#computers.size || !view.seats.some(({ serverPlayer }) => serverPlayer)) return;
        const { serverPlayers } = await server.editions();
        this.#computers = new Map(serverPlayers.map((one) => [one.key, one.name]));
    }

    /**
     * The view with the names that are shown.
     *
     * @param {View} view
     * @returns {View}
     */
    rename(view) {
        const seats = view.seats.map((seat) => ({ ...seat, name: this.#shown(seat, view.seats) }));
        this.#own = view.seats.map(({ seat, name }) => (isGiven(seat, name) ? "" : name));
        this.#given = new Map(
            view.seats.flatMap(({ seat, name }) => (isGiven(seat, name) ? [[name, seats[seat]?.name ?? name]] : [])),
        );
        this.#found = this.#given.size ? new RegExp(`\\b(?:${[...this.#given.keys()].join("|")})\\b`, "g") : null;
        const { decision } = view;
        return { ...view, seats, ...(decision ? { decision: { ...decision, text: this.text(decision.text) } } : {}) };
    }

    /**
     * @param {number} seat
     * @returns {string} The name that the player of a seat chose; empty if none.
     */
    ownName(seat) {
        return this.#own[seat] ?? "";
    }

    /**
     * A sentence of the server with the names that are shown.
     *
     * @param {string | undefined} text
     * @returns {string}
     */
    text(text) {
        if (!text || !this.#found) return text ?? "";
        return text.replace(this.#found, (name) => this.#given.get(name) ?? name);
    }

    /**
     * @param {SeatView} seat
     * @param {readonly SeatView[]} all
     * @returns {string}
     */
    #shown({ seat, name, serverPlayer }, all) {
        if (!serverPlayer) return isGiven(seat, name) ? say("seat", { number: seat + 1 }) : name;
        if (!isGiven(seat, name)) return say("computer", { name });
        const alike = all.filter((one) => one.serverPlayer === serverPlayer && isGiven(one.seat, one.name));
        const number = alike.length > 1 ? ` ${alike.findIndex((one) => one.seat === seat) + 1}` : "";
        return say("computer", { name: `${this.#computers.get(serverPlayer) ?? serverPlayer}${number}` });
    }
}

/**
 * @param {number} seat
 * @param {string} name
 * @returns {boolean} Whether the server named the seat.
 */
function isGiven(seat, name) {
    return name === `Player ${seat + 1}`;
}
