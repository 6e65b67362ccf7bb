"""The master builder: after the pending tiles are placed, one more redesign.

It follows the rules of any redesign, and tiles placed in the same turn may be part of it. After an action that must be
the only one of its turn there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...base.sole_action import free_redesign_barred
from ...game import Game
from ...module import Licence
from ...state import Decision
from .character import Character, is_usable, use


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat can use him after placing."""
    return is_usable(game, seat, "master_builder") and not free_redesign_barred(game, seat)


def redesign_licence(game: Game, decision: Decision) -> Iterator[Licence]:
    """Yield one more redesign, if the move names him."""
    if decision.kind == "late" and is_asked(game, decision.seat):
        yield Licence(items=("master_builder",), spend=partial(use, piece="master_builder"))


MASTER_BUILDER = Character(
    id="master_builder", usable=("master_builder",), asks={"late": is_asked}, licences=redesign_licence
)
