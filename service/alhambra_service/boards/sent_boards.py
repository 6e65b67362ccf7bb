"""Reads Alhambras of a request and builds them, so that the rules can judge and score them.

A board that breaks the rules is refused with BOARD_INVALID and all its violations.
"""

from __future__ import annotations

from collections.abc import Sequence

from alhambra.boards import Cell, LaidTile, StandaloneBoards
from alhambra.options import EDITIONS
from alhambra_api.v1 import boards_pb2, nouns_pb2, views_pb2

from ..messages.field_checks import LimitedField
from ..messages.nouns import word_of
from ..messages.refusals import Refusal

TILES = LimitedField(boards_pb2.Board, "tiles")
GATES = LimitedField(boards_pb2.Board, "gates")
WOODEN_WALLS = LimitedField(views_pb2.PlacedTile, "wooden_walls")
DIRK_TILES = LimitedField(boards_pb2.ScoreBoardRequest, "dirk_tiles")
RULES = LimitedField(boards_pb2.BoardRules, "modules", called="rules")
"""Modules and variants together."""


def lay_out(rules: boards_pb2.BoardRules, seats: int, boards: Sequence[boards_pb2.Board]) -> StandaloneBoards:
    """Return the boards of a request, one for each seat in order. Raises Refusal if a board breaks the rules, and
    BadOptions if the request's rules do not exist."""
    RULES.check([*rules.modules, *rules.variants])
    edition = rules.edition or next(iter(EDITIONS))
    laid = StandaloneBoards(seats, edition=edition, modules=rules.modules, variants=rules.variants)
    for seat, sent in enumerate(boards):
        _check_sizes(sent)
        faults = laid.lay(seat, map(_laid_tile, sent.tiles), map(_edge, sent.gates))
        if faults:
            message = f"Board {seat} of the request breaks the construction rules."
            raise Refusal("BOARD_INVALID", message, {"board": str(seat)}, violations=faults)
    return laid


def give_to_dirk(laid: StandaloneBoards, tiles: Sequence[str]) -> None:
    """Give tiles to Dirk. Raises Refusal if he cannot have them."""
    DIRK_TILES.check(tiles)
    faults = laid.give_to_dirk(tuple(tiles))
    if faults:
        raise Refusal("BOARD_INVALID", "Dirk cannot have these tiles.", {"board": "dirk"}, violations=faults)


def _check_sizes(sent: boards_pb2.Board) -> None:
    TILES.check(sent.tiles)
    GATES.check(sent.gates)
    for placed in sent.tiles:
        WOODEN_WALLS.check(placed.wooden_walls)


def _laid_tile(placed: views_pb2.PlacedTile) -> LaidTile:
    return LaidTile(
        placed.tile,
        (placed.cell.x, placed.cell.y),
        placed.rotation,
        word_of("type", placed.type),
        tuple(map(_edge, placed.wooden_walls)),
    )


def _edge(edge: nouns_pb2.Edge) -> tuple[Cell, str]:
    return (edge.cell.x, edge.cell.y), word_of("side", edge.side)
