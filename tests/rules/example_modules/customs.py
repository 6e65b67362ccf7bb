"""Customs: at the end everybody pays two points, out of what the parcels have brought."""

from __future__ import annotations

from alhambra import Game, Module
from alhambra.base.scoring import score
from alhambra.module import Step


def pay_customs(game: Game, number: int) -> None:
    """Nobody pays more than there is: it matters that the parcels have been counted."""
    if number == 3:
        for seat in range(len(game.state.seats)):
            score(game, seat, -2, "customs", scoring=number)


CUSTOMS = Module(
    number=909,
    key="example_customs",
    after=("example_parcels",),
    steps=(Step("scoring.gains", pay_customs),),
)
