"""Fairness that can be checked: a secret fixed before the game, a seed that nobody chose alone, a chain over the log.

Before a game its host draws a secret of 256 bits from the operating system and publishes its `commitment`. Each seat
may contribute entropy of its own. The seed of all shuffles and draws is `seed_from(secret, entropies)`. Every entry
of the log adds a link to a chain that only the holder of the secret can compute. After the game the secret is
published, and anybody can compute commitment, seed and chain again: `record.verify_export` does.

What this proves: the draws were fixed when the game was created and nobody changed them afterwards, no seat chose them,
the host could not choose them either once an honest seat contributed after the commitment, and the log is the one whose
links were shown during the game.

What it does not prove: that the host did not look at the cards (whoever holds the secret can), or did not create many
games and throw away those that it disliked. A game whose seed was chosen by somebody proves nothing about its draws.

The chain is keyed because an entry is easily guessed: an unkeyed hash over a hidden choice would give it away.
Inputs are length-prefixed, so that no two different lists of them read the same, and labelled by purpose, so that
a published link is never a seed.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256

__all__ = ["ENTROPY_LIMIT", "SECRET_BYTES", "chain", "commitment", "next_link", "seed_from"]

SECRET_BYTES = 32
"""The length of a secret. Draw it with `secrets.token_bytes(SECRET_BYTES)`."""
ENTROPY_LIMIT = 256
"""The most bytes that a seat contributes."""


def commitment(secret: bytes) -> str:
    """What is published before the game: the SHA-256 of the secret, in hexadecimal."""
    return sha256(secret).hexdigest()


def _keyed(secret: bytes, label: bytes, parts: Iterable[bytes]) -> str:
    mac = hmac.new(secret, digestmod=sha256)
    for part in (label, *parts):
        mac.update(len(part).to_bytes(4, "big"))
        mac.update(part)
    return mac.hexdigest()


def seed_from(secret: bytes, entropies: Sequence[bytes]) -> str:
    """The seed for `Options`: HMAC-SHA256 over what each seat contributed, in seat order, empty if nothing."""
    return _keyed(secret, b"seed", entropies)


def next_link(secret: bytes, previous: str, entry_text: str) -> str:
    """The link that one more entry adds to the chain; the first one follows the commitment."""
    return _keyed(secret, b"link", (previous.encode(), entry_text.encode()))


def chain(secret: bytes, entries: Iterable[str]) -> list[str]:
    """All links, one for each text."""
    links: list[str] = []
    previous = commitment(secret)
    for text in entries:
        previous = next_link(secret, previous, text)
        links.append(previous)
    return links
