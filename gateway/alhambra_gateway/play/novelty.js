/** What is new on the table since the reader's last move: it is marked until the next one. */

export class Novelty {
    #asked = "";
    /** What lay there when the reader was asked last. @type {Set<string> | null} */
    #known = null;
    /** What lay there when the reader looked last. @type {readonly string[]} */
    #seen = [];
    /** @type {Set<string>} */
    #novel = new Set();

    /**
     * Looks at a table. When a page is opened, nothing is new.
     *
     * @param {string} asked The question to the reader; "" if another player is asked.
     * @param {readonly string[]} names Names of everything that lies there.
     */
    see(asked, names) {
        const known = this.#known ?? new Set(names);
        if (asked && asked !== this.#asked) {
            this.#known = this.#asked ? new Set(this.#seen) : known;
            this.#asked = asked;
        } else this.#known = known;
        if (asked) this.#seen = names;
        const now = this.#known;
        this.#novel = new Set(names.filter((name) => !now.has(name)));
    }

    /**
     * Marks an element if what it shows is new.
     *
     * @param {HTMLElement} element
     * @param {string} name
     * @returns {HTMLElement}
     */
    mark(element, name) {
        if (this.#novel.has(name)) element.classList.add("novel");
        return element;
    }
}

/**
 * Names for things of which there may be several alike: each with its number among them.
 *
 * @param {readonly string[]} words
 * @returns {string[]}
 */
export function numbered(words) {
    return words.map((word, place) => `${word} ${words.slice(0, place).filter((other) => other === word).length}`);
}
