/** What the tests of the library have in common. */

import { Client, ServerFault } from "../../../clients/typescript/src/index.js";

export const QUICK = { seconds: 120, firstPause: 0.02, longestPause: 0.2 };
export const TWO = [
    { name: "Ann", claim: true },
    { name: "Ben", claim: true },
];
export const AGAINST_RANDOM = [
    { name: "Ann", claim: true },
    { name: "Ben", serverPlayer: "random" },
];

/** A client of the server of the tests. */
export function connect(options = {}) {
    return new Client(process.env.ALHAMBRA_ADDRESS, { language: "en", retry: QUICK, ...options });
}

/** Ask the Python side of the tests for something: a fault, or what the server was sent. */
export async function control(name, ...words) {
    const response = await fetch(`${process.env.ALHAMBRA_CONTROL}/${name}`, { method: "POST", body: JSON.stringify(words) });
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
    return response.json();
}

/** A game for each of two seats, the seat that is asked first. */
export async function pair(client, options = {}) {
    const { seats } = await client.createGame(TWO, options);
    return seats[0].isAsked ? [seats[0], seats[1]] : [seats[1], seats[0]];
}

/** A game for each of two seats, and a purchase at the exact price that the first of them can make. */
export async function buyer(client) {
    for (let seed = 0; seed < 50; seed += 1) {
        const [asked, other] = await pair(client, { seed: `seed ${seed}` });
        const { moves } = await asked.moves({ verb: "buy" });
        const purchase = moves.find(({ exact }) => exact);
        if (purchase) return { asked, other, purchase };
    }
    throw new Error("nobody can buy");
}

/** All that an iterator yields. */
export async function all(iterator) {
    const found = [];
    for await (const each of iterator) found.push(each);
    return found;
}

const PATIENCE = 60_000;

/** Register a webhook, as soon as the sender runs. */
export async function registered(client) {
    const deadline = Date.now() + PATIENCE;
    for (;;)
        try {
            return await client.createWebhook("https://example.com/alhambra", { kinds: ["decision_opened"] });
        } catch (error) {
            if (!(error instanceof ServerFault) || Date.now() > deadline) throw error;
            await new Promise((resolve) => setTimeout(resolve, 200));
        }
}
