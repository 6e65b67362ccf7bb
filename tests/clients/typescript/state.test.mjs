/** What a game remembers, and the steps in which it is read and played. The answers are written here. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { commitmentOf } from "../../../clients/typescript/src/entropy.js";
import { Client, CommitmentsChanged, Stale } from "../../../clients/typescript/src/index.js";

const SETUP = { edition: "e" };
const ENTROPY = "ab".repeat(32);
const STALE = { status: 409, reason: "VERSION_STALE" };

function view(version, more = {}) {
    const fairness = { link: `link${version}`, commitment: "", entropyCommitments: [], entropyAwaited: [] };
    return { version, status: "running", seats: [], viewer: 0, fairness, ...more };
}

function page(version, verbs, nextPageToken = "") {
    const moves = verbs.map((verb) => ({ move: { verb }, text: "", group: "" }));
    return { version, link: "l", moves, offers: [], groups: [], nextPageToken, language: "" };
}

/** A game that has seen a version, and that is answered as listed; and what it asked. */
async function seen(version, answers = [], credentials = {}) {
    const sent = [];
    const fetch = async (address, { body }) => {
        sent.push({ address: address.replace("http://server.test/v1/games/g", ""), ...(body && JSON.parse(body)) });
        const { status = 200, ...answer } = answers.shift();
        return new Response(JSON.stringify(answer), { status });
    };
    const client = new Client("http://server.test", { fetch });
    const game = client.game({ game: "g", token: "t", seat: 0, ...credentials });
    if (version) {
        answers.unshift({ view: view(version, { setup: SETUP, ruleset: "r" }) });
        await game.read();
        sent.length = 0;
    }
    return [game, sent];
}

test("reads ask for the version that was seen", async () => {
    const [game, sent] = await seen(7, [{ view: view(8) }]);
    assert.equal((await game.read()).version, 8);
    assert.deepEqual(sent, [{ address: "?minVersion=7" }]);
});

test("a game that went back is forgotten and read anew", async () => {
    const [game, sent] = await seen(7, [STALE, { view: view(5) }]);
    assert.equal((await game.read()).version, 5);
    assert.deepEqual([sent.map(({ address }) => address), game.version], [["?minVersion=7", ""], 5]);
});

test("a read that is refused from the beginning fails", async () => {
    const [game] = await seen(0, [STALE]);
    await assert.rejects(game.read(), Stale);
    assert.throws(() => game.view, /read\(\) first/);
});

test("an older view never replaces a newer one", async () => {
    const [game] = await seen(7, [{ view: view(6) }]);
    await game.read();
    assert.equal(game.view.version, 7);
});

test("answers to moves keep what never changes", async () => {
    const [game] = await seen(7, [{ version: 8, view: view(8), events: [] }]);
    const played = await game.play({ verb: "pass" });
    assert.deepEqual([played.view.setup, played.view.ruleset, played.view.fairness.link], [SETUP, "r", "link8"]);
    assert.equal(game.view, played.view);
});

test("a listed move is sent with the version it was listed for", async () => {
    const [game, sent] = await seen(9, [{ version: 10, view: view(10), events: [] }]);
    const listed = { move: { verb: "bid", amount: 1 }, amountMin: 1, amountMax: 5, text: "", group: "", version: 7, link: "seven" };
    await game.play(listed, { amount: 4 });
    const { version, link, move } = sent[0];
    assert.deepEqual([version, link, move], [7, "seven", { verb: "bid", amount: 4 }]);
});

test("a move of ones own is sent with the version that was seen", async () => {
    const [game, sent] = await seen(0, [{ view: view(3) }, { version: 4, view: view(4), events: [] }]);
    await game.play({ verb: "pass" });
    assert.deepEqual([sent[1].version, sent[1].link], [3, "link3"]);
});

test("consent names the seat that asked and the version that was seen", async () => {
    const [game, sent] = await seen(7, [{ version: 7, view: view(7) }]);
    const { view: answered } = await game.answerUndo(2, false);
    const { version, link, seat, consent } = sent[0];
    assert.deepEqual([version, link, seat, consent, answered.setup], [7, "link7", 2, false, SETUP]);
});

test("all pages of a list are read", async () => {
    const [game, sent] = await seen(7, [page(7, ["a"], "t"), page(7, [], "u"), page(7, ["b"])]);
    const listed = await game.moves();
    assert.deepEqual(sent.map(({ address }) => new URLSearchParams(address.split("?")[1]).get("pageToken")), [null, "t", "u"]);
    assert.deepEqual(listed.moves.map(({ move, version }) => [move.verb, version]), [["a", 7], ["b", 7]]);
    assert.equal(listed.isComplete, true);
});

test("a list is begun again if the game moves on between pages", async () => {
    const [game, sent] = await seen(7, [page(7, ["a"], "t"), STALE, page(8, ["b"]), { view: view(8) }]);
    const listed = await game.moves();
    assert.deepEqual(listed.moves.map(({ move }) => move.verb), ["b"]);
    assert.equal(sent.at(-1).address, "?minVersion=7"); // the view is brought up to the version of the list
    assert.equal(game.version, 8);
});

test("a limit ends a list early", async () => {
    const [game, sent] = await seen(7, [page(7, ["a", "b"], "t")]);
    const listed = await game.moves({ limit: 2, texts: true });
    assert.deepEqual([sent.length, sent[0].address, listed.isComplete], [1, "/moves?texts=true&pageSize=2&minVersion=7", false]);
});

// -- The shuffle ------------------------------------------------------------------------------------------------------

async function waiting(commitments, entropyAwaited = [0]) {
    const entropyCommitments = await Promise.all(commitments);
    return { view: view(0, { status: "waiting", fairness: { link: "", commitment: "server", entropyCommitments, entropyAwaited } }) };
}

test("entropy is revealed when the game waits for it", async () => {
    const [game, sent] = await seen(0, [await waiting([commitmentOf(ENTROPY), "other"]), { view: view(0) }], { entropy: ENTROPY });
    assert.equal((await game.read()).status, "running");
    assert.deepEqual([sent[1].address, sent[1].entropy], [":revealEntropy", ENTROPY]);
});

test("entropy is kept while the game waits for others", async () => {
    const [game, sent] = await seen(0, [await waiting([commitmentOf(ENTROPY), "other"], [1])], { entropy: ENTROPY });
    await game.read();
    assert.equal(sent.length, 1);
});

test("entropy is kept if the game shows another commitment for the seat", async () => {
    const [game, sent] = await seen(0, [await waiting(["another", "other"])], { entropy: ENTROPY });
    await game.read();
    assert.equal(sent.length, 1);
});

test("commitments that change after the reveal are an alarm", async () => {
    const own = commitmentOf(ENTROPY);
    const answers = [await waiting([own, "other"]), await waiting([own, "other"], [1]), await waiting([own, "chosen afterwards"])];
    const [game] = await seen(0, answers, { entropy: ENTROPY });
    await game.read();
    await assert.rejects(game.read(), CommitmentsChanged);
});
