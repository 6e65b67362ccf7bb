/** The library against a real server: every method. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
    AccessDenied,
    Client,
    Conflict,
    Game,
    IllegalMove,
    InvalidSetup,
    NotFound,
    Refused,
    Stale,
} from "../../../clients/typescript/src/index.js";
import { AGAINST_RANDOM, all, buyer, connect, pair, TWO } from "./support.mjs";

const client = connect();

// -- Whole games ------------------------------------------------------------------------------------------------------

test("a whole game is played and its record shows every event", async () => {
    const game = (await client.createGame(AGAINST_RANDOM)).seats[0];
    const happened = [];
    let number = 0;
    for await (const { moves } of game.turns({ limit: 40 })) {
        number = (7 * number + 3) % 1009;
        happened.push(...(await game.play(moves[number % moves.length])).events);
    }
    assert.equal(game.view.status, "over");
    assert.ok(game.view.result.ranking.length);
    assert.equal(JSON.parse(await game.export()).format, "alhambra-game/1");
    const events = await game.events();
    assert.deepEqual(events.map(({ id }) => id).slice(-happened.length), happened.map(({ id }) => id));
    const watched = await all(game.watch({ fromVersion: 0 }));
    assert.deepEqual(watched.slice(0, -1).map(({ event }) => event), events);
    assert.deepEqual([watched.at(-1).type, watched.at(-1).view.status], ["snapshot", "over"]);
    assert.equal(await game.waitForTurn(), false);
});

test("two seats play each other at the same time", async () => {
    const { seats } = await client.createGame(TWO);
    async function play(game) {
        let count = 0;
        for await (const { moves } of game.turns({ limit: 40 })) {
            try {
                await game.play(moves[0]);
            } catch (error) {
                if (error instanceof Stale) continue; // the other seat has resigned
                throw error;
            }
            count += 1;
            if (count === 8) await game.resign();
        }
        return count;
    }
    assert.ok((await Promise.all(Object.values(seats).map(play))).includes(8));
    for (const game of Object.values(seats)) assert.equal((await game.read()).status, "over");
});

// -- Seats ------------------------------------------------------------------------------------------------------------

test("an invited player joins and both contribute to the shuffle", async () => {
    const created = await client.createGame([{ name: "Ann", claim: true }, { name: "Ben" }]);
    assert.deepEqual([created.view.status, Object.keys(created.invitations), Object.keys(created.seats)], ["waiting", ["1"], ["0"]]);
    const ben = await client.join(created.id, created.invitations[1], { name: "Bea" });
    assert.equal(ben.view.status, "waiting"); // Ann has not revealed yet
    assert.equal((await created.seats[0].read()).status, "running");
    assert.equal((await ben.read()).seats[1].name, "Bea");
    assert.ok(ben.view.fairness.entropyCommitments.every((commitment) => commitment.length === 64));
});

test("a watcher reveals its entropy by itself", async () => {
    const created = await client.createGame([{ claim: true }, {}]);
    let joined = null;
    for await (const message of created.seats[0].watch()) {
        joined ??= client.join(created.id, created.invitations[1]);
        if (message.type === "snapshot" && message.view.status === "running") {
            assert.equal(message.view.viewer, 0);
            break;
        }
    }
    assert.equal((await joined).seat, 1);
});

test("a seat may contribute nothing", async () => {
    const created = await client.createGame([{ claim: true }, {}], { contribute: false });
    const ben = await client.join(created.id, created.invitations[1], { contribute: false });
    assert.deepEqual([ben.view.status, ben.view.fairness.entropyCommitments], ["running", []]);
});

test("another process continues a seat", async () => {
    const created = await client.createGame([{ claim: true }, {}]);
    const saved = JSON.parse(JSON.stringify(created.seats[0].credentials));
    await client.join(created.id, created.invitations[1]);
    const continued = connect().game(saved);
    assert.throws(() => continued.view);
    assert.equal((await continued.read()).status, "running"); // it has revealed what the first process drew
    assert.deepEqual([continued.seat, continued.id], [0, created.id]);
});

test("a spectator sees no hand and plays no move", async () => {
    const [asked] = await pair(client);
    const spectator = client.game(asked.id);
    assert.deepEqual((await spectator.read()).seats.map(({ hand }) => hand?.length ?? 0), [0, 0]);
    assert.ok(asked.view.seats.some(({ hand }) => hand.length));
    assert.equal(spectator.isAsked, false);
    await assert.rejects(spectator.moves(), AccessDenied);
});

// -- Moves ------------------------------------------------------------------------------------------------------------

test("moves come with their texts in the language of the client", async () => {
    const [asked, other] = await pair(client);
    const listed = await asked.moves({ verb: "take_money", texts: true });
    assert.deepEqual([...new Set(listed.moves.map(({ move }) => move.verb))], ["take_money"]);
    assert.match(listed.moves[0].text, /^Take /);
    assert.equal(listed.language, "en");
    assert.ok(listed.groups[0].text);
    const german = connect({ language: "de" }).game(asked.credentials);
    assert.notEqual((await german.moves({ verb: "take_money", texts: true })).moves[0].text, listed.moves[0].text);
    assert.notEqual((await german.read()).decision.text, asked.view.decision.text);
    assert.deepEqual((await other.moves()).moves, []);
});

test("a limit cuts a list of every payment", async () => {
    const [asked] = await pair(client, { seed: "guide" });
    const whole = await asked.moves({ payments: "all" });
    const cut = await asked.moves({ payments: "all", limit: 3 });
    assert.ok(whole.isComplete && whole.moves.length > 6 && whole.offers.length);
    assert.deepEqual([cut.moves, cut.isComplete], [whole.moves.slice(0, 3), false]);
});

test("an outdated move is refused and nothing happens", async () => {
    const [asked, other] = await pair(client);
    const { moves } = await asked.moves({ verb: "take_money" });
    await asked.play(moves[0]);
    const { version } = asked;
    await assert.rejects(asked.play(moves[1]), (error) => error instanceof Stale && error.facts.version === String(version));
    assert.equal((await asked.read()).version, version);
    assert.equal(await other.waitForTurn(), true);
});

test("a move of a game that ended meanwhile is outdated", async () => {
    const [asked, other] = await pair(client);
    const { moves } = await asked.moves();
    await other.resign();
    await assert.rejects(asked.play(moves[0]), Stale);
    assert.deepEqual(await all(asked.turns()), []);
});

test("a seat that is left is open to its invitation again", async () => {
    const { id, invitations } = await client.createGame([{ claim: true }, {}, {}], { contribute: false });
    const ben = await client.join(id, invitations[1], { contribute: false });
    const { view } = await ben.leaveSeat();
    assert.equal(view.seats[1].occupancy, "open");
    assert.deepEqual([ben.seat, ben.credentials.token, (await ben.read()).viewer], [null, "", undefined]);
    assert.equal((await client.join(id, invitations[1], { contribute: false })).seat, 1);
});

test("a seat of a private game that is left sees nothing", async () => {
    const { seats } = await client.createGame([{ claim: true }, {}], { visibility: "seats", contribute: false });
    assert.equal((await seats[0].leaveSeat()).view, undefined);
    assert.equal(seats[0].seat, null);
    assert.throws(() => seats[0].view);
});

test("an organiser gives the seat of another player to the server", async () => {
    const { seats } = await client.createGame([{ claim: true }, {}], { contribute: false });
    const { view } = await seats[0].leaveSeat({ seat: 1, serverPlayer: "random" });
    assert.deepEqual([view.status, view.viewer, seats[0].view.seats[1].serverPlayer], ["running", 0, "random"]);
});

test("a player who leaves a game that runs keeps the token", async () => {
    const [game] = await pair(client);
    const { seat } = game;
    await game.leaveSeat({ serverPlayer: "random" });
    assert.deepEqual([game.seat, (await game.read()).viewer, game.view.seats[seat].occupancy], [seat, seat, "server"]);
});

test("an organiser cancels a game once or twice", async () => {
    const { seats } = await client.createGame([{ claim: true }, {}], { contribute: false });
    await seats[0].cancel();
    await assert.rejects(seats[0].read(), NotFound);
    await seats[0].cancel();
});

test("a game that runs is neither opened nor cancelled", async () => {
    const [game] = await pair(client);
    const error = await game.cancel().catch((found) => found);
    assert.ok(error instanceof Conflict);
    assert.deepEqual([error.reason, error.facts.because], ["SEAT_REFUSED", "begun"]);
    await assert.rejects(game.leaveSeat(), Conflict);
});

test("an illegal move is refused with its violations", async () => {
    const [asked] = await pair(client);
    const wrong = { verb: "take_money", display: ["gulden-1", "gulden-1"] };
    const verdict = await asked.check(wrong);
    assert.equal(verdict.legal, false);
    const error = await asked.play(wrong).catch((found) => found);
    assert.ok(error instanceof IllegalMove && error.reason && error.type && error.detail);
    assert.deepEqual(error.violations, verdict.violations);
    assert.equal((await asked.check((await asked.moves()).moves[0])).legal, true);
});

test("a move is taken back", async () => {
    const { asked, purchase } = await buyer(client);
    const before = asked.view;
    await asked.play(purchase);
    assert.equal(asked.view.canUndo, true);
    assert.equal((await asked.undo()).undone, true);
    assert.deepEqual(asked.view.seats, before.seats);
    assert.ok(asked.version > before.version);
});

test("consent that no seat asks for is refused", async () => {
    const [asked, other] = await pair(client, { options: { undo: "by_consent" } });
    const error = await other.answerUndo(asked.seat, true).catch((found) => found);
    assert.ok(error instanceof IllegalMove);
    assert.deepEqual([error.reason, error.facts.because], ["UNDO_REFUSED", "no_proposal"]);
});

test("standing orders are set and removed", async () => {
    const game = (await client.createGame(AGAINST_RANDOM, { preset: "first_game" })).seats[0];
    const order = { decision: "window", answer: "pass", unlessTypes: ["garden"] };
    assert.deepEqual((await game.setOrders([order])).view.orders.map(({ answer }) => answer), ["pass"]);
    assert.deepEqual(game.view.orders[0].unlessTypes, ["garden"]);
    assert.deepEqual((await game.setOrders([])).view.orders, []);
});

test("a game is seen as it was", async () => {
    const [asked] = await pair(client);
    const first = asked.view;
    await asked.play((await asked.moves()).moves[0]);
    assert.deepEqual((await asked.readAt(first.version)).seats, first.seats);
    assert.ok(asked.version > first.version);
});

// -- Everything else --------------------------------------------------------------------------------------------------

test("placements and boards are judged", async () => {
    const [asked] = await pair(client);
    const cells = (await asked.placements("garden-8-ne")).map(({ cell }) => `${cell.x},${cell.y}`);
    assert.ok(cells.includes("1,0"));
    const [near, far] = [1, 3].map((x) => ({ tile: "garden-8-ne", cell: { x, y: 0 } }));
    assert.equal((await asked.validatePlacement(near)).legal, true);
    assert.deepEqual((await asked.validatePlacements([near, far], { seat: 1 })).map(({ legal }) => legal), [true, false]);
    const { violations } = await client.game(asked.id).validatePlacement(far, { seat: 0 });
    assert.deepEqual(violations.map(({ code }) => code), ["NO_CONTACT"]);
    const garden = { tiles: [{ tile: "garden-11", cell: { x: 0, y: -1 } }] };
    const tower = { tile: "tower-13-e", cell: { x: 1, y: 0 } };
    assert.equal((await client.validateBoardPlacement(garden, tower)).legal, true);
    assert.deepEqual((await client.scoreBoards([garden, {}], 1)).map(({ points }) => points), [5, 0]);
});

test("pictures are drawn", async () => {
    const [asked] = await pair(client);
    const pictures = await Promise.all([
        asked.tablePicture({ theme: "dark" }),
        asked.boardPicture(),
        asked.boardPicture({ seat: 1, atVersion: 0 }),
        client.componentPicture("tile", "garden-8-ne"),
    ]);
    for (const picture of pictures) assert.match(picture, /^<svg/);
});

test("the catalogue is read", async () => {
    assert.equal((await client.modules()).length, 43);
    const tiles = new Set((await client.tiles()).map(({ id }) => id));
    assert.ok(tiles.has("garden-8-ne") && tiles.has("camp_NE"));
    const [components, some] = [await client.components(), await client.components({ kind: "tile" })];
    assert.ok(components.length > some.length && some.length > 54);
    assert.ok((await client.editions()).serverPlayers.some(({ key }) => key === "random"));
    assert.ok((await client.verbs()).verbs.some(({ key }) => key === "take_money"));
    assert.ok((await client.violations()).violations.some(({ code }) => code === "UNDERPAID"));
});

test("games are listed and deleted", async () => {
    const made = [];
    for (let count = 0; count < 3; count += 1) made.push((await client.createGame(TWO)).id);
    const listed = (await all(client.listGames({ status: "running" }))).map(({ game }) => game);
    assert.deepEqual(listed.filter((game) => made.includes(game)), made.toReversed());
    await client.deleteGame(made[0]);
    await client.deleteGame(made[0]);
    assert.ok(!(await all(client.listGames())).some(({ game }) => game === made[0]));
    await assert.rejects(client.game(made[0]).read(), NotFound);
});

test("watching ends when the game is deleted", async () => {
    const [asked] = await pair(client);
    const told = [];
    for await (const { type } of asked.watch()) {
        told.push(type);
        await client.deleteGame(asked.id);
    }
    assert.deepEqual(told, ["snapshot"]);
});

test("a signal ends a watch that hears nothing", async () => {
    const [asked] = await pair(client);
    const controller = new AbortController();
    const watching = asked.watch({ signal: controller.signal });
    assert.equal((await watching.next()).value.type, "snapshot");
    const next = watching.next();
    controller.abort();
    await assert.rejects(next, { name: "AbortError" });
});

test("a ticket is given", async () => {
    const [asked] = await pair(client);
    assert.ok((await asked.eventTicket()).ticket);
});

test("any request of the contract can be sent", async () => {
    assert.ok(Array.isArray((await client.send("listAuditEntries", { pageSize: 1 })).entries));
});

test("a game that cannot be is refused", async () => {
    const error = await client.createGame(TWO, { modules: ["no_such_module"] }).catch((found) => found);
    assert.ok(error instanceof InvalidSetup);
    assert.deepEqual(error.facts, { module: "no_such_module" });
});

test("an address of something else is noticed", async () => {
    const lost = new Client(`${process.env.ALHAMBRA_ADDRESS}/play`, { retry: { seconds: 0 } });
    await assert.rejects(lost.modules(), NotFound);
});

test("every method takes a signal", async () => {
    const [asked] = await pair(client);
    const { signal } = AbortSignal.abort ? { signal: AbortSignal.abort() } : {};
    const move = { verb: "pass" };
    const storage = { getItem: () => '{"operation": "resign", "request": {}}', setItem() {}, removeItem() {} };
    const calls = [
        client.send("listModules", {}, { signal }),
        client.repeat(new Refused(503, {}, 0, { init: () => ({}) }), { signal }),
        client.createGame(TWO, { signal }),
        client.join(asked.id, "x", { signal }),
        client.listGames({ signal }).next(),
        client.openGames({ signal }).next(),
        client.notices({ signal }).next(),
        client.deleteGame(asked.id, { signal }),
        client.createWebhook("https://example.com/", { signal }),
        client.webhooks({ signal }),
        ...[
            "webhook",
            "updateWebhook",
            "deleteWebhook",
            "rotateWebhookSecret",
            "testWebhook",
            "deliveries",
            "replayDeliveries",
        ].map((name) => client[name]("w", { signal })),
        ...["modules", "components", "tiles", "editions", "verbs", "violations"].map((name) => client[name]({ signal })),
        client.componentPicture("tile", "garden-8-ne", { signal }),
        client.validateBoardPlacement({}, {}, { signal }),
        client.scoreBoards([], 1, { signal }),
        ...["read", "moves", "events", "export", "tablePicture", "boardPicture", "eventTicket", "undo", "resign"].map((name) =>
            asked[name]({ signal }),
        ),
        asked.leaveSeat({ signal }),
        asked.cancel({ signal }),
        asked.readAt(0, { signal }),
        asked.watch({ signal }).next(),
        client.game(asked.id).waitForTurn({ signal }),
        asked.turns({ signal }).next(),
        asked.placements("garden-8-ne", { signal }),
        asked.validatePlacement({}, { signal }),
        asked.validatePlacements([], { signal }),
        asked.play(move, { signal }),
        asked.check(move, { signal }),
        asked.answerUndo(1, true, { signal }),
        asked.setOrders([], { signal }),
        connect({ storage }).game(asked.credentials).repeatPending({ signal }),
    ];
    for (const outcome of await Promise.allSettled(calls)) assert.equal(outcome.reason?.name, "AbortError");
    const methods = [Object.getPrototypeOf(Client), Client, Game].flatMap(({ prototype }) =>
        Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([name, { value }]) => value && name !== "constructor"),
    );
    assert.equal(methods.length - 1, calls.length); // client.game calls no server
});
