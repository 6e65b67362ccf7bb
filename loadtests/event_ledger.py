"""The events of one game, as its players were told them, and whether a watcher has seen each of them once, in order.

Does not import Locust, which monkey-patches the standard library.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Position = tuple[int, int]


def position(event: str) -> Position:
    """The two numbers in the id of an event, "17.2.9f3c1a", for comparison; an empty id comes before all others."""
    version, index, *_ = event.split(".") if event else ("-1", "-1")
    return int(version), int(index)


class EventLedger:
    """What happened in a game, in order: the answers to its players' moves, put together."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def add(self, events: Iterable[str]) -> None:
        """Adds the events of one answer. An answer that was repeated adds nothing."""
        last = position(self.last)
        self.events += [event for event in events if position(event) > last]

    @property
    def last(self) -> str:
        """The id of the latest event; empty if there is none."""
        return self.events[-1] if self.events else ""

    def fault(self, begun_after: str, seen: Sequence[str]) -> str:
        """What is wrong with the events that a watcher has seen since this one; empty if nothing is."""
        wanted = [event for event in self.events if position(event) > position(begun_after)]
        if list(seen) == wanted:
            return ""
        lost = [event for event in wanted if event not in set(seen)]
        foreign = [event for event in seen if event not in set(wanted)]
        if lost:
            return f"{len(lost)} of {len(wanted)} events were lost, the first is {lost[0]}"
        if foreign:
            return f"{len(foreign)} events came that no player was told, the first is {foreign[0]}"
        if len(seen) > len(wanted):
            return f"{len(seen) - len(wanted)} events came again"
        return "the events came in another order"
