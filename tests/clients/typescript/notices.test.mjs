/** Notices about many games, against a real server, whatever the network and the server do. */

import assert from "node:assert/strict";
import { after as afterwards, test } from "node:test";

import { AccessDenied } from "../../../clients/typescript/src/index.js";
import { connect, control, TWO } from "./support.mjs";

const client = connect();
const STREAM = "GET /v1/notices";
const TICKET = "POST /v1/notices:ticket";
const STARTED = { kinds: ["game_started"] };
const ENDED = { kinds: ["game_ended"] };

const over = new AbortController();
afterwards(() => over.abort()); // an open stream would keep the process of a test that failed

function listen(options) {
    return client.notices({ ...options, signal: over.signal });
}

/** The place in the feed from which on everything is told. */
async function place() {
    return (await client.send("watchNotices", { pageSize: 1000 })).nextAfter;
}

async function create() {
    return client.createGame(TWO, { contribute: false });
}

/** The next message, which is a notice about a game. */
async function next(notices) {
    const { value } = await notices.next();
    assert.equal(value.type, "notice");
    return value;
}

const credentials = ({ seats }) => Object.values(seats).map((game) => game.credentials);

/** The members of the queries with which streams were opened. */
async function opened(member) {
    const sent = await control("sent", `${STREAM}?`);
    const queries = sent.map(({ line }) => new URLSearchParams(line.split(" ")[1].split("?")[1]));
    return queries.filter((query) => query.has("kinds")).map((query) => query.get(member));
}

test("notices go on after the service was killed and started again", async () => {
    await control("start");
    const notices = listen({ ...STARTED, after: await place() });
    const first = await create();
    assert.equal((await next(notices)).notice.game, first.id);
    await control("kill_workers");
    const second = await create();
    assert.equal((await next(notices)).notice.game, second.id);
});

test("notices of seats go on after the service was killed and started again", async () => {
    await control("start");
    const after = await place();
    const games = [await create(), await create()];
    const notices = listen({ ...ENDED, seats: games.flatMap(credentials), after });
    await games[0].seats[0].resign();
    assert.equal((await next(notices)).notice.game, games[0].id);
    await control("kill_workers");
    await games[1].seats[0].resign();
    assert.equal((await next(notices)).notice.game, games[1].id);
});

test("notices of seats are about their games only", async () => {
    const after = await place();
    const game = await create();
    await (await create()).seats[0].resign();
    await game.seats[0].resign();
    const notices = listen({ ...ENDED, seats: credentials(game), after });
    const { notice } = await next(notices);
    assert.deepEqual([notice.kind, notice.game], ["game_ended", game.id]);
    const [{ body }] = await control("sent", TICKET);
    assert.deepEqual(body.seats.map((seat) => Object.keys(seat)), [["game", "token"], ["game", "token"]]);
});

test("without a place only what comes about from now on is told", async () => {
    const earlier = await create();
    const notices = listen(STARTED);
    let told;
    const reading = next(notices).then((message) => (told = message));
    const games = [];
    while (!told) {
        games.push((await create()).id); // what comes about before the stream is open is not told
        await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 200))]);
    }
    assert.ok(games.includes(told.notice.game) && told.notice.game !== earlier.id);
});

test("a stream of notices that is cut goes on behind the last one with a new ticket", async () => {
    const after = await place();
    const game = await create();
    const notices = listen({ kinds: ["game_started", "game_ended"], seats: credentials(game), after });
    const first = await next(notices);
    assert.equal(await control("cut"), 1);
    await game.seats[0].resign();
    const second = await next(notices);
    assert.deepEqual([first.notice.kind, second.notice.kind], ["game_started", "game_ended"]);
    assert.deepEqual(await opened("after"), [after, first.after]);
    assert.equal(new Set(await opened("ticket")).size, 2);
});

test("a program that is started again goes on where it was", async () => {
    const after = await place();
    const games = [await create(), await create()];
    const before = listen({ ...STARTED, after });
    const first = await next(before);
    await before.return();
    const notices = listen({ ...STARTED, after: first.after });
    assert.deepEqual([first.notice.game, (await next(notices)).notice.game], games.map(({ id }) => id));
});

test("a stream of notices that the server turns away is opened later", async () => {
    const after = await place();
    const game = await create();
    const busy = ["429 Too Many Requests", "WATCHERS_EXCEEDED", { Retry_After: "1" }];
    const late = ["401 Unauthorized", "TOKEN_INVALID", {}];
    await control("faults", `${STREAM}?`, [busy, late, "lose answer"]);
    const began = performance.now();
    const notices = listen({ ...STARTED, seats: credentials(game), after });
    assert.equal((await next(notices)).notice.game, game.id);
    assert.ok(performance.now() - began >= 990);
    assert.equal(new Set(await opened("ticket")).size, 4);
});

test("seats with a wrong token have no notices", async () => {
    const { id } = await create();
    const notices = listen({ seats: [{ game: id, token: "alh_seat_wrong" }] });
    await assert.rejects(notices.next(), AccessDenied);
});

test("a client that was away for too long is told that notices are missing", async () => {
    const notices = listen({ ...STARTED, after: "1-0" });
    assert.equal((await notices.next()).value.type, "missed");
    const game = await create();
    for (;;) if ((await next(notices)).notice.game === game.id) break;
});
