/**
 * A bot for a chat: it watches a game and says what happens and whose turn it is.
 *
 *     node turn-announcer.mjs http://127.0.0.1:8080 GAME de
 *
 * If the variable WEBHOOK has an address, lines are posted there as `{"content": "…"}`, which the webhooks of many chats
 * read; otherwise they are printed. The bot is a spectator: it sees nothing that is hidden.
 */

import { Client } from "alhambra-client";

/** @param {string} line */
async function post(line) {
    const webhook = process.env.WEBHOOK;
    if (!webhook) return console.log(line);
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(webhook, { method: "POST", headers, body: JSON.stringify({ content: line }) });
    if (!response.ok) console.error(`The chat answered ${response.status}.`);
}

/**
 * The lines about a game until it is over.
 *
 * @param {import("alhambra-client").Game} game
 */
async function* lines(game) {
    let asked;
    for await (const message of game.watch()) {
        if (message.type === "event" && message.event.level === "story") yield message.event.text ?? "";
        if (message.type !== "snapshot") continue;
        const { status, decision, seats } = message.view;
        if (status === "over") yield result(message.view);
        else if (decision && decision.seat !== asked) {
            asked = decision.seat;
            yield `${seats[asked]?.name}: ${decision.text}`;
        }
    }
}

/**
 * The line about a game that is over.
 *
 * @param {import("alhambra-client").View} view
 */
function result({ result, seats }) {
    const places = result?.ranking ?? [];
    return places.map(({ place, seat, score }) => `${place}. ${seats[seat]?.name ?? "Dirk"} (${score})`).join(", ");
}

const [address, id, language = "en"] = process.argv.slice(2);
if (!address || !id) throw new Error("Usage: node turn-announcer.mjs ADDRESS GAME [LANGUAGE]");
for await (const line of lines(new Client(address, { language }).game(id))) await post(line);
