/**
 * The types of the API as the other files name them. `contract.d.ts` is generated from `/openapi.json` when types are
 * checked; this file holds nothing that runs, and no browser loads it.
 *
 * @typedef {import("./contract").components["schemas"]} Schemas
 * @typedef {Schemas["View"]} View
 * @typedef {Schemas["SeatView"]} SeatView
 * @typedef {Schemas["Decision"]} Decision
 * @typedef {Schemas["Move"]} Move
 * @typedef {Schemas["LegalMove"]} LegalMove
 * @typedef {Schemas["Offer"]} Offer
 * @typedef {Schemas["Piece"]} Piece
 * @typedef {Schemas["Event"]} GameEvent
 * @typedef {Schemas["Component"]} Component
 * @typedef {Schemas["Module"]} Module
 * @typedef {Schemas["Word"]} Word
 * @typedef {Schemas["DecisionKind"]} DecisionKind
 * @typedef {Schemas["Order"]} Order
 * @typedef {Schemas["ScoreLine"]} ScoreLine
 * @typedef {Schemas["PlacedTile"]} PlacedTile
 * @typedef {Schemas["ListEditionsResponse"]} Editions
 * @typedef {Schemas["Suggestion"]} Suggestion
 * @typedef {Schemas["GetReviewResponse"]} Review
 * @typedef {Schemas["Reaction"]} Reaction
 * @typedef {Schemas["ListLegalMovesResponse"]} LegalMoves
 * @typedef {Schemas["Included"]} Included
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
 * @property {number[]} [muted] The seats whose phrases are not shown.
 * @property {string[]} [lessons] The lessons that were read, while the guide is on.
 */
export {};
