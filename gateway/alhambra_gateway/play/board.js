/**
 * An Alhambra as the server draws it. Shown whole it is a picture; at the table the part of it with the cells (`#cells`) is
 * shown alone, for the person who plays with a frame around every cell that a move names.
 */

import { Refused, Unreachable } from "./api.js";
import { svg } from "./dom.js";
import { memory } from "./memory.js";
import { Zoom } from "./zoom.js";

/** @typedef {import("./types.js").View} View */

const PICTURE = "image/svg+xml";
const STYLE = /<style>([^<]*)<\/style>/;
const ROOM = 22;
const FEWEST_CELLS = 4;
const OWN_STYLE = new CSSStyleSheet();
OWN_STYLE.replaceSync(`
  :host { display: block; }
  :host([mine]) { touch-action: pan-x pan-y; }
  svg { display: block; width: 100%; height: 100%; }
  .spot { cursor: pointer; outline: none; }
  .spot rect { fill: transparent; stroke: var(--glow); stroke-width: 6; stroke-dasharray: 14 8; }
  .spot:hover rect { stroke-width: 10; stroke-dasharray: none; }
  .spot:focus-visible rect { stroke: var(--focus); stroke-width: 10; stroke-dasharray: none; }
  .spot[aria-pressed="true"] rect { stroke-dasharray: none; stroke-width: 10; }
  .spot path { fill: none; stroke: var(--focus); stroke-width: 9; stroke-linecap: round; }
  .novel { fill: none; stroke: var(--glow); stroke-width: 5; stroke-opacity: 0.8; pointer-events: none; }
  @media (prefers-reduced-motion: no-preference) {
    .spot:not([aria-pressed="true"]) rect { animation: breathe 2.4s ease-in-out infinite; }
    @keyframes breathe { 50% { stroke-opacity: 0.45; } }
    .novel { animation: shine 2.5s ease-out; }
    @keyframes shine { from { stroke-width: 22; stroke-opacity: 1; } }
  }
`);

/**
 * @typedef {object} Spot A cell that can be picked.
 * @property {number} x
 * @property {number} y
 * @property {string} label
 * @property {boolean} picked
 * @property {string} [ghost] The picture of what would lie there.
 * @property {number} [turn] How far it is turned, in degrees.
 */

export class PlayBoard extends HTMLElement {
    #root = this.attachShadow({ mode: "open" });
    /** @type {SVGSVGElement | null} */
    #drawing = null;
    /** What the picture shows, in short. */
    #shown = "";
    /** @type {Spot[]} */
    #spots = [];
    /** @type {(cell: {x: number, y: number}, dropped?: boolean) => void} */
    #pick = () => undefined;
    #showPart = () => {};
    #zoom = new Zoom(this, () => this.#showPart());
    /** The cells that were built on when it was drawn last. @type {Set<string> | null} */
    #built = null;
    /** Where the cells of the drawing are; null if that was not measured yet, which lays out the whole page. @type {DOMRect | null} */
    #box = null;
    /** What the picture says about itself: the player, the score, the wall. */
    caption = "";

    /**
     * Draws the Alhambra of a seat. Nothing is asked for if everything that the picture shows is as it was.
     *
     * @param {import("./session.js").Session} session
     * @param {View} view
     * @param {number} seat
     * @param {{past?: boolean}} [how] `past`: the view is that of an earlier version.
     * @returns {Promise<void>}
     */
    async draw(session, view, seat, { past = false } = {}) {
        const { people } = session;
        const shown = JSON.stringify([memory.language, view.viewer, ...this.#content(view, seat)]);
        if (shown === this.#shown) return;
        this.#shown = shown;
        let text;
        try {
            const asked = { seat, [past ? "atVersion" : "minVersion"]: view.version };
            const known = this.hasAttribute("whole") ? undefined : session.picture(view, seat);
            text = known ?? (await session.send("getBoardPicture", asked));
        } catch (error) {
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
            if (shown === this.#shown) this.#shown = ""; // the next drawing of the table tries again
            return;
        }
        if (shown !== this.#shown) return;
        const style = new CSSStyleSheet();
        const bare = text.replace(STYLE, (/** @type {string} */ _, /** @type {string} */ rules) => {
            style.replaceSync(rules); // the policy of the page allows no style inside a drawing
            return "";
        });
        const found = new DOMParser().parseFromString(bare, PICTURE).documentElement;
        this.#root.adoptedStyleSheets = [OWN_STYLE, style];
        this.#drawing = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(found, true)));
        for (const one of this.#drawing.querySelectorAll("text, title, desc")) {
            const named = people.text(one.textContent ?? "");
            if (named !== one.textContent) one.textContent = named;
        }
        this.caption = this.#drawing.querySelector("title")?.textContent ?? "";
        this.#shine(view.seats[seat]?.alhambra.map(({ cell }) => cell) ?? []);
        this.#box = null;
        this.#show();
    }

    /**
     * Everything that the picture depends on: of the cells alone, fewer changes than of the whole picture.
     *
     * @param {View} view
     * @param {number} seat
     * @returns {unknown[]}
     */
    #content(view, seat) {
        const who = view.seats[seat];
        if (this.hasAttribute("whole")) return [{ ...who, hand: [] }, view.modules];
        const pieces = Object.values(view.modules).flatMap((module) => module.pieces);
        const near = pieces.filter((piece) => piece.seat === seat || piece.side !== undefined);
        return [who?.alhambra, who?.gates, view.table?.covered, near];
    }

    /**
     * Frames the cells that were not built on before, until it is drawn anew.
     *
     * @param {{x: number, y: number}[]} cells All cells that are built on.
     */
    #shine(cells) {
        const cellGroup = this.#drawing?.querySelector("#cells");
        const known = this.#built;
        this.#built = new Set(cells.map(({ x, y }) => `${x},${y}`));
        if (!known || !(cellGroup instanceof SVGGElement)) return;
        const size = Number(cellGroup.dataset.cell);
        for (const { x, y } of cells)
            if (!known.has(`${x},${y}`))
                cellGroup.append(svg("rect", { class: "novel", x: x * size, y: y * size, width: size, height: size, rx: 8 }));
    }

    /**
     * Lays a tile into the picture until it is drawn anew.
     *
     * @param {string} picture
     * @param {{x: number, y: number}} cell
     * @param {number} turn In degrees.
     */
    lay(picture, { x, y }, turn) {
        const cells = this.#drawing?.querySelector("#cells");
        if (!(cells instanceof SVGGElement)) return;
        const size = Number(cells.dataset.cell);
        const place = { x: x * size, y: y * size, width: size, height: size };
        const transform = `rotate(${turn} ${(x + 0.5) * size} ${(y + 0.5) * size})`;
        cells.append(svg("image", { href: picture, ...place, transform }), svg("rect", { class: "novel", ...place, rx: 8 }));
        this.#box = null;
        this.#show();
    }

    /**
     * Makes cells pickable; the Alhambra is then shown without what stands around it.
     *
     * @param {Spot[]} spots
     * @param {(cell: {x: number, y: number}, dropped?: boolean) => void} pick Called with the cell that was pressed, a spot
     *   or not; `dropped` if something was dragged there.
     */
    offer(spots, pick) {
        const same = JSON.stringify(spots) === JSON.stringify(this.#spots);
        this.#spots = spots;
        this.#pick = pick;
        if (!same || !this.#root.firstChild) this.#show();
    }

    #show() {
        if (!this.#drawing) return;
        const held = this.#root.activeElement?.getAttribute("data-key");
        if (this.hasAttribute("whole")) this.#root.replaceChildren(this.#drawing);
        else this.#showCells(this.#drawing);
        if (held) /** @type {SVGElement | null} */ (this.#root.querySelector(`[data-key="${held}"]`))?.focus();
    }

    /** @param {SVGSVGElement} drawing */
    #showCells(drawing) {
        const cells = drawing.querySelector("#cells");
        if (!(cells instanceof SVGGElement)) return this.#root.replaceChildren(drawing);
        const size = Number(cells.dataset.cell);
        const part = /** @type {SVGGElement} */ (cells.cloneNode(true));
        part.removeAttribute("transform");
        const made = svg("svg", {
            role: "group",
            "aria-label": this.caption,
            "font-family": drawing.getAttribute("font-family"),
        });
        const description = drawing.querySelector("desc");
        if (description) made.append(svg("desc", {}, document.createTextNode(description.textContent ?? "")));
        made.append(...[...drawing.querySelectorAll("defs")].map((one) => one.cloneNode(true)), part);
        this.#root.replaceChildren(made);
        const box = (this.#box ??= part.getBBox());
        const corners = [
            ...clearLabels(part, this.#spots, size),
            [box.x, box.y],
            [box.x + box.width, box.y + box.height],
            ...this.#spots.flatMap(({ x, y }) => [
                [x * size, y * size],
                [(x + 1) * size, (y + 1) * size],
            ]),
        ];
        const [xs, ys] = [corners.map(([x = 0]) => x), corners.map(([, y = 0]) => y)];
        const [left, wide] = span(xs, size);
        const [top, high] = span(ys, size);
        this.#showPart = () => made.setAttribute("viewBox", this.#zoom.part(left, top, wide, high));
        this.#showPart();
        made.append(...this.#spots.map((spot) => this.#spot(spot, size)));
        made.addEventListener("click", (event) => {
            if (event instanceof MouseEvent) this.press(event.clientX, event.clientY);
        });
    }

    /**
     * Picks the cell at a point of the window.
     *
     * @param {number} clientX
     * @param {number} clientY
     * @param {boolean} [dropped] Whether something was dragged there.
     */
    press(clientX, clientY, dropped = false) {
        const cells = this.#root.querySelector("#cells");
        const matrix = cells instanceof SVGGElement ? cells.getScreenCTM() : null;
        if (!matrix || !(cells instanceof SVGGElement)) return;
        const size = Number(cells.dataset.cell);
        const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
        this.#pick({ x: Math.floor(x / size), y: Math.floor(y / size) }, dropped);
    }

    /**
     * @param {Spot} spot
     * @param {number} size
     * @returns {SVGElement}
     */
    #spot({ x, y, label, picked, ghost, turn }, size) {
        const [left, top] = [x * size, y * size];
        const made = svg("g", {
            class: "spot",
            role: "button",
            tabindex: 0,
            "aria-label": label,
            "aria-pressed": picked,
            "data-key": `${x},${y}`,
            onkeydown: (/** @type {KeyboardEvent} */ event) => {
                if (event.key !== "Enter" && event.key !== " ") return;
                event.preventDefault();
                this.#pick({ x, y });
            },
        });
        if (picked && ghost) {
            const middle = `${left + size / 2} ${top + size / 2}`;
            made.append(
                svg("image", {
                    href: ghost,
                    x: left,
                    y: top,
                    width: size,
                    height: size,
                    opacity: 0.85,
                    transform: `rotate(${turn ?? 0} ${middle})`,
                }),
            );
        }
        const inset = 5;
        made.append(
            svg("rect", { x: left + inset, y: top + inset, width: size - 2 * inset, height: size - 2 * inset, rx: 8 }),
        );
        if (picked) made.append(svg("path", { d: `M${left + size - 32} ${top + 16}l8 9 14 -17` }));
        return made;
    }
}

customElements.define("play-board", PlayBoard);

/**
 * Moves the coordinates beside an Alhambra out of the cells that can be picked, where they would look like prices.
 *
 * @param {SVGGElement} part The cells, with the labels of columns above and of rows at the left.
 * @param {readonly Spot[]} spots
 * @param {number} size The length of a cell.
 * @returns {number[][]} Points that have to be seen besides.
 */
function clearLabels(part, spots, size) {
    const labels = [...part.querySelectorAll(":scope > text.faint")];
    const at = (/** @type {Element} */ label, /** @type {"x" | "y"} */ axis) => Number(label.getAttribute(axis));
    const isColumn = (/** @type {Element} */ label) => Math.abs(at(label, "x") % size) === size / 2;
    /** @type {[Element[], "x" | "y"][]} */
    const lines = [
        [labels.filter(isColumn), "y"],
        [labels.filter((label) => !isColumn(label)), "x"],
    ];
    return lines.flatMap(([line, axis]) => {
        const first = line[0] ? Math.ceil(at(line[0], axis) / size) : 0;
        const further = Math.max(0, first - Math.min(...spots.map((spot) => spot[axis]))) * size;
        if (!further || !spots.length) return [];
        for (const label of line) label.setAttribute(axis, String(at(label, axis) - further));
        return line.map((label) => [at(label, "x") - size / 4, at(label, "y") - size / 4]);
    });
}

/**
 * Where a picture begins and how long it is, so that all of these values are in it; never so short that a single cell
 * fills it.
 *
 * @param {number[]} values
 * @param {number} size The length of a cell.
 * @returns {[number, number]}
 */
function span(values, size) {
    const [first, last] = [Math.min(...values) - ROOM, Math.max(...values) + ROOM];
    const room = Math.max(0, FEWEST_CELLS * size - (last - first)) / 2;
    return [first - room, last - first + 2 * room];
}
