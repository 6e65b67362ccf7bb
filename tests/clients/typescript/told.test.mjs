/** The library against a real server: games that are open to anyone, and webhooks. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Conflict, InvalidRequest, NotFound } from "../../../clients/typescript/src/index.js";
import { all, connect, registered } from "./support.mjs";

const client = connect();
const OPEN = [{ name: "Ann", claim: true }, {}];

// -- Open games -------------------------------------------------------------------------------------------------------

test("an open game is found and joined without an invitation", async () => {
    const { id } = await client.createGame(OPEN, { open: true, language: "pt-BR", contribute: false });
    const found = await all(client.openGames({ seatCount: 2, language: "pt-br" }));
    assert.equal(found.find(({ game }) => game === id)?.open, true);
    const joined = await client.join(id, "", { name: "Ben", contribute: false });
    assert.deepEqual([joined.seat, joined.view.status], [1, "running"]);
    assert.ok(!(await all(client.openGames())).some(({ game }) => game === id));
});

test("open games are chosen by their seats, modules and language", async () => {
    const { id } = await client.createGame([...OPEN, {}], { open: true, language: "gsw", modules: ["squares"] });
    const isFound = async (options) => (await all(client.openGames(options))).some(({ game }) => game === id);
    for (const options of [{}, { seatCount: 3 }, { modules: ["squares"] }, { language: "gsw" }]) assert.ok(await isFound(options));
    for (const options of [{ seatCount: 4 }, { modules: ["squares", "thieves"] }, { language: "de" }])
        assert.ok(!(await isFound(options)));
});

test("an open seat is taken with a contribution to the shuffle", async () => {
    const { id, seats } = await client.createGame(OPEN, { open: true });
    const joined = await client.join(id);
    assert.equal((await seats[0].read()).status, "running");
    assert.ok((await joined.read()).fairness.entropyCommitments.every((commitment) => commitment.length === 64));
});

test("a game without open seats is refused as a conflict", async () => {
    const { id } = await client.createGame(OPEN, { open: true, contribute: false });
    await client.join(id, "", { contribute: false });
    const error = await client.join(id, "", { contribute: false }).catch((found) => found);
    assert.ok(error instanceof Conflict);
    assert.equal(error.reason, "SEAT_TAKEN");
});

// -- Webhooks ---------------------------------------------------------------------------------------------------------

test("a webhook is registered changed tested and deleted", async () => {
    const { webhook: { webhook, kinds }, secret } = await registered(client);
    assert.match(secret, /^whsec_/);
    assert.deepEqual(kinds, ["decision_opened"]);
    assert.ok((await client.webhooks()).some((one) => one.webhook === webhook));
    const changed = await client.updateWebhook(webhook, { disabled: true });
    assert.deepEqual([changed.disabledReason, changed.kinds], ["host", ["decision_opened"]]);
    const notice = await client.testWebhook(webhook);
    const waiting = await client.deliveries(webhook, { status: "pending" });
    assert.deepEqual(waiting.map((one) => [one.notice.id, one.notice.kind, one.attempts]), [[notice, "ping", 0]]);
    assert.deepEqual(await client.deliveries(webhook, { status: "parked" }), []);
    assert.equal((await client.webhook(webhook)).pending, 1);
    const rotated = await client.rotateWebhookSecret(webhook);
    assert.ok(rotated.startsWith("whsec_") && rotated !== secret);
    assert.equal(await client.replayDeliveries(webhook), 0);
    await client.deleteWebhook(webhook);
    await client.deleteWebhook(webhook);
    const error = await client.webhook(webhook).catch((found) => found);
    assert.ok(error instanceof NotFound);
    assert.equal(error.reason, "WEBHOOK_NOT_FOUND");
});

test("an address of this machine is refused", async () => {
    const { webhook } = await registered(client);
    await assert.rejects(client.createWebhook("https://127.0.0.1/"), InvalidRequest);
    await client.deleteWebhook(webhook.webhook);
});
