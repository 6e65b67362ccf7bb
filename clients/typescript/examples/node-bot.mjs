/**
 * A bot that plays a seat to the end, against the server's random player, and says how it went.
 *
 *     node node-bot.mjs http://127.0.0.1:8080
 *     node node-bot.mjs http://127.0.0.1:8080 GAME INVITATION
 *
 * With a game and an invitation, the bot joins that game instead. Replace `choose` with your own ideas.
 */

import { Client, Stale } from "alhambra-client";

/**
 * Choose a move: build what was bought, buy at the exact price, take much money, or do anything.
 *
 * @param {import("alhambra-client").MoveList} list
 */
function choose({ moves }) {
    for (const verb of ["place", "buy"]) {
        const good = moves.filter(({ move, exact }) => move.verb === verb && exact !== false);
        if (good.length) return anyOf(good);
    }
    const most = Math.max(...moves.map(money));
    return anyOf(moves.filter((move) => money(move) === most));
}

/**
 * What the cards that a move takes are worth: "denar-4" is worth 4.
 *
 * @param {import("alhambra-client").ListedMove} listed
 */
function money({ move }) {
    return (move.display ?? []).reduce((sum, card) => sum + (Number(card.split("-")[1]) || 0), 0);
}

/** @template T @param {T[]} list */
function anyOf(list) {
    return /** @type {T} */ (list[Math.floor(Math.random() * list.length)]);
}

/**
 * The seat that the bot plays: that of an invitation, or one in a new game.
 *
 * @param {Client} client
 * @param {string} [id]
 * @param {string} [invitation]
 */
async function takeSeat(client, id, invitation) {
    if (id && invitation) return client.join(id, invitation, { name: "Bot" });
    const { seats } = await client.createGame([
        { name: "Bot", claim: true },
        { name: "Random", serverPlayer: "random" },
    ]);
    return /** @type {import("alhambra-client").Game} */ (seats[0]);
}

const [address = "http://127.0.0.1:8080", id, invitation] = process.argv.slice(2);
const game = await takeSeat(new Client(address), id, invitation);
for await (const list of game.turns()) {
    const move = choose(list);
    try {
        await game.play(move, { amount: move.amountMin }); // the lowest bid, if the move is one
    } catch (error) {
        if (!(error instanceof Stale)) throw error; // another seat has resigned, or time ran out
    }
}
for (const { seat, place, score } of game.view.result?.ranking ?? [])
    console.log(`${place}. ${game.view.seats[seat]?.name ?? "Dirk"}: ${score}`);
