"""The events of one game by version, compressed.

A long game has about 2,000 events, which take half a megabyte as objects and a twentieth of that compressed. Most
readers want the newest events, so only the events of earlier versions are compressed, in blocks.
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterator, Sequence

from alhambra import Event

from .. import limits

QUICK = 1
"""The level of compression. A higher one saves a tenth and takes three times as long."""


class History:
    """The events of a game from some version on, one version after the other."""

    def __init__(self, first: int, events: Sequence[Event]) -> None:
        self.first = first
        """The first version whose events it has."""
        self.size = len(events)
        """The number of events."""
        self._packed: list[bytes] = []
        self._newest = [tuple(events)]

    @property
    def last(self) -> int:
        """The last version whose events it has."""
        return self._packed_to + len(self._newest) - 1

    @property
    def _packed_to(self) -> int:
        """The first version that is not compressed."""
        return self.first + limits.HISTORY_BLOCK * len(self._packed)

    def append(self, events: Sequence[Event]) -> None:
        """Add the events of the next version."""
        self._newest.append(tuple(events))
        self.size += len(events)
        if len(self._newest) >= 2 * limits.HISTORY_BLOCK:
            self._packed.append(_packed(self._newest[: limits.HISTORY_BLOCK]))
            del self._newest[: limits.HISTORY_BLOCK]

    def events(self, first: int, last: int) -> list[Event]:
        """Return the events of these versions, both included."""
        return [event for events in self._versions(first, last) for event in events]

    def _versions(self, first: int, last: int) -> Iterator[Sequence[Event]]:
        begin = self.first
        for block in self._packed:
            if begin <= last and first < begin + limits.HISTORY_BLOCK:
                yield from _unpacked(block, begin)[max(0, first - begin) : last + 1 - begin]
            begin += limits.HISTORY_BLOCK
        yield from self._newest[max(0, first - begin) : max(0, last + 1 - begin)]

    def shorten(self) -> None:
        """Keep only the events of the newest version."""
        newest = self._newest[-1]
        self.first = self.last
        self.size = len(newest)
        self._packed, self._newest = [], [newest]


def _packed(versions: Sequence[Sequence[Event]]) -> bytes:
    plain = [[(event.kind, event.public, event.private) for event in events] for events in versions]
    return zlib.compress(marshal.dumps(plain), QUICK)


def _unpacked(block: bytes, first: int) -> list[list[Event]]:
    versions = marshal.loads(zlib.decompress(block))
    return [
        [Event(kind, public, private, version, index) for index, (kind, public, private) in enumerate(events)]
        for version, events in enumerate(versions, first)
    ]
