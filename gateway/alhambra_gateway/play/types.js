/**
 * The types that several files use; those of the API come from the client library. This file holds nothing that runs, and
 * no browser loads it.
 *
 * @typedef {import("./client/contract").View} View
 * @typedef {import("./client/contract").SeatView} SeatView
 * @typedef {import("./client/contract").Decision} Decision
 * @typedef {import("./client/contract").Move} Move
 * @typedef {import("./client/contract").LegalMove} LegalMove
 * @typedef {import("./client/contract").Offer} Offer
 * @typedef {import("./client/contract").Piece} Piece
 * @typedef {import("./client/contract").GameEvent} GameEvent
 * @typedef {import("./client/contract").Component} Component
 * @typedef {import("./client/contract").Module} Module
 * @typedef {import("./client/contract").Word} Word
 * @typedef {import("./client/contract").DecisionKind} DecisionKind
 * @typedef {import("./client/contract").Order} Order
 * @typedef {import("./client/contract").ScoreLine} ScoreLine
 * @typedef {import("./client/contract").PlacedTile} PlacedTile
 * @typedef {import("./client/contract").ListEditionsResponse} Editions
 * @typedef {import("./client/contract").Suggestion} Suggestion
 * @typedef {import("./client/contract").GetReviewResponse} Review
 * @typedef {import("./client/contract").Reaction} Reaction
 *
 * @typedef {{x: number, y: number}} Cell
 *
 * @typedef {object} Entry A legal move as a person sees it.
 * @property {Move} move
 * @property {string} text
 * @property {string} group
 * @property {Map<string, number>} atoms What the move names, each with how often.
 * @property {boolean} [exact] Whether it pays exactly; absent if it pays nothing.
 * @property {number} [overpaid] How much it pays beyond the price; absent if it pays nothing.
 * @property {number} [amountMin]
 * @property {number} [amountMax]
 *
 * @typedef {object} Holding A seat that is played in this browser.
 * @property {string} token
 * @property {string} name
 * @property {string} [entropy] What the seat contributes to the shuffle.
 *
 * @typedef {object} Noted The commitments of a game as they were before this browser revealed anything.
 * @property {string} commitment That of the server.
 * @property {string[]} seats By seat; "" for a seat that contributes nothing.
 *
 * @typedef {object} KnownGame A game that this browser remembers.
 * @property {Record<string, Holding>} seats By seat.
 * @property {Record<string, string>} invitations By seat: those that were not handed on or used yet.
 * @property {string} names The names of all players.
 * @property {number} opened When it was opened last, in milliseconds.
 * @property {number} [organises] The seat of this browser that created the game.
 * @property {Noted} [noted]
 * @property {boolean} [alarmed] Whether other commitments than these were shown.
 * @property {number[]} [muted] The seats whose phrases are not shown.
 * @property {string[]} [lessons] The lessons that were read, while the guide is on.
 */
export {};
