"""Connections in the same state, counted by client address, so that one address cannot use up the room of the others.

Only the thread of the poller uses them, so there are no locks.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from .connection import Connection


class ConnectionGroup:
    """The connections of a process that are in one state, by address, from the oldest to the newest."""

    def __init__(self) -> None:
        self._of: dict[str, OrderedDict[Connection, int]] = {}
        self._count = 0
        self.held = 0
        """Bytes that are held in memory for all of them."""

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Connection]:
        """Iterate over a copy, because the group may change meanwhile."""
        return iter([connection for of_one in self._of.values() for connection in of_one])

    def add(self, connection: Connection, address: str, most: int) -> Connection | None:
        """Add a connection. Return the oldest one of its address if that has more than `most` now."""
        of_one = self._of.get(address)
        if of_one is None:
            of_one = self._of[address] = OrderedDict()
        of_one[connection] = 0
        connection.counted_for = address
        self._count += 1
        return next(iter(of_one)) if len(of_one) > most else None

    def weigh(self, connection: Connection, held: int) -> None:
        """Note how many bytes are held for a connection."""
        of_one = self._of[connection.counted_for]
        self.held += held - of_one[connection]
        of_one[connection] = held

    def remove(self, connection: Connection) -> None:
        """Remove a connection of this group."""
        of_one = self._of[connection.counted_for]
        self.held -= of_one.pop(connection)
        self._count -= 1
        if not of_one:
            del self._of[connection.counted_for]

    def oldest_of_most(self) -> tuple[int, Connection] | None:
        """Return how many connections the address with most connections has, and the oldest of them; None if the group
        is empty."""
        if not self._of:
            return None
        of_one = max(self._of.values(), key=len)
        return len(of_one), next(iter(of_one))

    def oldest_of_heaviest(self) -> Connection | None:
        """Return the oldest connection of the address that most bytes are held for; None if the group is empty."""
        if not self._of:
            return None
        of_one = max(self._of.values(), key=lambda held: sum(held.values()))
        return next(iter(of_one))
