"""Invitations, tokens of seats and page tokens. They are computed when they are needed, and never stored.

A key to a seat (`alh_invitation_…`, `alh_seat_…`) has 256 bits, derived from a key of the service and from what names
it: the game, its commitment, the seat, and a number that grows with each one issued. So the same request is answered
with the same token although only its digest is stored, and it cannot be computed without the service's key.

The operator gives the service's key to all processes. If there is none, the first process draws a key and stores it in
the store, outside all games; then anyone who can read the store can compute tokens.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

from .. import limits
from ..store import StoreMisconfigured
from ..store.connection.connect import StoreClient
from ..store.keys import SERVICE_KEY

INVITATION, SEAT = "invitation", "seat"


def stored_key(client: StoreClient) -> bytes:
    """Return the key of all processes from the store. The first process that asks creates it. Raises StoreMisconfigured
    if the store does not keep it."""
    found: bytes | None = client.read(SERVICE_KEY, "GET", SERVICE_KEY)
    if found is None:  # a full store refuses even SET NX of a key that exists
        client.write(SERVICE_KEY, "SET", SERVICE_KEY, secrets.token_bytes(limits.SECRET_BYTES), "NX")
        found = client.read(SERVICE_KEY, "GET", SERVICE_KEY)
        if found is None:
            message = "the store dropped the service key that was just written: it must not evict keys"
            raise StoreMisconfigured(message)
    return found


def invitation_for(key: bytes, game: str, commitment: str, seat: int) -> str:
    """Return the invitation to a seat."""
    return _derived(INVITATION, key, game, commitment, str(seat))


def token_for(key: bytes, game: str, commitment: str, seat: int, number: int) -> str:
    """Return the token of a seat with this number."""
    return _derived(SEAT, key, game, commitment, str(seat), str(number))


def _derived(kind: str, key: bytes, *about: str) -> str:
    mac = hmac.digest(key, "\0".join((kind, *about)).encode(), sha256)
    return f"alh_{kind}_{_text(mac)}"


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def signed(key: bytes, purpose: str, text: str) -> str:
    """Return a text with a signature, for page tokens."""
    return f"{text}.{_signature(key, purpose, text)}"


def verified(key: bytes, purpose: str, signed_text: str) -> str | None:
    """Return the text of a signed one; None if the signature is wrong."""
    text, _, signature = signed_text[: limits.PAGE_TOKEN_CHARS].rpartition(".")
    expected = _signature(key, purpose, text)
    return text if hmac.compare_digest(signature.encode("utf-8", "replace"), expected.encode()) else None


def _signature(key: bytes, purpose: str, text: str) -> str:
    mac = hmac.digest(key, f"page\0{purpose}\0{text}".encode("utf-8", "replace"), sha256)
    return _text(mac[: limits.PAGE_SIGNATURE_BYTES])
