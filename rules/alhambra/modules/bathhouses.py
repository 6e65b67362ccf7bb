"""32 The bathhouses.

Six bathhouses are mixed into the tower. One that is drawn for a market space is laid beside it, and another tile is
drawn for the space. It costs 8 in the currency of that space, whatever lies there, and may be turned each time it is
built. Each of its sides names a building type. In every scoring, each side brings the distance to the first building of
that type in the unbroken line of tiles in its direction: 1 if it adjoins. Walls do not matter, a gap ends the line.
Bathhouses that were not sold are not given out at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.market import beside_space, offers_beside_spaces
from ..base.open_tiles import open_tiles, turned
from ..base.payment.offers import Offer
from ..base.scoring import score, type_at
from ..base.supply import TowerPlan
from ..board import Board
from ..components import module_data, plain_tile
from ..declarations import PieceKind, outline_of
from ..game import Game
from ..module import Module, Step, TileKind
from ..placement.contacts import PlacedTile

KEY = "bathhouses"
BATHHOUSE = TileKind(
    "bathhouse",
    effects=(
        *("bonus", "coins", "certificate", "colours", "treasure", "carpenter", "white_die"),
        *("patron", "coiner", "vizier"),
    ),
    outline=outline_of("bathhouse"),
    side_slot=beside_space,
)
TILES = tuple(plain_tile(data, BATHHOUSE.name, rotatable=data["rotatable"]) for data in module_data(KEY)["tiles"])
SIDES_OF: dict[str, dict[str, str]] = {data["id"]: data["sides"] for data in module_data(KEY)["tiles"]}
"""By bathhouse: the building type that each side names, as printed."""


def mix_in(plan: TowerPlan) -> None:
    """The bathhouses come out of the tower among the buildings."""
    plan.add(tile.id for tile in TILES)


def offers(game: Game, _seat: int) -> Iterator[Offer]:
    """Yield every bathhouse beside a market space."""
    return offers_beside_spaces(game, BATHHOUSE.name)


def distances(game: Game, board: Board, bathhouse: PlacedTile) -> Iterator[tuple[str, int]]:
    """Yield the building types that are met, each with the distance of the first building of it."""
    for printed, name in SIDES_OF[bathhouse.tile.id].items():
        line = board.line(bathhouse.x, bathhouse.y, turned(printed, bathhouse.rotation))
        types = [type_at(game, part) for part in line]
        if name in types:
            yield name, types.index(name) + 1


def score_bathhouses(game: Game, number: int) -> None:
    """Each bathhouse brings the distances of all its sides together."""
    for seat, owner in enumerate(game.state.seats):
        for placed in owner.board.of_kind(BATHHOUSE.name):
            found = tuple(distances(game, owner.board, placed))
            points = sum(distance for _, distance in found)
            if points:
                score(game, seat, points, "bathhouse", scoring=number, tile=placed.tile.id, parts=found)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield what is printed at the sides of every bathhouse that lies open, turned as it lies."""
    for tile, nouns, rotation in open_tiles(game, BATHHOUSE.name):
        for side, name in SIDES_OF[tile.id].items():
            yield {"kind": "bath_sign", **nouns, "side": turned(side, rotation), "type": name}


MODULE = Module(
    number=32,
    key=KEY,
    scores={"bathhouse": "Distances from a bathhouse to the first buildings that its sides name."},
    piece_kinds=(
        PieceKind(
            "bath_sign",
            "What a side of a bathhouse names: the building `type` that is looked for in the direction of `side`.",
            outline_of("bath_sign"),
        ),
    ),
    tiles=TILES,
    kinds=(BATHHOUSE,),
    tower=mix_in,
    offers={"action": offers},
    steps=(Step("scoring.gains", score_bathhouses),),
    public_pieces=public_pieces,
)
