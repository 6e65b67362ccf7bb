"""The webhooks of a tenant, in a hash of the store. Their secrets are stored as they are, because they sign."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from .. import limits
from ..notices.feed import place_order, run_script
from ..store import Request
from ..store.connection.store_client import StoreClient
from ..store.keys import delivery_keys, webhook_requests_key, webhooks_key
from .requests import ONCE, Outcome, arguments

BY_HOST, GONE = "host", "gone"
"""Why a webhook is disabled: its host wants it, or its receiver answered that it is gone."""
_REPLACE = f"""{ONCE}
local known = first_answer(KEYS[2], ARGV[4], ARGV[5])
if known then return known end
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return false end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return answer(KEYS[2], ARGV[4], ARGV[5], ARGV[6], ARGV[7])
"""
"""Writes a webhook, unless another process has changed or deleted it since it was read."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that notices are sent to."""

    id: str
    tenant: str
    owner: str
    """The name of the API key that registered it; empty on a server without keys."""
    address: str
    kinds: tuple[str, ...]
    created: int
    """In milliseconds of Unix time."""
    since: str
    """The place in the feed after which notices are sent."""
    secrets: tuple[tuple[str, int], ...] = field(repr=False)
    """The secrets that sign, newest first, each with the time until which it does, in milliseconds of Unix time; 0 for
    the newest one."""
    game: str = ""
    """The only game whose notices are sent; empty for all games of the tenant."""
    disabled: str = ""
    """Why nothing is sent; empty if it is."""
    creation: str = ""
    """The digest of the request that registered it."""

    def wants(self, notice: dict[str, Any], place: str) -> bool:
        """Return whether a notice at this place of the feed is sent. Without API keys every caller is a spectator, who
        learns nothing about games that are hidden or delayed."""
        return (
            not self.disabled
            and notice["kind"] in self.kinds
            and self.game in ("", notice["game"])
            and not (notice.get("private") and not self.owner)
            and place_order(place) > place_order(self.since)
        )

    def signers(self, now: int) -> list[str]:
        """Return the secrets that sign now, newest first."""
        return [secret for secret, until in self.secrets if until == 0 or until > now]

    def rotated(self, secret: str, now: int) -> Webhook:
        """Return the webhook with a new secret. The one before it signs as well for a while."""
        until = now + 1000 * limits.WEBHOOK_SECRET_SECONDS
        older = [(old, expires or until) for old, expires in self.secrets if expires == 0 or expires > now]
        return replace(self, secrets=((secret, 0), *older)[: limits.WEBHOOK_SECRETS])


class Webhooks:
    """The webhooks of all tenants. Safe to share between threads."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    def all(self, tenant: str) -> list[Webhook]:
        """Return the webhooks of a tenant, oldest first."""
        key = webhooks_key(tenant)
        found = self._client.read(key, "HVALS", key)
        return sorted(map(_read, found), key=lambda webhook: (webhook.created, webhook.id))

    def get(self, tenant: str, webhook: str) -> Webhook | None:
        """Return a webhook; None if there is none."""
        key = webhooks_key(tenant)
        found = self._client.read(key, "HGET", key, webhook)
        return None if found is None else _read(found)

    def add(self, webhook: Webhook) -> None:
        """Store a new webhook."""
        key = webhooks_key(webhook.tenant)
        self._client.write(key, "HSETNX", key, webhook.id, _written(webhook))

    def change(
        self,
        tenant: str,
        webhook: str,
        change: Callable[[Webhook], Webhook],
        request: Request | None = None,
        outcome: str = "",
    ) -> tuple[Webhook, Outcome] | None:
        """Change a webhook once for each request, and return it with the outcome that the request had first. Returns
        None if there is no such webhook. `change` is called again if another process changes the webhook meanwhile."""
        key, asked = webhooks_key(tenant), request or Request.unique()
        keys = [key, webhook_requests_key(tenant, webhook)]
        while True:
            found = self._client.read(key, "HGET", key, webhook)
            if found is None:
                return None
            changed = change(_read(found))
            rest = (webhook, found, _written(changed), *arguments(asked), outcome)
            reply = run_script(self._client, _REPLACE, key, keys, *rest)
            if reply is not None:
                made = Outcome.read(reply)
                return _read(found) if made.repeated else changed, made

    def remove(self, tenant: str, webhook: str) -> None:
        """Delete a webhook and its deliveries."""
        key = webhooks_key(tenant)
        self._client.write(key, "HDEL", key, webhook)
        parts: Sequence[str] = delivery_keys(tenant, webhook)
        self._client.write(parts[0], "UNLINK", *parts)


def _written(webhook: Webhook) -> bytes:
    return json.dumps(asdict(webhook), separators=(",", ":")).encode()


def _read(data: bytes) -> Webhook:
    kept = json.loads(data)
    kept["kinds"] = tuple(kept["kinds"])
    kept["secrets"] = tuple((secret, until) for secret, until in kept["secrets"])
    return Webhook(**kept)
