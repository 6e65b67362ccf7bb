"""30 Orchards.

Everybody is dealt a fruit board: six groups of fields, each worth the points printed on it. Whenever a building of the
base game is laid onto the market, a fruit is drawn and laid on it. Whoever acquires the tile gets the fruit, wherever
the tile goes afterwards, and puts it on a free field of its kind, in a group of their own choice, where it stays. Only
if no such field is free, the fruit is laid face down beside the board. At the end of the game every complete group
brings its points, and every fruit beside the board one point.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...base.dirk import FINAL
from ...base.scoring import score
from ...base.supply import without
from ...declarations import PieceKind, Reason, outline_of
from ...game import Game
from ...module import DecisionKind, Module, Stage, Step, Verb, those_that_verify
from .fruits import BOARDS, COPIES, FRUITS, POINTS, SPARE_POINTS, Orchards, lay_fruit, lose_fruit, return_fruit
from .plant_fruit import (
    after_acquiring,
    after_purchase,
    ask_for_group,
    every_group,
    free_fields,
    plant_fruit,
    verify_plant,
)

__all__ = ["MODULE", "Orchards"]


def deal_boards(game: Game) -> None:
    """Everybody gets a board; all fruits are in the supply."""
    orchards, seats = game.module_state(Orchards), len(game.state.seats)
    orchards.supply = tuple(fruit for fruit in FRUITS for _ in range(COPIES))
    orchards.boards = tuple(game.chance("orchards/boards").shuffled(BOARDS)[:seats])
    bare: dict[str, tuple[str, ...]] = dict.fromkeys(POINTS, ())
    orchards.planted = (bare,) * seats
    orchards.spare = ((),) * seats
    for seat, board in enumerate(orchards.boards):
        game.emit("fruit_board_dealt", seat=seat, piece=board)


def score_orchards(game: Game, number: int) -> None:
    """At the end of the game complete groups count, and fruits beside the board."""
    orchards = game.module_state(Orchards)
    for seat in range(len(game.state.seats)) if number == FINAL else ():
        for slot, points in POINTS.items():
            if not free_fields(game, seat, slot):
                score(game, seat, points, "orchard_group", scoring=number, slot=slot)
        count = len(orchards.spare[seat])
        if count:
            score(game, seat, count * SPARE_POINTS, "orchard_spare", scoring=number, count=count)


# -- What can be seen --------------------------------------------------------------------------------------------------


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return how many fruits can still be drawn."""
    return {"supply": len(game.module_state(Orchards).supply)}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield fruits on tiles, the fields of every board, and the fruits beside it."""
    orchards = game.module_state(Orchards)
    for tile, fruit in sorted(orchards.on_tiles.items()):
        yield {"kind": "orchard_fruit", "tile": tile, "piece": fruit}
    for seat, board in enumerate(orchards.boards):
        for slot, fields in BOARDS[board].items():
            free = free_fields(game, seat, slot)
            for choice, kinds in (("planted", without(fields, free)), ("free", free)):
                for fruit in kinds:
                    yield {"kind": "orchard_field", "seat": seat, "slot": slot, "piece": fruit, "choice": choice}
        for fruit in dict.fromkeys(orchards.spare[seat]):
            amount = orchards.spare[seat].count(fruit)
            yield {"kind": "orchard_fruit", "seat": seat, "piece": fruit, "amount": amount, "choice": "spare"}


def census(game: Game) -> Iterator[str]:
    """Yield all fruits that are still in the game."""
    orchards = game.module_state(Orchards)
    yield from (*orchards.supply, *orchards.on_tiles.values())
    yield from (fruit for groups in orchards.planted for fruits in groups.values() for fruit in fruits)
    yield from (fruit for own in orchards.spare for fruit in own)


MODULE = Module(
    number=30,
    key="orchards",
    events={
        "fruit_board_dealt": "A seat was dealt a fruit board.",
        "fruit_drawn": "A fruit was drawn and laid on a tile of the market.",
        "fruit_returned": "The fruit of a tile that went back into the tower went back into the supply.",
        "fruit_planted": "A seat put a fruit on its board.",
        "fruit_spare": "A seat laid a fruit beside its board, because no field was free for it.",
    },
    reasons=(Reason("TYPE_MISMATCH", "No field of the group is for this fruit."),),
    scores={
        "orchard_group": "A complete group of a fruit board.",
        "orchard_spare": "Fruits beside a fruit board.",
    },
    scores_before_seats=("orchard_group", "orchard_spare"),
    public_facts={"supply": "How many fruits can still be drawn."},
    piece_kinds=(
        PieceKind(
            "orchard_fruit",
            "A fruit on a tile, or beside the board of a seat.",
            outline_of("orchard_fruit"),
            individual=True,
        ),
        PieceKind(
            "orchard_field",
            "A field of a fruit board: `slot` is its group, `choice` says whether a fruit lies on it.",
            outline_of("orchard_field"),
            dim=("free",),
            individual=True,
        ),
    ),
    slots=tuple(POINTS),
    choices=("planted", "free", "spare"),
    state=Orchards,
    pieces=(*FRUITS, *BOARDS),
    verbs=(Verb("plant_fruit", "slot", verify_plant, plant_fruit, those_that_verify(verify_plant, every_group)),),
    decisions=(DecisionKind("plant_fruit", verbs=("plant_fruit",)),),
    stages=(Stage("purchase.fruit", after="purchase.building"),),
    steps=(
        Step("setup.deal", deal_boards),
        Step("purchase.fruit", after_purchase),
        Step("scoring.gains", score_orchards),
    ),
    agenda={"ask_for_group": ask_for_group},
    reactions={"acquired": after_acquiring, "laid": lay_fruit, "sunk": return_fruit, "boxed": lose_fruit},
    view=view,
    public_pieces=public_pieces,
    census=census,
)
