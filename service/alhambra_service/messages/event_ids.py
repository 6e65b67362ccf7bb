"""Ids of events: the version of the log, the place among the events of that version, and the first digits of the link.

    17.2.9f3c1a

A client that resumes sends the id of its last event. Version and place alone do not show whether the game still has
that event: when a replica of the store takes over, the newest moves may be lost, and other moves get their versions.
The link of a version identifies the whole log up to it (`alhambra.fairness`), so the digits of lost events no longer
match. Links are keyed with the secret of the game, and every view shows the link of its version: the digits reveal
nothing.
"""

from __future__ import annotations

from typing import NamedTuple

LINK_DIGITS = 6
"""The number of digits of a link in an id. Two histories have the same ones in one of 16 million cases."""


class EventId(NamedTuple):
    """The id of an event, read."""

    version: int
    place: int
    """The place among the events of the version; -1 for the position before the first one."""
    digits: str = ""
    """The first digits of the link of the version; empty if the id was written without."""

    @classmethod
    def read(cls, text: str) -> EventId:
        """Return the id in a text, which must have the form that the contract gives to ids."""
        version, place, *digits = text.split(".")
        return cls(int(version), int(place), *digits)

    def is_under(self, link: str | None) -> bool:
        """Return whether an event of the version with this link can have the id; None if there is no such version. An
        id without digits can belong to any link."""
        return not self.digits or (link is not None and link.startswith(self.digits))


def event_id(version: int, place: int, link: str) -> str:
    """Return the id of an event of the version with this link."""
    return f"{version}.{place}.{link[:LINK_DIGITS]}"
