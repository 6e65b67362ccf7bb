/** What is sent, what is sent again and when, and which class a refusal has. No server is needed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";

import { Call } from "../../../clients/typescript/src/calls.js";
import * as library from "../../../clients/typescript/src/index.js";
import { refusal } from "../../../clients/typescript/src/errors.js";
import { Attempts, RETRY } from "../../../clients/typescript/src/retries.js";

const { Client, OutcomeUnknown, Refused, Stale, TooManyCalls, Unreachable } = library;
const READ = new Call("getGame", { game: "g", minVersion: 3 }, "alh_seat_secret");
const CHANGE = new Call("applyMove", { game: "g", move: { verb: "pass" }, version: 3 }, "alh_seat_secret");
const SILENT = { seconds: 0 };

const lost = (call) => (call.changes ? new OutcomeUnknown("lost", call) : new Unreachable("lost", call));
const busy = (reason, status = 503, retryAfter = null, call = READ) =>
    refusal(status, JSON.stringify({ reason }), retryAfter, call);

function attempts(retry = {}, clock = { now: 100 }) {
    return new Attempts({ ...RETRY, ...retry }, () => clock.now, (_, high) => high);
}

/** A client that is answered by a function instead of a server, and what it was asked. */
function scripted(answers, options = {}) {
    const sent = [];
    const fetch = async (address, init) => {
        sent.push({ address, ...init, headers: Object.fromEntries(init.headers) });
        const next = answers.shift();
        if (next instanceof Error) throw next;
        const { status = 200, headers = {}, ...body } = next;
        return new Response(JSON.stringify(body), { status, headers });
    };
    return [new Client("http://server.test/", { fetch, ...options }), sent];
}

// -- Retries ----------------------------------------------------------------------------------------------------------

test("pauses double up to the longest", () => {
    const trying = attempts({ firstPause: 1, longestPause: 5 });
    assert.deepEqual([1, 2, 3, 4, 5].map(() => trying.pauseAfter(lost(READ))), [1, 2, 4, 5, 5]);
});

test("pauses are drawn from the upper half", () => {
    const pauses = Array.from({ length: 200 }, () => new Attempts({ ...RETRY, firstPause: 1 }).pauseAfter(lost(READ)));
    assert.ok(Math.min(...pauses) >= 0.5 && Math.max(...pauses) <= 1 && Math.max(...pauses) - Math.min(...pauses) > 0.2);
});

test("a pause is never shorter than the server asks", () => {
    assert.equal(attempts().pauseAfter(busy("RATE_LIMITED", 429, "7")), 7);
    assert.ok(busy("RATE_LIMITED", 429, new Date(4e12).toUTCString()).retryAfter > 1e6);
});

test("a call that would come too late fails at once and says when to come back", () => {
    assert.throws(
        () => attempts({ seconds: 30 }).pauseAfter(busy("RATE_LIMITED", 429, "31")),
        (error) => error instanceof TooManyCalls && error.retryAfter === 31,
    );
});

test("attempts end with their time", () => {
    const clock = { now: 100 };
    const trying = attempts({ seconds: 10 }, clock);
    trying.pauseAfter(lost(READ));
    clock.now += 10;
    assert.throws(() => trying.pauseAfter(lost(READ)), Unreachable);
});

test("other refusals and a used up quota are final", () => {
    for (const status of [400, 401, 404, 409, 422, 500, 501])
        assert.throws(() => attempts().pauseAfter(busy("", status)), Refused);
    assert.throws(() => attempts().pauseAfter(busy("QUOTA_EXCEEDED", 429)), TooManyCalls);
});

test("the outcome stays unknown if later attempts are turned away", () => {
    for (const first of [lost(CHANGE), busy("OUTCOME_UNKNOWN", 503, null, CHANGE), busy("DEADLINE_PASSED", 504, null, CHANGE)]) {
        const trying = attempts({ seconds: 5, firstPause: 1 });
        trying.pauseAfter(first);
        const turnedAway = busy("RATE_LIMITED", 429, "60", CHANGE);
        assert.throws(() => trying.pauseAfter(turnedAway), (error) => error instanceof OutcomeUnknown && error.call === CHANGE);
    }
});

test("a later refusal that is final tells the outcome", () => {
    const trying = attempts();
    trying.pauseAfter(lost(CHANGE));
    assert.throws(() => trying.pauseAfter(busy("VERSION_STALE", 409, null, CHANGE)), Stale);
});

// -- Calls ------------------------------------------------------------------------------------------------------------

test("the parts of a request stand where the contract wants them", () => {
    assert.equal(READ.address, "/v1/games/g?minVersion=3");
    const { method, headers, body } = READ.init("de");
    assert.deepEqual([method, body, headers.get("Accept"), headers.get("Accept-Language")], ["GET", undefined, "application/json", "de"]);
    assert.equal(headers.get("Authorization"), "Bearer alh_seat_secret");
    assert.equal(CHANGE.address, "/v1/games/g/moves");
    const { requestId, ...rest } = JSON.parse(CHANGE.init("").body);
    assert.match(requestId, /^[0-9a-f]{32}$/);
    assert.deepEqual(rest, { move: { verb: "pass" }, version: 3 });
    assert.equal(new Call("listComponents", { modules: ["a", "b"], kind: undefined }).address, "/v1/catalog/components?modules=a&modules=b");
    assert.equal(new Call("listLegalMoves", { game: "g", texts: true }).address, "/v1/games/g/moves?texts=true");
    assert.equal(new Call("getComponentPicture", { kind: "tile", id: "a/../b" }).address, "/v1/catalog/components/tile/a%2F..%2Fb");
});

test("a change gets a request id and keeps its own", () => {
    const other = new Call("applyMove", { game: "g" });
    assert.notEqual(other.request.requestId, CHANGE.request.requestId);
    assert.equal(new Call("applyMove", { game: "g", requestId: "mine" }).request.requestId, "mine");
    assert.deepEqual([CHANGE.changes, new Call("deleteGame", { game: "g" }).changes, READ.changes], [true, true, false]);
    assert.equal(READ.request.requestId, undefined);
});

test("a header that cannot be sent is a mistake of the caller and not tried again", async () => {
    const [client, sent] = scripted([]);
    await assert.rejects(client.send("getGame", { game: "g" }, { token: "two\nlines" }), TypeError);
    assert.equal(sent.length, 0);
    assert.throws(() => new Client("no address"), TypeError);
});

test("the address of the server may have a path and name the version", async () => {
    for (const [address, expected] of [
        ["http://a.test", "http://a.test/v1/catalog/modules"],
        ["http://a.test/v1/", "http://a.test/v1/catalog/modules"],
        ["https://a.test/games/", "https://a.test/games/v1/catalog/modules"],
    ]) {
        const asked = [];
        const fetch = async (url) => asked.push(url) && new Response('{"modules": []}');
        await new Client(address, { fetch }).modules();
        assert.deepEqual(asked, [expected]);
    }
});

test("open games are asked for page by page with the same wishes", async () => {
    const [client, sent] = scripted([
        { games: [{ game: "a" }], nextPageToken: "next" },
        { games: [{ game: "b" }], nextPageToken: "" },
    ]);
    const found = [];
    for await (const { game } of client.openGames({ seatCount: 3, modules: ["squares", "thieves"], language: "de" }))
        found.push(game);
    assert.deepEqual(found, ["a", "b"]);
    const wishes = "open=true&seatCount=3&withModules=squares&withModules=thieves&language=de";
    assert.deepEqual(
        sent.map(({ address }) => address),
        ["", "&pageToken=next"].map((rest) => `http://server.test/v1/games?${wishes}${rest}`),
    );
});

test("all pages of the deliveries of a webhook are read", async () => {
    const [client, sent] = scripted([
        { deliveries: [{ attempts: 1 }], nextPageToken: "next" },
        { deliveries: [{ attempts: 2 }], nextPageToken: "" },
    ]);
    const found = await client.deliveries("w", { status: "parked" });
    assert.deepEqual(found.map(({ attempts }) => attempts), [1, 2]);
    assert.equal(sent[1].address, "http://server.test/v1/webhooks/w/deliveries?status=parked&pageToken=next");
});

test("what is not given of a webhook is not sent", async () => {
    const [client, sent] = scripted([{ webhook: {} }, { replayed: 2 }, { replayed: 1 }]);
    await client.updateWebhook("w", { disabled: false });
    assert.equal(await client.replayDeliveries("w"), 2);
    assert.equal(await client.replayDeliveries("w", { delivery: "msg_1" }), 1);
    assert.deepEqual(
        sent.map(({ address, body }) => {
            const { requestId, ...given } = JSON.parse(body);
            assert.match(requestId, /^[0-9a-f]{32}$/);
            return [address, given];
        }),
        [
            ["http://server.test/v1/webhooks/w:update", { disabled: false }],
            ["http://server.test/v1/webhooks/w/deliveries:replay", {}],
            ["http://server.test/v1/webhooks/w/deliveries:replay", { delivery: "msg_1" }],
        ],
    );
});

test("a call of a host is sent with the api key and a claim without it", async () => {
    const [client, sent] = scripted([{ webhook: {}, secret: "" }, { status: 409, reason: "SEAT_TAKEN" }], { apiKey: "alh_key" });
    await client.createWebhook("https://example.com/", { game: "g" });
    await assert.rejects(client.join("g", "", { contribute: false }), library.Conflict);
    assert.deepEqual(sent.map(({ headers }) => headers.authorization), ["Bearer alh_key", undefined]);
    assert.ok(JSON.parse(sent[0].body).requestId);
});

test("a call is repeated with the same request id until it is answered", async () => {
    const [client, sent] = scripted(
        [new TypeError("fetch failed"), { status: 503, reason: "OUTCOME_UNKNOWN" }, { version: 4 }],
        { retry: { firstPause: 0.001 } },
    );
    assert.deepEqual(await client.send("applyMove", { game: "g", move: { verb: "pass" }, version: 3 }), { version: 4 });
    assert.equal(new Set(sent.map(({ body }) => JSON.parse(body).requestId)).size, 1);
    assert.equal(sent.length, 3);
});

test("a change without an answer has an unknown outcome and can be repeated later", async () => {
    const [client, sent] = scripted([new TypeError("fetch failed"), { version: 4 }], { retry: SILENT });
    const error = await client.send("resign", { game: "g" }).catch((found) => found);
    assert.ok(error instanceof OutcomeUnknown && error.cause instanceof TypeError);
    assert.deepEqual(await client.repeat(error), { version: 4 });
    assert.equal(sent[0].body, sent[1].body);
    await assert.rejects(client.repeat(new Unreachable("no call")), TypeError);
});

test("a change that never left has changed nothing", async () => {
    const failure = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
    const [client] = scripted([failure], { retry: SILENT });
    await assert.rejects(client.send("resign", { game: "g" }), Unreachable);
});

test("an answer that takes too long is not waited for", async () => {
    const fetch = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const client = new Client("http://server.test", { fetch, seconds: 0.01, retry: SILENT });
    await assert.rejects(client.modules(), (error) => error instanceof Unreachable && error.cause.name === "TimeoutError");
});

test("a signal ends a call and the pause before its next attempt", async () => {
    for (const answers of [[], [{ status: 429, reason: "RATE_LIMITED", headers: { "Retry-After": "30" } }]]) {
        const controller = new AbortController();
        const fetch = (_, { signal }) => {
            setImmediate(() => controller.abort());
            const next = answers.shift();
            if (next) return Promise.resolve(new Response("{}", next));
            return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        };
        const client = new Client("http://server.test", { fetch });
        await assert.rejects(client.modules({ signal: controller.signal }), { name: "AbortError" });
        await assert.rejects(client.modules({ signal: controller.signal }), { name: "AbortError" });
    }
});

test("a page of something else is no answer", async () => {
    const fetch = async () => new Response("<html>hello</html>");
    const client = new Client("http://server.test", { fetch });
    await assert.rejects(client.modules(), (error) => error instanceof library.UnexpectedAnswer && /hello/.test(error.message));
});

test("a token is not shown", () => {
    const error = new OutcomeUnknown("lost", CHANGE);
    const client = new Client("http://server.test", { apiKey: "alh_key_secret" });
    const game = client.game({ game: "g", token: "alh_seat_secret", seat: 0, entropy: "ab" });
    assert.doesNotMatch(inspect([error, CHANGE, client, game], { depth: 10 }), /secret/);
    assert.doesNotMatch(JSON.stringify([error, CHANGE, client, game]), /secret/);
});

// -- Errors -----------------------------------------------------------------------------------------------------------

const FAMILIES = {
    AccessDenied: ["TOKEN_INVALID", "SCOPE_MISSING"],
    Conflict: ["REQUEST_ID_REUSED", "SEAT_TAKEN"],
    IllegalMove: ["UNDERPAID", "VERB_UNKNOWN", "NOT_YOUR_DECISION", "HOLE", "UNDO_REFUSED"],
    InvalidRequest: ["REQUEST_MALFORMED", "BOARD_INVALID", "BODY_TOO_LARGE"],
    InvalidSetup: ["MODULES_CLASH"],
    NotFound: ["GAME_NOT_FOUND", "WEBHOOK_NOT_FOUND"],
    NotReady: ["GAME_WAITING", "ENTROPY_REFUSED"],
    ServerFault: ["INTERNAL_ERROR", "STATE_MALFORMED"],
    Stale: ["VERSION_STALE", "GAME_OVER"],
    TooManyCalls: ["RATE_LIMITED", "WATCHERS_EXCEEDED"],
    Unavailable: ["STORE_FULL"],
};

test("a refusal has the class of its family", () => {
    for (const [family, reasons] of Object.entries(FAMILIES))
        for (const reason of reasons) {
            const error = busy(reason, library.REASONS[reason][1]);
            assert.equal(error.constructor, library[family], reason);
            assert.equal(error.name, family);
        }
    const kinds = new Set(Object.entries(library.REASONS).map(([reason, [, status]]) => busy(reason, status).name));
    assert.deepEqual([...kinds].sort(), Object.keys(FAMILIES));
});

test("a reason of tomorrow has the class of its status", () => {
    const body = '{"reason": "OF_TOMORROW", "detail": "New.", "metadata": {"a": "b"}}';
    const expected = { 400: "InvalidRequest", 401: "AccessDenied", 409: "Conflict", 418: "InvalidRequest", 422: "IllegalMove", 429: "TooManyCalls", 503: "Unavailable", 599: "ServerFault" };
    for (const [status, name] of Object.entries(expected)) {
        const error = refusal(Number(status), body);
        assert.deepEqual([error.name, error.reason, error.detail, error.facts], [name, "OF_TOMORROW", "New.", { a: "b" }]);
    }
});

test("the page of a proxy is a refusal without a reason", () => {
    const error = refusal(502, "<html>Bad Gateway</html>");
    assert.deepEqual([error.name, error.reason, error.detail], ["Unavailable", "", "<html>Bad Gateway</html>"]);
    assert.equal(refusal(503, "[1]").name, "Unavailable");
});
