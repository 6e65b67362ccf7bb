"""A server whose webhooks may reach this machine, and a sender beside it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from alhambra_api.v1 import games_pb2, service_pb2_grpc, webhooks_pb2
from alhambra_service import limits
from alhambra_service.store import EmbeddedStore
from alhambra_service.store.connection.connect import connect
from alhambra_service.store.keys import SENDER_KEY, WANTED_KEY
from alhambra_service.webhook_addresses import AddressPolicy
from alhambra_service.webhooks.http_post import Poster
from alhambra_service.webhooks.sender import Sender

from ..playing import Host
from ..serving import GameServer

PATIENCE = 60.0
LOCAL = AddressPolicy.read("127.0.0.0/8", http=True)


class Platform:
    """A host that registers webhooks."""

    def __init__(self, server: GameServer) -> None:
        self.server = server
        self.host = Host(server.address)
        self._channel = grpc.insecure_channel(server.address)
        self.stub = service_pb2_grpc.WebhookServiceStub(self._channel)

    def register(self, address: str, **fields: Any) -> webhooks_pb2.CreateWebhookResponse:
        answer: webhooks_pb2.CreateWebhookResponse = self.stub.CreateWebhook(
            webhooks_pb2.CreateWebhookRequest(address=address, **fields), timeout=PATIENCE
        )
        return answer

    def get(self, webhook: str) -> webhooks_pb2.Webhook:
        request = webhooks_pb2.GetWebhookRequest(webhook=webhook)
        answer: webhooks_pb2.GetWebhookResponse = self.stub.GetWebhook(request, timeout=PATIENCE)
        return answer.webhook

    def deliveries(self, webhook: str, **fields: Any) -> list[webhooks_pb2.Delivery]:
        found: list[webhooks_pb2.Delivery] = []
        token = ""
        while True:
            request = webhooks_pb2.ListDeliveriesRequest(webhook=webhook, page_token=token, **fields)
            answer = self.stub.ListDeliveries(request, timeout=PATIENCE)
            found += answer.deliveries
            token = answer.next_page_token
            if not token:
                return found

    def create(self, *seats: dict[str, Any], **fields: Any) -> Any:
        return self.host.create(seats or 2, **fields)

    def delete_webhooks(self) -> None:
        for webhook in self.stub.ListWebhooks(webhooks_pb2.ListWebhooksRequest(), timeout=PATIENCE).webhooks:
            self.stub.DeleteWebhook(webhooks_pb2.DeleteWebhookRequest(webhook=webhook.webhook), timeout=PATIENCE)

    def close(self) -> None:
        self._channel.close()
        self.host.close()


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries come at once."""
    monkeypatch.setattr(limits, "WEBHOOK_RETRY_SECONDS", (0,) * 9)
    monkeypatch.setattr(limits, "WEBHOOK_TICK_SECONDS", 0.02)
    monkeypatch.setattr(limits, "WEBHOOK_LIST_SECONDS", 0.02)
    monkeypatch.setattr(limits, "WANTED_SECONDS", 0.0)
    monkeypatch.setattr(limits, "WANTED_MARGIN_SECONDS", 0.0)


@pytest.fixture
def platform(embedded: EmbeddedStore) -> Iterator[Platform]:
    server = GameServer(embedded.url, policy=LOCAL)
    one = Platform(server)
    server.store.client.write(SENDER_KEY, "SET", SENDER_KEY, "1")
    yield one
    one.delete_webhooks()
    for key in (SENDER_KEY, WANTED_KEY):
        server.store.client.write(key, "DEL", key)
    one.close()
    server.stop()


class Running:
    """A sender in threads of this process."""

    def __init__(self, url: str, poster: Poster) -> None:
        self.client = connect(url)
        self.sender = Sender(self.client, poster, threads=32)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.sender.run, args=(self._stop.wait, self._stop.is_set))
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
        self.client.close()


@pytest.fixture
def sender(embedded: EmbeddedStore, platform: Platform) -> Iterator[Running]:
    one = Running(embedded.url, Poster(LOCAL, total=1.0))
    yield one
    one.stop()


__all__ = ["Platform", "Running", "games_pb2"]
