/**
 * A client for servers of the board game Alhambra.
 *
 *     const client = new Client("http://127.0.0.1:8080");
 *     const created = await client.createGame([{ claim: true }, { serverPlayer: "random" }]);
 *     const game = created.seats[0];
 *     for await (const { moves } of game.turns()) await game.play(moves[0]);
 *
 * The types of all messages of the contract are exported, too.
 */

/**
 * @typedef {import("./calls.js").Call} Call
 * @typedef {import("./client.js").ClientOptions} ClientOptions
 * @typedef {import("./client.js").GameOptions} GameOptions
 * @typedef {import("./client.js").NewGame} NewGame
 * @typedef {import("./game.js").Credentials} Credentials
 * @typedef {import("./game.js").Played} Played
 * @typedef {import("./moves.js").ListedMove} ListedMove
 * @typedef {import("./moves.js").MoveList} MoveList
 * @typedef {import("./notices.js").NoticeMessage} NoticeMessage
 * @typedef {import("./retries.js").Retry} Retry
 * @typedef {import("./watch.js").Message} Message
 * @typedef {import("./watch.js").WatchOptions} WatchOptions
 */

export { Client } from "./client.js";
export * from "./contract.js";
export { commitmentOf, newEntropy } from "./entropy.js";
export {
    AccessDenied,
    AlhambraError,
    CommitmentsChanged,
    Conflict,
    IllegalMove,
    InvalidRequest,
    InvalidSetup,
    NotFound,
    NotReady,
    OutcomeUnknown,
    Refused,
    ServerFault,
    Stale,
    TooManyCalls,
    Unavailable,
    UnexpectedAnswer,
    Unreachable,
} from "./errors.js";
export { Game } from "./game.js";
