/** What comes with views: changes, legal moves, scores and pictures; and changes that are repeated after a reload. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, OutcomeUnknown, Stale } from "../../../clients/typescript/src/index.js";
import { pause } from "../../../clients/typescript/src/time.js";
import { ViewParts } from "../../../clients/typescript/src/view-parts.js";

const EVERYTHING = ["changes", "moves", "scores", "pictures"];
const [TILE, OTHER] = [{ x: 0, y: 0 }, { x: 1, y: 0 }];

function seat(number, score, alhambra) {
    return { seat: number, name: `Player ${number}`, score, alhambra, gates: [] };
}

function view(version, more = {}) {
    const fairness = { link: `link${version}`, commitment: "", entropyCommitments: [], entropyAwaited: [] };
    const seats = [seat(0, 0, [TILE]), seat(1, 0, [])];
    return { version, status: "running", seats, modules: {}, viewer: 0, fairness, decision: { seat: 0 }, ...more };
}

const MARKS = { setup: 1, table: 2, "seats.0": 3, "seats.0.alhambra": 4, "seats.1": 5, "seats.1.alhambra": 6, "modules.m": 7 };
const whole = (version, more = {}) =>
    view(version, {
        setup: { edition: "e" },
        ruleset: "r",
        table: { market: [1] },
        modules: { m: { coins: 1 }, n: { coins: 9 } },
        parts: { changesOnly: false, marks: MARKS, checksum: 28 },
        ...more,
    });
const changes = (version, marks, checksum, more = {}) =>
    view(version, { seats: [], ruleset: "", parts: { changesOnly: true, marks, checksum }, ...more });

function page(version, language, nextPageToken = "") {
    return { version, link: "l", moves: [{ move: { verb: "a" }, text: "A", group: "" }], offers: [], groups: [], nextPageToken, language };
}

class Kept extends Map {
    getItem = (key) => this.get(key) ?? null;
    setItem = (key, text) => this.set(key, text);
    removeItem = (key) => this.delete(key);
}

/** A game that is answered as listed, and what it asked. */
function scripted(answers, { include = EVERYTHING, ...options } = {}) {
    const sent = [];
    const fetch = async (address, { body, headers }) => {
        const { pathname, searchParams } = new URL(address);
        sent.push({
            path: pathname.replace("/v1/games/g", ""),
            language: headers.get("Accept-Language"),
            token: headers.get("Authorization"),
            ...Object.fromEntries(searchParams),
            ...(body && JSON.parse(body)),
        });
        const next = answers.shift();
        if (next instanceof Error) throw next;
        const { status = 200, ...answer } = next;
        return new Response(JSON.stringify(answer), { status });
    };
    const client = new Client("http://server.test", { fetch, language: "en", ...options });
    const game = client.game({ game: "g", token: "t", seat: 0 });
    game.include = include;
    return [game, sent, client];
}

// -- Changes ----------------------------------------------------------------------------------------------------------

test("changes replace parts whole and leave the others", () => {
    const parts = new ViewParts();
    const known = parts.join(whole(1), undefined, null);
    const checksum = 1 + 2 + 3 + 40 + 50 + 6 + 70;
    const sent = changes(2, { "seats.1": 50, "seats.0.alhambra": 40, "modules.m": 70 }, checksum, {
        seats: [seat(0, 99, [TILE, OTHER]), seat(1, 8, [OTHER])],
        modules: { m: { coins: 2 } },
    });
    const next = parts.join(sent, undefined, known);
    assert.deepEqual(next.seats, [seat(0, 0, [TILE, OTHER]), seat(1, 8, [])]);
    assert.deepEqual([next.setup, next.table, next.modules], [{ edition: "e" }, { market: [1] }, { m: { coins: 2 }, n: { coins: 9 } }]);
    assert.deepEqual([next.version, next.parts, parts.checksum], [2, undefined, checksum]);
});

test("a part that is named and absent is empty", () => {
    const parts = new ViewParts();
    const known = parts.join(whole(1), undefined, null);
    assert.equal(parts.join(changes(2, { table: 0 }, 26), undefined, known).table, undefined);
});

test("changes for another view do not fit", () => {
    const parts = new ViewParts();
    assert.equal(parts.join(changes(2, { table: 28 }, 28), undefined, null), null);
    const known = parts.join(whole(1), undefined, null);
    assert.equal(parts.join(changes(2, { table: 9 }, 1), undefined, known), null);
    assert.equal(parts.checksum, 28);
});

test("scores and pictures are kept until they change", () => {
    const parts = new ViewParts();
    const included = { scores: { scores: [{ points: 3 }] }, pictures: [{ seat: 0, svg: "<svg 0>" }, { seat: 1, svg: "<svg 1>" }] };
    const sent = whole(1);
    sent.parts = { changesOnly: false, marks: { ...MARKS, scores: 8 }, checksum: 36 };
    const known = parts.join(sent, included, null);
    parts.join(changes(2, { table: 3 }, 37), { pictures: [{ seat: 1, svg: "<svg 2>" }] }, known);
    assert.deepEqual([parts.scores, [...parts.pictures]], [[{ points: 3 }], [[0, "<svg 0>"], [1, "<svg 2>"]]]);
    parts.join(changes(3, { scores: 0 }, 29), { pictures: [] }, known);
    assert.equal(parts.scores, null);
});

test("calls name the view that is known and answers are put together", async () => {
    const [game, sent] = scripted([{ view: whole(1) }, { version: 2, view: changes(2, { table: 20 }, 46, { table: { market: [2] } }), events: [] }]);
    await game.read();
    const played = await game.play({ verb: "pass" });
    assert.deepEqual(sent.map(({ knownChecksum }) => knownChecksum), [undefined, 28]);
    assert.deepEqual(sent[1].include, EVERYTHING);
    assert.deepEqual([played.view.table, played.view.setup, played.view.ruleset], [{ market: [2] }, { edition: "e" }, "r"]);
    assert.equal(game.view, played.view);
});

test("changes that do not fit are replaced by the whole view", async () => {
    const misfit = { version: 2, view: changes(2, { table: 20 }, 1), events: [] };
    const [game, sent] = scripted([{ view: whole(1) }, misfit, { view: whole(2, { table: { market: [2] } }) }]);
    await game.read();
    assert.deepEqual((await game.play({ verb: "pass" })).view.table, { market: [2] });
    assert.deepEqual([sent[2].path, sent[2].minVersion, sent[2].knownChecksum], ["", "2", undefined]);
});

test("nothing is asked for by itself", async () => {
    const [game, sent] = scripted([{ view: view(1) }, { version: 2, view: view(2), events: [] }], { include: [] });
    await game.read();
    await game.play({ verb: "pass" });
    assert.ok(sent.every((request) => !("include" in request) && !("knownChecksum" in request)));
});

// -- Moves ------------------------------------------------------------------------------------------------------------

test("moves that came with the view cost no request", async () => {
    const [game, sent] = scripted([{ view: whole(1), included: { moves: page(1, "en"), pictures: [] } }]);
    await game.read();
    assert.deepEqual((await game.moves({ texts: true })).moves.map(({ text, version }) => [text, version]), [["A", 1]]);
    assert.equal(sent.length, 1);
});

test("further pages have the size of the one that came with the view", async () => {
    const [game, sent] = scripted([{ view: whole(1), included: { moves: page(1, "en", "t"), pictures: [] } }, page(1, "en")]);
    await game.read();
    assert.equal((await game.moves({ texts: true })).moves.length, 2);
    assert.deepEqual([sent[1].pageToken, sent[1].pageSize], ["t", "500"]);
});

test("other moves than those that came with the view are asked for", async () => {
    const [game, sent, client] = scripted([
        { view: whole(1), included: { moves: page(1, "en"), pictures: [] } },
        page(1, "en"),
        page(1, "de"),
        { version: 2, view: view(2), events: [] },
        page(2, "de"),
    ]);
    await game.read();
    await game.moves({ texts: true, verb: "a" });
    client.language = "de";
    await game.moves({ texts: true });
    await game.play({ verb: "pass" });
    await game.moves({ texts: true });
    assert.deepEqual(sent.map(({ path }) => path), ["", "/moves", "/moves", "/moves", "/moves"]);
    assert.deepEqual(sent.map(({ language }) => language), ["en", "en", "de", "de", "de"]);
});

// -- Changes that are not answered --------------------------------------------------------------------------------------

test("a change that is not answered is repeated by the next page", async () => {
    const storage = new Kept();
    const [game, sent] = scripted([{ view: view(1) }, new TypeError("lost")], { storage, retry: { seconds: 0 } });
    await game.read();
    await assert.rejects(game.play({ verb: "pass" }), OutcomeUnknown);
    assert.equal(storage.size, 1);
    assert.ok(![...storage.values()][0].includes("Bearer") && !JSON.parse([...storage.values()][0]).token);
    const [next, repeated] = scripted([{ version: 2, view: view(2), events: [] }], { storage });
    assert.equal((await next.repeatPending()).version, 2);
    assert.deepEqual(repeated, [sent[1]]);
    assert.deepEqual([next.version, storage.size, await next.repeatPending()], [2, 0, null]);
});

test("a change that is answered or refused is not kept", async () => {
    const storage = new Kept();
    const answers = [{ view: view(1) }, { version: 2, view: view(2), events: [] }, { status: 409, reason: "VERSION_STALE" }];
    const [game] = scripted(answers, { storage });
    await game.read();
    await game.play({ verb: "pass" });
    assert.equal(storage.size, 0);
    await assert.rejects(game.play({ verb: "pass" }), Stale);
    assert.equal(storage.size, 0);
});

test("repeating the call of an error forgets it, too", async () => {
    const storage = new Kept();
    const answers = [{ view: view(1) }, new TypeError("lost"), { version: 2, view: view(2), events: [] }];
    const [game, , client] = scripted(answers, { storage, retry: { seconds: 0 } });
    await game.read();
    const error = await game.play({ verb: "pass" }).catch((found) => found);
    await client.repeat(error);
    assert.equal(storage.size, 0);
});

test("seats of one game are kept apart and dry runs are not kept", async () => {
    const storage = new Kept();
    const answers = [{ view: view(1) }, new TypeError("lost")];
    const [game, , client] = scripted(answers, { storage, retry: { seconds: 0 } });
    await game.read();
    await assert.rejects(game.check({ verb: "pass" }));
    assert.equal(storage.size, 0);
    answers.push(new TypeError("lost"));
    await assert.rejects(game.play({ verb: "pass" }), OutcomeUnknown);
    assert.equal(await client.game({ game: "g", token: "u", seat: 1 }).repeatPending(), null);
});

// -- Pauses -----------------------------------------------------------------------------------------------------------

test("changes can be repeated for longer than reads", async () => {
    const lost = () => new TypeError("lost");
    const retry = { seconds: 0, changeSeconds: Infinity, firstPause: 0.001, longestPause: 0.001 };
    const [game, sent] = scripted([{ view: view(1) }, lost(), lost(), lost(), { version: 2, view: view(2), events: [] }, lost()], { retry });
    await game.read();
    assert.equal((await game.play({ verb: "pass" })).version, 2);
    await assert.rejects(game.read());
    assert.equal(sent.length, 6);
});

test("a network that comes back ends a pause but not one that the server asked for", async () => {
    const browser = new EventTarget();
    globalThis.addEventListener = browser.addEventListener.bind(browser);
    const told = [];
    const waiting = pause(1e6, undefined, true).then(() => told.push("online"));
    const controller = new AbortController();
    const asked = pause(1e6, controller.signal).catch(() => told.push("aborted"));
    browser.dispatchEvent(new Event("online"));
    await waiting;
    assert.deepEqual(told, ["online"]);
    controller.abort();
    await asked;
    delete globalThis.addEventListener;
    assert.deepEqual(told, ["online", "aborted"]);
});
