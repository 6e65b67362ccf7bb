/**
 * What a placement would come to: the boards as they are and as they would be, scored by the server. What the server does
 * not want to score has no preview.
 */

import { Refused, server, Unreachable } from "./api.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").PlacedTile} PlacedTile
 * @typedef {import("./types.js").ScoreLine} ScoreLine
 * @typedef {{points: number, longestWall: number, typeCounts: {type: string, count: number}[], lines: ScoreLine[]}} Worth
 *   What a board scores.
 */

export const LAST_SCORING = 3;

/**
 * What all Alhambras score at the next scoring, now and after the move.
 *
 * @param {View} view
 * @param {NonNullable<View["setup"]>} setup
 * @param {number} seat
 * @param {Move} move
 * @param {Worth[] | null} known What the Alhambras score now, if it is known.
 * @returns {Promise<[Worth[], Worth[]] | null>} By seat, now and then; null if it cannot be told.
 */
export async function preview(view, setup, seat, move, known) {
    const { tile, cell, rotation } = move;
    if (!tile || !cell) return null;
    const laid = { tile, cell, ...(rotation === undefined ? {} : { rotation }) };
    const score = (/** @type {boolean} */ after) =>
        scoreBoards(
            view,
            setup,
            view.seats.map((one) => {
                const kept =
                    after && one.seat === seat
                        ? [...one.alhambra.filter((old) => !covers(old, laid)), laid]
                        : one.alhambra;
                return { tiles: kept, gates: one.gates };
            }),
        );
    const [now, then] = await Promise.all([known ?? score(false), score(true)]);
    return now && then ? [now, then] : null;
}

/**
 * The number of the scoring that comes next.
 *
 * @param {View} view
 * @returns {number}
 */
export function nextScoring(view) {
    return Math.min(LAST_SCORING, (view.table?.scoringsHeld.length ?? 0) + 1);
}

/**
 * What boards score at the next scoring.
 *
 * @param {View} view
 * @param {NonNullable<View["setup"]>} setup
 * @param {import("./client/contract").Board[]} boards By seat.
 * @returns {Promise<Worth[] | null>} By seat, with the third of a game for two; null if the server does not say.
 */
function scoreBoards(view, setup, boards) {
    const rules = { edition: setup.edition, modules: setup.modules, variants: setup.variants };
    return server.scoreBoards(boards, nextScoring(view), { dirkTiles: view.table?.dirk?.tiles, rules }).catch((error) => {
        if (error instanceof Refused || error instanceof Unreachable) return null;
        throw error;
    });
}

/**
 * @param {PlacedTile} old
 * @param {PlacedTile} laid
 * @returns {boolean} Whether the old tile goes when the new one is laid.
 */
function covers(old, laid) {
    return old.tile === laid.tile || (old.cell.x === laid.cell.x && old.cell.y === laid.cell.y);
}

/**
 * The lines of a score that a move changes.
 *
 * @param {readonly ScoreLine[]} before
 * @param {readonly ScoreLine[]} after
 * @returns {{line: ScoreLine, from: number, to: number}[]}
 */
export function changedLines(before, after) {
    const about = (/** @type {ScoreLine} */ { reason, type, tile }) => JSON.stringify([reason, type, tile]);
    const old = new Map(before.map((line) => [about(line), line]));
    const now = new Map(after.map((line) => [about(line), line]));
    return [...new Map([...old, ...now])].flatMap(([key, line]) => {
        const [from, to] = [old.get(key)?.points ?? 0, now.get(key)?.points ?? 0];
        return from === to ? [] : [{ line, from, to }];
    });
}
