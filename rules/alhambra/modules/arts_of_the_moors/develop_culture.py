"""Developing culture: an action that turns every own tile on, as far as its marker lets it."""

from __future__ import annotations

from collections.abc import Iterator

from ...game import Game
from ...module import Verb
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .culture import Dial, dials, set_dial


def turnable(game: Game, seat: int) -> dict[str, Dial]:
    """Return the tiles of a seat whose marked section does not point to the gem yet."""
    return {name: dial for name, dial in dials(game, seat).items() if dial.turned < dial.marked}


def verify_develop(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """At least one tile is turned."""
    if not turnable(game, decision.seat):
        yield Violation("NO_EFFECT", "verb")


def develop(game: Game, decision: Decision, _move: Move) -> None:
    """Every tile that can be turned is turned on by one section."""
    found = turnable(game, decision.seat)
    for name, dial in found.items():
        set_dial(game, decision.seat, name, dial._replace(turned=dial.turned + 1))
    game.emit("culture_turned", seat=decision.seat, pieces=tuple(found))


def could_develop(game: Game, decision: Decision) -> bool:
    """Return whether a tile can be turned: everybody can see that."""
    return bool(turnable(game, decision.seat))


def developments(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield one move, if a tile can be turned."""
    if could_develop(game, decision):
        yield Move("develop_culture")


DEVELOP = Verb(
    "develop_culture",
    "",
    verify_develop,
    develop,
    developments,
    at=("action",),
    action=True,
    possible=could_develop,
)
