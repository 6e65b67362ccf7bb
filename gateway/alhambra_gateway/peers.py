"""Connections that wait for their clients, counted by address, so that no address takes the room of the others.

Only the thread of the poller uses them: there are no locks.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from .connection import Connection


class Shelf:
    """The connections of a process that are in one state, those of each address from the oldest to the newest."""

    def __init__(self) -> None:
        self._of: dict[str, OrderedDict[Connection, int]] = {}
        self._count = 0
        self.held = 0
        """Bytes that are kept for all of them."""

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Connection]:
        """All connections, as they are now: the shelf may change meanwhile."""
        return iter([connection for shelf in self._of.values() for connection in shelf])

    def add(self, connection: Connection, address: str, most: int) -> Connection | None:
        """Add a connection. Return the oldest one of its address if that has more than `most` now."""
        shelf = self._of.get(address)
        if shelf is None:
            shelf = self._of[address] = OrderedDict()
        shelf[connection] = 0
        connection.counted_for = address
        self._count += 1
        return next(iter(shelf)) if len(shelf) > most else None

    def weigh(self, connection: Connection, held: int) -> None:
        """Note how many bytes are kept for a connection."""
        shelf = self._of[connection.counted_for]
        self.held += held - shelf[connection]
        shelf[connection] = held

    def remove(self, connection: Connection) -> None:
        """Remove a connection that is here."""
        shelf = self._of[connection.counted_for]
        self.held -= shelf.pop(connection)
        self._count -= 1
        if not shelf:
            del self._of[connection.counted_for]

    def oldest_of_most(self) -> tuple[int, Connection] | None:
        """Return how many connections the address with most connections here has, and the oldest of them; None if
        there are none at all."""
        if not self._of:
            return None
        shelf = max(self._of.values(), key=len)
        return len(shelf), next(iter(shelf))

    def oldest_of_heaviest(self) -> Connection | None:
        """Return the oldest connection of the address that most bytes are kept for; None if there are none."""
        if not self._of:
            return None
        shelf = max(self._of.values(), key=lambda of_one: sum(of_one.values()))
        return next(iter(shelf))
