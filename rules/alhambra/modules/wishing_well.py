"""33 The wishing well.

Six wells with the numbers 3 to 5 are mixed into the tower. One that is drawn for a market space is laid beside it, and
another tile is drawn for the space. Its number is its price, in the currency of that space, whatever lies there; it may
be turned each time it is built. In every scoring a well brings its number, if exactly as many tiles lie in the unbroken
line that begins next to it in the direction of its arrow. Walls do not matter, a gap ends the line. Wells that were
not sold are not given out at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.market import beside_space, offers_beside_spaces
from ..base.open_tiles import open_tiles, turned
from ..base.payment.offers import Offer
from ..base.scoring import score
from ..base.supply import TowerPlan
from ..components import module_data, plain_tile
from ..declarations import PieceKind, outline_of
from ..game import Game
from ..module import Module, Step, TileKind

KEY = "wishing_well"
WELL = TileKind(
    "well",
    effects=(
        *("bonus", "coins", "certificate", "colours", "treasure", "carpenter", "white_die"),
        *("patron", "coiner", "vizier"),
    ),
    outline=outline_of("well"),
    side_slot=beside_space,
)
TILES = tuple(plain_tile(data, WELL.name, rotatable=data["rotatable"]) for data in module_data(KEY)["tiles"])
NUMBER: dict[str, int] = {data["id"]: data["value"] for data in module_data(KEY)["tiles"]}
ARROW: dict[str, str] = {data["id"]: data["arrow"] for data in module_data(KEY)["tiles"]}
"""By well: the side that its arrow points to, as printed."""


def mix_in(plan: TowerPlan) -> None:
    """The wells come out of the tower among the buildings."""
    plan.add(tile.id for tile in TILES)


def offers(game: Game, _seat: int) -> Iterator[Offer]:
    """Yield every well beside a market space."""
    return offers_beside_spaces(game, WELL.name)


def score_wells(game: Game, number: int) -> None:
    """A well brings its number if that many tiles lie before it, neither fewer nor more."""
    for seat, owner in enumerate(game.state.seats):
        for tile, x, y, rotation, _walls in owner.board.of_kind(WELL.name):
            side, wish = turned(ARROW[tile.id], rotation), NUMBER[tile.id]
            if len(owner.board.line(x, y, side)) == wish:
                score(game, seat, wish, "well", scoring=number, tile=tile.id, side=side, count=wish)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the arrow of every well that lies open, turned as the well lies."""
    for tile, nouns, rotation in open_tiles(game, WELL.name):
        yield {"kind": "well_arrow", **nouns, "side": turned(ARROW[tile.id], rotation)}


MODULE = Module(
    number=33,
    key=KEY,
    scores={"well": "The number of a well before which exactly as many tiles lie."},
    piece_kinds=(
        PieceKind(
            "well_arrow",
            "The arrow of a well: the tiles in the direction of `side` are counted.",
            outline_of("well_arrow"),
        ),
    ),
    tiles=TILES,
    kinds=(WELL,),
    tower=mix_in,
    offers={"action": offers},
    steps=(Step("scoring.gains", score_wells),),
    public_pieces=public_pieces,
)
