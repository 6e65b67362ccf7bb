/**
 * The view that this browser has, kept part by part. The server sends only the parts that have changed, each with a mark,
 * and the sum of all marks: if the sum does not agree, the whole view is asked for.
 */

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Included} Included
 * @typedef {import("./preview.js").Worth} Worth
 */

const MODULUS = 2 ** 31;
/** Fields of a view that are parts of their own. */
const FIELDS = /** @type {const} */ (["setup", "table", "orders"]);
/** Fields of a view whose entries are parts. */
const LISTS = /** @type {const} */ (["seats", "modules"]);

export class KnownView {
    /** @type {View | null} */
    #view = null;
    /** By the name of the part. @type {Record<string, number>} */
    #marks = {};
    /** By seat: what its Alhambra would score at the next scoring. @type {Worth[] | null} */
    scores = null;
    /** By seat: the picture of its Alhambra. @type {Map<number, string>} */
    pictures = new Map();

    /** What the server finds this view by; 0 if there is none. */
    get checksum() {
        return sum(this.#marks);
    }

    /**
     * Whether changes lead to the view that is known, so that there is nothing to take.
     *
     * @param {View} sent
     */
    has({ parts, ...view }) {
        const rest = { ...this.#view };
        for (const field of [...FIELDS, ...LISTS]) {
            delete rest[field];
            delete view[field];
        }
        return parts?.checksum === this.checksum && JSON.stringify(rest) === JSON.stringify(view);
    }

    /**
     * Takes a view, whole or as changes, and what came with it.
     *
     * @param {View} sent
     * @param {Included} [included]
     * @returns {View | null} The whole view; null if the changes do not fit.
     */
    take(sent, included) {
        const { parts, ...view } = sent;
        const old = this.#view;
        if (old && old.viewer === view.viewer && view.version < old.version) return old; // it was asked for earlier
        const named = parts?.marks ?? {};
        const marks = parts?.changesOnly ? { ...this.#marks, ...named } : named;
        if (parts && sum(marks) !== parts.checksum) return null;
        if (parts?.changesOnly && !old) return null;
        this.#marks = marks;
        this.#view = parts?.changesOnly && old ? changed(old, view, named) : view;
        if ("scores" in named) this.scores = /** @type {Worth[] | undefined} */ (included?.scores?.scores) ?? null;
        for (const { seat, svg } of included?.pictures ?? []) this.pictures.set(seat, svg);
        return this.#view;
    }
}

/**
 * @param {Record<string, number>} marks
 * @returns {number}
 */
function sum(marks) {
    return Object.values(marks).reduce((one, other) => (one + other) % MODULUS, 0);
}

/**
 * @param {View} old
 * @param {View} sent
 * @param {Record<string, number>} named The parts that were sent.
 * @returns {View} The old view with these parts, and with all fields that are in no part.
 */
function changed(old, sent, named) {
    const view = { ...sent };
    for (const field of FIELDS) if (!(field in named)) Object.assign(view, { [field]: old[field] });
    const seats = new Map(sent.seats.map((seat) => [seat.seat, seat]));
    view.seats = old.seats.map((seat) => {
        const own = (`seats.${seat.seat}` in named && seats.get(seat.seat)) || seat;
        const { alhambra, gates } = (`seats.${seat.seat}.alhambra` in named && seats.get(seat.seat)) || seat;
        return { ...own, alhambra, gates };
    });
    view.modules = { ...old.modules, ...sent.modules };
    return view;
}
