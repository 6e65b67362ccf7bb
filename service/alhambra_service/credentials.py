"""Secrets that are handed out: who has one may do what it stands for, and nobody can make one up.

API keys (`alh_key_…`) and tickets (`alh_ticket_…`) are drawn here; invitations and tokens of seats in `seat_keys.py`.
All have 256 bits that nobody can foresee. Only the SHA-256 of a secret is ever stored; that is enough for random bits,
no password needs more. Comparisons look at every stored digest, whether or not one has fitted already.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Sequence
from hashlib import sha256

from . import limits

TICKET, KEY = "ticket", "key"
SECRETS = re.compile(r"alh_[a-z]+_[A-Za-z0-9_-]+|(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{40,}")
"""What a secret looks like: logs leave out whatever matches."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


def drawn(kind: str) -> str:
    """A fresh secret."""
    return f"alh_{kind}_{secrets.token_urlsafe(limits.SECRET_BYTES)}"


def digest(secret: str) -> str:
    """What is stored instead of a secret."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_digest(text: str) -> bool:
    """Whether it has the form of a digest."""
    return _DIGEST.fullmatch(text) is not None


def holder(found: str, digests: Sequence[str]) -> int | None:
    """The place of a digest in a list, None if it is not there. Takes equally long, wherever it is."""
    place = None
    for number, known in enumerate(digests):
        if hmac.compare_digest(found, known):
            place = number
    return place
