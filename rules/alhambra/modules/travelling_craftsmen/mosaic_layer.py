"""The mosaic layer: one building is built in any rotation, a pending one or one from the reserve.

Every tile that is otherwise laid upright may be turned with his help, at any placement of their own turn. It keeps its
rotation where it lies; once lifted it is upright again. He does not serve a tile that is claimed at the start of the
turn, and he is not used together with another craftsman.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...game import Game
from ...module import Licence
from ...moves import Move
from ...state import Decision
from ...violations import Violation
from .craftsman import CRAFTSMEN, all_of, entitled_by

KIND = "mosaic_layer"
PHASES = ("MAIN", "PLACE", "LATE")
"""The phases in which a player builds by himself. What is built in START was claimed."""


def turning(game: Game, seat: int) -> Iterator[Licence]:
    """Yield each usable mosaic layer, who lets a tile be turned."""
    if game.state.phase in PHASES:
        yield from entitled_by(game, seat, KIND)


def two_craftsmen(_game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """One who entitles to a redesign and another one who turns the tile are one too many."""
    if sum(item in CRAFTSMEN for item in move.items) > 1:
        yield Violation("USED_UP", "items", what="craftsman", limit=1, per="turn")


MOSAIC_LAYER = Ability(usable=all_of(KIND), helpers={"rotate": turning})
