"""The goldsmith: several money cards that are taken together may be worth 8 instead of 5.

A higher limit that the player has anyway is not added: the highest one counts. A single card needs no goldsmith.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...game import Game
from ...module import Layer, Licence, Modify
from .craftsman import VALUES, all_of, entitled_by

KIND = "goldsmith"
GOLDSMITHS = all_of(KIND)
LIMIT: int = VALUES["goldsmith_sum_limit"]


def taking(game: Game, seat: int) -> Iterator[Licence]:
    """Yield each usable goldsmith, who lets more be taken."""
    return entitled_by(game, seat, KIND)


def raised_limit(_game: Game, _seat: int, items: tuple[str, ...]) -> int | None:
    """Return what the cards may be worth at least, if the move names a goldsmith."""
    return LIMIT if any(item in GOLDSMITHS for item in items) else None


GOLDSMITH = Ability(
    usable=GOLDSMITHS,
    helpers={"take_money": taking},
    modify=(Modify("take_limit", Layer.FLOOR, raised_limit),),
)
