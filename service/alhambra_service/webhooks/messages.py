"""Webhooks and deliveries as messages of the contract, and notices as bodies of deliveries."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from alhambra_api.v1 import webhooks_pb2

from ..messages.notices import kind_to, notice_to
from ..messages.views import timestamp
from .deliveries import Counts, Delivery
from .registry import Webhook


def body_of(notice: dict[str, Any]) -> bytes:
    """Return the body of a delivery: JSON with `type`, `timestamp` and `data`, which has the fields of a Notice."""
    data = {
        "id": notice["id"],
        "kind": notice["kind"],
        "time": _time(notice["time"]),
        "game": notice.get("game", ""),
        "version": notice.get("version", 0),
        "name": notice.get("name", ""),
        "decisionKind": notice.get("decision", ""),
    }
    if "seat" in notice:
        data["seat"] = notice["seat"]
    if "deadline" in notice:
        data["deadline"] = _time(notice["deadline"])
    whole = {"type": notice["kind"], "timestamp": data["time"], "data": data}
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode()


def _time(milliseconds: int) -> str:
    found = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def webhook_to(webhook: Webhook, counts: Counts) -> webhooks_pb2.Webhook:
    """Return a webhook as a message, without its secrets."""
    return webhooks_pb2.Webhook(
        webhook=webhook.id,
        address=webhook.address,
        kinds=map(kind_to, webhook.kinds),
        game=webhook.game,
        disabled=bool(webhook.disabled),
        disabled_reason=webhook.disabled,
        create_time=timestamp(webhook.created),
        pending=counts.pending,
        parked=counts.parked,
        dropped=counts.dropped,
    )


def delivery_to(delivery: Delivery) -> webhooks_pb2.Delivery:
    """Return a delivery as a message."""
    message = webhooks_pb2.Delivery(
        notice=notice_to(delivery.notice),
        status=webhooks_pb2.DeliveryStatus.Value(f"DELIVERY_STATUS_{delivery.status.upper()}"),
        attempts=delivery.attempts,
        last_error=delivery.error,
        last_status=delivery.answer,
    )
    if delivery.last:
        message.last_attempt_time.CopyFrom(timestamp(delivery.last))
    if delivery.next:
        message.next_attempt_time.CopyFrom(timestamp(delivery.next))
    return message
