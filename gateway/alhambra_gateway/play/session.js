/**
 * One game, as this browser has it: the view, what has happened, the moves of the seat that is asked. A stream tells what
 * happened and how the table stands then; when it breaks for longer, both are read anew, so that nothing is lost.
 */

import { Refused, server, serverTime, transport, Unreachable } from "./api.js";
import { Choice, entry } from "./choice.js";
import { NotFound, Stale } from "./client/errors.js";
import { GameCalls } from "./client/game-calls.js";
import { Game } from "./client/game.js";
import { GameState } from "./client/state.js";
import { pause } from "./client/time.js";
import { isBefore } from "./client/watch.js";
import { revealEntropy } from "./entropy.js";
import { memory } from "./memory.js";
import { People } from "./people.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").Offer} Offer
 * @typedef {import("./types.js").Order} Order
 * @typedef {import("./client/contract").Operations} Operations
 * @typedef {{view: View, events?: GameEvent[]}} Answer
 */

const MOST_MOVES = 3000;
/** How many payments of one offer a person can look through. */
const MOST_PAYMENTS = 500;
/** How long to wait before a lost stream is opened again, in seconds: streams of many players can end together. */
const AGAIN = 1.5;
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
    /** When the view was kept that is shown because the server does not answer, in milliseconds; 0 if the server told it. */
    keptAt = 0;
    /** The seat whose eyes are used: of several people at one screen the one who looks. @type {number | null} */
    seat = null;
    /** The game for that seat. @type {Game} */
    #own;
    /** Ends the stream. */
    #stream = new AbortController();
    /** What the stream told since the last snapshot. @type {GameEvent[]} */
    #told = [];
    #closed = false;
    /** Events whose sentences do not have the names that are shown yet. @type {GameEvent[]} */
    #unnamed = [];
    #moves = "";
    /** The id of the last event that is known. */
    #last = "";
    /** Ends when everything is done that was begun: reading, changing and being told happen one after the other. */
    #tasks = /** @type {Promise<unknown>} */ (Promise.resolve());
    /** A reading that has not begun yet. @type {Promise<void> | null} */
    #reading = null;

    /** @param {string} game */
    constructor(game) {
        super();
        this.game = game;
        this.seat = this.seats[0] ?? null;
        this.#own = this.#gameOf(this.seat);
    }

    /** The seats that are played in this browser. @returns {number[]} */
    get seats() {
        return Object.keys(memory.game(this.game).seats).map(Number);
    }

    /** @returns {string | undefined} */
    get token() {
        return this.#tokenOf(this.seat);
    }

    /** @param {number | null} seat */
    #tokenOf(seat) {
        return seat === null ? undefined : memory.game(this.game).seats[seat]?.token;
    }

    /**
     * The game as a seat sees it. Answers and streams hold everything that is drawn next.
     *
     * @param {number | null} seat
     */
    #gameOf(seat) {
        const game = new Game(new GameCalls(transport, new GameState(this.game, this.#tokenOf(seat), seat)));
        game.include = ["changes", "moves", "scores", "pictures"];
        return game;
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
        for (const seat of this.seats) await this.#gameOf(seat).repeatPending().catch((error) => this.#explain(error));
        await this.sync();
        void this.#follow();
    }

    /**
     * Shows how the game stood when this browser saw it last, until the server answers.
     *
     * @param {import("./kept-games.js").KeptGame} kept
     */
    recall({ view, setup, events, pictures, at }) {
        if (this.view) return;
        this.view = view;
        for (const { seat, svg } of pictures) this.#own.pictures.set(seat, svg);
        this.setup = setup;
        this.events = events;
        this.#last = events.at(-1)?.id ?? "";
        this.keptAt = at;
        this.#changed();
    }

    close() {
        this.#closed = true;
        this.#stream.abort();
    }

    /**
     * Looks with the eyes of another seat of this browser.
     *
     * @param {number | null} seat
     */
    async look(seat) {
        this.seat = seat;
        this.#own = this.#gameOf(seat);
        this.#moves = "";
        this.choice.take([]);
        this.#stream.abort();
        await this.sync();
    }

    /**
     * Sends a request about this game, with the token of the seat that looks.
     *
     * @template {keyof Operations} Name
     * @param {Name} operation
     * @param {Omit<Operations[Name]["request"], "game">} request
     * @returns {Promise<Operations[Name]["answer"]>}
     */
    send(operation, request) {
        const whole = /** @type {Operations[Name]["request"]} */ ({ ...request, game: this.game });
        return server.send(operation, whole, { token: this.token });
    }

    /**
     * What the Alhambras would score at the next scoring, by seat.
     *
     * @param {View} view
     * @returns {import("./preview.js").Worth[] | null} Null if the view is not the newest one.
     */
    worth(view) {
        return view === this.view ? this.#own.scores : null;
    }

    /**
     * The picture of an Alhambra.
     *
     * @param {View} view
     * @param {number} seat
     * @returns {string | undefined} Nothing if the view is not the newest one.
     */
    picture(view, seat) {
        return view === this.view ? this.#own.pictures.get(seat) : undefined;
    }

    /**
     * The game at an earlier version, as the seat that looks saw it.
     *
     * @param {number} version
     * @returns {Promise<View>}
     */
    async at(version) {
        return this.people.rename(await this.#own.readAt(version));
    }

    // -- Reading -------------------------------------------------------------------------------------------------------

    /**
     * Does something after everything else that was begun.
     *
     * @param {() => Promise<void>} task
     * @returns {Promise<void>}
     */
    #inTurn(task) {
        const done = this.#tasks.then(task);
        this.#tasks = done.catch(() => undefined);
        return done;
    }

    /** Reads what is new. Calls that overlap become one more reading at the end. @returns {Promise<void>} */
    sync() {
        this.#reading ??= this.#inTurn(() => {
            this.#reading = null;
            return this.#read();
        });
        return this.#reading;
    }

    async #read() {
        await this.#drawnAnew(async () => {
            const own = this.#own;
            const view = await own.read();
            if (view.version < (this.view?.version ?? 0)) this.#forget();
            await this.#take({ view }, view.status !== "waiting");
        });
    }

    /**
     * Does something that may change what is shown. A page that is drawn anew for nothing swallows clicks.
     *
     * @param {() => Promise<void>} task
     */
    async #drawnAnew(task) {
        const before = this.#sign();
        await task().catch((error) => this.#explain(error));
        if (this.#sign() !== before) this.#changed();
    }

    /** Forgets what was read, because the store of the server has lost the newest moves. */
    #forget() {
        this.view = null;
        this.events = [];
        this.#last = "";
        this.#moves = "";
    }

    /** Everything that a reading can change, in short. */
    #sign() {
        return JSON.stringify([this.view, this.events.length, this.#moves, this.refused, this.busy, this.seat, this.keptAt]);
    }

    /**
     * Takes a view and what happened before it.
     *
     * @param {Answer} answer
     * @param {boolean} [more] Whether more happened than the answer tells.
     */
    async #take({ view, events = [] }, more = false) {
        await this.people.load(view);
        this.#tell(events);
        if (more) this.#tell(await this.#newEvents());
        this.#show(view);
        await this.#readMoves();
        if (await revealEntropy(this.game, view)) void this.sync(); // the last one deals
    }

    /** @param {View} view */
    #show(view) {
        if (view.setup) this.setup = view.setup;
        this.keptAt = 0;
        const until = this.asked && !this.busy ? this.view?.decision?.deadline : undefined;
        if (until && view.version > (this.view?.version ?? 0) && serverTime() >= Date.parse(until)) this.late = true;
        const shown = this.people.rename(view);
        if (JSON.stringify(shown) !== JSON.stringify(this.view)) this.view = shown;
        for (const event of this.#unnamed.splice(0)) event.text = this.people.text(event.text);
    }

    /** @returns {Promise<GameEvent[]>} */
    async #newEvents() {
        try {
            return await this.#own.events({ after: this.#last });
        } catch (error) {
            if (!(error instanceof Stale)) throw error;
            this.#forget();
            return this.#own.events();
        }
    }

    /** @param {GameEvent[]} events */
    #tell(events) {
        for (const event of events)
            if (isBefore(this.#last, event.id ?? "")) {
                this.events.push(event);
                this.#unnamed.push(event);
                this.#last = event.id ?? this.#last;
            }
    }

    async #readMoves() {
        const wanted = `${this.asked} ${this.seat} ${this.view?.version} ${memory.language}`;
        if (!this.view || wanted === this.#moves) return;
        if (this.asked) {
            const listed = await this.#own.moves({ texts: true, limit: MOST_MOVES });
            if (listed.version !== this.view.version) return void this.sync();
            this.groups = new Map(listed.groups.map(({ key, text }) => [key, text]));
            this.cut = !listed.isComplete;
            this.offers = listed.offers;
            this.choice.take(listed.moves.map(entry));
        } else {
            this.offers = [];
            this.choice.take([]);
        }
        this.#moves = wanted;
    }

    /**
     * Adds every payment of an offer to the moves, as far as a person can look through them.
     *
     * @param {Offer} offer
     */
    async allPayments(offer) {
        try {
            const { verb, slot, tile, piece } = offer.move ?? {};
            const nouns = { verb, slot: slot || undefined, tile: tile || undefined, piece: piece || undefined };
            const found = await this.#own.moves({ ...nouns, payments: "all", texts: true, limit: MOST_PAYMENTS });
            const known = new Set(this.choice.entries.map(({ move }) => JSON.stringify(move)));
            for (const { key, text } of found.groups) this.groups.set(key, text);
            const more = found.moves.map(entry).filter(({ move }) => !known.has(JSON.stringify(move)));
            this.choice.take([...this.choice.entries, ...more], true);
            offer.morePayments = false;
        } catch (error) {
            this.#explain(error);
        }
        this.#changed();
    }

    // -- Changing the game ---------------------------------------------------------------------------------------------

    /** @param {Move} move */
    move(move) {
        const { version = 0, fairness } = this.view ?? {};
        const seen = { move, version, link: fairness?.link ?? "", text: "", group: "" };
        return this.#change(() => this.#own.play(seen));
    }

    undo() {
        return this.#change(() => this.#own.undo());
    }

    /**
     * Answers a seat that wants its move back.
     *
     * @param {number} seat
     * @param {boolean} consent
     */
    answerUndo(seat, consent) {
        return this.#change(() => this.#own.answerUndo(seat, consent));
    }

    resign() {
        return this.#change(() => this.#own.resign());
    }

    /** @param {Order[]} orders */
    setOrders(orders) {
        return this.#change(() => this.#own.setOrders(orders));
    }

    /** @param {() => Promise<Answer>} act */
    async #change(act) {
        if (this.busy || !this.token) return;
        this.busy = true;
        this.late = false;
        this.refused = [];
        this.#changed();
        await this.#inTurn(async () => {
            try {
                await this.#take(await act());
            } catch (error) {
                this.#explain(error);
                await this.#read();
            }
            this.busy = false;
            this.#changed();
        });
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
            const { signal } = (this.#stream = new AbortController());
            try {
                await this.#listen(signal);
            } catch (error) {
                if (signal.aborted) continue;
                if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
                if (error instanceof NotFound) {
                    this.#explain(error);
                    return this.#changed();
                }
            }
            await pause(AGAIN * (0.5 + Math.random()), undefined, true);
            await this.sync();
        }
    }

    /** @param {AbortSignal} signal */
    async #listen(signal) {
        this.#told = [];
        const own = this.#own;
        for await (const message of own.watch({ after: this.#last, reactions: true, signal })) {
            if (message.type === "event") this.#told.push(message.event);
            else if (message.type === "reaction")
                this.dispatchEvent(new CustomEvent(message.type, { detail: message.reaction }));
            else if (message.type === "wentBack") this.#forget();
            else await this.#inTurn(() => (own === this.#own ? this.#arrived(message.lastEvent) : Promise.resolve()));
        }
    }

    /**
     * Takes what the stream told up to a snapshot. Meanwhile, an answer may have told more.
     *
     * @param {string} lastEvent The last event that the snapshot contains.
     */
    async #arrived(lastEvent) {
        await this.#drawnAnew(async () => {
            const events = this.#told.splice(0);
            const last = events.at(-1)?.id ?? this.#last;
            await this.#take({ view: this.#own.view, events }, isBefore(last, lastEvent));
        });
    }
}
