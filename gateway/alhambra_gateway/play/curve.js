/** A curve of points: a line for each player over the turns of a game, with its scorings and the moves that mattered. */

import { svg } from "./dom.js";

/**
 * @typedef {object} Line A line of the curve.
 * @property {string} name
 * @property {string} colour
 * @property {number[]} values
 *
 * @typedef {object} Mark A place on a line.
 * @property {number} line
 * @property {number} at
 * @property {string} text
 */

const [WIDE, HIGH] = [720, 320];
/** Room for three digits and, at the edges, for half the name of a scoring, in the large letters of small screens. */
const [LEFT, RIGHT, TOP, BOTTOM] = [62, 14, 32, 22];
const HALF_NAME = 66;
/** Half the width of the number of a scoring. */
const HALF_NUMBER = 20;
/** The width of a letter of such a name. */
const LETTER = 12;
/** Lines differ in more than their colour. */
const DASHES = /** @type {const} */ (["", "10 5", "3 5", "14 4 3 4", "6 3", "2 3"]);
const STEPS = /** @type {const} */ ([5, 10, 20, 25, 50, 100, 200, 500]);
const FEW = 5;
/** How far from each other marks lie, so that none covers the number of another. */
const APART = 30;

/**
 * @param {string} label
 * @param {readonly Line[]} lines
 * @param {readonly {at: number, number: number, text: string}[]} parts Places of scorings; if their names do not fit, their
 *   numbers are shown.
 * @param {readonly Mark[]} marks
 * @returns {SVGElement}
 */
export function curve(label, lines, parts, marks) {
    const length = Math.max(...lines.map(({ values }) => values.length), 2);
    const top = Math.max(1, ...lines.flatMap(({ values }) => values));
    const x = (/** @type {number} */ at) => LEFT + (at / (length - 1)) * (WIDE - LEFT - RIGHT);
    const y = (/** @type {number} */ value) => HIGH - BOTTOM - (value / top) * (HIGH - TOP - BOTTOM);
    const step = STEPS.find((one) => top / one <= FEW) ?? top;
    const made = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label, class: "curve" });
    for (let value = 0; value <= top; value += step)
        made.append(
            svg("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }),
            text(String(value), LEFT - 8, y(value) + 5, "end"),
        );
    const names = parts.map(({ at, text: said }) => ({ said, x: Math.min(Math.max(x(at), LEFT + HALF_NAME), WIDE - HALF_NAME) }));
    const crowded = names.some((one, at) => one.said.length * LETTER > 2 * HALF_NAME || one.x - (names[at - 1]?.x ?? -WIDE) < one.said.length * LETTER);
    for (const [place, part] of parts.entries())
        made.append(
            svg("line", { class: "part", x1: x(part.at), x2: x(part.at), y1: TOP - 6, y2: HIGH - BOTTOM }),
            crowded ? text(`★${part.number}`, Math.min(x(part.at), WIDE - HALF_NUMBER), TOP - 10, "middle") : text(part.text, names[place]?.x ?? 0, TOP - 10, "middle"),
        );
    lines.forEach(({ colour, values }, place) => {
        const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
        const dashes = DASHES[place % DASHES.length] ?? "";
        const line = svg("polyline", { class: "line", points, "stroke-dasharray": dashes });
        line.style.stroke = colour;
        made.append(svg("polyline", { class: "under", points, "stroke-dasharray": dashes }), line);
    });
    /** @type {[number, number][]} */
    const taken = [];
    for (const { line, at, text: said } of marks) {
        const cx = x(at);
        let cy = y(lines[line]?.values[at] ?? 0);
        const aside = cy > HIGH / 2 ? -APART : APART;
        while (taken.some(([left, top]) => Math.hypot(left - cx, top - cy) < APART)) cy += aside;
        taken.push([cx, cy]);
        const spot = svg("circle", { class: "spot-mark", cx, cy, r: 11 });
        made.append(spot, text(said, cx, cy + 5, "middle", "mark-text"));
    }
    return made;
}

/**
 * A short line in the way of a player's curve, for the key beside it.
 *
 * @param {string} colour
 * @param {number} place
 * @returns {SVGElement}
 */
export function sample(colour, place) {
    const points = "2,8 42,8";
    const dashes = DASHES[place % DASHES.length] ?? "";
    const line = svg("polyline", { class: "line", points, "stroke-dasharray": dashes });
    line.style.stroke = colour;
    const under = svg("polyline", { class: "under", points, "stroke-dasharray": dashes });
    return svg("svg", { viewBox: "0 0 44 16", class: "curve-key", "aria-hidden": "true" }, under, line);
}

/**
 * @param {string} said
 * @param {number} x
 * @param {number} y
 * @param {"start" | "middle" | "end"} anchor
 * @param {string} [kind] A class.
 * @returns {SVGElement}
 */
function text(said, x, y, anchor, kind = "") {
    return svg("text", { x, y, "text-anchor": anchor, class: kind }, document.createTextNode(said));
}
