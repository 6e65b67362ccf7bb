/**
 * One game, as this browser has it: the view, what has happened, the moves of the seat that is asked. A stream tells what
 * happened and how the table stands then; when it breaks, both are read anew, so that nothing is lost.
 */

import { get, post, Refused, serverTime, sleep, Unreachable } from "./api.js";
import { Choice } from "./choice.js";
import { revealEntropy } from "./entropy.js";
import { KnownView } from "./known-view.js";
import { allPayments, legalMoves } from "./legal-moves.js";
import { memory } from "./memory.js";
import { People } from "./people.js";
import { newKey } from "./random.js";
import { later, messages } from "./stream.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Included} Included
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").Offer} Offer
 * @typedef {import("./types.js").Order} Order
 */

const EVENTS_PAGE = 500;
/** What answers and streams hold besides views and events: everything that is drawn next. */
const INCLUDE = ["changes", "moves", "scores", "pictures"];
/** How long to wait before a lost stream is opened again, on average: streams of many players can end together. */
const AGAIN = 1500;
/** Why a read is refused whose version or event the game does not have, or does not have any more. */
const WENT_BACK = "VERSION_STALE";
/** The agreement of a game that a move can be taken back across the decisions of others, if they agree. */
const CONSENT = "by_consent";

export class Session extends EventTarget {
    /** @type {View | null} */
    view = null;
    /** What never changes in a game. @type {View["setup"]} */
    setup = undefined;
    /** @type {GameEvent[]} */
    events = [];
    choice = new Choice();
    people = new People();
    /** @type {Map<string, string>} */
    groups = new Map();
    /** @type {Offer[]} */
    offers = [];
    /** Whether more moves exist than were read. */
    cut = false;
    /** Why the last thing was refused. @type {string[]} */
    refused = [];
    /** Whether an answer is awaited. */
    busy = false;
    /** Whether the time of this seat ran out and the server has answered in its place. */
    late = false;
    /** The seat whose eyes are used: of several people at one screen the one who looks. @type {number | null} */
    seat = null;
    /** Ends the stream. @type {AbortController | null} */
    #stream = null;
    /** What the stream told and was not taken yet. @type {{events: GameEvent[], view: View, included?: Included}[]} */
    #news = [];
    #known = new KnownView();
    /** The first page of the moves that came with the view. @type {import("./types.js").LegalMoves | null} */
    #page = null;
    #closed = false;
    /** Events whose sentences do not have the names that are shown yet. @type {GameEvent[]} */
    #unnamed = [];
    #moves = "";
    #last = "";
    /** @type {Promise<void> | null} */
    #reading = null;
    #stale = false;

    /** @param {string} game */
    constructor(game) {
        super();
        this.game = game;
        this.path = `/v1/games/${game}`;
        this.seat = this.seats[0] ?? null;
    }

    /** The seats that are played in this browser. @returns {number[]} */
    get seats() {
        return Object.keys(memory.game(this.game).seats).map(Number);
    }

    /** @returns {string | undefined} */
    get token() {
        return this.seat === null ? undefined : memory.game(this.game).seats[this.seat]?.token;
    }

    /** Whether the seat that looks is asked now. */
    get asked() {
        return this.view?.status === "running" && this.view.decision?.seat === this.seat && this.seat !== null;
    }

    /**
     * Whether the seat that looks can ask for its last move back: at once, or with the consent of the others if that was
     * agreed. Whether consent would help is not told beforehand; a refusal says why not.
     */
    get canUndo() {
        const proposed = this.view?.undoProposal?.seat === this.seat;
        return Boolean(this.view?.canUndo) || (this.setup?.options?.["undo"] === CONSENT && !proposed);
    }

    /** Reads the game and follows it until `close`. */
    async open() {
        await this.#repeat();
        await this.sync();
        void this.#follow();
    }

    close() {
        this.#closed = true;
        this.#stream?.abort();
    }

    /**
     * Looks with the eyes of another seat of this browser.
     *
     * @param {number | null} seat
     */
    async look(seat) {
        this.seat = seat;
        this.#moves = "";
        this.#known = new KnownView();
        this.choice.take([]);
        this.#stream?.abort();
        await this.sync();
    }

    /**
     * What the Alhambras would score at the next scoring, by seat.
     *
     * @param {View} view
     * @returns {import("./preview.js").Worth[] | null} Null if the view is not the newest one.
     */
    worth(view) {
        return view === this.view ? this.#known.scores : null;
    }

    /**
     * The picture of an Alhambra.
     *
     * @param {View} view
     * @param {number} seat
     * @returns {string | undefined} Nothing if the view is not the newest one.
     */
    picture(view, seat) {
        return view === this.view ? this.#known.pictures.get(seat) : undefined;
    }

    /**
     * The game at an earlier version, as the seat that looks saw it.
     *
     * @param {number} version
     * @returns {Promise<View>}
     */
    async at(version) {
        const { view } = await get(this.path, { token: this.token, query: { atVersion: version } });
        return this.people.rename(view);
    }

    /** Reads what is new. Calls that overlap become one more reading at the end. @returns {Promise<void>} */
    sync() {
        if (this.#reading) {
            this.#stale = true;
            return this.#reading;
        }
        this.#reading = this.#read().finally(() => {
            this.#reading = null;
            if (this.#stale) {
                this.#stale = false;
                void this.sync();
            } else void this.#digest();
        });
        return this.#reading;
    }

    async #read() {
        const before = this.#sign();
        try {
            await this.#readNew().catch((error) => {
                if (!(error instanceof Refused && error.reason === WENT_BACK)) throw error;
                this.#forget();
                return this.#readNew();
            });
        } catch (error) {
            this.#explain(error);
        }
        if (this.#sign() !== before) this.#changed(); // a page that is drawn anew for nothing swallows clicks
    }

    async #readNew() {
        const query = { minVersion: this.view?.version ?? 0, include: INCLUDE, knownChecksum: this.#known.checksum };
        const view = await this.#whole(await get(this.path, { token: this.token, query }));
        await this.people.load(view);
        await this.#readEvents(view);
        this.#take(view);
        await this.#readMoves();
        if (await revealEntropy(this.game, view)) this.#stale = true; // the last one deals
    }

    /**
     * The whole view of an answer. If its changes do not fit to what is known, the view is read.
     *
     * @param {{view: View, included?: Included}} answer
     * @returns {Promise<View>}
     */
    async #whole({ view, included }) {
        this.#page = included?.moves ?? null;
        const found = this.#known.take(view, included);
        if (found) return found;
        this.#known = new KnownView();
        const query = { minVersion: view.version, include: INCLUDE };
        const read = await get(this.path, { token: this.token, query });
        this.#page = read.included?.moves ?? null;
        return this.#known.take(read.view, read.included) ?? read.view;
    }

    /** Forgets what was read, because the store of the server has lost the newest moves. */
    #forget() {
        this.view = null;
        this.#known = new KnownView();
        this.events = [];
        this.#last = "";
        this.#moves = "";
    }

    /** Everything that a reading can change, in short. */
    #sign() {
        return JSON.stringify([this.view, this.events.length, this.#moves, this.refused, this.busy, this.seat]);
    }

    /** @param {View} view */
    #take(view) {
        if (view.setup) this.setup = view.setup;
        const older = this.view && this.view.viewer === view.viewer && view.version < this.view.version;
        if (older) return; // it was asked for before a move that is known already
        const until = this.asked && !this.busy ? this.view?.decision?.deadline : undefined;
        if (until && view.version > (this.view?.version ?? 0) && serverTime() >= Date.parse(until)) this.late = true;
        this.view = this.people.rename(view);
        for (const event of this.#unnamed.splice(0)) event.text = this.people.text(event.text);
    }

    /** @param {View} view */
    async #readEvents(view) {
        if (view.status === "waiting") return;
        for (let more = true; more;) {
            const query = { pageSize: EVENTS_PAGE, ...(this.#last ? { after: this.#last } : {}) };
            const page = await get(`${this.path}/events`, { token: this.token, query });
            const before = this.#last;
            this.#tell(page.events);
            this.#last = page.nextAfter || this.#last;
            more = page.more && this.#last !== before;
        }
    }

    /** @param {GameEvent[]} events */
    #tell(events) {
        for (const event of events)
            if (later(event.id ?? "", this.#last)) {
                this.events.push(event);
                this.#unnamed.push(event);
                this.#last = event.id ?? this.#last;
            }
    }

    async #readMoves() {
        const view = this.view;
        const wanted = `${this.asked} ${this.seat} ${view?.version} ${memory.language}`;
        if (!view || wanted === this.#moves) return;
        if (!this.asked) {
            this.choice.take([]);
            this.offers = [];
            this.#moves = wanted;
            return;
        }
        const found = await legalMoves(this, view.version, this.#page);
        if (!found) return void (this.#stale = true);
        this.groups = found.groups;
        this.cut = found.cut;
        this.offers = found.offers;
        this.choice.take(found.entries);
        this.#moves = wanted;
    }

    /**
     * Adds every payment of an offer to the moves, as far as a person can look through them.
     *
     * @param {Offer} offer
     */
    async allPayments(offer) {
        try {
            const found = await allPayments(this, this.view?.version ?? 0, offer);
            const known = new Set(this.choice.entries.map(({ move }) => JSON.stringify(move)));
            for (const [key, text] of found.groups) this.groups.set(key, text);
            const more = found.entries.filter(({ move }) => !known.has(JSON.stringify(move)));
            this.choice.take([...this.choice.entries, ...more], true);
            offer.morePayments = false;
        } catch (error) {
            this.#explain(error);
        }
        this.#changed();
    }

    // -- Changing the game ---------------------------------------------------------------------------------------------

    /** What a change refers to: it is refused if the game has gone on, or has another history at this version. */
    get #seen() {
        return { version: this.view?.version, link: this.view?.fairness?.link };
    }

    /** @param {Move} move */
    move(move) {
        return this.#change(`${this.path}/moves`, { ...this.#seen, move });
    }

    undo() {
        return this.#change(`${this.path}:undo`, { ...this.#seen });
    }

    /**
     * Answers a seat that wants its move back.
     *
     * @param {number} seat
     * @param {boolean} consent
     */
    answerUndo(seat, consent) {
        return this.#change(`${this.path}:undo`, { ...this.#seen, seat, consent });
    }

    resign() {
        return this.#change(`${this.path}:resign`, {});
    }

    /** @param {Order[]} orders */
    setOrders(orders) {
        return this.#change(`${this.path}:setOrders`, { orders });
    }

    /**
     * @param {string} path
     * @param {object} body
     */
    async #change(path, body) {
        if (this.busy || !this.token) return;
        this.busy = true;
        this.late = false;
        this.refused = [];
        this.#changed();
        const asking = { ...body, include: INCLUDE, knownChecksum: this.#known.checksum };
        const call = { path, body: asking, key: newKey(), token: this.token };
        memory.setUnanswered(this.game, call);
        try {
            const answer = await post(path, asking, call);
            const view = await this.#whole(answer);
            this.#tell(answer.events);
            this.#take(view);
            await this.#readMoves();
        } catch (error) {
            this.#explain(error);
            await this.sync();
        }
        memory.setUnanswered(this.game, null);
        this.busy = false;
        this.#changed();
        void this.#digest();
    }

    /** Repeats what an earlier page sent and was not answered. */
    async #repeat() {
        const call = memory.unanswered(this.game);
        if (!call) return;
        try {
            await post(call.path, call.body, call);
        } catch (error) {
            this.#explain(error);
        }
        memory.setUnanswered(this.game, null);
    }

    /** @param {unknown} error */
    #explain(error) {
        if (error instanceof Refused) this.refused = error.lines;
        else if (!(error instanceof Unreachable)) throw error;
    }

    #changed() {
        if (!this.#closed) this.dispatchEvent(new Event("change"));
    }

    // -- Following -----------------------------------------------------------------------------------------------------

    async #follow() {
        while (!this.#closed) {
            try {
                await this.#listen();
            } catch (error) {
                if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
                if (error instanceof Refused && error.status === 404) return this.#explain(error);
            }
            if (this.#closed) return;
            await sleep(AGAIN * (0.5 + Math.random()));
            await this.sync();
        }
    }

    /** Listens to one stream until it ends. After each group of events it tells how the table stands. */
    async #listen() {
        const stop = (this.#stream = new AbortController());
        const query = new URLSearchParams({ snapshots: "true", reactions: "true", ...(this.#last ? { after: this.#last } : {}) });
        for (const one of INCLUDE) query.append("include", one);
        /** @type {GameEvent[]} */
        let events = [];
        for await (const { type, data } of messages(`${this.path}/events?${query}`, this.token, stop.signal)) {
            if (type === "resume") return;
            if (type === "event") events.push(data);
            if (type === "reaction") this.dispatchEvent(new CustomEvent(type, { detail: data }));
            if (type !== "snapshot") continue;
            this.#news.push({ events, view: data.view, included: data.included });
            events = [];
            void this.#digest();
        }
    }

    /** Takes what the stream told. While a move is being answered it waits: the answer tells the same. */
    async #digest() {
        if (this.busy || this.#reading) return;
        for (let news = this.#news.shift(); news && !this.#closed; news = this.#news.shift()) {
            const { events, view } = news;
            const known = this.view?.version ?? -1;
            if (view.version < known || (view.version === known && view.viewer !== this.view?.viewer)) continue;
            if (view.version === known && this.#known.has(view)) continue; // the answer to a move has told the same
            if (view.status === "waiting" || (view.version > known && !events.length)) return void this.sync();
            const before = this.#sign();
            try {
                const whole = await this.#whole(news);
                this.#tell(events);
                this.#take(whole);
                await this.#readMoves();
            } catch (error) {
                this.#explain(error);
            }
            if (this.#sign() !== before) this.#changed();
        }
    }
}
