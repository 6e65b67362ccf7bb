"""What happened: one record per fact, in order.

Every event reaches everybody under the same id. Its public part is for all; a private part only for the seat it is
addressed to. How many events a move causes never depends on anything hidden.
"""

from __future__ import annotations

from typing import Any, TypeAlias

EventParts: TypeAlias = tuple[str, dict[str, Any], dict[int, dict[str, Any]] | None]
"""What an event is made of: its kind, the public part, the private parts by seat."""


class Event:
    """One thing that happened: its kind, what everybody sees, and what single seats see beyond that."""

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
        """Version of the log and place within it: the same for everybody."""
        return f"{self.version}.{self.index}"

    def seen_by(self, viewer: int | None) -> dict[str, Any]:
        """The event as JSON-ready data for one seat, or for a spectator (None)."""
        found: dict[str, Any] = {"id": self.id, "kind": self.kind, **self.public}
        if self.private and viewer in self.private:
            found["private"] = self.private[viewer]
        return found

    def as_dict(self) -> dict[str, Any]:
        """The whole event, private parts of all seats included: for logs of finished games only."""
        found = self.seen_by(None)
        if self.private:
            found["private"] = {str(seat): part for seat, part in self.private.items()}
        return found

    def __repr__(self) -> str:
        facts = ", ".join(f"{key}={value!r}" for key, value in self.public.items())
        return f"Event({self.id} {self.kind} {facts})"
