/**
 * No move by accident. A press on the table counts only if it began after what it hits was drawn, and a moment after the
 * question changed: the second click of a double click, a key that is held, and a press that was meant for the last
 * question do nothing.
 */

/** How long a new question, and moves that were drawn anew, take no press; in milliseconds. */
const QUESTION = 700;
const REDRAWN = 350;
const ANSWERS = ".act button, .own play-board";
const MOVES = "button.move";

export class Guard {
    #place;
    /** Null before the first look: a page that has just been opened has no earlier question. @type {string | null} */
    #question = null;
    #choice = "";
    #drawn = 0;
    #pressed = 0;
    /** What takes no press now; "" for nothing. */
    #closed = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /** @param {HTMLElement} place */
    constructor(place) {
        this.#place = place;
        place.addEventListener("pointerdown", () => (this.#pressed = performance.now()), true);
        place.addEventListener("click", (event) => this.#check(event), true);
        place.addEventListener("keydown", (event) => {
            if (event.repeat && (event.key === "Enter" || event.key === " ")) this.#stop(event);
        }, true);
    }

    /**
     * Looks at what was just drawn.
     *
     * @param {string} question The question that is open; "" if this person is asked nothing.
     * @param {string} choice What has been picked of its moves.
     */
    see(question, choice) {
        const asked = question !== this.#question;
        if (!asked && choice === this.#choice) return;
        const first = this.#question === null;
        this.#question = question;
        this.#choice = choice;
        if (first) return;
        this.#drawn = performance.now();
        if (asked) this.#close(ANSWERS, QUESTION);
        else if (!this.#closed) this.#close(MOVES, REDRAWN);
    }

    /**
     * @param {string} closed
     * @param {number} time
     */
    #close(closed, time) {
        clearTimeout(this.#timer);
        this.#closed = closed;
        this.#place.dataset.fresh = "";
        this.#timer = setTimeout(() => {
            this.#closed = "";
            delete this.#place.dataset.fresh;
        }, time);
    }

    /** @param {MouseEvent} event */
    #check(event) {
        const target = event.target instanceof Element ? event.target : null;
        if (!target?.closest(ANSWERS)) return;
        const early = event.detail > 0 && this.#pressed < this.#drawn && Boolean(target.closest(MOVES));
        const second = event.detail > 1 && Boolean(target.closest(MOVES));
        if (early || second || (this.#closed && target.closest(this.#closed))) this.#stop(event);
    }

    /** @param {Event} event */
    #stop(event) {
        const target = event.target instanceof Element ? event.target : null;
        if (!target?.closest(ANSWERS)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
    }
}
