/**
 * A server: sends any request of the contract, and answers everything that needs no game.
 */

import { Call } from "./calls.js";

/**
 * @import {
 *     Board, BoardRules, BoardScore, Component, ListEditionsResponse, ListVerbsResponse, ListViolationsResponse, Module,
 *     Operations, Placement, Theme, Tile, ValidateBoardPlacementResponse
 * } from "./contract.js"
 * @import { AlhambraError } from "./errors.js"
 * @import { Options } from "./game.js"
 * @import { Transport } from "./transport.js"
 */

export class Server {
    #transport;
    #apiKey;

    /**
     * @param {Transport} transport
     * @param {string} apiKey Empty for none.
     */
    constructor(transport, apiKey) {
        this.#transport = transport;
        this.#apiKey = apiKey;
    }

    /** The language of texts, "de" for example; "" for that of the browser. Open streams keep the one they began with. */
    get language() {
        return this.#transport.language;
    }

    set language(language) {
        this.#transport.language = language;
    }

    // -- Calls --------------------------------------------------------------------------------------------------------

    /**
     * Send any request of the contract, as often as necessary, and return its answer.
     *
     * @template {keyof Operations} Name
     * @param {Name} operation
     * @param {Operations[Name]["request"]} request
     * @param {{ token?: string } & Options} [options] `token` is that of a seat; without one, the API key is sent.
     * @returns {Promise<Operations[Name]["answer"]>}
     */
    send(operation, request, { token = this.#apiKey, signal } = {}) {
        return this.#transport.send(new Call(operation, request, token), signal);
    }

    /**
     * Send the call of an error again and return its answer. A change that was made already is not made twice.
     *
     * @param {AlhambraError} error
     * @param {Options} [options]
     * @returns {Promise<any>}
     */
    async repeat(error, { signal } = {}) {
        if (!error.call) throw new TypeError("The error is not about a call.");
        return this.#transport.send(error.call, signal);
    }

    // -- The catalogue ------------------------------------------------------------------------------------------------

    /**
     * The modules that can be switched on.
     *
     * @param {Options} [options]
     * @returns {Promise<Module[]>}
     */
    async modules(options) {
        return (await this.send("listModules", {}, options)).modules;
    }

    /**
     * Everything that has an id, with its name, what it does and its picture.
     *
     * @param {{ modules?: string[], kind?: string } & Options} [options]
     * @returns {Promise<Component[]>}
     */
    async components({ modules, kind, signal } = {}) {
        const found = [];
        for await (const { components } of pages(this, "listComponents", { modules, kind }, signal))
            found.push(...components);
        return found;
    }

    /**
     * A picture of a component, as SVG.
     *
     * @param {string} kind
     * @param {string} id
     * @param {{ theme?: Theme } & Options} [options]
     * @returns {Promise<string>}
     */
    componentPicture(kind, id, { theme, signal } = {}) {
        return this.send("getComponentPicture", { kind, id, theme }, { signal });
    }

    /**
     * The tiles of the base game and of all modules.
     *
     * @param {{ module?: string, kind?: string } & Options} [options]
     * @returns {Promise<Tile[]>}
     */
    async tiles({ module, kind, signal } = {}) {
        const found = [];
        for await (const { tiles } of pages(this, "listTiles", { module, kind }, signal)) found.push(...tiles);
        return found;
    }

    /**
     * The editions, options, presets, colours and server players that `createGame` knows.
     *
     * @param {Options} [options]
     * @returns {Promise<ListEditionsResponse>}
     */
    editions(options) {
        return this.send("listEditions", {}, options);
    }

    /**
     * The verbs with their nouns, the decisions, and the words of events.
     *
     * @param {{ modules?: string[] } & Options} [options]
     * @returns {Promise<ListVerbsResponse>}
     */
    verbs({ modules, signal } = {}) {
        return this.send("listVerbs", { modules }, { signal });
    }

    /**
     * Every reason why something can be refused.
     *
     * @param {Options} [options]
     * @returns {Promise<ListViolationsResponse>}
     */
    violations(options) {
        return this.send("listViolations", {}, options);
    }

    // -- Boards without a game ----------------------------------------------------------------------------------------

    /**
     * Ask whether a tile may be built on a board. Nothing is stored.
     *
     * @param {Board} board
     * @param {Placement} placement
     * @param {{ rules?: BoardRules } & Options} [options]
     * @returns {Promise<ValidateBoardPlacementResponse>}
     */
    validateBoardPlacement(board, placement, { rules, signal } = {}) {
        return this.send("validateBoardPlacement", { board, placement, rules }, { signal });
    }

    /**
     * What the boards would score, compared with each other.
     *
     * @param {Board[]} boards
     * @param {number} scoring 1, 2 or 3.
     * @param {{ dirkTiles?: string[], rules?: BoardRules } & Options} [options]
     * @returns {Promise<BoardScore[]>}
     */
    async scoreBoards(boards, scoring, { dirkTiles, rules, signal } = {}) {
        return (await this.send("scoreBoard", { boards, scoring, dirkTiles, rules }, { signal })).scores;
    }
}

/**
 * Yield the answers to a request for a list, page by page.
 *
 * @template {"listGames" | "listDeliveries" | "listComponents" | "listTiles"} Name
 * @param {Server} server
 * @param {Name} operation
 * @param {Operations[Name]["request"]} request
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Operations[Name]["answer"], void>}
 */
export async function* pages(server, operation, request, signal) {
    /** @type {Operations[Name]["answer"] | undefined} */
    let page;
    do {
        page = await server.send(operation, { ...request, pageToken: page?.nextPageToken }, { signal });
        yield page;
    } while (page.nextPageToken);
}
