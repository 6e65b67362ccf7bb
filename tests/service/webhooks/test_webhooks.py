"""Hosts are told what happens in their games: signed, at least once, and in order."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from alhambra_api.v1 import games_pb2, views_pb2, webhooks_pb2
from alhambra_service import limits
from alhambra_service.notices.feed import FOR_EVER, NoticeFeed
from alhambra_service.store import EmbeddedStore, keys
from alhambra_service.webhooks.http_post import Poster
from alhambra_service.webhooks.registry import BY_HOST, Webhook, Webhooks

from ..playing import failure, play
from .conftest import LOCAL, Platform, Running
from .receiver import Receiver, accept, drip, endless_body, hang, raw, receiving, status, until

DELIVERED, PARKED = webhooks_pb2.DELIVERY_STATUS_DELIVERED, webhooks_pb2.DELIVERY_STATUS_PARKED


def kinds(receiver: Receiver, secret: str, game: str = "") -> list[str]:
    found = [one.verified(secret) for one in receiver.received]
    return [one["type"] for one in found if not game or one["data"]["game"] == game]


def test_a_game_is_told_from_its_start_to_its_end(platform: Platform, sender: Running) -> None:
    with receiving() as receiver:
        made = platform.register(receiver.address)
        game = platform.create()
        play(game, Random(1), moves=6)
        game.seats[0].resign()
        until(lambda: kinds(receiver, made.secret, game.id)[-1:] == ["game_ended"])
        found = kinds(receiver, made.secret, game.id)
        assert found[:2] == ["game_started", "decision_opened"]
        assert set(found[1:-1]) == {"decision_opened"}
        versions = [one.verified(made.secret)["data"]["version"] for one in receiver.received]
        assert versions == sorted(versions)


def test_a_delivery_is_signed_and_names_seat_player_and_decision(platform: Platform, sender: Running) -> None:
    with receiving() as receiver:
        made = platform.register(receiver.address, kinds=[webhooks_pb2.NOTICE_KIND_DECISION_OPENED])
        game = platform.create({"claim": True, "name": "Ada"}, {"claim": True, "name": "Bo"}, turn_seconds=600)
        until(lambda: receiver.received)
        (one,) = receiver.received
        data = one.verified(made.secret)["data"]
        seat = game.view().decision.seat
        assert (data["game"], data["seat"], data["name"]) == (game.id, seat, ("Ada", "Bo")[seat])
        assert data["decisionKind"] == "action"
        assert data["deadline"] > data["time"]
        assert one.headers["webhook-id"] == data["id"]
        assert one.path == "/hook?a=1"
        assert one.headers["host"] == f"127.0.0.1:{receiver.port}"
        with pytest.raises(Exception, match="No matching signature"):
            one.verified("whsec_" + "A" * 43 + "=")


def test_a_seat_of_the_server_opens_no_decision_and_a_bot_another_kind(platform: Platform, sender: Running) -> None:
    client = platform.server.store.client
    client.write(keys.bots_alive_key("local"), "SET", keys.bots_alive_key("local"), "1", "EX", 20)
    every = [kind for kind in webhooks_pb2.NoticeKind.values() if kind not in (0, webhooks_pb2.NOTICE_KIND_PING)]
    with receiving() as receiver:
        made = platform.register(receiver.address, kinds=every)
        game = platform.create({"server_player": "search_easy"}, {"server_player": "search_easy"})
        until(lambda: len(kinds(receiver, made.secret, game.id)) == 2)
        assert kinds(receiver, made.secret, game.id) == ["game_started", "bot_decision_opened"]


def test_the_last_claim_starts_the_game(platform: Platform, sender: Running) -> None:
    with receiving() as receiver:
        made = platform.register(receiver.address, kinds=[webhooks_pb2.NOTICE_KIND_GAME_STARTED])
        game = platform.create({"claim": True}, {}, open=True)
        platform.host.stub.ClaimSeat(games_pb2.ClaimSeatRequest(game=game.id))
        until(lambda: kinds(receiver, made.secret) == ["game_started"])


def test_a_webhook_of_one_game_gets_no_other(platform: Platform, sender: Running) -> None:
    with receiving() as receiver:
        first, second = platform.create({"claim": True}, {}), platform.create({"claim": True}, {})
        made = platform.register(receiver.address, game=second.id)
        first.claim(1)
        second.claim(1)
        until(lambda: len(receiver.received) == 2)
        assert {one.verified(made.secret)["data"]["game"] for one in receiver.received} == {second.id}


def test_a_deadline_that_is_near_is_announced_once_if_the_decision_is_still_open(
    platform: Platform, sender: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    from alhambra_service.notices import game_notices as notices

    monkeypatch.setattr(notices, "near_time", lambda notice: 1 if "deadline" in notice else 0)
    with receiving() as receiver:
        made = platform.register(receiver.address, kinds=[webhooks_pb2.NOTICE_KIND_DEADLINE_NEAR])
        game = platform.create({"claim": True}, {"claim": True}, turn_seconds=600)
        until(lambda: receiver.received)
        play(game, Random(1), moves=1)
        until(lambda: len(receiver.received) == 2)
        seats = [one.verified(made.secret)["data"]["seat"] for one in receiver.received]
        assert len(seats) == 2


def test_a_failed_delivery_is_tried_again_with_the_same_id_and_before_later_ones(
    platform: Platform, sender: Running
) -> None:
    with receiving(status(500)) as receiver:
        made = platform.register(receiver.address)
        game = platform.create()
        until(lambda: len(receiver.received) >= 3)
        assert len({one.headers["webhook-id"] for one in receiver.received}) == 1
        receiver.answer = accept
        until(lambda: "decision_opened" in kinds(receiver, made.secret, game.id))
        order = list(dict.fromkeys(kinds(receiver, made.secret, game.id)))
        assert order == ["game_started", "decision_opened"]


LIES = {
    "a redirection": status(302, Location="http://127.0.0.1:1/"),
    "an error": status(503),
    "a reset before the head is complete": raw(b"HTTP/1.1 200 OK\r\n", reset=True),
    "no HTTP": raw(b"\x00\x01 hello\r\n\r\n"),
    "an empty answer": raw(b""),
    "a head that never ends": drip,
    "no answer": hang,
}


@pytest.mark.parametrize("lie", LIES)
def test_nothing_but_a_complete_2xx_counts_as_delivered(platform: Platform, sender: Running, lie: str) -> None:
    with receiving(LIES[lie]) as receiver:
        made = platform.register(receiver.address)
        platform.stub.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook=made.webhook.webhook))
        until(lambda: len(receiver.received) >= 2)
        (found,) = platform.deliveries(made.webhook.webhook)
        assert found.status != DELIVERED
        assert found.last_error
        receiver.ended.set()
        receiver.answer = accept
        until(lambda: platform.deliveries(made.webhook.webhook)[0].status == DELIVERED)


def test_a_body_without_an_end_delays_nothing(platform: Platform, sender: Running) -> None:
    with receiving(endless_body) as receiver:
        made = platform.register(receiver.address)
        platform.stub.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook=made.webhook.webhook))
        until(lambda: platform.deliveries(made.webhook.webhook)[0].status == DELIVERED)
        assert len(receiver.received) == 1


def test_a_hanging_receiver_delays_no_other(platform: Platform, embedded: EmbeddedStore) -> None:
    one = Running(embedded.url, Poster(LOCAL, total=20.0))
    try:
        with receiving(hang) as slow, receiving() as quick:
            platform.register(slow.address)
            made = platform.register(quick.address)
            games = [platform.create() for _ in range(6)]
            until(lambda: len(kinds(quick, made.secret)) == 2 * len(games))
            assert len(slow.received) <= limits.WEBHOOK_CONCURRENCY
            slow.ended.set()
            one.sender._poster.watchdog._clock = lambda: float("inf")
    finally:
        one.stop()


def test_a_delivery_is_parked_after_the_last_attempt_and_can_be_replayed(
    platform: Platform, sender: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WEBHOOK_RETRY_SECONDS", (0, 0))
    with receiving(status(500)) as receiver:
        made = platform.register(receiver.address, kinds=[webhooks_pb2.NOTICE_KIND_GAME_STARTED])
        webhook = made.webhook.webhook
        platform.create()
        until(lambda: platform.get(webhook).parked == 1)
        (found,) = platform.deliveries(webhook, status=PARKED)
        assert (found.attempts, found.last_status) == (3, 500)
        receiver.answer = accept
        answer = platform.stub.ReplayDeliveries(webhooks_pb2.ReplayDeliveriesRequest(webhook=webhook))
        assert answer.replayed == 1
        until(lambda: platform.deliveries(webhook, status=DELIVERED))
        assert len({one.headers["webhook-id"] for one in receiver.received}) == 1
        assert platform.get(webhook).parked == platform.get(webhook).pending == 0


def test_gone_disables_a_webhook(platform: Platform, sender: Running) -> None:
    with receiving(status(410)) as receiver:
        made = platform.register(receiver.address)
        platform.create()
        until(lambda: platform.get(made.webhook.webhook).disabled)
        assert platform.get(made.webhook.webhook).disabled_reason == "gone"
        assert len(receiver.received) == 1
        receiver.answer = accept
        request = webhooks_pb2.UpdateWebhookRequest(webhook=made.webhook.webhook, disabled=False)
        assert not platform.stub.UpdateWebhook(request).webhook.disabled
        until(lambda: platform.get(made.webhook.webhook).pending == 0)


def test_both_secrets_sign_after_a_rotation(platform: Platform, sender: Running) -> None:
    with receiving() as receiver:
        made = platform.register(receiver.address)
        request = webhooks_pb2.RotateWebhookSecretRequest(webhook=made.webhook.webhook)
        new = platform.stub.RotateWebhookSecret(request).secret
        platform.stub.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook=made.webhook.webhook))
        until(lambda: receiver.received)
        assert [receiver.received[0].verified(secret)["type"] for secret in (made.secret, new)] == ["ping"] * 2


def test_without_keys_nothing_is_told_about_games_that_spectators_do_not_see(
    platform: Platform, sender: Running
) -> None:
    with receiving() as receiver:
        made = platform.register(receiver.address)
        for visibility in (views_pb2.VISIBILITY_SEATS, views_pb2.VISIBILITY_SPECTATORS_DELAYED):
            platform.create(visibility=visibility)
        shown = platform.create()
        until(lambda: len(receiver.received) == 2)
        assert {one.verified(made.secret)["data"]["game"] for one in receiver.received} == {shown.id}


# -- Crashes -----------------------------------------------------------------------------------------------------------


def test_notices_survive_a_crash_between_the_commit_and_the_feed(
    platform: Platform, embedded: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WEBHOOK_SWEEP_SECONDS", 0.05)
    with receiving() as receiver:
        made = platform.register(receiver.address)
        with monkeypatch.context() as crash:
            crash.setattr(NoticeFeed, "relay", lambda *_: 0)
            game = platform.create()
            assert platform.server.commands.feed.with_notices([game.id]) == [game.id]
        one = Running(embedded.url, Poster(LOCAL))
        try:
            until(lambda: len(receiver.received) == 2)
            assert kinds(receiver, made.secret) == ["game_started", "decision_opened"]
        finally:
            one.stop()


def test_notices_that_are_relayed_by_several_processes_come_once_and_in_order(platform: Platform) -> None:
    with receiving() as receiver:
        platform.register(receiver.address)
        feed, client = platform.server.commands.feed, platform.server.store.client
        place = feed.last("local")
        game = platform.create()
        until(lambda: not feed.with_notices([game.id]))
        found = [one.text for one in feed.after("local", place, 10)]
        stored = [b"%d 0 %b" % (16 + number, text) for number, text in enumerate(found)]
        client.write(keys.notices_key(game.id), "RPUSH", keys.notices_key(game.id), *stored)
        feed.relay(game.id, "local")  # unless the process has done it by itself already
        assert not feed.with_notices([game.id])
        assert len(feed.after("local", place, 10)) == 2


# -- Requests ----------------------------------------------------------------------------------------------------------


def test_a_repeated_registration_gives_the_same_webhook_and_secret(platform: Platform) -> None:
    first, again = (platform.register("http://127.0.0.1:9/", request_id="once") for _ in range(2))
    assert (first.webhook.webhook, first.secret) == (again.webhook.webhook, again.secret)
    found = failure(lambda: platform.register("http://127.0.0.1:9/other", request_id="once"))
    assert found.reason == "REQUEST_ID_REUSED"


def test_a_repeated_registration_is_marked(platform: Platform) -> None:
    request = webhooks_pb2.CreateWebhookRequest(address="http://127.0.0.1:9/", request_id="once")
    assert not replayed(platform.stub.CreateWebhook, request)
    assert replayed(platform.stub.CreateWebhook, request)


def replayed(method: Any, request: Any) -> bool:
    """Make a call, and return whether its answer says that nothing was done now."""
    _, call = method.with_call(request)
    return ("idempotency-replayed", "true") in [(name, value) for name, value in call.trailing_metadata()]


def registered(platform: Platform) -> str:
    webhook: str = platform.register("http://127.0.0.1:9/").webhook.webhook
    return webhook


def test_a_repeated_rotation_gives_the_same_secret(platform: Platform) -> None:
    webhook = registered(platform)
    request = webhooks_pb2.RotateWebhookSecretRequest(webhook=webhook, request_id="once")
    first, again = (platform.stub.RotateWebhookSecret(request) for _ in range(2))
    assert first == again
    kept = Webhooks(platform.server.store.client).get("local", webhook)
    assert kept is not None
    assert len(kept.secrets) == 2
    assert kept.secrets[0][0] == first.secret
    request.request_id = "other"
    assert platform.stub.RotateWebhookSecret(request).secret != first.secret


def test_a_repeated_test_is_sent_once(platform: Platform) -> None:
    webhook = registered(platform)
    request = webhooks_pb2.TestWebhookRequest(webhook=webhook, request_id="once")
    first, again = (platform.stub.TestWebhook(request) for _ in range(2))
    assert first == again
    assert [one.notice.id for one in platform.deliveries(webhook)] == [first.delivery]


def test_a_repeated_update_does_not_undo_a_later_one(platform: Platform) -> None:
    webhook = registered(platform)
    earlier = webhooks_pb2.UpdateWebhookRequest(webhook=webhook, disabled=True, request_id="once")
    assert platform.stub.UpdateWebhook(earlier).webhook.disabled
    platform.stub.UpdateWebhook(webhooks_pb2.UpdateWebhookRequest(webhook=webhook, disabled=False))
    assert not platform.stub.UpdateWebhook(earlier).webhook.disabled
    assert not platform.get(webhook).disabled


def test_a_repeated_replay_delivers_nothing_again(
    platform: Platform, sender: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parked_again(receiver: Receiver, attempts: int) -> bool:
        return len(receiver.received) == attempts and platform.get(webhook).parked == 1

    monkeypatch.setattr(limits, "WEBHOOK_RETRY_SECONDS", ())
    with receiving(status(500)) as receiver:
        webhook = platform.register(receiver.address).webhook.webhook
        notice = platform.stub.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook=webhook)).delivery
        until(lambda: platform.get(webhook).parked == 1)
        for fields in ({}, {"delivery": notice}):
            request = webhooks_pb2.ReplayDeliveriesRequest(webhook=webhook, request_id=f"once {fields}", **fields)
            attempts = len(receiver.received)
            assert platform.stub.ReplayDeliveries(request).replayed == 1
            until(partial(parked_again, receiver, attempts + 1))
            assert platform.stub.ReplayDeliveries(request).replayed == 1
            assert platform.get(webhook).pending == 0


def test_many_parked_deliveries_are_replayed_oldest_first(
    platform: Platform, sender: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WEBHOOK_RETRY_SECONDS", ())
    with receiving(status(500)) as receiver:
        webhook = platform.register(receiver.address).webhook.webhook
        sent = [platform.stub.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook=webhook)).delivery for _ in range(12)]
        until(lambda: platform.get(webhook).parked == len(sent))
        receiver.received.clear()
        receiver.answer = accept
        answer = platform.stub.ReplayDeliveries(webhooks_pb2.ReplayDeliveriesRequest(webhook=webhook))
        assert answer.replayed == len(sent)
        until(lambda: len(receiver.received) == len(sent))
        assert [one.headers["webhook-id"] for one in receiver.received] == sent


def test_a_request_id_cannot_be_used_for_another_change_of_a_webhook(platform: Platform) -> None:
    webhook, other = registered(platform), registered(platform)
    request = webhooks_pb2.TestWebhookRequest(webhook=webhook, request_id="once")
    assert not replayed(platform.stub.TestWebhook, request)
    assert replayed(platform.stub.TestWebhook, request)
    for call in (
        lambda: platform.stub.RotateWebhookSecret(
            webhooks_pb2.RotateWebhookSecretRequest(webhook=webhook, request_id="once")
        ),
        lambda: platform.stub.UpdateWebhook(
            webhooks_pb2.UpdateWebhookRequest(webhook=webhook, disabled=True, request_id="once")
        ),
        lambda: platform.stub.ReplayDeliveries(
            webhooks_pb2.ReplayDeliveriesRequest(webhook=webhook, request_id="once")
        ),
    ):
        assert failure(call).reason == "REQUEST_ID_REUSED"
    assert not replayed(platform.stub.TestWebhook, webhooks_pb2.TestWebhookRequest(webhook=other, request_id="once"))


def test_a_bounded_number_of_changes_is_remembered(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WEBHOOK_REQUESTS_KEPT", 2)
    webhook = registered(platform)
    key = keys.webhook_requests_key("local", webhook)
    for _ in range(4):
        platform.stub.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook=webhook))
    assert platform.server.store.client.read(key, "LLEN", key) == 2
    platform.delete_webhooks()
    assert platform.server.store.client.read(key, "LLEN", key) == 0


def test_changes_of_one_webhook_at_the_same_time_are_all_made(platform: Platform) -> None:
    webhook = registered(platform)
    client = platform.server.store.client
    registry = Webhooks(client)

    def disable(found: Webhook) -> Webhook:
        if not interrupted:  # another process rotates the secret between reading and writing
            interrupted.append(registry.change("local", webhook, lambda one: one.rotated("whsec_new", 1)))
        return replace(found, disabled=BY_HOST)

    interrupted: list[Any] = []
    registry.change("local", webhook, disable)
    found = registry.get("local", webhook)
    assert found is not None
    assert (found.disabled, found.secrets[0][0]) == (BY_HOST, "whsec_new")


def test_the_contract_says_how_many_changes_are_remembered() -> None:
    comments = (Path(str(webhooks_pb2.__file__)).with_name("webhooks.proto")).read_text(encoding="utf-8")
    assert f"remembers its newest {limits.WEBHOOK_REQUESTS_KEPT} changes" in comments


def test_a_tenant_has_a_bounded_number_of_webhooks(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WEBHOOKS_PER_TENANT", 1)
    platform.register("http://127.0.0.1:9/")
    found = failure(lambda: platform.register("http://127.0.0.1:9/"))
    assert (found.reason, found.info.metadata["quota"]) == ("QUOTA_EXCEEDED", "webhooks")


def test_notices_over_the_bound_are_left_out_and_counted(
    platform: Platform, sender: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WEBHOOK_PENDING", 1)
    with receiving(hang) as receiver:
        made = platform.register(receiver.address)
        platform.create()
        until(lambda: platform.get(made.webhook.webhook).dropped == 1)
        assert platform.get(made.webhook.webhook).pending == 1


def test_no_webhook_is_registered_while_no_sender_runs(platform: Platform) -> None:
    client = platform.server.store.client
    client.write(keys.SENDER_KEY, "DEL", keys.SENDER_KEY)
    assert failure(lambda: platform.register("http://127.0.0.1:9/")).reason == "NOT_SUPPORTED"


@pytest.mark.parametrize(
    "address",
    ["ftp://example.com/", "https://", "https://a:b@example.com/", "https://example.com/#x", "https://10.1.2.3/"],
)
def test_an_address_that_may_not_be_used_is_refused(platform: Platform, address: str) -> None:
    found = failure(lambda: platform.register(address))
    assert (found.reason, found.info.metadata["field"]) == ("REQUEST_MALFORMED", "address")


def test_an_unknown_webhook_is_not_found(platform: Platform) -> None:
    stub, name = platform.stub, "a" * 24
    for call in (
        lambda: stub.GetWebhook(webhooks_pb2.GetWebhookRequest(webhook=name)),
        lambda: stub.UpdateWebhook(webhooks_pb2.UpdateWebhookRequest(webhook=name)),
        lambda: stub.RotateWebhookSecret(webhooks_pb2.RotateWebhookSecretRequest(webhook=name)),
        lambda: stub.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook=name)),
        lambda: stub.ListDeliveries(webhooks_pb2.ListDeliveriesRequest(webhook=name)),
        lambda: stub.ReplayDeliveries(webhooks_pb2.ReplayDeliveriesRequest(webhook=name)),
    ):
        assert failure(call).reason == "WEBHOOK_NOT_FOUND"


def test_a_game_of_a_tenant_without_webhooks_stores_no_notices(platform: Platform) -> None:
    feed = platform.server.commands.feed
    place = feed.last("local")
    game = platform.create()
    assert feed.with_notices([game.id]) == []
    assert feed.after("local", place, 1) == []


def test_a_webhook_is_served_although_another_one_is_deleted_while_it_is_registered(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = Webhooks.add

    def add_after_a_deletion(webhooks: Webhooks, webhook: Webhook) -> None:
        platform.stub.DeleteWebhook(webhooks_pb2.DeleteWebhookRequest(webhook="w" * 24))
        add(webhooks, webhook)

    monkeypatch.setattr(Webhooks, "add", add_after_a_deletion)
    platform.register("http://127.0.0.1:9/")
    assert platform.server.commands.feed.wanting(FOR_EVER) == ["local"]


def test_a_webhook_is_served_although_it_is_registered_while_the_last_one_is_deleted(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = platform.register("http://127.0.0.1:9/").webhook
    unwant = NoticeFeed.unwant

    def unwant_after_a_registration(feed: NoticeFeed, tenant: str) -> None:
        monkeypatch.setattr(NoticeFeed, "unwant", unwant)
        platform.register("http://127.0.0.1:9/")
        unwant(feed, tenant)

    monkeypatch.setattr(NoticeFeed, "unwant", unwant_after_a_registration)
    platform.stub.DeleteWebhook(webhooks_pb2.DeleteWebhookRequest(webhook=made.webhook))
    assert platform.server.commands.feed.wanting(FOR_EVER) == ["local"]


def test_a_notice_holds_nothing_but_what_it_names(platform: Platform, sender: Running) -> None:
    with receiving() as receiver:
        platform.register(receiver.address)
        platform.create()
        until(lambda: len(receiver.received) == 2)
        named = {"id", "kind", "time", "game", "version", "name", "decisionKind", "seat", "deadline"}
        for one in receiver.received:
            assert set(json.loads(one.body)["data"]) <= named
