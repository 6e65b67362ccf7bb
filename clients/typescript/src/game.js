/**
 * A game, seen and played by one seat or seen by a spectator: everything that can be done with it.
 */

import { NotFound, UnexpectedAnswer } from "./errors.js";
import { listMoves } from "./moves.js";
import { follow } from "./stream.js";
import { Watch } from "./watch.js";

/**
 * @import {
 *     CreateEventTicketResponse, GameEvent, LeaveSeatResponse, LegalMove, Move, Order, Placement, PlacementVerdict,
 *     ResignResponse, SetOrdersResponse, Theme, UndoResponse, ValidatePlacementResponse, Verdict, View
 * } from "./contract.js"
 * @import { GameCalls } from "./game-calls.js"
 * @import { ListedMove, ListOptions, MoveList, Nouns } from "./moves.js"
 * @import { Message, WatchOptions } from "./watch.js"
 *
 * @typedef {object} Options
 * @property {AbortSignal} [signal] Ends the call; a change that was sent may have been made.
 *
 * @typedef {object} Played What came of a move.
 * @property {number} version
 * @property {View} view
 * @property {GameEvent[]} events Everything that happened, from the move itself to the next decision of a person.
 *
 * @typedef {object} Credentials What `client.game` needs to continue a seat elsewhere, as JSON; keep it secret.
 * @property {string} game
 * @property {string} [token]
 * @property {number | null} [seat]
 * @property {string} [entropy]
 */

const EVENTS_PAGE = 1000;

export class Game {
    #calls;
    #state;

    /**
     * Games come from `client.createGame`, `client.join` and `client.game`.
     *
     * @param {GameCalls} calls
     */
    constructor(calls) {
        this.#calls = calls;
        this.#state = calls.state;
    }

    // -- What is known ------------------------------------------------------------------------------------------------

    /** The id of the game. */
    get id() {
        return this.#state.id;
    }

    /** The seat that this program plays; null for a spectator. */
    get seat() {
        return this.#state.seat;
    }

    /** The newest version that was seen. */
    get version() {
        return this.#state.version;
    }

    /** The game as it was seen last. Every call that reads, plays or watches brings it up to date. */
    get view() {
        if (!this.#state.view) throw new Error("Nothing is known of the game yet: call read() first.");
        return this.#state.view;
    }

    /** Whether the game waits for a decision of this seat. */
    get isAsked() {
        return this.#state.isAsked;
    }

    /**
     * What `client.game` needs to continue the seat elsewhere, for example when a page is loaded again. Keep it secret.
     *
     * @returns {Credentials}
     */
    get credentials() {
        const { id, token, seat, entropy } = this.#state;
        return { game: id, token, seat, entropy };
    }

    /**
     * What answers hold besides the view; nothing at first. With "changes", views are sent as changes and put together
     * here. With "moves", `moves()` without filters needs no request of its own. "scores" and "pictures" bring `scores`
     * and `pictures`.
     */
    get include() {
        return this.#state.include;
    }

    set include(wanted) {
        this.#state.include = wanted;
    }

    /** What the Alhambras would score at the next scoring, by seat, if they are included; otherwise null. */
    get scores() {
        return this.#state.parts.scores;
    }

    /** Pictures of the Alhambras by seat, as SVG, if they are included. */
    get pictures() {
        return this.#state.parts.pictures;
    }

    // -- Reading ------------------------------------------------------------------------------------------------------

    /**
     * Read the game as it is now. Reveal the entropy of the seat if the game waits for it.
     *
     * @param {Options} [options]
     * @returns {Promise<View>}
     */
    read({ signal } = {}) {
        return this.#calls.read(signal);
    }

    /**
     * Read the game as it was at an earlier version.
     *
     * @param {number} version
     * @param {Options} [options]
     * @returns {Promise<View>}
     */
    async readAt(version, { signal } = {}) {
        return (await this.#calls.ask("getGame", { atVersion: version }, signal)).view;
    }

    /**
     * List the legal moves of this seat with all the given nouns; none if it is not asked.
     *
     * @param {Nouns & ListOptions & Options} [options]
     * @returns {Promise<MoveList>}
     */
    async moves({ signal, ...wanted } = {}) {
        const listed = await listMoves(this.#calls, wanted, signal);
        if (!this.#state.view || listed.version > this.version) await this.read({ signal });
        return listed;
    }

    /**
     * What has happened after an event, or from the beginning, until now.
     *
     * @param {{ after?: string } & Options} [options] `after` is the id of an event.
     * @returns {Promise<GameEvent[]>}
     */
    async events({ after = "", signal } = {}) {
        const found = [];
        for (;;) {
            const request = { after: after || undefined, pageSize: EVENTS_PAGE };
            const page = await this.#calls.ask("watchEvents", request, signal);
            found.push(...page.events);
            if (!page.more || page.nextAfter === after) return found;
            after = page.nextAfter;
        }
    }

    /**
     * Yield what happens until the game is over or deleted, however often the connection breaks.
     *
     * First comes a snapshot. Then come the events of each move, and after them a snapshot that contains them.
     *
     * @param {WatchOptions & Options} [options]
     * @returns {AsyncGenerator<Message, void>}
     */
    async *watch({ signal, ...options } = {}) {
        const watch = new Watch(this.#state, this.#calls.transport.retry, options);
        for await (const message of follow(this.#calls.transport, watch, signal)) {
            const told = message.type === "snapshot" ? await this.#calls.told(message, signal) : message;
            await this.#calls.catchUp(signal);
            yield told;
        }
    }

    /**
     * Wait until this seat is asked.
     *
     * @param {Options} [options]
     * @returns {Promise<boolean>} False if the game ends before.
     */
    async waitForTurn({ signal } = {}) {
        if (this.isAsked || this.#state.isOver) return this.isAsked;
        for await (const _ of this.watch({ signal })) if (this.isAsked) return true;
        return false;
    }

    /**
     * Yield the legal moves each time when this seat is asked, until the game is over. Play one of them, or resign,
     * before you ask for the next list.
     *
     * @param {ListOptions & Options} [options]
     * @returns {AsyncGenerator<MoveList, void>}
     */
    async *turns(options = {}) {
        while (await this.waitForTurn(options)) {
            const listed = await this.moves(options);
            if (listed.moves.length) yield listed; // otherwise the decision was closed in between
        }
    }

    /**
     * The record of the game, a JSON document: everything, or what this seat saw if the game still runs.
     *
     * @param {Options} [options]
     * @returns {Promise<string>}
     */
    export({ signal } = {}) {
        return this.#calls.askFresh("exportGame", {}, signal);
    }

    /**
     * A picture of the whole table, as SVG.
     *
     * @param {{ theme?: Theme } & Options} [options]
     * @returns {Promise<string>}
     */
    tablePicture({ theme, signal } = {}) {
        return this.#calls.askFresh("getTablePicture", { theme }, signal);
    }

    /**
     * A picture of an Alhambra, as SVG; by default that of the caller.
     *
     * @param {{ seat?: number, theme?: Theme, atVersion?: number } & Options} [options]
     * @returns {Promise<string>}
     */
    boardPicture({ seat, theme, atVersion, signal } = {}) {
        if (atVersion !== undefined) return this.#calls.ask("getBoardPicture", { seat, theme, atVersion }, signal);
        return this.#calls.askFresh("getBoardPicture", { seat, theme }, signal);
    }

    /**
     * A ticket with which an `EventSource` can open one stream of this seat, once, within a minute. `watch` needs none.
     *
     * @param {Options} [options]
     * @returns {Promise<CreateEventTicketResponse>}
     */
    eventTicket({ signal } = {}) {
        return this.#calls.ask("createEventTicket", {}, signal);
    }

    // -- Where a tile may lie -----------------------------------------------------------------------------------------

    /**
     * Every place where a tile may be built in an Alhambra; by default that of the caller.
     *
     * @param {string} tile
     * @param {{ seat?: number, rotation?: number } & Options} [options]
     * @returns {Promise<Placement[]>}
     */
    async placements(tile, { seat, rotation, signal } = {}) {
        return (await this.#calls.askFresh("listLegalPlacements", { tile, seat, rotation }, signal)).placements;
    }

    /**
     * Ask whether a tile may be built somewhere, and why not.
     *
     * @param {Placement} placement
     * @param {{ seat?: number } & Options} [options]
     * @returns {Promise<ValidatePlacementResponse>}
     */
    validatePlacement(placement, { seat, signal } = {}) {
        return this.#calls.askFresh("validatePlacement", { placement, seat }, signal);
    }

    /**
     * Ask about up to 500 placements, each by itself.
     *
     * @param {Placement[]} placements
     * @param {{ seat?: number } & Options} [options]
     * @returns {Promise<PlacementVerdict[]>}
     */
    async validatePlacements(placements, { seat, signal } = {}) {
        return (await this.#calls.askFresh("batchValidatePlacements", { placements, seat }, signal)).verdicts;
    }

    // -- Playing ------------------------------------------------------------------------------------------------------

    /**
     * Make a move: one of `moves`, or one of your own. A listed move answers the decision that it was listed for.
     *
     * Throws IllegalMove if the rules refuse it, and Stale if the decision that it answers is no longer open.
     *
     * @param {ListedMove | LegalMove | Move} move
     * @param {{ amount?: number } & Options} [options] `amount` chooses from the range of a listed move.
     * @returns {Promise<Played>}
     */
    async play(move, { amount, signal } = {}) {
        const request = await this.#applying(move, amount, signal);
        const { version, view, events } = await this.#calls.change("applyMove", request, signal);
        if (!view) throw new UnexpectedAnswer("The answer to a move has no view.");
        return { version, view, events };
    }

    /**
     * Ask what the rules say about a move, without making it.
     *
     * @param {ListedMove | LegalMove | Move} move
     * @param {{ amount?: number } & Options} [options]
     * @returns {Promise<Verdict>}
     */
    async check(move, { amount, signal } = {}) {
        const request = { ...(await this.#applying(move, amount, signal)), validateOnly: true };
        const { verdict } = await this.#calls.ask("applyMove", request, signal);
        if (!verdict) throw new UnexpectedAnswer("The answer to a dry run has no verdict.");
        return verdict;
    }

    /**
     * @param {ListedMove | LegalMove | Move} move
     * @param {number | undefined} amount
     * @param {AbortSignal} [signal]
     */
    async #applying(move, amount, signal) {
        const plain = "move" in move ? move.move : move;
        const seen = "version" in move ? { version: move.version, link: move.link } : await this.#calls.seen(signal);
        return { ...seen, move: amount === undefined ? plain : { ...plain, amount } };
    }

    /**
     * Send the change again that was sent before a page was loaded again, and not answered; it is not made twice. Needs
     * a client with a `storage`.
     *
     * @param {Options} [options]
     * @returns {Promise<any>} Its answer, for example what `play` returns; null if there is no such change.
     */
    repeatPending({ signal } = {}) {
        return this.#calls.repeatPending(signal);
    }

    /**
     * Take the last move of this seat back, or ask the others for it if the game allows that.
     *
     * @param {Options} [options]
     * @returns {Promise<UndoResponse>}
     */
    async undo({ signal } = {}) {
        return this.#calls.change("undo", await this.#calls.seen(signal), signal);
    }

    /**
     * Answer a seat that asks to take its move back.
     *
     * @param {number} seat
     * @param {boolean} consent
     * @param {Options} [options]
     * @returns {Promise<UndoResponse>}
     */
    async answerUndo(seat, consent, { signal } = {}) {
        const request = { ...(await this.#calls.seen(signal)), seat, consent };
        return this.#calls.change("undo", request, signal);
    }

    /**
     * Replace all standing orders of this seat; an empty list removes them.
     *
     * @param {Order[]} orders
     * @param {Options} [options]
     * @returns {Promise<SetOrdersResponse>}
     */
    setOrders(orders, { signal } = {}) {
        return this.#calls.change("setOrders", { orders }, signal);
    }

    /**
     * Leave the game for good.
     *
     * @param {Options} [options]
     * @returns {Promise<ResignResponse>}
     */
    resign({ signal } = {}) {
        return this.#calls.change("resign", {}, signal);
    }

    /**
     * Leave the seat to another player, or with `serverPlayer` to the server. Before the game is dealt, the seat is open
     * again and its token is revoked: the game is a spectator's from then on. Later, the server plays the seat until its
     * player claims it back with `client.join`. An organiser of the game, a seat that was claimed by `createGame`, can
     * name another `seat`. Throws Conflict if it is not possible, and AccessDenied if the token is not valid.
     *
     * @param {{ seat?: number, serverPlayer?: string } & Options} [options]
     * @returns {Promise<LeaveSeatResponse>} Without a view if spectators see nothing of the game.
     */
    async leaveSeat({ seat, serverPlayer, signal } = {}) {
        const answer = await this.#calls.change("leaveSeat", { seat, serverPlayer }, signal);
        if (answer.view?.viewer === undefined) this.#state.leave();
        if (!answer.view) this.#state.forget();
        return answer;
    }

    /**
     * Remove a game that has not been dealt, as one of its organisers, for good. Cancelling a game that is not there
     * succeeds. Throws Conflict if it is not possible.
     *
     * @param {Options} [options]
     * @returns {Promise<void>}
     */
    async cancel({ signal } = {}) {
        try {
            await this.#calls.ask("cancelGame", {}, signal);
        } catch (error) {
            if (!(error instanceof NotFound)) throw error; // it is gone: the answer to an earlier attempt was lost
        }
    }
}
