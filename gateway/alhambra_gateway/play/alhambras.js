/**
 * The Alhambras of all seats. In the one of the person who plays, cells can be picked; what a placement would come to, or
 * why it is not allowed, is said below it.
 */

import "./board.js";
import { Refused } from "./api.js";
import { atom, CELL, cellOf, parts } from "./choice.js";
import { h } from "./dom.js";
import { dot } from "./log.js";
import { pictureOf } from "./pictures.js";
import { changedLines, preview } from "./preview.js";
import { wholeBoard } from "./sheets.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SeatView} SeatView
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./board.js").PlayBoard} PlayBoard
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./session.js").Session} Session
 */

export class Alhambras {
    #session;
    #names;
    #own;
    #others;
    #changed;
    /** By seat. @type {Map<number, PlayBoard>} */
    #boards = new Map();
    #previewed = "";

    /**
     * @param {Session} session
     * @param {Names} names
     * @param {{own: HTMLElement, others: HTMLElement}} places
     * @param {() => void} changed Called when a cell was picked or dropped.
     */
    constructor(session, names, { own, others }, changed) {
        this.#session = session;
        this.#names = names;
        this.#own = own;
        this.#others = others;
        this.#changed = changed;
    }

    /** @param {View} view */
    draw(view) {
        const session = this.#session;
        const own = session.seat ?? view.decision?.seat ?? 0;
        for (const seat of view.seats) {
            const mine = seat.seat === own;
            const board = this.#board(seat, mine);
            void board.draw(session, view, seat.seat);
            if (mine) void this.#offerCells(view, seat, board);
        }
    }

    /** Takes no cell for the moment. */
    offerNothing() {
        for (const board of this.#boards.values()) if (board.hasAttribute("mine")) board.offer([], () => undefined);
    }

    /**
     * Shows a tile that has just been laid, until the Alhambra is drawn anew.
     *
     * @param {GameEvent} event
     */
    async lay({ seat, tile, cell, rotation }) {
        const board = seat === undefined ? undefined : this.#boards.get(seat);
        const component = tile ? this.#names.component(tile, "tile") : undefined;
        if (!board || !cell || !component) return;
        const drawn = await pictureOf(component).catch(() => undefined);
        if (drawn) board.lay(drawn, cell, rotation ?? 0);
    }

    /**
     * The place of an Alhambra on the page, made anew if it becomes the own one or ceases to be that.
     *
     * @param {SeatView} seat
     * @param {boolean} mine
     * @returns {PlayBoard}
     */
    #board({ seat, name, colour }, mine) {
        const known = this.#boards.get(seat);
        if (known && known.hasAttribute("mine") === mine) return known;
        known?.closest(".seat-board")?.remove();
        const board = /** @type {PlayBoard} */ (h("play-board", { mine }));
        this.#boards.set(seat, board);
        const caption = h("span", { class: "caption" }, dot(colour), name);
        const open = () => wholeBoard(this.#session, seat);
        const label = say("whole", { name });
        const enlarge = h("button", { type: "button", class: "plain", onclick: open, "aria-label": label }, "⤢");
        const shown = h("figure", { class: "seat-board", "data-seat": seat }, board, h("figcaption", {}, caption, enlarge));
        if (mine) this.#own.replaceChildren(shown, h("div", { class: "preview", role: "status" }));
        else this.#others.append(shown);
        return board;
    }

    /**
     * Shows which cells of the own Alhambra a move names, and what the move would come to.
     *
     * @param {View} view
     * @param {SeatView} seat
     * @param {PlayBoard} board
     */
    async #offerCells(view, seat, board) {
        const { choice } = this.#session;
        const names = this.#names;
        const open = choice.open;
        const tile = choice.common("tile");
        const lying = new Map(seat.alhambra.map((placed) => [`${placed.cell.x},${placed.cell.y}`, placed.tile]));
        /** @type {Map<string, string>} */
        const found = new Map();
        for (const one of open.keys()) {
            const [noun, value] = parts(one);
            if (noun === CELL) found.set(value, one);
        }
        for (const [cell, placed] of lying)
            if (!found.has(cell) && open.has(atom("tile", placed))) found.set(cell, atom("tile", placed));
        const ghost = tile ? names.component(tile, "tile") : undefined;
        const turn = Math.min(...choice.left.map(({ move }) => move.rotation ?? 0));
        const drawn =
            ghost && choice.picked.some((one) => parts(one)[0] === CELL)
                ? await pictureOf(ghost).catch(() => undefined)
                : undefined;
        const spots = [...found].map(([cell, one]) => ({
            ...cellOf(cell),
            label: [`(${cell.replace(",", ", ")})`, lying.has(cell) ? names.of(lying.get(cell) ?? "") : ""]
                .filter(Boolean)
                .join(" "),
            picked: choice.times(one) > 0,
            ...(drawn ? { ghost: drawn, turn } : {}),
        }));
        board.offer(this.#session.asked ? spots : [], (cell, dropped = false) => {
            const name = `${cell.x},${cell.y}`;
            const one = found.get(name) ?? atom(CELL, cell);
            if (dropped) choice.letTurn(one);
            if (choice.times(one)) {
                // A second press turns what can lie in several ways, a dropped thing lies as it was dropped.
                if (!dropped && choice.turn() === null) choice.drop(one);
            } else if (!choice.pick([one, ...(lying.has(name) ? [atom("tile", lying.get(name))] : [])]))
                return void this.#explainCell(tile, cell);
            this.#changed();
        });
        void this.#preview(view, seat.seat);
    }

    /**
     * Says in words why a tile cannot lie on a cell.
     *
     * @param {string | undefined} tile
     * @param {{x: number, y: number}} cell
     */
    async #explainCell(tile, cell) {
        const place = this.#own.querySelector(".preview");
        if (!place || !tile || this.#session.seat === null) return;
        try {
            const asked = { placement: { tile, cell }, seat: this.#session.seat };
            const { violations } = await this.#session.send("validatePlacement", asked);
            const texts = violations.map(({ text }) => text).filter(Boolean);
            place.replaceChildren(
                h("p", { class: "refused" }, `(${cell.x}, ${cell.y}) ${[...new Set(texts)].join(" ")}`),
            );
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            place.replaceChildren(h("p", { class: "refused" }, error.lines.join(" ")));
        }
    }

    /**
     * @param {View} view
     * @param {number} seat
     */
    async #preview(view, seat) {
        const { choice, setup } = this.#session;
        const place = this.#own.querySelector(".preview");
        const [only] = choice.left;
        const move = choice.picked.length && choice.common("tile") && choice.common("cell") ? only?.move : undefined;
        const wanted = move ? `${view.version} ${JSON.stringify(move)}` : "";
        if (!place || wanted === this.#previewed) return;
        this.#previewed = wanted;
        place.replaceChildren();
        const found = move && setup ? await preview(view, setup, seat, move, this.#session.worth(view)) : null;
        if (!found || wanted !== this.#previewed) return;
        place.replaceChildren(...this.#worth(view, seat, found));
    }

    /**
     * What a move would change: points and wall, each line that gains or loses, and the points of the others.
     *
     * @param {View} view
     * @param {number} seat
     * @param {[import("./preview.js").Worth[], import("./preview.js").Worth[]]} worth
     * @returns {HTMLElement[]}
     */
    #worth(view, seat, [before, after]) {
        const [now, then] = [before[seat], after[seat]];
        if (!now || !then) return [];
        const sums = { before: now.points, after: then.points, wall: now.longestWall, longer: then.longestWall };
        const lines = changedLines(now.lines, then.lines).map(({ line, from, to }) => {
            const about = [line.reason, line.type, line.tile].filter((word) => word !== undefined && word !== "");
            return `${about.map((word) => this.#names.of(word ?? "")).join(" · ")}: ${from} → ${to}`;
        });
        const others = view.seats.flatMap((other) => {
            const [from, to] = [before[other.seat]?.points, after[other.seat]?.points];
            return other.seat === seat || from === to ? [] : [`${other.name}: ${from} → ${to}`];
        });
        return [
            h("p", { class: "note" }, say("preview", sums)),
            h(
                "ul",
                {},
                [...lines, ...others].map((text) => h("li", { class: "note" }, text)),
            ),
        ];
    }
}
