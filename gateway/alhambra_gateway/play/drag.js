/**
 * Dragging, beside pressing. Whoever drags a thing picks it up, and the cells that take it light up; dropped on one of
 * them, it is laid there if a single move is left. The wheel, the space bar and the other button of the mouse turn what can
 * lie in several ways.
 */

/** How far a pointer must move until a press becomes a drag, in pixels. */
const FAR = 9;
/** What turns a thing while it is dragged. */
const TURNING = ["wheel", "keydown", "contextmenu"];
const THINGS = ".thing.lit, .thing[aria-pressed='true']";

export class Drag {
    #drop;
    #turn;
    /** What is pressed, and where the press began. @type {{thing: HTMLElement, x: number, y: number} | null} */
    #held = null;
    /** What follows the pointer. @type {HTMLElement | null} */
    #ghost = null;

    /**
     * @param {HTMLElement} table
     * @param {(board: import("./board.js").PlayBoard, x: number, y: number) => void} drop Called where a thing is dropped
     *   on the Alhambra of the person who plays.
     * @param {() => number | null} turn Called when what is dragged is to be turned; answers how it lies then, in degrees.
     */
    constructor(table, drop, turn) {
        this.#drop = drop;
        this.#turn = turn;
        table.addEventListener("pointerdown", (event) => this.#press(event));
        table.addEventListener("dragstart", (event) => event.preventDefault()); // pictures are not files to be dragged
    }

    /** @param {PointerEvent} event */
    #press(event) {
        const target = event.target instanceof Element ? event.target.closest(THINGS) : null;
        if (!(target instanceof HTMLElement) || event.button !== 0 || !event.isPrimary) return;
        this.#held = { thing: target, x: event.clientX, y: event.clientY };
        const move = (/** @type {PointerEvent} */ moved) => this.#move(moved);
        const rotate = (/** @type {Event} */ event) => this.#rotate(event);
        const end = (/** @type {PointerEvent} */ ended) => {
            if (ended.type === "pointerup" && ended.button !== 0) return;
            for (const kind of TURNING) removeEventListener(kind, rotate);
            for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) removeEventListener(kind, end);
            removeEventListener("pointermove", move);
            this.#end(ended);
        };
        for (const kind of TURNING) addEventListener(kind, rotate, { passive: false });
        addEventListener("pointermove", move);
        addEventListener("pointerup", end);
        addEventListener("pointercancel", end);
    }

    /** @param {PointerEvent} event */
    #move({ clientX, clientY }) {
        if (!this.#held) return;
        if (!this.#ghost) {
            const { thing, x, y } = this.#held;
            if (Math.hypot(clientX - x, clientY - y) < FAR) return;
            const picture = thing.querySelector(".picture");
            this.#ghost = /** @type {HTMLElement} */ ((picture ?? thing).cloneNode(true));
            this.#ghost.classList.add("dragged");
            document.body.append(this.#ghost);
            if (thing.getAttribute("aria-pressed") !== "true") thing.click();
        }
        this.#ghost.style.left = `${clientX}px`;
        this.#ghost.style.top = `${clientY}px`;
    }

    /** @param {Event} event */
    #rotate(event) {
        if (!this.#ghost || (event instanceof KeyboardEvent && event.key !== " ")) return;
        event.preventDefault();
        const turned = this.#turn();
        if (turned !== null) this.#ghost.style.rotate = `${turned}deg`;
    }

    /** @param {PointerEvent} event */
    #end({ type, clientX, clientY }) {
        const dragged = this.#ghost;
        this.#ghost?.remove();
        this.#ghost = null;
        this.#held = null;
        if (!dragged || type !== "pointerup") return;
        const board = document.elementFromPoint(clientX, clientY)?.closest("play-board[mine]");
        if (board) this.#drop(/** @type {import("./board.js").PlayBoard} */ (board), clientX, clientY);
    }
}
