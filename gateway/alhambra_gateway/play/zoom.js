/** Zoom and pan of a drawing: by two fingers, or by the wheel with Ctrl; a double press shows all of it again. */

const MOST = 4;
const WHEEL = 0.0025;

export class Zoom {
    /** How many times larger than the whole drawing. */
    #scale = 1;
    /** Where the middle of what is shown lies, in parts of the whole drawing. */
    #x = 0.5;
    #y = 0.5;
    #place;
    #changed;
    /** By id: the fingers that touch the drawing. @type {Map<number, {x: number, y: number}>} */
    #fingers = new Map();

    /**
     * @param {HTMLElement} place
     * @param {() => void} changed Called when another part is to be shown.
     */
    constructor(place, changed) {
        this.#place = place;
        this.#changed = changed;
        place.addEventListener("pointerdown", ({ pointerId, clientX, clientY, pointerType }) => {
            if (pointerType === "touch") this.#fingers.set(pointerId, { x: clientX, y: clientY });
        });
        place.addEventListener("pointermove", (event) => this.#move(event));
        for (const end of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"]))
            place.addEventListener(end, ({ pointerId }) => void this.#fingers.delete(pointerId));
        place.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
        place.addEventListener("dblclick", () => this.#show(1, 0.5, 0.5));
    }

    /**
     * The part of a drawing that is shown.
     *
     * @param {number} left
     * @param {number} top
     * @param {number} wide
     * @param {number} high
     * @returns {string} As an SVG has it in `viewBox`.
     */
    part(left, top, wide, high) {
        const [w, h] = [wide / this.#scale, high / this.#scale];
        return `${left + this.#x * wide - w / 2} ${top + this.#y * high - h / 2} ${w} ${h}`;
    }

    /** @param {PointerEvent} event */
    #move({ pointerId, clientX, clientY }) {
        const before = [...this.#fingers.values()];
        if (!this.#fingers.has(pointerId)) return;
        this.#fingers.set(pointerId, { x: clientX, y: clientY });
        const after = [...this.#fingers.values()];
        const [a, b] = before;
        const [c, d] = after;
        if (!a || !b || !c || !d || before.length !== 2) return;
        const grown = Math.hypot(c.x - d.x, c.y - d.y) / Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
        const box = this.#place.getBoundingClientRect();
        const scale = this.#scale * grown;
        const [dx, dy] = [(c.x + d.x - a.x - b.x) / 2, (c.y + d.y - a.y - b.y) / 2];
        this.#show(scale, this.#x - dx / box.width / scale, this.#y - dy / box.height / scale);
    }

    /** @param {WheelEvent} event */
    #wheel(event) {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const box = this.#place.getBoundingClientRect();
        const scale = limited(this.#scale * Math.exp(-event.deltaY * WHEEL), 1, MOST);
        const [px, py] = [(event.clientX - box.left) / box.width - 0.5, (event.clientY - box.top) / box.height - 0.5];
        const shift = 1 / this.#scale - 1 / scale; // what is under the pointer stays there
        this.#show(scale, this.#x + px * shift, this.#y + py * shift);
    }

    /**
     * @param {number} scale
     * @param {number} x
     * @param {number} y
     */
    #show(scale, x, y) {
        this.#scale = limited(scale, 1, MOST);
        const edge = 0.5 / this.#scale;
        this.#x = limited(x, edge, 1 - edge);
        this.#y = limited(y, edge, 1 - edge);
        this.#changed();
    }
}

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most
 * @returns {number}
 */
function limited(value, least, most) {
    return Math.min(most, Math.max(least, value));
}
