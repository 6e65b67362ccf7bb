/** What the browser remembers: the reader's language and wishes, and the games with the keys to their seats. */

/**
 * @typedef {import("./types.js").KnownGame} KnownGame
 * @typedef {{language: string, textMode: boolean, ask: boolean, details: boolean, name: string,
 *   sound: boolean, notify: boolean, pace: string, folded: boolean, mute: boolean}} Wishes
 */

const WISHES = "alhambra.wishes";
const GAMES = "alhambra.games";
const DRAWN = "alhambra.drawn.";
const REMEMBERED_GAMES = 60;
/** Where a browser keeps nothing, things are kept until the page is left. @type {Map<string, string>} */
const instead = new Map();

export const storage = {
    /** @param {string} key */
    getItem(key) {
        try {
            return localStorage.getItem(key) ?? instead.get(key) ?? null;
        } catch {
            return instead.get(key) ?? null;
        }
    },

    /**
     * @param {string} key
     * @param {string} text
     */
    setItem(key, text) {
        try {
            localStorage.setItem(key, text);
        } catch {
            instead.set(key, text);
        }
    },

    /** @param {string} key */
    removeItem(key) {
        instead.delete(key);
        try {
            localStorage.removeItem(key);
        } catch {
            return;
        }
    },
};

/**
 * @param {string} key
 * @returns {any} What was kept under the key; null if nothing was, or if it cannot be read.
 */
function recall(key) {
    try {
        return JSON.parse(storage.getItem(key) ?? "null");
    } catch {
        return null;
    }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function keep(key, value) {
    storage.setItem(key, JSON.stringify(value));
}

export const LANGUAGES = { en: "English", de: "Deutsch", hu: "Magyar", sr: "Srpski", pt: "Português" };

/** The wishes of a reader who has not said any. @type {Wishes} */
const USUAL = {
    language: "",
    textMode: false,
    ask: false,
    details: false,
    name: "",
    sound: false,
    notify: false,
    pace: "normal",
    folded: true,
    mute: false,
};

class Memory {
    /**
     * The wishes as they were read last. Every picture asks for the language, hundreds of times while a table is drawn.
     *
     * @type {{text: string | null, wishes: Readonly<Wishes>}}
     */
    #read = { text: null, wishes: USUAL };

    /** @returns {Readonly<Wishes>} */
    get wishes() {
        const text = storage.getItem(WISHES);
        if (text !== this.#read.text) this.#read = { text, wishes: { ...USUAL, ...recall(WISHES) } };
        return this.#read.wishes;
    }

    /** @param {Partial<Wishes>} changed */
    wish(changed) {
        keep(WISHES, { ...this.wishes, ...changed });
    }

    /** The language that was chosen, else the first of the browser's that there is. @returns {string} */
    get language() {
        const { language } = this.wishes;
        if (language in LANGUAGES) return language;
        const liked = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
        return liked.find((tag) => tag in LANGUAGES) ?? "en";
    }

    /** The language with its script, for numbers and dates: ours is written in Latin letters. @returns {string} */
    get locale() {
        return new Intl.Locale(this.language, { script: "Latn" }).toString();
    }

    /** @returns {Record<string, KnownGame>} */
    get games() {
        return recall(GAMES) ?? {};
    }

    /**
     * @param {string} game
     * @returns {KnownGame}
     */
    game(game) {
        return this.games[game] ?? { seats: {}, invitations: {}, names: "", opened: 0 };
    }

    /**
     * Changes what is remembered of a game; what was remembered longest ago goes when there are too many.
     *
     * @param {string} game
     * @param {(known: KnownGame) => void} change
     */
    remember(game, change) {
        const known = this.game(game);
        change(known);
        const all = Object.entries({ ...this.games, [game]: known });
        all.sort(([, one], [, other]) => other.opened - one.opened);
        keep(GAMES, Object.fromEntries(all.slice(0, REMEMBERED_GAMES)));
    }

    /** @param {string} game */
    forgetGame(game) {
        const { [game]: _, ...others } = this.games;
        keep(GAMES, others);
    }

    /**
     * What was drawn for a seat that is being taken: if the answer is lost, the seat is taken again with the same.
     *
     * @param {string} invitation
     * @returns {string | null}
     */
    drawn(invitation) {
        return recall(DRAWN + invitation);
    }

    /**
     * @param {string} invitation
     * @param {string | null} entropy
     */
    setDrawn(invitation, entropy) {
        if (entropy) keep(DRAWN + invitation, entropy);
        else storage.removeItem(DRAWN + invitation);
    }
}

export const memory = new Memory();
