"""16 The bazaars.

Eight bazaars are mixed into the tower. One that is drawn for the market is laid beside it, and another tile is drawn
for the space. A bazaar shows a coin and the colours of three building types. It costs what the tile on the market space
of its currency costs now, and must be paid exactly; while that space is empty it cannot be bought. It is placed like a
building. In the last scoring only, a bazaar brings the number of buildings of its colours on the eight cells around it,
times the number of different ones of its colours among them. Bazaars that were not sold are not given out at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..base.dirk import FINAL
from ..base.market import offer_beside, price_on_space
from ..base.open_tiles import open_tiles
from ..base.payment.offers import Offer
from ..base.scoring import score, type_at
from ..base.supply import TowerPlan
from ..board import Board
from ..components import Cell, module_data, plain_tile
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import Module, Step, TileKind
from ..moves import Move
from ..violations import Violation

KEY = "bazaars"
SLOT = "bazaar"
"""Where all bazaars lie that are for sale."""
BAZAAR = TileKind(
    "bazaar",
    effects=("bonus", "treasure", "carpenter", "white_die", "patron", "coiner", "vizier"),
    outline=outline_of("bazaar"),
    side_slot=lambda _place: SLOT,  # all bazaars lie together, whichever space they were drawn for
)
_DATA = {data["id"]: data for data in module_data(KEY)["tiles"]}
TILES = tuple(plain_tile(data, BAZAAR.name) for data in _DATA.values())
CURRENCY: dict[str, str] = {bazaar: data["currency"] for bazaar, data in _DATA.items()}
COLOURS: dict[str, tuple[str, ...]] = {bazaar: tuple(data["colours"]) for bazaar, data in _DATA.items()}
AROUND = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)


def mix_in(plan: TowerPlan) -> None:
    """The bazaars come out of the tower among the buildings."""
    plan.add(tile.id for tile in TILES)


# -- For sale ------------------------------------------------------------------------------------------------------


def offers(game: Game, _seat: int) -> Iterator[Offer]:
    """Yield each bazaar beside the market, for the price of the tile on the space of its currency."""
    for bazaar in game.state.beside.get(SLOT, ()):
        price = price_on_space(game, CURRENCY[bazaar])
        if price is not None:
            yield offer_beside(game, SLOT, bazaar, price, CURRENCY[bazaar], exact=True)


def without_price(game: Game, _seat: int, move: Move) -> Violation | None:
    """A bazaar lies there, but nothing lies on the space that sets its price."""
    if move.slot != SLOT or move.tile not in game.state.beside.get(SLOT, ()):
        return None
    if price_on_space(game, CURRENCY[move.tile]) is not None:
        return None
    return Violation("CONDITION_UNMET", "tile", what="price_tile", need=1, have=0)


# -- What it brings ------------------------------------------------------------------------------------------------


def buildings_around(game: Game, board: Board, cell: Cell, bazaar: str) -> Counter[str]:
    """Return by colour of the bazaar how many buildings of it stand on the eight cells around."""
    around = (board.at(cell[0] + dx, cell[1] + dy) for dx, dy in AROUND)
    types = (type_at(game, part) for part in around if part is not None)
    return Counter(name for name in types if name in COLOURS[bazaar])


def score_bazaars(game: Game, number: int) -> None:
    """At the end each bazaar brings its buildings times their colours."""
    for seat, owner in enumerate(game.state.seats) if number == FINAL else ():
        for placed in owner.board.of_kind(BAZAAR.name):
            found = buildings_around(game, owner.board, (placed.x, placed.y), placed.tile.id)
            if found:
                count, types = found.total(), tuple(sorted(found))
                facts = {"tile": placed.tile.id, "count": count, "types": types}
                score(game, seat, count * len(types), "bazaar", scoring=number, **facts)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield what is printed on every bazaar that lies open: its colours, and its coin until it is bought."""
    for tile, nouns, _rotation in open_tiles(game, BAZAAR.name):
        yield from ({"kind": "bazaar_colour", **nouns, "type": name} for name in COLOURS[tile.id])
    for bazaar in game.state.beside.get(SLOT, ()):
        yield {"kind": "bazaar_coin", "tile": bazaar, "currency": CURRENCY[bazaar]}


MODULE = Module(
    number=16,
    key=KEY,
    reasons=(
        Reason(
            "CONDITION_UNMET",
            "A bazaar is for sale only while a tile lies on the market space of its currency.",
            ("price_tile",),
        ),
    ),
    scores={"bazaar": "Buildings of its colours around a bazaar, times the number of those colours."},
    piece_kinds=(
        PieceKind(
            "bazaar_colour",
            "A colour printed on a bazaar: buildings of this `type` count around it.",
            outline_of("bazaar_colour"),
        ),
        PieceKind(
            "bazaar_coin",
            "The coin printed on a bazaar that is for sale: the currency that it costs.",
            outline_of("bazaar_coin"),
        ),
    ),
    nouns={"slot": (SLOT,)},
    tiles=TILES,
    kinds=(BAZAAR,),
    tower=mix_in,
    offers={"action": offers},
    unsold={"action": without_price},
    steps=(Step("scoring.gains", score_bazaars),),
    public_pieces=public_pieces,
)
