"""Fairness that can be checked: a secret fixed before the game, a seed that nobody chose alone, a chain over the log.

    1. The host draws a secret of 256 bits from the operating system and publishes its `commitment`.
    2. Each seat may draw entropy of its own and publishes the `commitment` of that when it is claimed.
    3. When all seats are claimed, no commitment changes any more, and the seats reveal their entropy.
    4. When all have revealed, the seed of all shuffles and draws is `seed_from(secret, entropies)`.
    5. Every entry of the log adds a link to a chain that only the holder of the secret can compute.
    6. After the game secret and entropies are published, and anybody can compute commitments, seed and chain again:
       `record.verify_export` does.

What this proves to anybody: the seed comes from the published secret and the published entropies, nobody changed the
draws after the deal, and the log is the one whose links were shown during the game.

What it proves to a seat whose commitment was followed by its reveal: nobody chose the draws, neither another seat nor a
host who plays and knows the secret. The seat must have noted all commitments before it revealed, and find the same ones
in the export. Whoever fixes a contribution without knowing what this seat will reveal cannot foresee the seed.

A seat may refuse to reveal when it dislikes a deal that it can foresee; only the holder of the secret can. Then the
game is never dealt, and everybody sees which seat is missing. Dealing without that seat would let it choose between two
deals.

A seat that tells its entropy at once, with its claim, proves less: whoever knows the secret and is claimed later can
try contributions until the deal suits. A game without contributions proves only that the draws were fixed when the game
was created.

What is never proved: that the host did not look at the cards (whoever holds the secret can), or did not throw away
games that it disliked. A game whose seed was chosen by somebody proves nothing about its draws.

A commitment is the bare SHA-256 of the entropy. It names neither game nor seat, because a creator does not know the
game and an invited player does not know the seat before the claim. A copied commitment gives its copier nothing, since
the seed is no sum of the entropies; a host refuses one nevertheless, and `record.verify_export` reports one.

The chain is keyed because an entry is easily guessed: an unkeyed hash over a hidden choice would give it away.
Inputs are length-prefixed, so that no two different lists of them read the same, and labelled by purpose, so that
a published link is never a seed.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256

__all__ = ["ENTROPY_LIMIT", "SECRET_BYTES", "UNGUESSABLE_BYTES", "chain", "commitment", "next_link", "seed_from"]

SECRET_BYTES = 32
"""The length of a secret. Draw it with `secrets.token_bytes(SECRET_BYTES)`."""
ENTROPY_LIMIT = 256
"""The most bytes that a seat contributes."""
UNGUESSABLE_BYTES = 16
"""The fewest bytes of entropy that cannot be found by trying: a shorter contribution proves nothing to its seat."""


def commitment(secret: bytes) -> str:
    """Return what is published in place of a secret or of the entropy of a seat: its SHA-256, in hexadecimal digits."""
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
