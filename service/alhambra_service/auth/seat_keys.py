"""The keys of seats, invitations and tokens, and page tokens: computed, not kept.

A key to a seat (`alh_invitation_…`, `alh_seat_…`) has 256 bits, derived from a key of the service and from what names
it: the game, its commitment, the seat, and a number that grows with each one issued. So the same request is answered
with the same token although only its digest is stored, and nobody without the service's key can compute one.

The service's key is the operator's, the same for all processes. Without one it is drawn once and kept in the store,
outside every game: then whoever can read the whole store can compute tokens.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from .. import limits
from ..store import GameStore
from ..store.connection.client import StoreClient
from ..store.keys import SERVICE_KEY

INVITATION, SEAT = "invitation", "seat"


def kept_key(store: GameStore[Any]) -> bytes:
    """The key that the store keeps for all processes; drawn by the first one that asks."""
    return stored_key(store.client)


def stored_key(client: StoreClient) -> bytes:
    """The key that the store behind a client keeps for all processes; drawn by the first one that asks."""
    found: bytes | None = client.read(SERVICE_KEY, "GET", SERVICE_KEY)
    if found is None:  # a full store refuses to write even what is there
        client.write(SERVICE_KEY, "SET", SERVICE_KEY, secrets.token_bytes(limits.SECRET_BYTES), "NX")
        found = client.read(SERVICE_KEY, "GET", SERVICE_KEY)
        assert found is not None
    return found


def invitation_for(key: bytes, game: str, commitment: str, seat: int) -> str:
    """The invitation to a seat."""
    return _derived(INVITATION, key, game, commitment, str(seat))


def token_for(key: bytes, game: str, commitment: str, seat: int, number: int) -> str:
    """The token of a seat with this number."""
    return _derived(SEAT, key, game, commitment, str(seat), str(number))


def _derived(kind: str, key: bytes, *about: str) -> str:
    mac = hmac.digest(key, "\0".join((kind, *about)).encode(), sha256)
    return f"alh_{kind}_{_text(mac)}"


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def signed(key: bytes, purpose: str, text: str) -> str:
    """A text that comes back as it went out: for page tokens."""
    return f"{text}.{_signature(key, purpose, text)}"


def verified(key: bytes, purpose: str, signed_text: str) -> str | None:
    """The text, if it is one of ours."""
    text, _, signature = signed_text[: limits.PAGE_TOKEN_CHARS].rpartition(".")
    expected = _signature(key, purpose, text)
    return text if hmac.compare_digest(signature.encode("utf-8", "replace"), expected.encode()) else None


def _signature(key: bytes, purpose: str, text: str) -> str:
    mac = hmac.digest(key, f"page\0{purpose}\0{text}".encode("utf-8", "replace"), sha256)
    return _text(mac[: limits.PAGE_SIGNATURE_BYTES])
