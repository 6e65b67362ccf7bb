"""What clients did and saw during a round, and what the store held at its end: plain data for the checker.

Times are seconds of one monotonic clock. A version of a game is identified by its link, a keyed chain over the log: two
states with the same version and link have the same log before them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

BEHIND = "VERSION_STALE"
"""The reason with which a call is refused that demands a version or an event which the game does not have."""


class Outcome(StrEnum):
    """How a call ended."""

    OK = "ok"
    REFUSED = "refused"
    """The server answered that it did not do it."""
    UNKNOWN = "unknown"
    """No answer, or one that says that nothing is certain."""


@dataclass(frozen=True)
class Read:
    """One read of a game."""

    client: str
    game: str
    min_version: int
    began: float
    ended: float
    outcome: Outcome
    version: int = 0
    link: str = ""
    reason: str = ""
    settled: bool = False
    """Whether everything had been repaired and no client had moved for some time."""


@dataclass(frozen=True)
class Move:
    """One move of a person, with all attempts to send it: they share one request id."""

    client: str
    game: str
    seat: int
    request_id: str
    began: float
    """When the first attempt was sent."""
    ended: float
    """When the answer of the last attempt came."""
    attempts: int
    outcome: Outcome
    first: int = 0
    """The version that the move itself got; moves of the server may follow it in the same commit."""
    version: int = 0
    """The version after the commit."""
    link: str = ""
    reason: str = ""
    with_link: bool = False
    """Whether the move named the link of the version that it was chosen for."""
    repeated: bool = False
    """Whether the same request had been answered before, and was sent again all the same."""


@dataclass(frozen=True)
class Watched:
    """What one spectator was told about a game, over all its streams."""

    client: str
    game: str
    events: Sequence[str]
    """The id and kind of each event, in the order in which they came."""
    cuts: int = 0
    """How often the stream ended and was opened again."""
    restarts: int = 0
    """How often the server said that what the spectator had seen is not part of the game any more."""


@dataclass(frozen=True)
class Entry:
    """One line of the log of a game."""

    seat: int | None
    text: str
    link: str


@dataclass(frozen=True)
class Truth:
    """A game as the store has it at the end."""

    game: str
    opening: str
    """The link of version 0."""
    log: Sequence[Entry]
    people: Sequence[int]
    """The seats that clients play."""
    events: Sequence[str] = ()
    """The id and kind of every event, as a new spectator is told them."""
    damage: str = ""
    """Why log and state do not belong together; empty if they do."""

    def link(self, version: int) -> str | None:
        """Return the link of a version; None if the game has not come as far."""
        if version == 0:
            return self.opening
        return self.log[version - 1].link if 0 < version <= len(self.log) else None


@dataclass
class History:
    """Everything that the clients of one round noted down."""

    reads: list[Read] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    truths: dict[str, Truth] = field(default_factory=dict)

    def as_dict(self) -> Mapping[str, Any]:
        """Return the history as data for JSON."""
        return asdict(self)
