"""Reads Alhambras of a request and builds them, so that the rules can judge and score them.

A board that breaks the rules is refused with BOARD_INVALID and all its violations.
"""

from __future__ import annotations

from collections.abc import Sequence

from alhambra.boards import Cell, LaidBoards, LaidTile
from alhambra.options import EDITIONS
from alhambra_api.v1 import boards_pb2, nouns_pb2, views_pb2

from .. import limits
from ..messages.nouns import word_of
from ..messages.refusals import Refusal


def lay_out(rules: boards_pb2.BoardRules, seats: int, boards: Sequence[boards_pb2.Board]) -> LaidBoards:
    """Return the boards of a request, one for each seat in order. Raises Refusal if a board breaks the rules, and
    BadOptions if the request's rules do not exist."""
    if len(rules.modules) + len(rules.variants) > limits.BOARD_RULES:
        raise Refusal.limit("rules", limits.BOARD_RULES)
    edition = rules.edition or next(iter(EDITIONS))
    laid = LaidBoards(seats, edition=edition, modules=rules.modules, variants=rules.variants)
    for seat, sent in enumerate(boards):
        _check_sizes(sent)
        faults = laid.lay(seat, map(_laid_tile, sent.tiles), map(_edge, sent.gates))
        if faults:
            message = f"Board {seat} of the request breaks the construction rules."
            raise Refusal("BOARD_INVALID", message, {"board": str(seat)}, violations=faults)
    return laid


def give_to_dirk(laid: LaidBoards, tiles: Sequence[str]) -> None:
    """Give tiles to Dirk. Raises Refusal if he cannot have them."""
    if len(tiles) > limits.BOARD_TILES:
        raise Refusal.limit("dirk_tiles", limits.BOARD_TILES)
    faults = laid.give_to_dirk(tuple(tiles))
    if faults:
        raise Refusal("BOARD_INVALID", "Dirk cannot have these tiles.", {"board": "dirk"}, violations=faults)


def _check_sizes(sent: boards_pb2.Board) -> None:
    for what, length, limit in (
        ("tiles", len(sent.tiles), limits.BOARD_TILES),
        ("gates", len(sent.gates), limits.BOARD_EDGES),
        ("wooden_walls", max((len(placed.wooden_walls) for placed in sent.tiles), default=0), limits.BOARD_EDGES),
    ):
        if length > limit:
            raise Refusal.limit(what, limit)


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
