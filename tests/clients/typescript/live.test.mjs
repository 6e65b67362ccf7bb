/** The library against a real server: views as changes, what comes with them, and what players say. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, pair } from "./support.mjs";

const client = connect();
const EVERYTHING = ["changes", "moves", "scores", "pictures"];
const MODULES = ["squares", "thieves", "characters"];

/** The game as the server sends it to a reader who knows nothing. */
const asSent = (game) => client.game(game.credentials).read();

/** Play some moves with the first seats, and let the last one watch; both put changes together. */
async function playAndWatch(count, check) {
    const seats = await pair(client, { modules: MODULES, seed: "changes" });
    for (const game of seats) game.include = EVERYTHING;
    const watching = seats[1].watch();
    await watching.next();
    let number = 0;
    for (let made = 0; made < count; made += 1) {
        const game = seats.find(({ isAsked }) => isAsked) ?? seats[0];
        if (!game.isAsked) await game.read();
        if (!game.isAsked) continue;
        const { moves } = await game.moves();
        number = (7 * number + 3) % 1009;
        await game.play(moves[number % moves.length]);
        for (;;) {
            const { value } = await watching.next();
            if (value.type === "snapshot" && value.view.version >= game.version) break;
        }
        await check(game, seats[1]);
    }
    await watching.return();
}

test("views that are put together from changes are those of the server", async () => {
    let compared = 0;
    await playAndWatch(12, async (...games) => {
        for (const game of games) {
            const { parts, ...sent } = await asSent(game);
            assert.deepEqual(game.view, sent);
            compared += 1;
        }
    });
    assert.ok(compared >= 12);
});

test("scores and pictures are those that the server gives when it is asked", async () => {
    await playAndWatch(6, async (game) => {
        const fresh = client.game(game.credentials);
        fresh.include = EVERYTHING;
        await fresh.read();
        assert.deepEqual(game.scores, fresh.scores);
        assert.deepEqual(new Map([...game.pictures].sort()), new Map([...fresh.pictures].sort()));
        assert.ok(game.scores.length >= 2 && game.pictures.get(0).includes('id="cells"'));
    });
});

test("moves that came with the view are those that are listed", async () => {
    let count = 0;
    const [asked] = await pair(connect({ fetch: (...request) => ((count += 1), fetch(...request)) }));
    const listed = await asked.moves({ texts: true });
    asked.include = ["moves"];
    await asked.read();
    count = 0;
    assert.deepEqual(await asked.moves({ texts: true }), listed);
    assert.equal(count, 0);
});

test("a watcher is told what players say also when the game is over", async () => {
    const [asked, other] = await pair(client);
    await asked.resign();
    const told = [];
    for await (const message of other.watch({ reactions: true })) {
        told.push(message.type);
        if (message.type === "reaction") {
            assert.deepEqual([message.reaction.seat, message.reaction.phrase], [asked.seat, "well_played"]);
            break;
        }
        await client.send("react", { game: asked.id, phrase: "well_played" }, { token: asked.credentials.token });
    }
    assert.deepEqual(told, ["snapshot", "reaction"]);
});
