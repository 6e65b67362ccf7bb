"""A game in a list: its id, and when it was created."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list. Lists are sorted by the time of creation, in milliseconds of Unix time."""

    game: str
    created: int
