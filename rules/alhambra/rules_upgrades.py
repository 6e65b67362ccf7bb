"""Rules upgrades: points in a log where a newer version of the rules took over.

A game started under one ruleset can be finished under another. The change is an entry of the log: it holds the id of
the new ruleset and the state at that point. Entries before it may not replay under the new rules. Everything after it
is played from its state, and nothing before it can be undone.
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
"""Maximum number of bytes of an unpacked state. The largest states, with all modules, have about 50,000."""
NO_SEAT = -1
"""The seat in entries that no seat made."""


class RulesUpgrade(NamedTuple):
    """The id of a ruleset, and the state from which it continues the game."""

    ruleset: str
    packed: str
    """The state as compressed base64. Kept as written, because the hash chain over the log covers this text."""

    @classmethod
    def of(cls, ruleset: str, state: bytes) -> RulesUpgrade:
        """Return the rules upgrade with a state written by `Game.state_bytes`."""
        return cls(ruleset, b64encode(zlib.compress(state, 9)).decode())

    @property
    def state(self) -> bytes:
        """The state as `Game.state_bytes` wrote it. Raises BadState if it cannot be unpacked."""
        try:
            unpacking = zlib.decompressobj()
            found = unpacking.decompress(b64decode(self.packed, validate=True), STATE_LIMIT)
        except (Base64Error, ValueError, zlib.error) as fault:
            raise BadState("STATE_MALFORMED", "the state of a rules upgrade cannot be unpacked") from fault
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise BadState("STATE_MALFORMED", f"the state of a rules upgrade has more than {STATE_LIMIT} bytes")
        return found


class Segment(NamedTuple):
    """Consecutive entries of a log that were played under the same rules."""

    ruleset: str
    upgrade: RulesUpgrade | None
    """The upgrade that starts the segment; None for the first segment."""
    first: int
    """The version at which the segment starts: 0, or that of its rules upgrade."""
    entries: tuple[Entry, ...]
    """The entries after the rules upgrade."""

    @property
    def last(self) -> int:
        """The version at which the segment ends."""
        return self.first + len(self.entries)


def segments(origin: str, log: Iterable[Entry]) -> list[Segment]:
    """Return the segments of a log. `origin` is the id of the ruleset at its start."""
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
