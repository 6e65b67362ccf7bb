"""Rules upgrades: where a newer version of the rules went on with a game.

A game that was begun under one ruleset can be finished under another. The place where the rules changed is an entry of
the log, a rules upgrade: it holds the id of the ruleset that goes on and the state with which it begins. Entries before
a rules upgrade were judged by other rules. They may not replay any more, so everything after the rules upgrade is
played from its state, and nothing before it can be taken back.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable
from typing import NamedTuple

from .undo import Entry
from .violations import BadState

STATE_LIMIT = 1 << 20
"""Bytes of a state that is unpacked. The largest states of a game with all modules have about 50,000."""
SEATLESS = -1
"""Stands for the seat in entries that no seat has made."""


class RulesUpgrade(NamedTuple):
    """What goes on from here: the id of a ruleset, and the state with which it begins."""

    ruleset: str
    packed: str
    """The bytes of the state, compressed, in base64. They are kept as they were written: links of the chain over the
    log are about this text."""

    @classmethod
    def of(cls, ruleset: str, state: bytes) -> RulesUpgrade:
        """The rules upgrade with a state that `Game.state_bytes` wrote."""
        return cls(ruleset, b64encode(zlib.compress(state, 9)).decode())

    @property
    def state(self) -> bytes:
        """The state as `Game.state_bytes` wrote it; raises BadState if it cannot be unpacked."""
        try:
            unpacking = zlib.decompressobj()
            found = unpacking.decompress(b64decode(self.packed, validate=True), STATE_LIMIT)
        except (Base64Error, ValueError, zlib.error) as fault:
            raise BadState("STATE_MALFORMED", "the state of a seam cannot be unpacked") from fault
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise BadState("STATE_MALFORMED", f"the state of a seam has more than {STATE_LIMIT} bytes")
        return found


class Segment(NamedTuple):
    """Entries of a log that were judged by the same rules."""

    ruleset: str
    upgrade: RulesUpgrade | None
    """With what it begins; None for the beginning of the game."""
    first: int
    """The version with which it begins: 0, or that of its rules upgrade."""
    entries: tuple[Entry, ...]
    """Its entries, without the rules upgrade."""

    @property
    def last(self) -> int:
        """The version with which it ends."""
        return self.first + len(self.entries)


def segments(origin: str, log: Iterable[Entry]) -> list[Segment]:
    """A log in its segments. `origin` is the id of the ruleset that it begins with."""
    found = []
    ruleset, upgrade, first = origin, None, 0
    entries: list[Entry] = []
    for version, entry in enumerate(log, 1):
        if entry.upgrade is None:
            entries.append(entry)
        else:
            found.append(Segment(ruleset, upgrade, first, tuple(entries)))
            ruleset, upgrade, first, entries = entry.upgrade.ruleset, entry.upgrade, version, []
    return [*found, Segment(ruleset, upgrade, first, tuple(entries))]
