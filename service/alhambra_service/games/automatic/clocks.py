"""Clocks: each seat has a time for all its decisions together, and each of its turns adds some (Fischer).

A clock runs while its seat is asked, unless the server plays the seat. Every entry of the log stops the clock that runs
and starts the next one, so `since` is the time of the newest entry. When a clock has no time left, its flag falls: that
moment is the deadline of the decision (`deadlines.py`), and the next call that reads the game lets the server play the
seat, or lets the seat resign (`game_change.py`). Taking a move back gives no time back, and a turn that begins a second
time adds nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from alhambra import Event, Game
from alhambra_api.v1 import games_pb2, views_pb2

from ... import limits
from ...messages.field_checks import LimitedField
from ...messages.refusals import Refusal

if TYPE_CHECKING:
    from ..loaded_game import LoadedGame

SECONDS = LimitedField(
    games_pb2.CreateGameRequest, "clock_seconds", "clock_seconds lies between {minimum} and {maximum}."
)
INCREMENT = LimitedField(
    games_pb2.CreateGameRequest,
    "clock_increment_seconds",
    "clock_increment_seconds lies between {minimum} and {maximum}.",
)
STAND_IN = "greedy"
"""The player of the server that takes over a seat whose flag has fallen."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time control of a game, and the clock of each seat. Times are in milliseconds."""

    start: int
    """What each clock has at the beginning."""
    increment: int = 0
    """What a turn adds to the clock of its seat when it begins."""
    resigns: bool = False
    """Whether a seat resigns when its flag falls. Otherwise the server plays it."""
    left: tuple[int, ...] = ()
    """By seat: the time left, at `since` for the clock that runs. Empty before the deal, and in a view of the past."""
    since: int = 0
    """When the clock that runs was started, in milliseconds of Unix time."""
    turn: int = 0
    """The newest turn that has added its increment."""

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Clocks:
        """Read clocks that `plain` wrote."""
        return cls(**{**kept, "left": tuple(kept.get("left", ()))})

    @property
    def plain(self) -> dict[str, Any]:
        """The clocks as JSON-ready data, without empty fields."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}

    @property
    def without_times(self) -> Clocks:
        """The time control alone: how the clocks stood at an earlier version is not stored."""
        return Clocks(self.start, self.increment, self.resigns)

    @property
    def most(self) -> int:
        """The most that a clock can have."""
        return 1000 * limits.LONGEST_CLOCK_SECONDS if self.increment else self.start

    def flag_time(self, seat: int) -> int:
        """Return when the flag of the seat falls if its clock runs, in milliseconds of Unix time."""
        return self.since + self.left[seat]

    def stopped(self, seat: int | None, until: int, now: int) -> Clocks:
        """Return the clocks after that of `seat` ran until this time; None if no clock ran. The next one starts now."""
        left = self.left
        if seat is not None:
            rest = max(0, left[seat] - max(0, until - self.since))
            left = (*left[:seat], rest, *left[seat + 1 :])
        return replace(self, left=left, since=now)

    def begun(self, turn: int, seat: int, server_players: Sequence[str]) -> Clocks:
        """Return the clocks after a turn of a seat has begun."""
        if turn <= self.turn:
            return self  # a move was taken back, and the turn begins again
        left = self.left
        if self.increment and not server_players[seat]:
            more = min(left[seat] + self.increment, self.most)
            left = (*left[:seat], more, *left[seat + 1 :])
        return replace(self, left=left, turn=turn)


def clocks_from(sent: games_pb2.CreateGameRequest) -> Clocks | None:
    """Return the clocks of a new game; None if it has none. Refuses a time control that cannot be had."""
    SECONDS.check(sent.clock_seconds)
    INCREMENT.check(sent.clock_increment_seconds)
    if sent.flag_fall not in views_pb2.FlagFall.values():
        raise Refusal.malformed("flag_fall", "There is no such consequence.")
    if not sent.clock_seconds:
        for field in ("clock_increment_seconds", "flag_fall"):
            if getattr(sent, field):
                raise Refusal.malformed(field, f"{field} goes with clock_seconds.")
        return None
    resigns = sent.flag_fall == views_pb2.FLAG_FALL_RESIGNS
    return Clocks(1000 * sent.clock_seconds, 1000 * sent.clock_increment_seconds, resigns)


def started(clocks: Clocks, game: Game, server_players: Sequence[str], now: int) -> Clocks:
    """Return the clocks of a game that is dealt now. The first turn may have begun with the deal."""
    found = replace(clocks, left=(clocks.start,) * len(server_players), since=now)
    return found.begun(game.state.turn, game.state.active, server_players)


def after_entry(clocks: Clocks, loaded: LoadedGame, asked: int | None, events: Iterable[Event], now: int) -> Clocks:
    """Return the clocks after an entry of the log. `loaded` is the game before it, with the seat that was `asked`. A
    decision that is answered after its deadline took no longer than until then."""
    players = loaded.seats.server_players
    ran = None if asked is None or players[asked] else asked
    found = clocks.stopped(ran, now if loaded.deadline is None else min(now, loaded.deadline), now)
    for event in events:
        if event.kind == "turn_began":
            found = found.begun(event.public["turn"], event.public["seat"], players)
    return found


def flag_has_fallen(loaded: LoadedGame, now: int) -> bool:
    """Return whether the clock of the seat that is asked has no time left, and had none before the deadline of
    `turn_seconds`."""
    seat, deadline = loaded.seat_on_clock, loaded.deadline
    if seat is None or loaded.clocks is None or deadline is None or deadline > now:
        return False
    return loaded.clocks.flag_time(seat) <= deadline
