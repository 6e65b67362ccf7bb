/** The legal moves of an open question, read page by page, and all payments of one offer. */

import { get } from "./api.js";
import { entry } from "./choice.js";
import { memory } from "./memory.js";

/**
 * @typedef {import("./types.js").Entry} Entry
 * @typedef {import("./types.js").Offer} Offer
 * @typedef {{path: string, token: string | undefined}} Where
 * @typedef {object} LegalMoves
 * @property {Entry[]} entries
 * @property {Offer[]} offers
 * @property {Map<string, string>} groups The text of each group.
 * @property {boolean} cut Whether more moves exist than were read.
 */

const MOST_MOVES = 3000;
const PAGE = 500;
/** What an offer and the moves that pay for it have in common. */
const SAME_OFFER = /** @type {const} */ (["slot", "tile", "piece"]);

/**
 * @param {Where} where
 * @param {number} version
 * @param {import("./types.js").LegalMoves | null} first The first page, if it came with something else.
 * @returns {Promise<LegalMoves | null>} Null if the game has gone on meanwhile.
 */
export async function legalMoves({ path, token }, version, first) {
    /** @type {LegalMoves} */
    const found = { entries: [], offers: [], groups: new Map(), cut: false };
    const fits = first && first.version === version && first.language === memory.language;
    let next = "";
    do {
        const query = { texts: true, minVersion: version, pageSize: PAGE, ...(next ? { pageToken: next } : {}) };
        const page = fits && !next ? first : await get(`${path}/moves`, { token, query });
        if (page.version !== version) return null;
        found.entries.push(...page.moves.map(entry));
        found.offers.push(...page.offers);
        for (const group of page.groups) found.groups.set(group.key, group.text);
        next = page.nextPageToken;
    } while (next && found.entries.length < MOST_MOVES);
    found.cut = Boolean(next);
    return found;
}

/**
 * Every payment of an offer, as far as a person can look through them.
 *
 * @param {Where} where
 * @param {number} version
 * @param {Offer} offer
 * @returns {Promise<LegalMoves>}
 */
export async function allPayments({ path, token }, version, offer) {
    /** @type {Record<string, any>} */
    const query = { texts: true, payments: "all", verb: offer.move?.verb, minVersion: version, pageSize: PAGE };
    for (const noun of SAME_OFFER) if (offer.move?.[noun]) query[noun] = offer.move[noun];
    const page = await get(`${path}/moves`, { token, query });
    return {
        entries: page.moves.map(entry),
        offers: [],
        groups: new Map(page.groups.map((/** @type {any} */ one) => [one.key, one.text])),
        cut: false,
    };
}
