/**
 * Everything that lies on the table and in front of a seat, as buttons: what belongs to a move that is still possible
 * can be pressed. A thing offers atoms of moves; which of them means something is for the moves to say.
 */

import { atom } from "./choice.js";
import { h } from "./dom.js";
import { numbered } from "./novelty.js";
import { figure, image } from "./pictures.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Offer} Offer
 * @typedef {import("./types.js").Piece} Piece
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SeatView} SeatView
 * @typedef {import("./choice.js").Choice} Choice
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./novelty.js").Novelty} Novelty
 */

/** With more modules than this, what cannot be used now is folded. */
const FEW_MODULES = 4;
/** The modules that the reader has unfolded, with the seat. @type {Set<string>} */
const unfolded = new Set();

export class Things {
    /**
     * @param {Names} names
     * @param {Choice} choice
     * @param {View} view
     * @param {Novelty} novel
     * @param {() => void} changed Called when something was picked or dropped.
     * @param {readonly Offer[]} [offers] What is for sale to the person who plays.
     */
    constructor(names, choice, view, novel, changed, offers = []) {
        this.offers = offers;
        this.names = names;
        this.novel = novel;
        this.choice = choice;
        this.view = view;
        this.changed = changed;
        this.open = choice.open;
        /** How many of each were shown already: of three equal cards the first ones are the picked ones, all are lit. @type {Map<string, number>} */
        this.shown = new Map();
        this.keys = new Map();
    }

    /**
     * One thing.
     *
     * @param {string[]} atoms
     * @param {string} label
     * @param {(Node | string | null)[]} content
     * @param {string} [kind] A class.
     * @returns {HTMLElement}
     */
    thing(atoms, label, content, kind = "") {
        const shown = atoms.map((one) => this.shown.get(one) ?? 0);
        for (const one of atoms) this.shown.set(one, (this.shown.get(one) ?? 0) + 1);
        const picked = atoms.find((one, place) => this.choice.times(one) > (shown[place] ?? 0));
        const lit =
            picked === undefined &&
            atoms.some((one) => (this.open.get(one) ?? 0) > this.choice.times(one));
        const begins =
            picked === undefined &&
            !lit &&
            atoms.some((one) => this.choice.entries.some((known) => known.atoms.has(one)));
        const base = atoms.join(" ") || label;
        const key = `${base} ${this.keys.get(base) ?? 0}`;
        this.keys.set(base, (this.keys.get(base) ?? 0) + 1);
        const about = atoms.map((one) => this.names.text(one.slice(one.indexOf("=") + 1))).find(Boolean) ?? "";
        return h(
            "button",
            {
                type: "button",
                class: `thing ${kind}${lit ? " lit" : ""}${begins ? " other" : ""}`,
                disabled: picked === undefined && !lit && !begins,
                "aria-pressed": picked !== undefined ? "true" : lit ? "false" : null,
                "aria-label": label,
                title: about ? `${label}. ${about}` : label,
                "data-key": key,
                onclick: () => {
                    if (picked !== undefined) this.choice.drop(picked);
                    else this.choice.pick(atoms);
                    this.changed();
                },
            },
            content,
        );
    }

    /**
     * @param {string} id
     * @param {string[]} atoms
     * @param {string} [before] Words before the name.
     * @param {string} [kind] The kind of component.
     */
    pictured(id, atoms, before = "", kind) {
        const name = [before, this.names.of(id)].filter(Boolean).join(": ");
        return this.thing(
            atoms,
            name,
            [image(this.names.component(id, kind)), h("span", { class: "name" }, this.names.of(id))],
            "pictured",
        );
    }

    /** The spaces of the market, and what lies beside them. */
    market() {
        const { table } = this.view;
        if (!table) return null;
        const spaces = table.market.map(({ slot, tile }) => {
            const place = this.names.of(slot);
            const coin = image(this.names.component(this.names.component(slot)?.currency ?? "", "currency"));
            const held = tile ? image(this.names.component(tile, "tile")) : h("span", { class: "empty" });
            const short = this.#tooDear(slot);
            const label = [tile ? `${place}: ${this.names.of(tile)}` : `${place}: –`, short].filter(Boolean).join(". ");
            const atoms = [atom("slot", slot), ...(tile ? [atom("tile", tile)] : [])];
            const sum = short ? h("span", { class: "short" }, short) : null;
            const space = this.thing(atoms, label, [held, h("span", { class: "payable" }, coin), sum], "space");
            return h("li", {}, this.novel.mark(space, `${slot} ${tile}`));
        });
        const beside = table.beside.flatMap(({ slot, tiles }) =>
            tiles.map((tile) =>
                h("li", {}, this.pictured(tile, [atom("tile", tile), atom("slot", slot)], this.names.of(slot), "tile")),
            ),
        );
        return h(
            "div",
            {},
            h("ul", { class: "row spaces" }, spaces),
            beside.length ? h("ul", { class: "row beside" }, beside) : null,
        );
    }

    /**
     * Why what lies in a slot cannot be bought, in numbers.
     *
     * @param {string} slot
     * @returns {string} Empty if it can be bought, or is not for sale to this person.
     */
    #tooDear(slot) {
        const offer = this.offers.find(({ move, affordable }) => move?.slot === slot && !affordable);
        const viewer = this.view.viewer;
        const hand = viewer === undefined ? undefined : this.view.seats[viewer]?.hand;
        if (!offer?.currency || !hand || this.offers.some((one) => one.move?.slot === slot && one.affordable)) return "";
        const values = hand.map((card) => this.names.component(card, "card"));
        const have = values
            .filter((card) => card?.currency === offer.currency)
            .reduce((sum, card) => sum + (card?.value ?? 0), 0);
        return say("short", { have, price: offer.price, currency: this.names.of(offer.currency) });
    }

    /** The open cards. */
    display() {
        const cards = this.view.table?.display ?? [];
        const numbers = numbered(cards);
        return h(
            "ul",
            { class: "row cards" },
            cards.map((card, place) => {
                const shown = this.pictured(card, [atom("display", card)], "", "card");
                return h("li", {}, this.novel.mark(shown, numbers[place] ?? ""));
            }),
        );
    }

    /** @param {SeatView} seat */
    hand(seat) {
        return h(
            "ul",
            { class: "row cards" },
            seat.hand.map((card) => h("li", {}, this.pictured(card, [atom("cards", card)], "", "card"))),
        );
    }

    /**
     * Tiles that belong to a seat and lie in no Alhambra.
     *
     * @param {readonly string[]} tiles
     */
    tiles(tiles) {
        return h(
            "ul",
            { class: "row tiles" },
            tiles.map((tile) => h("li", {}, this.pictured(tile, [atom("tile", tile)], "", "tile"))),
        );
    }

    /**
     * The pieces of modules that lie before a seat, or on the table if no seat is named.
     *
     * @param {number} [seat]
     * @returns {HTMLElement | null}
     */
    pieces(seat) {
        const many = Object.keys(this.view.modules).length > FEW_MODULES;
        const found = Object.entries(this.view.modules).flatMap(([module, shown]) => {
            const pieces = shown.pieces.filter((piece) => piece.seat === seat && !(seat !== undefined && piece.cell));
            if (!pieces.length) return [];
            const made = merged(pieces.map((piece) => this.piece(piece)));
            const usable = made.some((one) => !(one instanceof HTMLButtonElement && one.disabled));
            return [{ usable, shown: this.#module(module, seat, made, usable || !many) }];
        });
        const sorted = [...found.filter(({ usable }) => usable), ...found.filter(({ usable }) => !usable)];
        return found.length ? h("ul", { class: "modules" }, sorted.map(({ shown }) => shown)) : null;
    }

    /**
     * The pieces of a module; what cannot be used now is folded if there are many modules.
     *
     * @param {string} module
     * @param {number | undefined} seat
     * @param {HTMLElement[]} pieces
     * @param {boolean} open
     */
    #module(module, seat, pieces, open) {
        const key = `${module} ${seat ?? ""}`;
        const chips = h(
            "ul",
            { class: "chips" },
            pieces.map((piece) => h("li", {}, piece)),
        );
        const name = this.names.module(module);
        const title = this.names.text(module);
        if (open)
            return h("li", { class: "module" }, h("span", { class: "module-name", title }, name), chips);
        const folded = h(
            "details",
            { open: unfolded.has(key) },
            h("summary", { class: "module-name", title, "data-key": `module ${key}` }, this.#face(module, pieces), `${name} (${pieces.length})`),
            chips,
        );
        folded.addEventListener("toggle", () => {
            if (/** @type {HTMLDetailsElement} */ (folded).open) unfolded.add(key);
            else unfolded.delete(key);
        });
        return h("li", { class: "module" }, folded);
    }

    /**
     * A picture that stands for the folded pieces of a module: the outline of its pieces, or the picture of the first one.
     *
     * @param {string} module
     * @param {HTMLElement[]} pieces
     * @returns {Node | null}
     */
    #face(module, pieces) {
        const known = this.names.modules.find(({ key }) => key === module);
        const outline = known?.pieces.find((piece) => piece.outline)?.outline;
        if (outline) return figure(outline);
        const shown = pieces.map((piece) => piece.querySelector("img")).find(Boolean);
        if (!shown) return null;
        const copy = /** @type {HTMLImageElement} */ (shown.cloneNode(true));
        shown.addEventListener("load", () => (copy.src = shown.src));
        return copy;
    }

    /** @param {Piece} piece */
    piece(piece) {
        const kind = piece.kind ?? "";
        /** @type {string[]} */
        const named = [
            piece.piece,
            piece.tile,
            piece.type,
            piece.currency,
            ...(piece.cards ?? []),
            ...(piece.items ?? []),
        ].filter((one) => one !== undefined);
        const words = [...(piece.piece || piece.tile ? [] : [kind]), ...named, piece.slot, piece.choice].filter(
            (one) => one !== undefined,
        );
        const label =
            unsaid(words.map((word) => this.names.of(word))).join(" · ") +
            (piece.amount === undefined ? "" : ` × ${piece.amount}`);
        const own = piece.piece ? this.names.component(piece.piece) : undefined;
        const outline = this.names.outlines.get(kind);
        const mark = piece.type ?? piece.currency;
        const atoms = [
            ...(piece.piece ? [atom("piece", piece.piece), atom("items", piece.piece)] : []),
            ...(piece.tile ? [atom("tile", piece.tile)] : []),
            ...(piece.slot ? [atom("slot", piece.slot)] : []),
        ];
        const icon = piece.tile
            ? image(this.names.component(piece.tile, "tile"))
            : own
              ? image(own)
              : outline
                ? figure(outline)
                : image(this.names.component(kind));
        return this.thing(
            atoms,
            label,
            [icon, mark ? image(this.names.component(mark)) : null, h("span", { class: "name" }, label)],
            "chip",
        );
    }
}

/**
 * The names without those that an earlier name contains: "scout (garden)" needs no "garden" behind it.
 *
 * @param {string[]} names
 * @returns {string[]}
 */
function unsaid(names) {
    const padded = names.map((name) => ` ${name.replace(/[(),]/g, " ").replace(/ +/g, " ").trim()} `);
    return names.filter((_, at) => !padded.slice(0, at).some((earlier) => earlier.includes(padded[at] ?? "")));
}

/**
 * The things with equal ones that cannot be used put together, with how many there are.
 *
 * @param {HTMLElement[]} things
 * @returns {HTMLElement[]}
 */
function merged(things) {
    /** @type {Map<string, HTMLElement[]>} */
    const alike = new Map();
    for (const [place, one] of things.entries()) {
        const fixed = one instanceof HTMLButtonElement && one.disabled;
        const key = fixed ? (one.getAttribute("aria-label") ?? "") : `usable ${place}`;
        alike.set(key, [...(alike.get(key) ?? []), one]);
    }
    return [...alike.values()].flatMap(([first, ...others]) => {
        if (first && others.length) {
            first.append(h("span", { class: "times" }, `× ${others.length + 1}`));
            first.setAttribute("aria-label", `${first.getAttribute("aria-label")} × ${others.length + 1}`);
        }
        return first ? [first] : [];
    });
}

/**
 * How much is left of everything that is only counted.
 *
 * @param {NonNullable<View["table"]>} table
 * @returns {string}
 */
export function counts(table) {
    return say("counts", { deck: table.deckCount, pile: table.discardCount, supply: table.towerCount });
}
