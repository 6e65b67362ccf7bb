"""Where the tiles of one kind lie open: in Alhambras, in reserves, before their buyers, and beside the market.

For modules that tell what is printed on their tiles, as pieces: an arrow that points to the side to which the tile is
turned, a coin, the colours of building types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..components import SIDES, Tile

if TYPE_CHECKING:
    from ..game import Game


class OpenTile(NamedTuple):
    """A tile that everybody sees. `nouns` say where it lies: its cell and whose it is, if it is built."""

    tile: Tile
    nouns: dict[str, Any]
    rotation: int = 0


def open_tiles(game: Game, kind: str) -> Iterator[OpenTile]:
    """The tiles of a kind that lie open, built ones first, seat by seat."""
    known = game.ruleset.tiles
    unbuilt = [tile for lying in game.state.beside.values() for tile in lying]
    for seat, owner in enumerate(game.state.seats):
        for placed in owner.board.of_kind(kind):
            nouns = {"seat": seat, "tile": placed.tile.id, "cell": (placed.x, placed.y)}
            yield OpenTile(placed.tile, nouns, placed.rotation)
        unbuilt += (*game.ruleset.reserve.tiles(game, seat), *owner.pending)
    yield from (OpenTile(known[tile], {"tile": tile}) for tile in unbuilt if known[tile].kind == kind)


def turned(side: str, rotation: int) -> str:
    """The side to which a printed side points once the tile is turned."""
    return SIDES[(SIDES.index(side) + rotation // 90) % len(SIDES)]
