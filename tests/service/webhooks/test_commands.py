"""The commands `alhambra webhooks`: what an operator sees of webhooks, and does with them."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from alhambra_api.v1 import webhooks_pb2
from alhambra_cli.commands import app
from alhambra_service import limits
from alhambra_service.store import EmbeddedStore

from .conftest import Platform, Running
from .receiver import accept, receiving, status, until


@pytest.fixture
def store(embedded: EmbeddedStore) -> str:
    return embedded.url


def alhambra(*words: str) -> Result:
    return CliRunner().invoke(app, ["webhooks", *words], prog_name="alhambra")


def test_webhooks_are_listed_with_what_waits(platform: Platform, store: str) -> None:
    webhook = platform.register("https://127.0.0.1/hook").webhook.webhook
    platform.stub.TestWebhook(webhooks_pb2.TestWebhookRequest(webhook=webhook))
    found = alhambra("list", "--store", store)
    line = f"local  {webhook}  https://127.0.0.1/hook  enabled  pending 1, parked 0, dropped 0\n"
    assert (found.exit_code, found.stdout, found.stderr) == (0, line, "Webhooks: 1.\n")


def test_a_test_is_delivered(platform: Platform, sender: Running, store: str) -> None:
    with receiving() as receiver:
        webhook = platform.register(receiver.address).webhook.webhook
        found = alhambra("test", webhook, "--store", store)
        until(lambda: receiver.received)
        assert found.stdout == f"Queued {receiver.received[0].headers['webhook-id']}.\n"


def test_what_was_given_up_is_listed_and_replayed(
    platform: Platform, sender: Running, store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WEBHOOK_RETRY_SECONDS", ())
    with receiving(status(503)) as receiver:
        webhook = platform.register(receiver.address).webhook.webhook
        for _ in range(2):
            alhambra("test", webhook, "--store", store)
        until(lambda: platform.get(webhook).parked == 2)
        lines = alhambra("parked", webhook, "--store", store).stdout.splitlines()
        sent = [one.headers["webhook-id"] for one in receiver.received]
        assert [line.split()[:4] for line in lines] == [[notice, "ping", "attempts", "1"] for notice in sent]
        receiver.answer = accept
        one = alhambra("replay", webhook, "--delivery", sent[1], "--store", store)
        rest = alhambra("replay", webhook, "--store", store)
        assert (one.stdout, rest.stdout) == ("Deliveries queued again: 1.\n",) * 2
        until(lambda: platform.get(webhook).parked == platform.get(webhook).pending == 0)


def test_what_is_not_there_is_named(platform: Platform, store: str) -> None:
    webhook = platform.register("https://127.0.0.1/hook").webhook.webhook
    unknown = alhambra("test", "a" * 24, "--store", store)
    assert unknown.exit_code == 2
    assert f"The tenant local has no webhook {'a' * 24}: see `alhambra webhooks list`." in unknown.stderr
    delivery = alhambra("replay", webhook, "--delivery", "msg_x", "--store", store)
    assert delivery.exit_code == 2
    assert "There is no delivery msg_x that was made or given up." in delivery.stderr
