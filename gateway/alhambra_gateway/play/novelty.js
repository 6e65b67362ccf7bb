/** What is new on the table since a moment ago: it shines for a while, so that a reader can follow what others do. */

const LASTS = 2500;

export class Novelty {
    #version = -1;
    #since = 0;
    /** @type {Set<string>} */
    #known = new Set();
    /** @type {Set<string>} */
    #novel = new Set();

    /**
     * Looks at a table. What was not there with the version before is new; when a page is opened, nothing is.
     *
     * @param {number} version
     * @param {readonly string[]} names Names of everything that lies there.
     */
    see(version, names) {
        if (version === this.#version) return;
        this.#novel = new Set(this.#version < 0 ? [] : names.filter((name) => !this.#known.has(name)));
        this.#known = new Set(names);
        this.#version = version;
        this.#since = performance.now();
    }

    /**
     * Lets an element shine if what it shows is new. An element that is drawn again goes on where the last one was.
     *
     * @param {HTMLElement} element
     * @param {string} name
     * @returns {HTMLElement}
     */
    mark(element, name) {
        const age = performance.now() - this.#since;
        if (age < LASTS && this.#novel.has(name)) {
            element.classList.add("novel");
            element.style.animationDelay = `-${Math.round(age)}ms`;
        }
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
