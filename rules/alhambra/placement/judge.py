"""Judging placements by the construction rules alone, including those of modules.

Turn and ownership of tile, gate or helper do not matter. The answer depends on nothing that a seat holds, so it is the
same for every caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..base.build import build_of, verify_build, wooden_walls_of
from ..moves import Move, form_faults, need, shown
from ..violations import IllegalMove, Violation, in_order
from .grid import LIMIT
from .rules import QUARTER_TURNS, legal_cells

if TYPE_CHECKING:
    from ..board import Board
    from ..components import Cell, Tile
    from ..game import Game

HELD = ("choice", "items")
"""Nouns that name pieces of a seat; they are not checked here."""
PLACEMENT = "tile cell [rotation items choice]"
"""The nouns of a placement, as of the verb `place`."""
Upright: TypeAlias = Callable[[str, int, int], Sequence[Violation]]
"""A function that judges a tile (by id) laid upright at x, y."""


class PlacementJudge:
    """The judge of placements on one seat's board. Valid until the game changes."""

    __slots__ = ("_board", "_game", "_seat", "upright")

    def __init__(self, game: Game, seat: int) -> None:
        self._game, self._seat = game, seat
        self._board = game.state.seats[seat].board
        self.upright: Upright = self._upright_judge()
        """`faults` for a tile laid upright at x, y without anything else: the most frequent case, 1 µs."""

    def faults(
        self,
        tile: str | None,
        cell: Cell | None,
        rotation: int | None = None,
        items: Iterable[str] = (),
        choice: str | None = None,
    ) -> Sequence[Violation]:
        """Return every reason against a placement; empty if it is legal. The arguments may be untrusted: missing or
        malformed ones are violations, too."""
        move = Move("place", tile, cell=cell, rotation=rotation, items=tuple(sorted(items)), choice=choice)
        malformed = form_faults(move, PLACEMENT)
        if malformed:
            return in_order(malformed)
        tile_id = need(move.tile)
        known = self._game.ruleset.tiles.get(tile_id)
        if known is None:
            return (Violation("ID_UNKNOWN", "tile", id=tile_id),)
        found = _not_for_laying(self._board, known) or verify_build(
            self._game, self._seat, self._board, known, build_of(move)
        )
        return in_order(fault for fault in found if not (fault.code == "NOT_THERE" and fault.noun in HELD))

    def places(self, tile_id: str, rotation: int | None = None) -> Iterator[tuple[Cell, int]]:
        """Yield every legal (cell, rotation) of the tile, row by row from the north, rotation by rotation; with
        `rotation`, only that one. Raise IllegalMove if there is no such tile."""
        tile = self._game.ruleset.tiles.get(tile_id)
        if tile is None:
            raise IllegalMove([Violation("ID_UNKNOWN", "tile", id=shown(tile_id))])
        for turn in QUARTER_TURNS if tile.rotatable else QUARTER_TURNS[:1]:
            if rotation not in (None, turn):
                continue
            cells = legal_cells(self._board, tile, turn, wooden_walls_of(self._game, tile_id))
            for cell in sorted(cells, key=lambda cell: (cell[1], cell[0])):
                if not (self.faults(tile_id, cell, turn) if turn else self.upright(tile_id, *cell)):
                    yield cell, turn

    def _upright_judge(self) -> Upright:
        """Return the function for `upright`, with everything that does not depend on the tile looked up once."""
        game, board, faults = self._game, self._board, self.faults
        tile_of, wooden_walls = game.ruleset.tiles.get, game.state.wooden_walls.get
        check = game.ruleset.check_placement
        placed, start, anchors = board.placed, board.start.kind, game.ruleset.anchors

        def upright(tile_id: str, x: int, y: int) -> Sequence[Violation]:
            tile = tile_of(tile_id)
            if tile is None or tile.kind in anchors or not (-LIMIT <= x <= LIMIT and -LIMIT <= y <= LIMIT):
                return faults(tile_id or None, (x, y))
            if tile_id in placed or tile.kind == start:
                return _not_for_laying(board, tile)
            return check(board, tile, x, y, 0, wooden_walls(tile_id, ()))

        return upright


def _not_for_laying(board: Board, tile: Tile) -> Sequence[Violation]:
    if tile.kind == board.start.kind:
        return (Violation("LOCKED", "tile", tile=tile.id, by="start"),)
    if tile.id in board.placed:
        return (Violation("PLACE_TAKEN", "tile", tile=tile.id),)
    return ()
