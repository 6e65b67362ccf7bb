"""Open tiles of one kind: in Alhambras, in reserves, before their buyers and beside the market.

For modules that show printed details of their tiles as pieces: an arrow, a coin, colours of building types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..components import SIDES, Tile

if TYPE_CHECKING:
    from ..game import Game


class OpenTile(NamedTuple):
    """A visible tile. `nouns` say where it lies: cell and seat, if it is built."""

    tile: Tile
    nouns: dict[str, Any]
    rotation: int = 0


def open_tiles(game: Game, kind: str) -> Iterator[OpenTile]:
    """Yield the open tiles of a kind, built ones first, seat by seat."""
    known = game.ruleset.tiles
    unbuilt = [tile for lying in game.state.beside.values() for tile in lying]
    for seat, owner in enumerate(game.state.seats):
        for placed in owner.board.of_kind(kind):
            nouns = {"seat": seat, "tile": placed.tile.id, "cell": (placed.x, placed.y)}
            yield OpenTile(placed.tile, nouns, placed.rotation)
        unbuilt += (*game.ruleset.reserve.tiles(game, seat), *owner.pending)
    yield from (OpenTile(known[tile], {"tile": tile}) for tile in unbuilt if known[tile].kind == kind)


def turned(side: str, rotation: int) -> str:
    """Return the direction of a printed side after rotation."""
    return SIDES[(SIDES.index(side) + rotation // 90) % len(SIDES)]
