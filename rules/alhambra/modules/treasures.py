"""42 The treasures.

Everybody has five treasures, worth 1 to 5, which lie open. Whoever pays too little for a building may hand over one
treasure that makes up for what is missing: the treasure leaves the game, and the payment counts as exact, even if the
treasure is worth more than was missing. Where nothing is missing, no treasure is handed over. At the end of the game
every treasure that was kept scores its value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.dirk import FINAL
from ..base.payment.offers import Offer, Tender
from ..base.scoring import score
from ..components import module_data
from ..declarations import PieceKind, outline_of
from ..game import Game
from ..module import Module, Step

VALUES: dict[str, int] = {f"treasure-{value}": value for value in module_data("treasures")["values_per_player"]}


@dataclass(slots=True)
class Treasures:
    """The treasures that each seat still has, the least valuable first."""

    held: tuple[tuple[str, ...], ...] = ()


def lay_out(game: Game) -> None:
    """Everybody starts with all five."""
    game.module_state(Treasures).held = (tuple(VALUES),) * len(game.state.seats)


def tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield one of the seat's treasures, for buildings."""
    if "treasure" in offer.effects:
        for treasure in game.module_state(Treasures).held[seat]:
            yield Tender("items", treasure, fills=VALUES[treasure], group="treasure")


def hand_over(game: Game, seat: int, treasure: str, stage: str, _payee: int | None) -> None:
    """A treasure that was used leaves the game; a seat that is paid does not get it."""
    if stage == "spent":
        treasures = game.module_state(Treasures)
        left = tuple(other for other in treasures.held[seat] if other != treasure)
        treasures.held = (*treasures.held[:seat], left, *treasures.held[seat + 1 :])
        game.state.box = (*game.state.box, treasure)


def score_treasures(game: Game, number: int) -> None:
    """At the end of the game a treasure that was kept is worth its value."""
    if number == FINAL:
        for seat in range(len(game.state.seats)):
            kept = game.module_state(Treasures).held[seat]
            if kept:
                points = sum(VALUES[treasure] for treasure in kept)
                score(game, seat, points, "treasures", scoring=number, count=len(kept))


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the treasures before each seat."""
    for seat, held in enumerate(game.module_state(Treasures).held):
        for treasure in held:
            yield {"kind": "treasure", "piece": treasure, "seat": seat}


def census(game: Game) -> Iterator[str]:
    """Yield all treasures that are still in the game."""
    for held in game.module_state(Treasures).held:
        yield from held


MODULE = Module(
    number=42,
    key="treasures",
    scores={"treasures": "The value of the treasures that were kept until the end."},
    scores_before_seats=("treasures",),
    piece_kinds=(
        PieceKind(
            "treasure",
            "A treasure before its owner; `piece` names it with its value.",
            outline_of("treasure"),
            individual=True,
        ),
    ),
    effects={"treasure": "A treasure fills what is missing."},
    state=Treasures,
    usable=tuple(VALUES),
    pieces=tuple(VALUES),
    tenders=tenders,
    items={"treasure": hand_over},
    steps=(Step("setup.deal", lay_out), Step("scoring.gains", score_treasures)),
    public_pieces=public_pieces,
    census=census,
)
