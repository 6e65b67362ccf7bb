/** Nothing is lost and nothing is done twice, whatever the network and the server do. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { OutcomeUnknown, Stale, Unreachable } from "../../../clients/typescript/src/index.js";
import { all, buyer, connect, control, pair, registered, TWO } from "./support.mjs";

const LOSE_REQUEST = "lose request";
const LOSE_ANSWER = "lose answer";
const RATE_LIMITED = ["429 Too Many Requests", "RATE_LIMITED", { Retry_After: "1" }];
const UNKNOWN = ["503 Service Unavailable", "OUTCOME_UNKNOWN", { Retry_After: "0" }];
const LATE = ["504 Gateway Timeout", "DEADLINE_PASSED", {}];

const client = connect();

async function count(game, kind) {
    return (await game.events()).filter((event) => event.kind === kind).length;
}

// -- Lost requests and answers ----------------------------------------------------------------------------------------

async function makeOneMove(faults) {
    const [game] = await pair(client);
    const { moves } = await game.moves({ verb: "take_money" });
    const line = `POST /v1/games/${game.id}/moves`;
    await control("faults", line, faults);
    const played = await game.play(moves[0]);
    const sent = await control("sent", line);
    assert.equal(sent.length, faults.length + 1);
    assert.equal(new Set(sent.map(({ body }) => body.requestId)).size, 1);
    assert.equal(await count(game, "money_taken"), 1);
    assert.equal((await game.read()).version, played.version);
}

test("a move whose answer is lost is made once", () => makeOneMove([LOSE_ANSWER]));
test("a move whose request is lost is made once", () => makeOneMove([LOSE_REQUEST]));
test("a move that is lost several times is made once", () => makeOneMove([LOSE_ANSWER, LOSE_REQUEST, LOSE_ANSWER]));
test("a move with an unknown outcome is made once", () => makeOneMove([UNKNOWN]));
test("a move that passed its deadline is made once", () => makeOneMove([LATE]));

test("a game is created once", async () => {
    const before = await all(client.listGames());
    await control("faults", "POST /v1/games ", [LOSE_ANSWER, LOSE_ANSWER]);
    await client.createGame(TWO);
    assert.equal((await control("sent", "POST /v1/games ")).length, 3);
    assert.equal((await all(client.listGames())).length, before.length + 1);
});

test("a seat is not lost with the answer to its claim", async () => {
    const created = await client.createGame([{ claim: true }, {}]);
    await control("faults", ":", [LOSE_ANSWER]);
    const joined = await client.join(created.id, created.invitations[1]);
    await control("faults", ":revealEntropy", [LOSE_ANSWER]);
    assert.equal((await created.seats[0].read()).status, "running");
    assert.equal((await joined.read()).viewer, 1);
});

test("an undo and a resignation happen once", async () => {
    const { asked, purchase } = await buyer(client);
    await asked.play(purchase);
    await control("faults", ":undo", [LOSE_ANSWER]);
    assert.equal((await asked.undo()).undone, true);
    await control("faults", ":resign", [LOSE_ANSWER]);
    await asked.resign();
    assert.ok((await count(asked, "undone")) <= 1);
    assert.equal((await asked.read()).status, "over");
});

test("a seat is opened and a game is cancelled although the answers are lost", async () => {
    const { seats } = await client.createGame([{ claim: true }, { claim: true }, {}], { contribute: false });
    await control("faults", ":leaveSeat", [LOSE_ANSWER]);
    assert.equal((await seats[1].leaveSeat()).view.seats[1].occupancy, "open"); // its token is revoked
    await control("faults", ":leaveSeat", [LOSE_ANSWER]);
    assert.equal((await seats[0].leaveSeat({ seat: 2 })).view.seats[2].occupancy, "open");
    await control("faults", ":cancel", [LOSE_ANSWER]);
    await seats[0].cancel();
    const [{ body }] = await control("sent", ":cancel");
    assert.deepEqual(body, {});
});

test("orders are set once and a picture is asked for again", async () => {
    const game = (await client.createGame([{ claim: true }, { serverPlayer: "random" }], { preset: "first_game" })).seats[0];
    await control("faults", ":setOrders", [LOSE_ANSWER, UNKNOWN]);
    const { view } = await game.setOrders([{ decision: "window", answer: "pass" }]);
    assert.equal(view.orders.length, 1);
    await control("faults", "table.svg", [LOSE_REQUEST, LOSE_ANSWER]);
    assert.match(await game.tablePicture(), /^<svg/);
});

test("a webhook is changed once", async () => {
    const { webhook: { webhook } } = await registered(client);
    const line = `POST /v1/webhooks/${webhook}`;
    const losingTheAnswer = async (change) => {
        await control("clear");
        await control("faults", line, [LOSE_ANSWER, LOSE_ANSWER]);
        const answer = await change();
        const sent = await control("sent", line);
        assert.equal(sent.length, 3);
        assert.equal(new Set(sent.map(({ body }) => body.requestId)).size, 1);
        return answer;
    };
    assert.ok((await losingTheAnswer(() => client.updateWebhook(webhook, { disabled: true }))).disabled);
    const notice = await losingTheAnswer(() => client.testWebhook(webhook));
    assert.deepEqual((await client.deliveries(webhook)).map((one) => one.notice.id), [notice]);
    const rotate = () => client.rotateWebhookSecret(webhook);
    assert.notEqual(await losingTheAnswer(rotate), await losingTheAnswer(rotate));
    assert.equal(await losingTheAnswer(() => client.replayDeliveries(webhook)), 0);
    await client.deleteWebhook(webhook);
});

test("the server says when to come back", async () => {
    const [game] = await pair(client);
    await control("faults", "GET ", [RATE_LIMITED, RATE_LIMITED]);
    const began = performance.now();
    await game.read();
    assert.ok(performance.now() - began >= 1990);
});

test("a change with an unknown outcome can be repeated later", async () => {
    const hasty = connect({ retry: { seconds: 0 } });
    const [game] = await pair(hasty);
    const { moves } = await game.moves({ verb: "take_money" });
    await control("faults", "POST ", [LOSE_ANSWER]);
    const error = await game.play(moves[0]).catch((found) => found);
    assert.ok(error instanceof OutcomeUnknown);
    const done = await hasty.repeat(error);
    assert.equal((await game.read()).version, done.version);
    assert.equal(await count(game, "money_taken"), 1);
});

test("a server that is not there is unreachable", async () => {
    const { address } = await control("nowhere");
    const { Client } = await import("../../../clients/typescript/src/index.js");
    const lost = new Client(address, { retry: { seconds: 0.1, firstPause: 0.02 } });
    await assert.rejects(lost.createGame(TWO), Unreachable);
});

test("reads after a move ask for its version", async () => {
    const [game] = await pair(client);
    const { version } = await game.play((await game.moves({ verb: "take_money" })).moves[0]);
    await control("clear");
    await game.moves();
    await game.read();
    await game.tablePicture();
    await game.placements("garden-8-ne");
    const sent = await control("sent", "");
    assert.deepEqual(sent.map(({ line }) => line.includes(`minVersion=${version}`)), [true, true, true, true]);
});

// -- Streams ----------------------------------------------------------------------------------------------------------

test("a stream that is cut loses and repeats no event", async () => {
    const { seats } = await client.createGame(TWO);
    const spectator = client.game(seats[0].id);
    const told = [];
    let snapshots = 0;
    let wake = () => {};
    const watching = (async () => {
        for await (const message of spectator.watch()) {
            told.push(message);
            if (message.type === "snapshot") snapshots += 1;
            wake();
        }
    })();
    const until = async (wanted) => {
        while (snapshots < wanted) await new Promise((resolve) => (wake = resolve));
    };
    await until(1);
    for (let number = 0; number < 4; number += 1) {
        for (const game of Object.values(seats)) await game.read();
        const game = Object.values(seats).find(({ isAsked }) => isAsked);
        if (number % 2) assert.equal(await control("cut"), 1);
        await game.play((await game.moves({ verb: "take_money" })).moves[0]);
        await until(number + 2);
    }
    await seats[0].resign();
    await watching;
    const events = told.filter(({ type }) => type === "event").map(({ event }) => event.id);
    const expected = await spectator.events({ after: told[0].lastEvent });
    assert.deepEqual(events, expected.map(({ id }) => id));
    assert.ok((await control("sent", "snapshots=true")).length >= 3);
    assert.ok(!told.some(({ type }) => type === "wentBack"));
});

test("a stream that the server turns away is opened later", async () => {
    const [game] = await pair(client);
    await control("faults", "/events", [["429 Too Many Requests", "WATCHERS_EXCEEDED", { Retry_After: "0" }], LOSE_REQUEST]);
    for await (const message of game.watch()) {
        assert.equal(message.type, "snapshot");
        break;
    }
    assert.equal((await control("sent", "/events")).length, 3);
});

test("a stream that is silent for too long is opened again", async () => {
    const impatient = connect({ seconds: 1 }); // the server sends a sign of life every ten seconds
    const [game] = await pair(impatient);
    const controller = new AbortController();
    const watching = (async () => {
        for await (const _ of game.watch({ signal: controller.signal }));
    })();
    while ((await control("sent", "/events")).length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    await assert.rejects(watching, { name: "AbortError" });
});

// -- Servers that stop or forget --------------------------------------------------------------------------------------

test("a server that is started again is played on", async () => {
    const patient = connect({ retry: { seconds: 180, firstPause: 0.1, longestPause: 0.5 } });
    await control("start");
    const [game] = await pair(patient);
    const watching = patient.game(game.id).watch();
    assert.equal((await watching.next()).value.type, "snapshot");
    const { moves } = await game.moves({ verb: "take_money" });
    await control("stop");
    const [played] = await Promise.all([game.play(moves[0]), control("start")]);
    const told = [];
    for await (const message of watching) {
        if (message.type === "event") told.push(message.event.id);
        if (message.type === "snapshot" && message.view.version >= played.version) break;
    }
    assert.deepEqual(told, played.events.map(({ id }) => id));
});

async function lose(moves) {
    const { game: id, tokens } = await control("prepare");
    const players = Object.entries(tokens).map(([seat, token]) => client.game({ game: id, token, seat: Number(seat) }));
    const last = (await client.game(id).events()).at(-1).id;
    for (const player of players) await player.read();
    const asked = players.find(({ isAsked }) => isAsked);
    const listed = await asked.moves();
    await control("go_back", moves);

    const watching = asked.watch({ after: last });
    assert.equal((await watching.next()).value.type, "wentBack");
    const anew = (await watching.next()).value;
    assert.deepEqual([anew.type, anew.view.version, asked.version], ["snapshot", 3 + moves, 3 + moves]);
    await watching.return();

    for (const player of players) assert.equal((await player.read()).version, 3 + moves);
    await assert.rejects(asked.play(listed.moves[0]), Stale);
    const now = players.find(({ isAsked }) => isAsked);
    assert.ok((await now.play((await now.moves()).moves[0])).version > 3 + moves);
}

test("a client of a server that has lost moves begins anew", () => lose(0));
test("a client of a server that has lost a move and made another one begins anew", () => lose(1));
test("a client of a server that has lost moves and made as many others begins anew", () => lose(2));
test("a client of a server that has lost moves and made more others begins anew", () => lose(4));
