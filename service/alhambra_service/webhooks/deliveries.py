"""The deliveries of each webhook: what waits, what was delivered, what was given up.

The notices of one game wait in a lane. A sender takes the first notice of a lane that is due, with a lease, sends it,
and settles the lease. The next notice of the lane is due when the one before it was delivered or parked.

What is promised if a lease expires while its sender still sends: another sender may take the same notice and send it
again, even at the same time, and the result of the first one is ignored. A later notice of the game is sent only after
some attempt of the earlier one was accepted or it was parked. So the first deliveries of a game's notices come in
order, and repetitions may come at any time.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha1
from pathlib import Path
from random import random
from typing import Any, NamedTuple

from redis.exceptions import NoScriptError, ResponseError

from .. import limits
from ..notices.feed import run_script
from ..notices.game_notices import PING
from ..store import Request
from ..store.connection.store_client import StoreClient
from ..store.connection.wire import Command, Reply
from ..store.keys import delivery_keys
from .requests import ONCE, Outcome, arguments

SCRIPT = ONCE + Path(__file__).with_name("deliveries.lua").read_text(encoding="utf-8")
SCRIPT_ID = sha1(SCRIPT.encode(), usedforsecurity=False).hexdigest()
PENDING, DELIVERED, PARKED = "pending", "delivered", "parked"
PING_LANE = "-"
"""The lane of tests, which belong to no game."""
_DOCS, _ORDER, _COUNTS, _PARKED = 2, 3, 5, 7


@dataclass(frozen=True, slots=True)
class Delivery:
    """A notice on its way to a webhook. Times are in milliseconds of Unix time, 0 for none."""

    notice: dict[str, Any]
    status: str = PENDING
    attempts: int = 0
    first: int = 0
    """When the first attempt was made."""
    last: int = 0
    next: int = 0
    error: str = ""
    answer: int = 0
    """The HTTP status of the last answer; 0 if there was none."""

    @property
    def id(self) -> str:
        """The id of the notice."""
        return str(self.notice["id"])

    @property
    def lane(self) -> str:
        """The lane in which the delivery waits."""
        return PING_LANE if self.notice["kind"] == PING else str(self.notice["game"])

    def attempted(self, now: int, answer: int, error: str) -> Delivery:
        """Return the delivery after an attempt: delivered, pending with the time of the next attempt, or parked."""
        made = replace(
            self, attempts=self.attempts + 1, first=self.first or now, last=now, next=0, answer=answer, error=error
        )
        if not error:
            return replace(made, status=DELIVERED)
        if made.attempts > len(limits.WEBHOOK_RETRY_SECONDS):
            return replace(made, status=PARKED)
        after = 1000 * limits.WEBHOOK_RETRY_SECONDS[made.attempts - 1]
        due = made.first + int(after * (1 + random() * limits.WEBHOOK_RETRY_JITTER))
        return replace(made, next=max(due, now))

    def encoded(self) -> bytes:
        """Return the delivery as it is stored."""
        return json.dumps(asdict(self), separators=(",", ":"), ensure_ascii=False).encode()

    @classmethod
    def read(cls, data: bytes) -> Delivery:
        """Return a stored delivery."""
        return cls(**json.loads(data))


class Counts(NamedTuple):
    """How many deliveries of a webhook wait, are parked, and were left out."""

    pending: int
    parked: int
    dropped: int


class Lease(NamedTuple):
    """The right to make a delivery, until it expires."""

    lane: str
    token: str
    delivery: Delivery


class Deliveries:
    """The deliveries of all webhooks. Safe to share between threads."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    # -- Sending -------------------------------------------------------------------------------------------------------

    def add_many(self, tenant: str, wanted: Sequence[tuple[str, dict[str, Any]]], now: int) -> None:
        """Queue notices for webhooks of one tenant, in this order, with few exchanges. A notice that is known already
        is not queued again. One for a webhook for which too many wait is left out, and counted."""
        for at in range(0, len(wanted), limits.WEBHOOK_BATCH):
            commands: list[Command] = []
            for webhook, notice in wanted[at : at + limits.WEBHOOK_BATCH]:
                made, keys = Delivery(notice, next=now), delivery_keys(tenant, webhook)
                rest: Command = ("add", made.id, made.lane, made.encoded(), now, limits.WEBHOOK_PENDING)
                commands.append(("EVALSHA", SCRIPT_ID, len(keys), *keys, *rest))
            key = delivery_keys(tenant, wanted[at][0])[0]
            replies = self._client.follow(key, commands)
            if any(isinstance(reply, NoScriptError) for reply in replies):
                replies = self._client.follow(key, [("SCRIPT", "LOAD", SCRIPT), *commands])[1:]
            for reply in replies:
                if isinstance(reply, ResponseError):
                    raise self._client.refused(reply, "refuses") from reply

    def take(self, tenant: str, webhook: str, now: int) -> Lease | None:
        """Lease the next delivery that is due; None if there is none, or if enough of them are leased."""
        token, expiry = secrets.token_hex(8), now + 1000 * limits.WEBHOOK_LEASE_SECONDS
        found = self._run(tenant, webhook, "take", now, expiry, limits.WEBHOOK_CONCURRENCY, token)
        if not found:
            return None
        lane, _, document = found
        return Lease(lane.decode(), token, Delivery.read(document))

    def settle(self, tenant: str, webhook: str, lease: Lease, made: Delivery) -> bool:
        """Store what came of a delivery. Returns False if the lease was lost to another sender: nothing is stored."""
        outcome = {DELIVERED: "done", PARKED: "park", PENDING: "retry"}[made.status]
        kept = limits.WEBHOOK_DELIVERED_KEPT if made.status == DELIVERED else limits.WEBHOOK_PARKED_KEPT
        next_due = made.next if made.status == PENDING else made.last
        arguments = (lease.lane, made.id, lease.token, outcome, made.encoded(), next_due, kept)
        return bool(self._run(tenant, webhook, "settle", *arguments) == b"settled")

    # -- Looking at them -----------------------------------------------------------------------------------------------

    def counts(self, tenant: str, webhook: str) -> Counts:
        """Return the numbers of a webhook's deliveries."""
        keys = delivery_keys(tenant, webhook)
        (pending, dropped), parked = self._client.read_many(
            [
                (keys[_COUNTS], ("HMGET", keys[_COUNTS], "pending", "dropped")),
                (keys[_PARKED], ("LLEN", keys[_PARKED])),
            ]
        )
        return Counts(int(pending or 0), parked, int(dropped or 0))

    def page(self, tenant: str, webhook: str, before: int, count: int) -> list[tuple[int, Delivery]]:
        """Return deliveries with their numbers, newest first; those before this number, or all if it is 0."""
        keys = delivery_keys(tenant, webhook)
        order, top = keys[_ORDER], f"({before}" if before else "+inf"
        flat = self._client.read(order, "ZREVRANGEBYSCORE", order, top, "-inf", "WITHSCORES", "LIMIT", 0, count)
        if not flat:
            return []
        documents = self._client.read(keys[_DOCS], "HMGET", keys[_DOCS], *flat[::2])
        return [
            (int(float(number)), Delivery.read(document))
            for number, document in zip(flat[1::2], documents, strict=True)
            if document is not None
        ]

    def get(self, tenant: str, webhook: str, notice: str) -> Delivery | None:
        """Return a delivery; None if it is not known."""
        key = delivery_keys(tenant, webhook)[_DOCS]
        found = self._client.read(key, "HGET", key, notice)
        return None if found is None else Delivery.read(found)

    def parked(self, tenant: str, webhook: str) -> list[str]:
        """Return the notices that were given up, oldest first."""
        key = delivery_keys(tenant, webhook)[_PARKED]
        return [notice.decode() for notice in reversed(self._client.read(key, "LRANGE", key, 0, -1))]

    # -- Changing them -------------------------------------------------------------------------------------------------

    def test(self, tenant: str, webhook: str, notice: dict[str, Any], request: Request | None = None) -> Outcome | None:
        """Queue a test once for each request, and return the id of the notice as the outcome. Returns None if nothing
        was queued, because too many deliveries wait."""
        made, now = Delivery(notice, next=notice["time"]), notice["time"]
        rest = (made.id, made.lane, made.encoded(), now, limits.WEBHOOK_PENDING)
        reply = self._run(tenant, webhook, "test", *rest, *arguments(request or Request.unique()))
        return None if reply == b"dropped" else Outcome.read(reply)

    def replay(
        self, tenant: str, webhook: str, now: int, notice: str = "", request: Request | None = None
    ) -> Outcome | None:
        """Queue one delivery again that was made or given up, or all that were given up, once for each request. The
        outcome is their number. Returns None if the one that is named is not there."""
        docs = delivery_keys(tenant, webhook)[_DOCS]
        chosen = [notice] if notice else self.parked(tenant, webhook)
        found = self._client.read(docs, "HMGET", docs, *chosen) if chosen else []
        again = [Delivery(Delivery.read(document).notice, next=now) for document in found if document is not None]
        rest = [part for one in again for part in (one.id, one.lane, one.encoded())]
        asked = (*arguments(request or Request.unique()), "1" if notice else "0")
        reply = self._run(tenant, webhook, "replay", now, *asked, *rest)
        return None if reply is None else Outcome.read(reply)

    def _run(self, tenant: str, webhook: str, what: str, *arguments: str | bytes | int) -> Reply:
        keys = delivery_keys(tenant, webhook)
        return run_script(self._client, SCRIPT, keys[0], keys, what, *arguments)
