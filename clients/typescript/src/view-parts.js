/**
 * The view of a game as changes lead to it. With `include: ["changes"]`, the server sends only the parts of a view that
 * differ from the one that the caller has, each with a mark, and the sum of the marks of all parts. Parts are replaced
 * whole. If the sum does not agree, the changes were not made for this view.
 */

/** @import { BoardScore, Included, View } from "./contract.js" */

const MODULUS = 2 ** 31;
const SCORES = "scores";
/** Members of a view that are parts. */
const MEMBERS = /** @type {const} */ (["setup", "table", "orders"]);

export class ViewParts {
    /** By the name of the part. @type {Record<string, number>} */
    #marks = {};
    /** @type {BoardScore[] | null} */
    scores = null;
    /** By seat. @type {Map<number, string>} */
    pictures = new Map();

    /** What the server finds the view by; 0 if there is none. */
    get checksum() {
        return sum(this.#marks);
    }

    /**
     * Return the whole view; null if changes do not fit to the view that is known.
     *
     * @param {View} sent
     * @param {Included | undefined} included What came with it.
     * @param {View | null} known
     * @returns {View | null}
     */
    join({ parts, ...view }, included, known) {
        const named = parts?.marks ?? {};
        const marks = parts?.changesOnly ? { ...this.#marks, ...named } : named;
        if (parts && (sum(marks) !== parts.checksum || (parts.changesOnly && !known))) return null;
        this.#marks = marks;
        if (included?.scores || SCORES in named) this.scores = included?.scores?.scores ?? null;
        for (const { seat, svg } of included?.pictures ?? []) this.pictures.set(seat, svg);
        return parts?.changesOnly && known ? changed(known, view, named) : view;
    }
}

/** @param {Record<string, number>} marks */
function sum(marks) {
    return Object.values(marks).reduce((one, other) => (one + other) % MODULUS, 0);
}

/**
 * @param {View} known
 * @param {View} sent
 * @param {Record<string, number>} named The parts that were sent.
 * @returns {View} The known view with these parts, and with all members that are in no part.
 */
function changed(known, sent, named) {
    const view = { ...sent };
    for (const member of MEMBERS) if (!(member in named)) Object.assign(view, { [member]: known[member] });
    const seats = new Map(sent.seats.map((seat) => [seat.seat, seat]));
    view.seats = known.seats.map((seat) => {
        const own = (`seats.${seat.seat}` in named && seats.get(seat.seat)) || seat;
        const { alhambra, gates } = (`seats.${seat.seat}.alhambra` in named && seats.get(seat.seat)) || seat;
        return { ...own, alhambra, gates };
    });
    view.modules = { ...known.modules, ...sent.modules };
    return view;
}
