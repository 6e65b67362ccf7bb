"""The client library against a real server: games that are open to anyone, and webhooks."""

import time

import pytest

from alhambra_client import Client, Conflict, InvalidRequest, NotFound, SeatSetup, ServerFault
from alhambra_client.contract import CreateWebhookResponse

OPEN = (SeatSetup(name="Ann", claim=True), SeatSetup())
PATIENCE = 60.0


def test_an_open_game_is_found_and_joined_without_an_invitation(client: Client) -> None:
    made = client.create_game(OPEN, open_to_anyone=True, game_language="pt-BR", contribute=False)
    found = {game.game: game for game in client.open_games(seat_count=2, language="pt-br")}
    assert found[made.id].open
    joined = client.join(made.id, name="Ben", contribute=False)
    assert joined.seat == 1
    assert joined.view.status == "running"
    assert made.id not in {game.game for game in client.open_games()}


def test_a_game_without_open_seats_is_refused_as_a_conflict(client: Client) -> None:
    made = client.create_game(OPEN, open_to_anyone=True, contribute=False)
    client.join(made.id, contribute=False)
    with pytest.raises(Conflict) as refused:
        client.join(made.id, contribute=False)
    assert refused.value.reason == "SEAT_TAKEN"


def registered(client: Client) -> CreateWebhookResponse:
    """Register a webhook, as soon as the sender runs."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return client.create_webhook("https://example.com/alhambra", kinds=["decision_opened"])
        except ServerFault:
            assert time.monotonic() < deadline
            time.sleep(0.2)


def test_a_webhook_is_registered_changed_tested_and_deleted(client: Client) -> None:
    made = registered(client)
    webhook = made.webhook.webhook
    assert made.secret.startswith("whsec_")
    assert webhook in {one.webhook for one in client.webhooks()}
    assert client.update_webhook(webhook, disabled=True).disabled_reason == "host"
    notice = client.test_webhook(webhook)
    (waiting,) = client.deliveries(webhook, "pending")
    assert (waiting.notice.id, waiting.notice.kind, waiting.attempts) == (notice, "ping", 0)
    assert client.webhook(webhook).pending == 1
    assert client.rotate_webhook_secret(webhook) != made.secret
    assert client.replay_deliveries(webhook) == 0
    client.delete_webhook(webhook)
    with pytest.raises(NotFound) as refused:
        client.webhook(webhook)
    assert refused.value.reason == "WEBHOOK_NOT_FOUND"


def test_an_address_of_this_machine_is_refused(client: Client) -> None:
    registered(client)
    with pytest.raises(InvalidRequest):
        client.create_webhook("https://127.0.0.1/")
    for one in client.webhooks():
        client.delete_webhook(one.webhook)
