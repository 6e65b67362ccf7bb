/**
 * What a placement would come to: the boards as they are and as they would be, scored by the server. What the server does
 * not want to score has no preview.
 */

import { post, Refused, Unreachable } from "./api.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").PlacedTile} PlacedTile
 * @typedef {{points: number, wall: number}} Worth
 */

const LAST_SCORING = 3;

/**
 * The worth of the viewer's Alhambra at the next scoring, now and after the move.
 *
 * @param {View} view
 * @param {NonNullable<View["setup"]>} setup
 * @param {number} seat
 * @param {Move} move
 * @returns {Promise<[Worth, Worth] | null>} Null if it cannot be told.
 */
export async function preview(view, setup, seat, move) {
    const { tile, cell, rotation } = move;
    if (!tile || !cell) return null;
    const scoring = Math.min(LAST_SCORING, (view.table?.scoringsHeld.length ?? 0) + 1);
    const rules = { edition: setup.edition, modules: setup.modules, variants: setup.variants };
    const laid = { tile, cell, ...(rotation === undefined ? {} : { rotation }) };
    const score = async (/** @type {boolean} */ after) => {
        const boards = view.seats.map((one) => {
            const kept =
                after && one.seat === seat ? [...one.alhambra.filter((old) => !covers(old, laid)), laid] : one.alhambra;
            return { tiles: kept, gates: one.gates };
        });
        const body = { boards, scoring, rules, ...(view.table?.dirk ? { dirkTiles: view.table.dirk.tiles } : {}) };
        const { scores } = await post("/v1/boards:score", body);
        return { points: scores[seat].points, wall: scores[seat].longestWall };
    };
    try {
        return await Promise.all([score(false), score(true)]);
    } catch (error) {
        if (error instanceof Refused || error instanceof Unreachable) return null;
        throw error;
    }
}

/**
 * @param {PlacedTile} old
 * @param {PlacedTile} laid
 * @returns {boolean} Whether the old tile goes when the new one is laid.
 */
function covers(old, laid) {
    return old.tile === laid.tile || (old.cell.x === laid.cell.x && old.cell.y === laid.cell.y);
}
