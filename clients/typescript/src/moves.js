/**
 * The list of legal moves: all pages of one version of the game, put together.
 */

import { Stale, UnexpectedAnswer } from "./errors.js";

/**
 * @import { LegalMove, ListLegalMovesResponse, MoveGroup, Offer, Payments } from "./contract.js"
 * @import { GameCalls } from "./game-calls.js"
 *
 * @typedef {object} ListOptions
 * @property {Payments} [payments] "all" lists every way to pay, which can be very many.
 * @property {boolean} [texts] Adds a sentence to each move, in the language of the client.
 * @property {number} [limit] Bounds the list; it ends with a page.
 *
 * @typedef {object} Nouns
 * @property {string} [verb]
 * @property {string} [slot]
 * @property {string} [tile]
 * @property {string} [piece]
 *
 * @typedef {LegalMove & { version: number, link: string }} ListedMove A legal move, and the version of the game that
 *     it was listed for. `game.play` takes it as it is.
 *
 * @typedef {object} MoveList The legal moves of a seat, with everything else that the server tells about them.
 * @property {number} version
 * @property {string} link
 * @property {ListedMove[]} moves
 * @property {Offer[]} offers What may be bought, and at what price.
 * @property {MoveGroup[]} groups Moves that a client can put behind one button.
 * @property {boolean} isComplete Whether these are all moves; false if `limit` cut the list.
 * @property {string} language The language of the texts; empty unless texts were asked for.
 */

const MOVES_PAGE = 1000;
/** The size of the page that comes with a view. */
const INCLUDED_PAGE = 500;
/** How often a list of moves is begun if the game moves on while its pages are read. */
const LISTING_ATTEMPTS = 5;

/**
 * List the legal moves of a seat.
 *
 * @param {GameCalls} calls
 * @param {Nouns & ListOptions} options
 * @param {AbortSignal} [signal]
 * @returns {Promise<MoveList>}
 */
export async function listMoves(calls, { limit = 0, ...wanted }, signal) {
    const request = { ...wanted, pageSize: Math.min(limit || MOVES_PAGE, MOVES_PAGE) };
    for (let attempt = 1; ; attempt += 1) {
        try {
            return joined(await readPages(calls, request, limit, signal));
        } catch (error) {
            // Stale: the game has moved on between two pages
            if (!(error instanceof Stale) || attempt === LISTING_ATTEMPTS) throw error;
        }
    }
}

/**
 * Read all pages, or as many as the limit needs.
 *
 * @param {GameCalls} calls
 * @param {Nouns & ListOptions & { pageSize: number }} request
 * @param {number} limit
 * @param {AbortSignal} [signal]
 * @returns {Promise<ListLegalMovesResponse[]>}
 */
async function readPages(calls, request, limit, signal) {
    const included = includedPage(calls, request);
    if (included) request = { ...request, pageSize: INCLUDED_PAGE };
    let page = included ?? (await calls.askFresh("listLegalMoves", request, signal));
    const pages = [page];
    for (let count = page.moves.length; page.nextPageToken && !(limit && count >= limit); count += page.moves.length) {
        page = await calls.ask("listLegalMoves", { ...request, pageToken: page.nextPageToken }, signal);
        pages.push(page);
    }
    return pages;
}

/**
 * The first page if it came with the present view, and is what is wanted.
 *
 * @param {GameCalls} calls
 * @param {Nouns & ListOptions & { pageSize?: number }} request
 * @returns {ListLegalMovesResponse | null}
 */
function includedPage({ state, transport }, { texts, pageSize, ...filters }) {
    const page = state.isAsked && state.moves?.version === state.version ? state.moves : null;
    if (!page || Object.values(filters).some((filter) => filter !== undefined)) return null;
    const isWorded = page.language && (!transport.language || page.language === transport.language);
    return !texts || isWorded ? page : null;
}

/**
 * @param {ListLegalMovesResponse[]} pages
 * @returns {MoveList}
 */
function joined(pages) {
    const [first] = pages;
    if (!first) throw new UnexpectedAnswer("A list of moves has no page.");
    const { version, link, language } = first;
    const groups = new Map(pages.flatMap((page) => page.groups.map((group) => [group.key, group])));
    return {
        version,
        link,
        moves: pages.flatMap((page) => page.moves.map((move) => ({ ...move, version, link }))),
        offers: pages.flatMap((page) => page.offers),
        groups: [...groups.values()],
        isComplete: !pages.at(-1)?.nextPageToken,
        language,
    };
}
