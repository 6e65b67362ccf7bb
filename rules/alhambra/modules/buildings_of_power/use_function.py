"""Using the function of a building of architecture or wisdom, at the end of its owner's turn."""

from __future__ import annotations

from collections.abc import Iterator

from ...game import Game
from ...module import Verb, those_that_verify
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from . import architecture, wisdom
from .powers import ARCHITECTURE, POWERS, drop_function, roll, usable

RED = "red_die"


def _anything_to_look_at(game: Game, tile: str) -> bool:
    """Return whether tower or deck, whichever the building is about, hold anything: everybody can see that."""
    state = game.state
    return bool(state.tower if POWERS[tile] == ARCHITECTURE else state.deck or state.discard)


def is_asked(game: Game, seat: int) -> bool:
    """Return whether a function of the seat can have an effect."""
    return any(_anything_to_look_at(game, tile) for tile in usable(game, seat))


def verify_use(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A building whose function the seat has not used yet, and something to look at."""
    tile = need(move.tile)
    if tile not in game.ruleset.tiles:
        yield Violation("ID_UNKNOWN", "tile", id=tile)
    elif tile not in usable(game, decision.seat):
        yield Violation("NOT_THERE", "tile", id=tile, place="held")
    elif not _anything_to_look_at(game, tile):
        what = "tower" if POWERS[tile] == ARCHITECTURE else "deck"
        yield Violation("CONDITION_UNMET", "tile", what=what, need=1, have=0)


def use(game: Game, decision: Decision, move: Move) -> None:
    """The red die says how many tiles or cards the seat looks at."""
    tile = need(move.tile)
    seat = decision.seat
    drop_function(game, seat, tile)
    count = roll(game, seat, RED)
    begin = architecture.begin if POWERS[tile] == ARCHITECTURE else wisdom.begin
    begin(game, seat, count)


def _uses(game: Game, decision: Decision) -> Iterator[Move]:
    return (Move("use_function", tile) for tile in dict.fromkeys(usable(game, decision.seat)))


USE_FUNCTION = Verb(
    "use_function",
    "tile",
    verify_use,
    use,
    those_that_verify(verify_use, _uses),
    at=("after",),
)
