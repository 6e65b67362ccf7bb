"""The wise man: at each scoring, half a building more of one type.

Before anything is counted his owner names the type, anew each time. Half a building is worth nothing without a whole
one, so the owner must have built one of the type.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.scoring import count_buildings
from ...components import TYPES
from ...declarations import Reason
from ...game import Game
from ...module import DecisionKind, Layer, Modify, Step, Verb, freely
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .character import VALUES, Character, Characters, owner_of, owns, use

HALVES: int = round(2 * VALUES["wise_man_bonus"])
"""What he adds, in the half buildings that majorities are counted in."""


def ask_wise_man(game: Game, _scoring: int) -> None:
    """The owner names a type, before anything is counted."""
    seat = owner_of(game, "wise_man")
    if seat is not None and any(count_buildings(game, seat).values()):
        game.ask("wise_man", seat)


def verify_declare(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Half a building is worth nothing without a whole one (07.59)."""
    if not count_buildings(game, decision.seat)[need(move.type)]:
        yield Violation("CONDITION_UNMET", "type", what="buildings", need=1, have=0)


def declare(game: Game, decision: Decision, move: Move) -> None:
    """The type counts half a building more in this scoring."""
    name = need(move.type)
    game.module_state(Characters).declared = name
    use(game, decision.seat, "wise_man", type=name)


def declarations(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every type that the owner has built."""
    built = count_buildings(game, decision.seat)
    return (Move("declare", type=name) for name in TYPES if built[name])


def add_half(game: Game, seat: int, name: str) -> int | None:
    """Return half a building of the declared type."""
    return HALVES if owns(game, seat, "wise_man") and game.module_state(Characters).declared == name else None


def forget_declaration(game: Game, _scoring: int) -> None:
    """He chooses anew each time."""
    game.module_state(Characters).declared = ""


WISE_MAN = Character(
    id="wise_man",
    reasons=(Reason("CONDITION_UNMET", "The wise man's owner has built no such building.", ("buildings",)),),
    verbs=(Verb("declare", "type", verify_declare, declare, declarations, at=("wise_man",)),),
    decisions=(DecisionKind("wise_man", passing=freely, concerns_others=True),),
    steps=(Step("scoring.declare", ask_wise_man), Step("scoring.dirk", forget_declaration)),
    modify=(Modify("majority_count", Layer.ADD, add_half),),
)
