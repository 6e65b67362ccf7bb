"""08 Military camps.

Eight tiles with one or two bastions are mixed into the tower, and are bought and placed like buildings. A camp leans
on an Alhambra from outside: a bastion may touch nothing but a wall, a green side nothing but the green side of another
camp, and at least one bastion must touch a wall. Nobody needs to walk there. At every scoring each arrow of a camp
brings a point for every tile in the unbroken line that begins right in front of it.

Which sides may touch stands in `placement/contacts.py`; that camps are neither a way on foot nor part of the outline,
and that they may enclose nothing, in `placement/rules.py` and `placement/outline.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.scoring import score
from ..base.supply import TowerPlan
from ..board import Board
from ..components import BASTION, GREEN, SIDES, STEP, Part, Tile, module_data
from ..declarations import Reason, outline_of
from ..game import Game
from ..module import Module, Step, TileKind
from ..placement.contacts import Contact, PlacedTile, contact, placed_parts
from ..violations import Violation

KEY = "military_camps"


def leaning(_game: Game, _seat: int, board: Board, camp: PlacedTile) -> Iterator[Violation]:
    """A bastion of every camp must touch a wall; a second one may face the open country."""
    for cell, placed_part in placed_parts(*camp):
        for number, (dx, dy) in enumerate(STEP.values()):
            beyond = board.at(cell[0] + dx, cell[1] + dy)
            if beyond and placed_part.edges[number] == BASTION and contact(placed_part, number, beyond) is Contact.MEET:
                return
    yield Violation("CONTACT_REQUIRED", tile=camp.tile.id, with_="wall").of_module(KEY)


CAMP = TileKind(
    "camp",
    effects=(
        *("bonus", "coins", "certificate", "colours", "treasure", "carpenter", "white_die", "workers"),
        *("patron", "coiner", "vizier"),
    ),
    outline=outline_of("camp"),
    anchor=leaning,
)


def _camp(data: dict[str, Any]) -> Tile:
    edges = "".join(BASTION if side in data["bastions"] else GREEN for side in SIDES)
    return Tile(data["id"], CAMP.name, (Part(0, 0, edges),), data["price"], walkable=False)


CAMPS = {data["id"]: _camp(data) for data in module_data(KEY)["tiles"]}
ARROWS: dict[str, tuple[str, ...]] = {data["id"]: tuple(data["arrows"]) for data in module_data(KEY)["tiles"]}


def mix_in(plan: TowerPlan) -> None:
    """The camps come out of the tower among the buildings."""
    plan.add(CAMPS)


def camps_in(board: Board) -> Iterator[PlacedTile]:
    """Yield the camps at an Alhambra, in the order they were built."""
    return (placed for placed in board.placed.values() if placed.tile.kind == CAMP.name) if board.odd else iter(())


def arrows_of(camp: PlacedTile) -> Iterator[str]:
    """Yield the sides that a built camp's arrows point to, turned as it lies."""
    for arrow in ARROWS[camp.tile.id]:
        yield SIDES[(SIDES.index(arrow) + camp.rotation // 90) % len(SIDES)]


def score_camps(game: Game, number: int) -> None:
    """A point for each tile in line with an arrow; walls inside do not interrupt it, gaps and camps do (08.36)."""
    for seat, owner in enumerate(game.state.seats):
        for camp in camps_in(owner.board):
            for side in arrows_of(camp):
                line = len(owner.board.line(camp.x, camp.y, side))
                if line:
                    score(game, seat, line, "camp", scoring=number, tile=camp.tile.id, side=side, count=line)


MODULE = Module(
    number=8,
    key=KEY,
    reasons=(Reason("CONTACT_REQUIRED", "A bastion of every camp must touch a wall."),),
    scores={
        "camp": "Tiles in line with an arrow of a camp.",
    },
    tiles=tuple(CAMPS.values()),
    kinds=(CAMP,),
    tower=mix_in,
    steps=(Step("scoring.gains", score_camps),),
)
