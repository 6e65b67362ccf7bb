"""Stands and booths lie beside the market. A stand has a price, in the currency of the space that it was drawn for. A
booth costs what the tile on the dirham space costs, exactly."""

from __future__ import annotations

from collections.abc import Iterator

from alhambra import Game, Module
from alhambra.base.market import beside_space, offer_beside, offers_beside_spaces, price_on_space
from alhambra.base.payment.offers import Offer
from alhambra.base.supply import TowerPlan
from alhambra.components import OPEN, Part, Tile
from alhambra.module import TileKind

STAND = TileKind("stand", ("bonus", "coins"), side_slot=beside_space)
BOOTH = TileKind("booth", ("bonus",), side_slot=lambda _place: "booths")
STANDS = tuple(Tile(f"stand-{number}", STAND.name, (Part(0, 0, OPEN * 4),), 5) for number in (1, 2, 3, 4))
BOOTHS = tuple(Tile(f"booth-{number}", BOOTH.name, (Part(0, 0, OPEN * 4),)) for number in (1, 2, 3))


def mix_in(plan: TowerPlan) -> None:
    """They come from the tower like all tiles."""
    plan.add(tile.id for tile in (*STANDS, *BOOTHS))


def offers(game: Game, _seat: int) -> Iterator[Offer]:
    """Everything that lies beside the market; no booth while the dirham space is empty."""
    yield from offers_beside_spaces(game, STAND.name)
    price = price_on_space(game, "dirham")
    if price is not None:
        for tile in game.state.beside.get("booths", ()):
            yield offer_beside(game, "booths", tile, price, "dirham", exact=True)


STANDS_AND_BOOTHS = Module(
    number=933,
    key="example_stands",
    tiles=(*STANDS, *BOOTHS),
    kinds=(STAND, BOOTH),
    tower=mix_in,
    offers={"action": offers},
)
