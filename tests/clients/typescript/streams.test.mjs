/** What a watcher is told, message by message, and where a stream goes on. No server is needed. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { refusal } from "../../../clients/typescript/src/errors.js";
import { EventParser } from "../../../clients/typescript/src/event-parser.js";
import { AccessDenied, NotFound, TooManyCalls, Unreachable } from "../../../clients/typescript/src/index.js";
import { NoticeWatch } from "../../../clients/typescript/src/notices.js";
import { RETRY } from "../../../clients/typescript/src/retries.js";
import { GameState } from "../../../clients/typescript/src/state.js";
import { isBefore, Watch } from "../../../clients/typescript/src/watch.js";

const bytes = (text) => new TextEncoder().encode(text);
const message = (type, data, id) => `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
const happened = (id) => message("event", { kind: "placed", id }, id);
const resume = (after, because) => message("resume", { after, because }, after);

function snapshot(version, lastEvent, id, status = "running") {
    const view = { version, status, fairness: { link: `link${version}`, entropyAwaited: [] } };
    return message("snapshot", { view, lastEvent }, id);
}

/** A watcher, and what it was told as short texts. */
class Watching {
    constructor(after, fromVersion) {
        this.state = new GameState("g", "token");
        this.watch = new Watch(this.state, RETRY, { after, fromVersion });
        this.watch.open();
    }

    feed(...parts) {
        const told = parts.flatMap((part) => [...this.watch.feed(bytes(part))].map((each) => this.#seen(each)));
        return told.map((each) => (each.type === "snapshot" ? `v${each.view.version}` : (each.event?.id ?? each.type)));
    }

    /** Let the state see snapshots, as `game.watch` does. */
    #seen(each) {
        if (each.type === "snapshot") this.state.see(each);
        return each;
    }

    reopened() {
        const { request, headers } = this.watch.open();
        return { after: headers["Last-Event-ID"], fromVersion: request.fromVersion };
    }
}

// -- The parser -------------------------------------------------------------------------------------------------------

test("messages are put together from any pieces", () => {
    const first = 'retry: 1500\nid: 1.0\nevent: event\ndata: {"text": "für"}\n\n';
    const whole = bytes(`${first}: a remark\n\nevent: keepAlive\ndata: {}\n\n`);
    for (const size of [1, 2, 3, 7, whole.length]) {
        const parser = new EventParser();
        const found = [];
        for (let begin = 0; begin < whole.length; begin += size) found.push(...parser.feed(whole.slice(begin, begin + size)));
        assert.deepEqual(found, [
            { type: "event", id: "1.0", data: '{"text": "für"}' },
            { type: "keepAlive", id: null, data: "{}" },
        ]);
        assert.equal(parser.retrySeconds, 1.5);
    }
});

test("lines may end as in other systems and data may have several", () => {
    const found = [...new EventParser().feed(bytes("event: event\r\ndata: {\r\ndata: }\r\n\r\n"))];
    assert.deepEqual(found, [{ type: "event", id: null, data: "{\n}" }]);
});

test("an unfinished message is not told", () => {
    assert.deepEqual([...new EventParser().feed(bytes("event: event\ndata: {}\n"))], []);
});

test("positions compare as numbers", () => {
    assert.ok(isBefore("", "2.10.a") && isBefore("2.10.a", "10.2.a") && isBefore("2.2.b", "2.10.a"));
    assert.ok(!isBefore("17.2.9f3c1a", "17.2") && !isBefore("17.2", "17.2.9f3c1a") && !isBefore("", ""));
});

// -- A watcher --------------------------------------------------------------------------------------------------------

test("a new watcher gets the snapshot first and goes on behind it", () => {
    const watching = new Watching();
    assert.deepEqual(watching.feed(snapshot(4, "4.1.aa", "4.1.aa"), happened("5.0.bb"), snapshot(5, "5.0.bb")), ["v4", "5.0.bb", "v5"]);
    assert.deepEqual(watching.reopened(), { after: "5.0.bb", fromVersion: undefined });
    assert.equal(watching.state.version, 5);
});

test("missed events come before the snapshot that contains them", () => {
    const watching = new Watching();
    watching.feed(snapshot(4, "4.1.aa", "4.1.aa"));
    watching.reopened();
    assert.deepEqual(watching.feed(snapshot(6, "6.0.cc"), happened("5.0.bb"), happened("6.0.cc")), ["5.0.bb", "6.0.cc", "v6"]);
});

test("a stream that breaks within missed events goes on behind the last one", () => {
    const watching = new Watching("4.1.aa");
    assert.deepEqual(watching.feed(snapshot(6, "6.0.cc"), happened("5.0.bb")), ["5.0.bb"]);
    assert.equal(watching.reopened().after, "5.0.bb");
    assert.deepEqual(watching.feed(snapshot(6, "6.0.cc"), happened("6.0.cc")), ["6.0.cc", "v6"]);
});

test("a watcher from the beginning repeats its wish until an event has come", () => {
    const watching = new Watching("", 0);
    assert.deepEqual(watching.feed(snapshot(1, "1.0.aa")), []);
    assert.deepEqual(watching.reopened(), { after: undefined, fromVersion: 0 });
    watching.feed(happened("0.0.aa"));
    assert.deepEqual(watching.reopened(), { after: "0.0.aa", fromVersion: undefined });
});

test("a stream that wants to be opened again goes on where it says", () => {
    for (const because of ["fell_behind", "stopping", "more", "of_tomorrow"]) {
        const watching = new Watching();
        watching.feed(snapshot(4, "4.1.aa", "4.1.aa"), resume("4.1.aa", because));
        assert.deepEqual([watching.watch.isClosed, watching.watch.isFinished], [true, false]);
        assert.equal(watching.reopened().after, "4.1.aa");
        assert.equal(watching.watch.isClosed, false);
    }
});

test("a watcher whose events are lost is told and begins anew", () => {
    const watching = new Watching();
    watching.feed(snapshot(9, "9.0.aa", "9.0.aa"));
    watching.reopened();
    assert.deepEqual(watching.feed(snapshot(7, "7.0.bb"), resume("", "went_back")), []);
    assert.deepEqual([watching.state.view, watching.state.version], [null, 0]);
    assert.deepEqual(watching.reopened(), { after: undefined, fromVersion: undefined });
    assert.deepEqual(watching.feed(snapshot(7, "7.0.bb", "7.0.bb")), ["wentBack", "v7"]);
    assert.equal(watching.state.version, 7);
});

test("another history with as many events is noticed", () => {
    assert.deepEqual(new Watching("9.0.aa").feed(snapshot(9, "9.0.bb"), resume("", "went_back")), []);
});

test("a stream of a lost version is refused and begins anew", () => {
    const watching = new Watching("9.0");
    assert.equal(watching.watch.pauseAfter(refusal(409, '{"reason": "VERSION_STALE"}')), 0);
    assert.equal(watching.reopened().after, undefined);
    assert.deepEqual(watching.feed(snapshot(7, "7.0.bb", "7.0.bb")), ["wentBack", "v7"]);
});

test("watching ends with the game once everything is told", () => {
    const watching = new Watching("", 0);
    watching.feed(snapshot(2, "2.0.bb", undefined, "over"), happened("1.0.aa"));
    assert.equal(watching.watch.isFinished, false);
    assert.deepEqual(watching.feed(happened("2.0.bb")), ["2.0.bb", "v2"]);
    assert.equal(watching.watch.isFinished, true);
});

test("watching ends when the game is deleted", () => {
    const watching = new Watching();
    watching.feed(snapshot(2, "2.0.bb", "2.0.bb"), resume("2.0.bb", "deleted"));
    assert.equal(watching.watch.isFinished, true);
});

test("messages of tomorrow are ignored", () => {
    assert.deepEqual(new Watching().feed(message("weather", { sun: true }), message("keepAlive", { version: 3 })), []);
});

test("a broken stream is opened again when the server says", () => {
    const watching = new Watching();
    watching.feed("retry: 2500\n", snapshot(2, "2.0.bb", "2.0.bb"));
    assert.equal(watching.watch.pauseAfter(null), 2.5);
});

test("streams that never begin are tried with growing pauses and not for ever", () => {
    const watch = new Watch(new GameState("g"), { seconds: 0.2, firstPause: 0.1, longestPause: 10 });
    const first = watch.pauseAfter(new Unreachable("no"));
    assert.ok(first >= 0.05 && first <= 0.1);
    assert.throws(() => {
        for (let count = 0; count < 10; count += 1) assert.ok(watch.pauseAfter(null) > first / 2);
    }, Unreachable);
});

test("a refused stream is an error unless the server is busy", () => {
    const watch = new Watch(new GameState("g"), { ...RETRY, seconds: 5 });
    const exceeded = '{"reason": "WATCHERS_EXCEEDED"}';
    assert.throws(() => watch.pauseAfter(refusal(404, '{"reason": "GAME_NOT_FOUND"}')), NotFound);
    assert.equal(watch.pauseAfter(refusal(429, exceeded, "3")), 3);
    assert.throws(() => watch.pauseAfter(refusal(429, exceeded, "30")), TooManyCalls);
});

test("an older snapshot does not replace a newer view but lets it be read again", () => {
    const watching = new Watching();
    watching.state.see({ view: { version: 9, fairness: { link: "link9" } } });
    assert.deepEqual(watching.feed(snapshot(8, "8.0.aa", "8.0.aa")), ["v8"]);
    assert.deepEqual([watching.state.version, watching.state.isDoubtful], [9, true]);
});

// -- Notices ----------------------------------------------------------------------------------------------------------

const told = (watch, ...parts) => parts.flatMap((part) => [...watch.feed(bytes(part))]);

test("notices go on behind the last message whatever it was", async () => {
    const watch = new NoticeWatch(RETRY, { kinds: ["ping"], apiKey: "key" });
    assert.deepEqual((await watch.open()).request, { after: undefined, kinds: ["ping"], ticket: undefined });
    assert.deepEqual(told(watch, message("opened", { missed: false }, "1-0")), []);
    assert.deepEqual(told(watch, message("notice", { id: "msg_1" }, "2-0")), [{ type: "notice", notice: { id: "msg_1" }, after: "2-0" }]);
    assert.deepEqual(told(watch, message("keepAlive", {}, "3-0"), message("weather", {})), []);
    assert.equal((await watch.open()).request.after, "3-0");
});

test("a reader who fell behind opens the next stream", async () => {
    const watch = new NoticeWatch(RETRY);
    await watch.open();
    told(watch, message("opened", {}, "1-0"), message("resume", { because: "fell_behind", after: "1-0" }, "1-0"));
    assert.deepEqual([watch.isClosed, watch.isFinished, watch.pauseAfter(null)], [true, false, 1]);
    assert.equal((await watch.open()).request.after, "1-0");
    assert.equal(watch.isClosed, false);
});

test("a reader is told that notices are missing", async () => {
    const watch = new NoticeWatch(RETRY, { after: "1-0" });
    await watch.open();
    assert.deepEqual(told(watch, message("opened", { missed: true }, "9-0")), [{ type: "missed", after: "9-0" }]);
});

test("each stream about seats has a ticket of its own and no token", async () => {
    let count = 0;
    const watch = new NoticeWatch(RETRY, { apiKey: "key", newTicket: async () => `ticket ${(count += 1)}` });
    for (const ticket of ["ticket 1", "ticket 2"]) {
        const call = await watch.open();
        assert.deepEqual([call.request.ticket, call.init("").headers.get("Authorization")], [ticket, null]);
    }
});

test("a ticket that is not accepted is replaced but not for ever", () => {
    const retry = { seconds: 1, firstPause: 0.2, longestPause: 8 };
    const late = refusal(401, '{"reason": "TOKEN_INVALID"}');
    const watch = new NoticeWatch(retry, { newTicket: async () => "ticket" });
    assert.ok(watch.pauseAfter(late) <= 0.2);
    assert.throws(() => {
        for (let count = 0; count < 10; count += 1) watch.pauseAfter(late);
    }, Unreachable);
    assert.throws(() => new NoticeWatch(retry, { apiKey: "key" }).pauseAfter(late), AccessDenied);
});
