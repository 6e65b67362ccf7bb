/** What the browser remembers: the reader's language and wishes, and the games with the keys to their seats. */

/**
 * @typedef {import("./types.js").KnownGame} KnownGame
 * @typedef {{language: string, textMode: boolean, ask: boolean, details: boolean, name: string,
 *   sound: boolean, notify: boolean, pace: string, folded: boolean, mute: boolean}} Wishes
 * @typedef {{path: string, body: object, key: string, token: string}} Unanswered
 */

const WISHES = "alhambra.wishes";
const GAMES = "alhambra.games";
const UNANSWERED = "alhambra.unanswered.";
const DRAWN = "alhambra.drawn.";
const REMEMBERED_GAMES = 60;
/** Where a browser keeps nothing, things are kept until the page is left. @type {Map<string, string>} */
const instead = new Map();

/**
 * @param {string} key
 * @returns {any} What was kept under the key; null if nothing was, or if it cannot be read.
 */
function recall(key) {
    try {
        return JSON.parse(localStorage.getItem(key) ?? instead.get(key) ?? "null");
    } catch {
        return JSON.parse(instead.get(key) ?? "null");
    }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function keep(key, value) {
    const text = JSON.stringify(value);
    try {
        localStorage.setItem(key, text);
    } catch {
        instead.set(key, text);
    }
}

/** @param {string} key */
function forget(key) {
    instead.delete(key);
    try {
        localStorage.removeItem(key);
    } catch {
        return;
    }
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
    /** @returns {Wishes} */
    get wishes() {
        return { ...USUAL, ...recall(WISHES) };
    }

    /** @param {Partial<Wishes>} changed */
    wish(changed) {
        keep(WISHES, { ...this.wishes, ...changed });
    }

    /** The language that was chosen, else the first of the browser's that there is. @returns {string} */
    get language() {
        const liked = [this.wishes.language, ...navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())];
        return liked.find((tag) => tag in LANGUAGES) ?? "en";
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
     * A change of a game that has been sent and not been answered yet; a page that is opened again repeats it.
     *
     * @param {string} game
     * @returns {Unanswered | null}
     */
    unanswered(game) {
        return recall(UNANSWERED + game);
    }

    /**
     * @param {string} game
     * @param {Unanswered | null} call
     */
    setUnanswered(game, call) {
        if (call) keep(UNANSWERED + game, call);
        else forget(UNANSWERED + game);
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
        else forget(DRAWN + invitation);
    }
}

export const memory = new Memory();
