/**
 * Choosing a move by what it names. A move is a bag of atoms ("slot=…", "cell=1,0", a card once or twice); a person picks
 * atoms one after the other, and the moves that hold all of them are left. Nothing here knows what a move means.
 */

/**
 * @typedef {import("./types.js").Entry} Entry
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").Cell} Cell
 * @typedef {import("./types.js").LegalMove} LegalMove
 */

export const VERB = "verb";
export const GROUP = "group";
export const CELL = "cell";
const ROTATION = "rotation";

/**
 * @param {string} noun
 * @param {unknown} value
 * @returns {string}
 */
export function atom(noun, value) {
    if (noun !== CELL) return `${noun}=${value}`;
    const cell = /** @type {Cell} */ (value);
    return `${noun}=${cell.x},${cell.y}`;
}

/**
 * @param {string} one
 * @returns {[string, string]} The noun and the value.
 */
export function parts(one) {
    const at = one.indexOf("=");
    return [one.slice(0, at), one.slice(at + 1)];
}

/**
 * @param {string} value The value of an atom that names a cell.
 * @returns {Cell}
 */
export function cellOf(value) {
    const [x = 0, y = 0] = value.split(",").map(Number);
    return { x, y };
}

/**
 * @param {LegalMove} legal
 * @returns {Entry}
 */
export function entry(legal) {
    /** @type {Map<string, number>} */
    const atoms = new Map([[atom(GROUP, legal.group), 1]]);
    for (const [noun, value] of Object.entries(legal.move)) {
        for (const one of Array.isArray(value) ? value : [value]) {
            const name = atom(noun, one);
            atoms.set(name, (atoms.get(name) ?? 0) + 1);
        }
    }
    // A thing that is not turned names no rotation; it can be picked all the same.
    if (legal.move.cell && legal.move.rotation === undefined) atoms.set(atom(ROTATION, 0), 1);
    const { move, text, group, exact, overpaid, amountMin, amountMax } = legal;
    return { move, text, group, atoms, exact, overpaid, amountMin, amountMax };
}

/** The moves of a decision, and what has been picked of them. */
export class Choice {
    /** @type {Entry[]} */
    entries = [];
    /** @type {string[]} */
    picked = [];

    /**
     * Takes other moves; what was picked stays picked if a move still holds it.
     *
     * @param {Entry[]} entries
     * @param {boolean} [again] Whether they answer the same question as before.
     */
    take(entries, again = false) {
        this.entries = entries;
        if (!again || !this.left.length) this.picked = [];
    }

    /** The moves that hold everything that was picked. */
    get left() {
        return this.holding(count(this.picked));
    }

    /**
     * @param {Map<string, number>} wanted
     * @returns {Entry[]}
     */
    holding(wanted) {
        return this.entries.filter(({ atoms }) => [...wanted].every(([one, times]) => (atoms.get(one) ?? 0) >= times));
    }

    /**
     * What can be picked next, and how often at most, what is picked already included.
     *
     * @returns {Map<string, number>}
     */
    get open() {
        /** @type {Map<string, number>} */
        const found = new Map();
        for (const { atoms } of this.left)
            for (const [one, times] of atoms) found.set(one, Math.max(times, found.get(one) ?? 0));
        return found;
    }

    /**
     * @param {string} one
     * @returns {number}
     */
    times(one) {
        return this.picked.filter((picked) => picked === one).length;
    }

    /**
     * Picks the first of these atoms that a move still offers. If none does but a move of the whole list has one, it
     * begins anew with it.
     *
     * @param {readonly string[]} atoms
     * @returns {boolean} Whether something was picked.
     */
    pick(atoms) {
        const open = this.open;
        let found = atoms.find((one) => (open.get(one) ?? 0) > this.times(one));
        if (found === undefined) {
            found = atoms.find((one) => this.entries.some((known) => known.atoms.has(one)));
            if (found === undefined || this.times(found)) return false;
            this.picked = [];
        }
        this.picked = [...this.picked, found];
        return true;
    }

    /** @param {string} one */
    drop(one) {
        const at = this.picked.lastIndexOf(one);
        if (at >= 0) this.picked = this.picked.filter((_, place) => place !== at);
    }

    /**
     * Turns what is picked: picks the next of the rotations that the moves allow.
     *
     * @returns {number | null} The rotation, in degrees; null if there is no choice.
     */
    turn() {
        const others = this.picked.filter((one) => parts(one)[0] !== ROTATION);
        const found = new Set(this.holding(count(others)).map(({ move }) => move.rotation ?? 0));
        const rotations = [...found].sort((one, other) => one - other);
        if (rotations.length < 2) return null;
        const now = this.picked.find((one) => parts(one)[0] === ROTATION);
        const at = now === undefined ? 0 : rotations.indexOf(Number(parts(now)[1]));
        const next = rotations[(at + 1) % rotations.length] ?? 0;
        this.picked = [...others, atom(ROTATION, next)];
        return next;
    }

    /**
     * Gives up a rotation with which an atom could not be picked.
     *
     * @param {string} one
     */
    letTurn(one) {
        if (!this.open.has(one)) this.picked = this.picked.filter((picked) => parts(picked)[0] !== ROTATION);
    }

    clear() {
        this.picked = [];
    }

    /**
     * The value that all moves that are left have in common for a noun; undefined if they differ or have none.
     *
     * @param {keyof Move} noun
     * @returns {any}
     */
    common(noun) {
        const values = new Set(this.left.map(({ move }) => JSON.stringify(move[noun])));
        const [only] = values;
        return values.size === 1 && only !== undefined ? JSON.parse(only) : undefined;
    }
}

/**
 * @param {readonly string[]} atoms
 * @returns {Map<string, number>}
 */
function count(atoms) {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const one of atoms) found.set(one, (found.get(one) ?? 0) + 1);
    return found;
}
