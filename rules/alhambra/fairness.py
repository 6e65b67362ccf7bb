"""Verifiable fairness: commitments, seeds and a hash chain over the log.

    1. The host draws a secret of 256 bits from the operating system and publishes its `commitment`.
    2. Each seat may draw its own entropy; it publishes the `commitment` when the seat is claimed.
    3. When all seats are claimed, the commitments are fixed, and the seats reveal their entropy.
    4. When all have revealed, the seed of all draws is `seed_from(secret, entropies)`.
    5. Every entry of the log adds a link to a chain that only the holder of the secret can compute.
    6. After the game, secret and entropies are published. Anyone can recompute commitments, seed and chain, for example
       with `export.verify_export`.

This proves to anyone that the seed comes from the published secret and entropies, that no draw was changed after the
deal, and that the log is the one whose links were shown during the game.

To a seat that committed and later revealed, it also proves that no one chose the draws: neither another seat nor a host
who plays and knows the secret. The seat must have noted all commitments before it revealed, and find the same ones in
the export. A participant who commits without knowing what this seat will reveal cannot predict the seed.

A seat may refuse to reveal if it can predict the deal and dislikes it; only the holder of the secret can. Then the game
is never dealt, and everyone sees which seat is missing. Dealing without that seat would let it choose between two
deals.

A seat that sends its entropy at once, with its claim, gets a weaker proof: a seat claimed later by the holder of the
secret can try contributions until the deal suits. A game without contributions proves only that the draws were fixed
when the game was created.

It is never proved that the host did not look at the cards (the holder of the secret can), or did not discard games. A
game with a chosen seed proves nothing about its draws.

A commitment is the plain SHA-256 of the entropy. It names neither game nor seat, because a creator does not know the
game, nor an invited player the seat, before the claim. Copying a commitment gains nothing, because the seed is no sum
of the entropies; a host refuses copies nevertheless, and `export.verify_export` reports them.

The chain is keyed, because entries are easy to guess: an unkeyed hash would give hidden choices away. Inputs are
length-prefixed, so that different lists never read the same, and labelled by purpose, so that a published link is
never a seed.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256

__all__ = ["ENTROPY_LIMIT", "SECRET_BYTES", "UNGUESSABLE_BYTES", "chain", "commitment", "next_link", "seed_from"]

SECRET_BYTES = 32
"""Length of a secret. Draw it with `secrets.token_bytes(SECRET_BYTES)`."""
ENTROPY_LIMIT = 256
"""Maximum number of bytes that a seat contributes."""
UNGUESSABLE_BYTES = 16
"""Minimum number of bytes of entropy that cannot be guessed; a shorter contribution proves nothing to its seat."""


def commitment(secret: bytes) -> str:
    """Return the commitment to a secret or to the entropy of a seat: its SHA-256 in hexadecimal."""
    return sha256(secret).hexdigest()


def _keyed(secret: bytes, label: bytes, parts: Iterable[bytes]) -> str:
    text = b"".join([len(part).to_bytes(4, "big") + part for part in (label, *parts)])
    return hmac.digest(secret, text, "sha256").hex()


def seed_from(secret: bytes, entropies: Sequence[bytes]) -> str:
    """Return the seed for `Options`: HMAC-SHA256 over the contribution of each seat in seat order, empty if none."""
    return _keyed(secret, b"seed", entropies)


def next_link(secret: bytes, previous: str, entry_text: str) -> str:
    """Return the link that one more entry adds to the chain; the first link follows the commitment."""
    return _keyed(secret, b"link", (previous.encode(), entry_text.encode()))


def chain(secret: bytes, entries: Iterable[str]) -> list[str]:
    """Return all links, one for each text."""
    links: list[str] = []
    previous = commitment(secret)
    for text in entries:
        previous = next_link(secret, previous, text)
        links.append(previous)
    return links
