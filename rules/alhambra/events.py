"""Events: what happened in a game, in order.

Every viewer receives the same events under the same ids. The public part is for all viewers, a private part only for
its seat. The number of events never depends on hidden information.
"""

from __future__ import annotations

from typing import Any, TypeAlias

EventParts: TypeAlias = tuple[str, dict[str, Any], dict[int, dict[str, Any]] | None]
"""The parts of an event: kind, public part, private parts by seat."""


class Event:
    """One event: its kind, a public part, and private parts for single seats."""

    __slots__ = ("index", "kind", "private", "public", "version")

    def __init__(
        self, kind: str, public: dict[str, Any], private: dict[int, dict[str, Any]] | None, version: int, index: int
    ) -> None:
        self.kind = kind
        self.public = public
        self.private = private
        self.version = version
        self.index = index

    @property
    def id(self) -> str:
        """The version of the log entry and the index within it; the same for all viewers."""
        return f"{self.version}.{self.index}"

    def seen_by(self, viewer: int | None) -> dict[str, Any]:
        """Return the event for one seat or for a spectator (None), as JSON-ready data."""
        found: dict[str, Any] = {"id": self.id, "kind": self.kind, **self.public}
        if self.private and viewer in self.private:
            found["private"] = self.private[viewer]
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the whole event with the private parts of all seats. For finished games only."""
        found = self.seen_by(None)
        if self.private:
            found["private"] = {str(seat): part for seat, part in self.private.items()}
        return found

    def __repr__(self) -> str:
        facts = ", ".join(f"{key}={value!r}" for key, value in self.public.items())
        return f"Event({self.id} {self.kind} {facts})"
