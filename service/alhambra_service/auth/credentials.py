"""Secrets that the service hands out. Each gives its holder one right, and none can be guessed.

    alh_seat_…         plays one seat of one game
    alh_invitation_…   is exchanged for the token of a seat
    alh_ticket_…       opens one stream of events
    alh_key_…          a platform's API key

After the prefix come 256 random bits. Only the SHA-256 of a secret is stored, which is enough for random bits.
Comparisons read every stored digest, even after one has matched.

Keys to seats are computed from a key of the service instead of drawn (`seat_keys.py`).
"""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from hashlib import sha256

from .. import limits

SEAT, INVITATION, TICKET, KEY = "seat", "invitation", "ticket", "key"
_DIGEST = re.compile(r"[0-9a-f]{64}")


def new_secret(kind: str) -> str:
    """Return a new secret."""
    return _spelt(kind, secrets.token_bytes(limits.SECRET_BYTES))


def _spelt(kind: str, data: bytes) -> str:
    return f"alh_{kind}_{urlsafe_b64encode(data).rstrip(b'=').decode()}"


def digest(secret: str) -> str:
    """Return the digest that is stored instead of a secret."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_digest(text: str) -> bool:
    """Return whether a text has the form of a digest."""
    return _DIGEST.fullmatch(text) is not None


def matching_index(found: str, digests: Sequence[str]) -> int | None:
    """Return the index of a digest in a list; None if it is missing. The time does not depend on the index."""
    place = None
    for number, known in enumerate(digests):
        if hmac.compare_digest(found, known):
            place = number
    return place
