"""Where a tile may be built in an Alhambra of a game. Only the construction rules are asked, and what decides is
public: the answer is the same for whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from alhambra import Game, IllegalMove, Violation
from alhambra.construction import legal_cells
from alhambra.moves import shown
from alhambra_api.v1 import boards_pb2, nouns_pb2

from . import limits
from .boards import placement_faults
from .refusals import Refusal

UPRIGHT, TURNED = 0, (90, 180, 270)


@lru_cache(limits.LOG_PAGE)
def legal_at(version: int) -> boards_pb2.ValidatePlacementResponse:
    """That a placement is legal: one answer for every game at that version, made once. Never change it."""
    return boards_pb2.ValidatePlacementResponse(version=version, legal=True)


def legal_placements(game: Game, seat: int, tile_id: str, rotation: int | None) -> Iterator[boards_pb2.Placement]:
    """Every legal placement of a tile, row by row from the north, for one rotation after the other."""
    tile = game.ruleset.tiles.get(tile_id)
    if tile is None:
        raise IllegalMove([Violation("ID_UNKNOWN", "tile", id=shown(tile_id))])
    if rotation not in (None, UPRIGHT, *TURNED):
        raise Refusal.malformed("rotation", "A tile is turned by 0, 90, 180 or 270 degrees.")
    board = game.state.seats[seat].board
    for turn in (UPRIGHT, *(TURNED if tile.rotatable else ())):
        if rotation not in (None, turn):
            continue
        cells = legal_cells(board, tile, turn, game.state.sticks.get(tile.id, ()))
        for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0])):
            placement = boards_pb2.Placement(tile=tile.id, cell=nouns_pb2.Cell(x=x, y=y))
            if turn:
                placement.rotation = turn
            if not placement_faults(game, seat, placement):
                yield placement
