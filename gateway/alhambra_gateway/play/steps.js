/**
 * What others did, one step after the other. The server tells the moves of several players at once; the table shows them
 * tile by tile and card by card, at a pace that the reader chooses, and can be told to skip them.
 */

import { told } from "./log.js";
import { memory } from "./memory.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./session.js").Session} Session
 */

/** How long a step is shown, in milliseconds, by the reader's pace. */
const STEP = /** @type {Record<string, number>} */ ({ slow: 2000, normal: 1000, fast: 450, none: 0 });
/** More steps than this are not shown one by one: somebody was away for a while. */
const MOST = 60;

export class Steps {
    /** The table as it is shown while steps are shown; null when the newest is shown. @type {View | null} */
    view = null;
    /** The step that is shown. @type {GameEvent | null} */
    step = null;
    #session;
    #show;
    /** The newest view that was shown. @type {View | null} */
    #last = null;
    #seen = -1;
    /** @type {GameEvent[]} */
    #queue = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;

    /**
     * @param {Session} session
     * @param {(step: GameEvent | null) => void} show Called when there is something else to show.
     */
    constructor(session, show) {
        this.#session = session;
        this.#show = show;
    }

    /** How many events of the game have been shown. */
    get shown() {
        return this.#session.events.length - this.#queue.length;
    }

    /** Looks at what is new; shows it step by step if others did it. */
    see() {
        const { events, view } = this.#session;
        const known = this.#seen;
        this.#seen = events.length;
        const fresh = known < 0 || known > events.length ? [] : events.slice(known);
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
        if (this.#pause && !calm && this.#last && fresh.some((one) => this.#isOther(one)))
            this.#queue.push(...fresh);
        else if (!this.#queue.length) return void (this.#last = view);
        if (this.#queue.length > MOST) return this.skip();
        if (this.view) return;
        this.view = this.#last;
        this.#next();
    }

    /** Shows the newest at once. */
    skip() {
        clearTimeout(this.#timer);
        this.#queue = [];
        this.step = null;
        this.view = null;
        this.#last = this.#session.view;
        this.#show(null);
    }

    get #pause() {
        return STEP[memory.wishes.pace] ?? 0;
    }

    /** @param {GameEvent} event */
    #isOther(event) {
        return event.seat !== undefined && event.seat !== this.#session.seat && told([event]).length > 0;
    }

    #next() {
        for (let event = this.#queue.shift(); event; event = this.#queue.shift()) {
            if (this.view) this.view = folded(this.view, event);
            const own = event.seat === this.#session.seat;
            if (typeof event.facts?.["points"] === "number" || (!own && !told([event]).length)) continue;
            this.step = event;
            this.#show(event);
            if (own) continue;
            this.#timer = setTimeout(() => this.#next(), this.#pause);
            return;
        }
        this.skip();
    }
}

/**
 * The table after an event, as far as its nouns tell: cards change hands, tiles are drawn, bought and laid. The next view
 * of the server puts right what they do not tell.
 *
 * @param {View} view
 * @param {GameEvent} event
 * @returns {View}
 */
function folded(view, { seat, tile, cell, rotation, cards, display, slot }) {
    const table = view.table && { ...view.table };
    if (!table) return view;
    const seats = view.seats.map((one) => ({ ...one }));
    const who = seat === undefined ? undefined : seats[seat];
    if (seat === undefined) {
        if (slot && tile)
            table.market = table.market.map((space) => (space.slot === slot ? { ...space, tile } : space));
        if (display) table.display = [...display];
    }
    if (who && cards) {
        who.hand = without(who.hand, cards);
        who.handCount -= cards.length;
    }
    if (seat !== undefined && display) {
        table.display = without(table.display, display);
        if (who) who.handCount += display.length;
        if (who && who.seat === view.viewer) who.hand = [...who.hand, ...display].sort();
    }
    if (tile && seat !== undefined) {
        table.market = table.market.map((space) => (space.tile === tile ? { ...space, tile: "" } : space));
        if (who) {
            const waited = who.pending.includes(tile) || who.alhambra.some((one) => one.tile === tile);
            who.pending = without(who.pending, [tile]);
            who.reserve = without(who.reserve, [tile]);
            who.alhambra = who.alhambra.filter((one) => one.tile !== tile);
            if (cell) who.alhambra = [...who.alhambra, { tile, cell, ...(rotation ? { rotation } : {}) }];
            else if (waited) who.reserve = [...who.reserve, tile];
            else who.pending = [...who.pending, tile];
        }
    }
    return { ...view, table, seats };
}

/**
 * @param {readonly string[]} list
 * @param {readonly string[]} gone Each takes one equal entry away.
 * @returns {string[]}
 */
function without(list, gone) {
    const left = [...list];
    for (const one of gone) {
        const at = left.indexOf(one);
        if (at >= 0) left.splice(at, 1);
    }
    return left;
}
