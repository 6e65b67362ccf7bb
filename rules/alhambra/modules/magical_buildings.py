"""25 Magical buildings.

Six buildings, one of each type, are mixed into the tower and bought like all others. Each time one is built, whether
freshly bought, from the reserve or by a redesign, it may be turned as its builder likes; all building rules apply to
its walls as they lie then. A chip with the roof is laid on top, so that the tile counts as upright whichever way it
lies. It is a building of its type, but none of the 54 buildings of the base game: no watchtower is bought with it.
"""

from __future__ import annotations

from ..base.supply import TowerPlan
from ..components import module_data, plain_tile
from ..module import EveryEffect, Module, TileKind

KEY = "magical_buildings"
FOR_STANDARD_BUILDINGS_ONLY = ("watchtower", "key")
MAGICAL = TileKind(
    "magical",
    effects=EveryEffect(but=FOR_STANDARD_BUILDINGS_ONLY),
    typed=True,
)
TILES = tuple(plain_tile(data, MAGICAL.name, rotatable=data["rotatable"]) for data in module_data(KEY)["tiles"])


def mix_in(plan: TowerPlan) -> None:
    """They come out of the tower among the buildings."""
    plan.add(tile.id for tile in TILES)


MODULE = Module(
    number=25,
    key=KEY,
    tiles=TILES,
    kinds=(MAGICAL,),
    tower=mix_in,
)
