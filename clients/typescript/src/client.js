/**
 * A client of a server: creates, finds, joins and deletes games, registers webhooks, and reads notices.
 */

import { Call } from "./calls.js";
import { canContribute, commitmentOf, newEntropy } from "./entropy.js";
import { GameCalls } from "./game-calls.js";
import { Game } from "./game.js";
import { NoticeWatch } from "./notices.js";
import { pages, Server } from "./server.js";
import { GameState } from "./state.js";
import { follow } from "./stream.js";
import { Transport } from "./transport.js";

/**
 * @import {
 *     CreateGameRequest, CreateWebhookResponse, Delivery, DeliveryStatus, GameStatus, GameSummary, NoticeKind,
 *     SeatSetup, SeatToken, View, Webhook
 * } from "./contract.js"
 * @import { Credentials, Options } from "./game.js"
 * @import { NoticeMessage } from "./notices.js"
 * @import { Connection } from "./transport.js"
 *
 * @typedef {{ apiKey?: string } & Connection} ClientOptions `apiKey` is needed to create, list and delete games if the
 *     operator uses API keys.
 *
 * @typedef {object} NewGame A game that was just created.
 * @property {string} id
 * @property {View} view The game as the last of the seats of this program sees it, or as a spectator does.
 * @property {Record<number, string>} invitations By seat: what the player passes to `join`.
 * @property {Record<number, Game>} seats The game for each seat that this program plays.
 *
 * @typedef {Omit<CreateGameRequest, "seats"> & { contribute?: boolean } & Options} GameOptions
 */

export class Client extends Server {
    #transport;
    #apiKey;

    /**
     * @param {string} address The address of the gateway, "http://127.0.0.1:8080"; "/" for the server of this page.
     * @param {ClientOptions} [options]
     */
    constructor(address, { apiKey = "", ...connection } = {}) {
        const transport = new Transport(address, connection);
        super(transport, apiKey);
        this.#transport = transport;
        this.#apiKey = apiKey;
    }

    // -- Games --------------------------------------------------------------------------------------------------------

    /**
     * Create a game. Seats with `claim: true` are played by this program; their games are in `seats` of the answer. The
     * other seats of people have an invitation. With `open: true`, others find the game with `openGames` and join it
     * without an invitation; `language` is the language of its players. `contribute` lets the seats of this program
     * contribute to the shuffle.
     *
     * @param {SeatSetup[]} seats
     * @param {GameOptions} [options]
     * @returns {Promise<NewGame>}
     */
    async createGame(seats, { contribute = canContribute(), signal, ...wanted } = {}) {
        /** @type {Map<number, string>} */
        const drawn = new Map();
        const committed = seats.map(async (seat, place) => {
            if (!contribute || wanted.seed || !seat.claim || seat.entropy) return seat;
            const entropy = newEntropy();
            drawn.set(place, entropy);
            return { ...seat, entropyCommitment: await commitmentOf(entropy) };
        });
        const made = await this.send("createGame", { ...wanted, seats: await Promise.all(committed) }, { signal });
        /** @type {NewGame} */
        const created = { id: made.game, view: made.view, invitations: {}, seats: {} };
        for (const { seat, token, invitation } of made.seatKeys) {
            if (token) created.seats[seat] = this.#game(made.game, token, seat, drawn.get(seat));
            if (invitation) created.invitations[seat] = invitation;
        }
        const games = Object.values(created.seats);
        for (const game of games) created.view = await game.read({ signal });
        for (const game of games.slice(0, -1)) await game.read({ signal }); // the last one to reveal has dealt
        return created;
    }

    /**
     * Exchange an invitation for its seat; with "" for the invitation, take the first open seat of a game that is open
     * to anyone.
     *
     * The seat contributes random bytes to the shuffle: their hash is sent now, and the bytes themselves as soon as the
     * game waits for them and is read or watched. Pass `entropy` (from `newEntropy`) if you want to store the bytes
     * before they are used: a game whose seats do not all reveal their bytes is never dealt.
     *
     * @param {string} game
     * @param {string} [invitation]
     * @param {{ name?: string, contribute?: boolean, entropy?: string } & Options} [options]
     * @returns {Promise<Game>}
     */
    async join(game, invitation = "", { name, contribute = canContribute(), entropy, signal } = {}) {
        const drawn = entropy ?? (contribute ? newEntropy() : "");
        const entropyCommitment = drawn ? await commitmentOf(drawn) : undefined;
        const claim = new Call("claimSeat", { game, invitation, name, entropyCommitment });
        const claimed = await this.#transport.send(claim, signal);
        const calls = new GameCalls(this.#transport, new GameState(game, claimed.token, claimed.seat, drawn));
        calls.state.see(claimed);
        await calls.reveal(signal);
        return new Game(calls);
    }

    /**
     * A game that is known already, without calling the server: by its id for a spectator, or with the credentials of a
     * seat.
     *
     * @param {string | Credentials} known
     * @returns {Game}
     */
    game(known) {
        const { game, token, seat, entropy } = typeof known === "string" ? { game: known } : known;
        return this.#game(game, token || this.#apiKey, seat, entropy);
    }

    /**
     * @param {string} game
     * @param {string} token
     * @param {number | null} [seat]
     * @param {string} [entropy]
     */
    #game(game, token, seat, entropy) {
        return new Game(new GameCalls(this.#transport, new GameState(game, token, seat, entropy)));
    }

    /**
     * Yield the games of the API key, the newest first.
     *
     * @param {{ status?: GameStatus } & Options} [options]
     * @returns {AsyncGenerator<GameSummary, void>}
     */
    async *listGames({ status, signal } = {}) {
        for await (const page of pages(this, "listGames", { status }, signal)) yield* page.games;
    }

    /**
     * Yield the games that are open to anyone and wait for players, the newest first: only those with this number of
     * seats, with all these modules, and in this language, if they are given.
     *
     * @param {{ seatCount?: number, modules?: string[], language?: string } & Options} [options]
     * @returns {AsyncGenerator<GameSummary, void>}
     */
    async *openGames({ seatCount, modules, language, signal } = {}) {
        const request = { open: true, seatCount, withModules: modules, language };
        for await (const page of pages(this, "listGames", request, signal)) yield* page.games;
    }

    /**
     * Remove a game for good. Deleting a game that is not there succeeds.
     *
     * @param {string} game
     * @param {Options} [options]
     * @returns {Promise<void>}
     */
    async deleteGame(game, options) {
        await this.send("deleteGame", { game }, options);
    }

    // -- Webhooks -----------------------------------------------------------------------------------------------------

    /**
     * Register an address that is told what happens in the games of the API key, or in one game. The answer has the
     * secret that signs the deliveries; it is not shown again.
     *
     * @param {string} address
     * @param {{ kinds?: NoticeKind[], game?: string } & Options} [options]
     * @returns {Promise<CreateWebhookResponse>}
     */
    createWebhook(address, { kinds, game, signal } = {}) {
        return this.send("createWebhook", { address, kinds, game }, { signal });
    }

    /**
     * All webhooks of the API key, the oldest first.
     *
     * @param {Options} [options]
     * @returns {Promise<Webhook[]>}
     */
    async webhooks(options) {
        return (await this.send("listWebhooks", {}, options)).webhooks;
    }

    /**
     * One webhook, with how many deliveries wait and are parked.
     *
     * @param {string} webhook
     * @param {Options} [options]
     * @returns {Promise<Webhook>}
     */
    async webhook(webhook, options) {
        return (await this.send("getWebhook", { webhook }, options)).webhook;
    }

    /**
     * Change a webhook. What is not given stays as it is.
     *
     * @param {string} webhook
     * @param {{ address?: string, kinds?: NoticeKind[], disabled?: boolean } & Options} [options]
     * @returns {Promise<Webhook>}
     */
    async updateWebhook(webhook, { address, kinds, disabled, signal } = {}) {
        return (await this.send("updateWebhook", { webhook, address, kinds, disabled }, { signal })).webhook;
    }

    /**
     * Remove a webhook with all its deliveries. Deleting one that is not there succeeds.
     *
     * @param {string} webhook
     * @param {Options} [options]
     * @returns {Promise<void>}
     */
    async deleteWebhook(webhook, options) {
        await this.send("deleteWebhook", { webhook }, options);
    }

    /**
     * Make a new secret and return it. The old one signs as well for a day.
     *
     * @param {string} webhook
     * @param {Options} [options]
     * @returns {Promise<string>}
     */
    async rotateWebhookSecret(webhook, options) {
        return (await this.send("rotateWebhookSecret", { webhook }, options)).secret;
    }

    /**
     * Send a test to a webhook, and return the id of its notice.
     *
     * @param {string} webhook
     * @param {Options} [options]
     * @returns {Promise<string>}
     */
    async testWebhook(webhook, options) {
        return (await this.send("testWebhook", { webhook }, options)).delivery;
    }

    /**
     * The newest deliveries of a webhook: those that wait or are parked, and the last that were made.
     *
     * @param {string} webhook
     * @param {{ status?: DeliveryStatus } & Options} [options]
     * @returns {Promise<Delivery[]>}
     */
    async deliveries(webhook, { status, signal } = {}) {
        const found = [];
        for await (const page of pages(this, "listDeliveries", { webhook, status }, signal))
            found.push(...page.deliveries);
        return found;
    }

    /**
     * Deliver again what was given up, or one notice by its id. Return how many are delivered again.
     *
     * @param {string} webhook
     * @param {{ delivery?: string } & Options} [options]
     * @returns {Promise<number>}
     */
    async replayDeliveries(webhook, { delivery, signal } = {}) {
        return (await this.send("replayDeliveries", { webhook, delivery }, { signal })).replayed;
    }

    // -- Notices ------------------------------------------------------------------------------------------------------

    /**
     * Yield notices about all games of the API key, or of these seats: games that start and end, decisions to take,
     * deadlines. Goes on after lost connections and restarts of the server, without end.
     *
     * @param {{ kinds?: NoticeKind[], seats?: (SeatToken | Credentials)[], after?: string } & Options} [options] `seats`
     *     takes the `credentials` of games as they are. `after` is that of the last message that is known.
     * @returns {AsyncGenerator<NoticeMessage, void>}
     */
    async *notices({ kinds, seats = [], after, signal } = {}) {
        const tokens = seats.map(({ game, token = "" }) => ({ game, token }));
        const newTicket = async () => (await this.send("createNoticeTicket", { seats: tokens }, { signal })).ticket;
        const whose = tokens.length ? { newTicket } : { apiKey: this.#apiKey };
        yield* follow(this.#transport, new NoticeWatch(this.#transport.retry, { kinds, after, ...whose }), signal);
    }
}
