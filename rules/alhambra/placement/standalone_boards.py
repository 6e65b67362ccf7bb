"""Boards without a game: check them against the construction rules, query and score them.

The rules need a game, because modules add tiles, construction rules and scoring. So one game per set of rules is
created, cached and cloned for each set of boards; only its boards are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ..base.build import standing_faults
from ..base.scoring import count_buildings, lines_of_boards
from ..board import Board
from ..components import SIDES, START_TILES, STEP, TYPES, WALL, Cell, Tile
from ..events import Event
from ..game import Game
from ..moves import shown
from ..options import EDITIONS, Options
from ..registry import ON_REGISTER
from ..violations import Violation, in_order
from .contacts import placed_parts
from .grid import LIMIT
from .judge import PlacementJudge
from .rules import QUARTER_TURNS, explain_board

SEED = "boards without a game"
"""Seed of the games. It has no influence on boards."""
RULES_KEPT = 64
"""Number of rulesets for which a game is cached."""
STARTS = frozenset(tile.id for tile in START_TILES)
FOUNTAIN: Cell = (0, 0)
DEFAULT_EDITION = next(iter(EDITIONS))


class LaidTile(NamedTuple):
    """A tile as it lies on a board. Untrusted values are allowed; `StandaloneBoards.lay` reports invalid ones."""

    tile: str
    cell: Cell
    rotation: int = 0
    type: str = ""
    """The chosen building type; empty for the printed one."""
    wooden_walls: tuple[tuple[Cell, str], ...] = ()
    """(cell, side) pairs with wooden walls."""


class StandaloneBoards:
    """The boards of two to six seats, empty at first. With two seats, Dirk may have tiles, too."""

    def __init__(
        self,
        seats: int,
        *,
        edition: str = DEFAULT_EDITION,
        modules: Iterable[str] = (),
        variants: Iterable[str] = (),
    ) -> None:
        """Raise BadOptions if the rules are unknown."""
        self._game = _game(seats, edition, tuple(modules), tuple(variants)).clone()
        self._laid: set[str] = set()

    @classmethod
    def of_game(cls, game: Game) -> StandaloneBoards:
        """Return the boards of a game as they lie, and the tiles of Dirk. Nothing else of the game is used, so that
        scores reveal nothing that is hidden."""
        options = game.options
        found = cls(len(game.state.seats), edition=options.edition, modules=options.modules, variants=options.variants)
        state = found._game.state
        for seat, owner in zip(state.seats, game.state.seats, strict=True):
            seat.board = owner.board
        built = {tile for owner in game.state.seats for tile in owner.board.placed}
        state.types = {tile: kind for tile, kind in game.state.types.items() if tile in built}
        walls = game.state.wooden_walls
        state.wooden_walls = {tile: masks for tile, masks in walls.items() if tile in built}
        state.dirk = game.state.dirk
        return found

    # -- Laying out ------------------------------------------------------------------------------------------------

    def lay(
        self, seat: int, tiles: Iterable[LaidTile], gates: Iterable[tuple[Cell, str]] = ()
    ) -> tuple[Violation, ...]:
        """Lay out a seat's board and return everything that is wrong with it; empty if it is legal. A gate is given by
        a cell and the side towards the other half of the double wall."""
        board = Board(START_TILES[seat])
        faults = [fault for laid in tiles for fault in self._lay_tile(board, laid)]
        if not faults:
            faults = [fault for cell, side in gates for fault in _set_gate(board, cell, side)]
        if not faults:
            faults = [*explain_board(board), *standing_faults(self._game, seat, board)]
        if not faults:
            self._game.state.seats[seat].board = board
        return in_order(faults)

    def give_to_dirk(self, tiles: tuple[str, ...]) -> tuple[Violation, ...]:
        """Give tiles to Dirk and return everything that is wrong with them; empty if he has them now."""
        game = self._game
        faults = []
        taken = {tile for seat in game.state.seats for tile in seat.board.placed}
        for tile in tiles:
            if tile not in game.ruleset.tiles:
                faults.append(Violation("ID_UNKNOWN", "tile", id=shown(tile)))
            elif tile in taken:
                faults.append(Violation("PLACE_TAKEN", "tile", tile=tile))
            taken.add(tile)
        if not faults:
            game.state.dirk = tiles
        return in_order(faults)

    # -- Asking ----------------------------------------------------------------------------------------------------

    def board(self, seat: int) -> Board:
        """Return a copy of a seat's board."""
        return self._game.board(seat)

    def judge(self, seat: int) -> PlacementJudge:
        """Return the judge of further placements on a seat's board."""
        return PlacementJudge(self._game, seat)

    def score_lines(self, scoring: int) -> list[Event]:
        """Return the score lines (events `scored`) of the first, second or third scoring that depend only on the
        boards."""
        return lines_of_boards(self._game.clone(), scoring)

    def buildings(self, seat: int) -> dict[str, int]:
        """Return the number of buildings of each type; with two boards, seat 2 is Dirk."""
        return count_buildings(self._game, seat)

    def longest_wall(self, seat: int) -> int:
        """Return the length of the longest outer wall."""
        return self._game.board(seat).longest_wall()

    # -- Tiles -----------------------------------------------------------------------------------------------------

    def _lay_tile(self, board: Board, laid: LaidTile) -> list[Violation]:
        """Lay a tile, if it is valid by itself, and return what is wrong with it."""
        state = self._game.state
        named = laid.tile in STARTS and laid.cell == FOUNTAIN
        tile = board.start if named else self._game.ruleset.tiles.get(laid.tile)
        if tile is None:
            return [Violation("ID_UNKNOWN", "tile", id=shown(laid.tile))]
        faults = [*self._against_tile(board, tile, laid)]
        if faults:
            return faults
        masks, faults = _wooden_wall_masks(tile, laid)
        if faults:
            return faults
        self._laid.add(tile.id)
        if masks:
            state.wooden_walls = {**state.wooden_walls, tile.id: masks}
        if laid.type:
            state.types = {**state.types, tile.id: laid.type}
        if not named:
            board.put(tile, *laid.cell, laid.rotation, masks)
        elif masks:
            board.add_wooden_walls(tile.id, masks)
        return []

    def _against_tile(self, board: Board, tile: Tile, laid: LaidTile) -> Iterator[Violation]:
        if tile.id in self._laid:
            yield Violation("PLACE_TAKEN", "tile", tile=tile.id)
        if laid.type and laid.type not in TYPES:
            yield Violation("NOUN_MALFORMED", "type", value=shown(laid.type))
        if tile.kind == board.start.kind:
            if tile.id != board.start.id or laid.cell != FOUNTAIN or laid.rotation:
                yield Violation("LOCKED", "tile", tile=tile.id, by="start")
            return
        if laid.rotation not in QUARTER_TURNS:
            yield Violation("NOUN_MALFORMED", "rotation", value=laid.rotation)
            return
        if laid.rotation and not tile.rotatable and "rotate" not in self._game.ruleset.helpers:
            yield Violation("ROTATION_REFUSED", "rotation", rotation=laid.rotation)
        for (x, y), _ in placed_parts(tile, *laid.cell, laid.rotation):
            if max(abs(x), abs(y)) > LIMIT:
                yield Violation("NOUN_MALFORMED", "cell", value=[x, y])
            elif (x, y) in board.cells:
                yield Violation("PLACE_TAKEN", "cell", cell=[x, y])


@lru_cache(maxsize=RULES_KEPT)
def _game(seats: int, edition: str, modules: tuple[str, ...], variants: tuple[str, ...]) -> Game:
    game = Game.new(Options(seats, SEED, edition=edition, modules=modules, variants=variants))
    game.state.decision = None
    game.state.agenda = []
    game.state.dirk = ()
    game.state.types = {}  # types chosen for Dirk's tiles
    for module in game.ruleset.modules:
        if module.undrawn is not None:
            module.undrawn(game)
    return game


ON_REGISTER.append(_game.cache_clear)


def _wooden_wall_masks(tile: Tile, laid: LaidTile) -> tuple[tuple[int, ...], list[Violation]]:
    """Return the wooden walls of a tile as masks relative to the unrotated tile, and what is wrong with them."""
    covered = dict(placed_parts(tile, *laid.cell, laid.rotation))
    masks = [0] * len(tile.parts)
    faults = []
    for cell, side in laid.wooden_walls:
        placed_part = covered.get(cell)
        if side not in SIDES:
            faults.append(Violation("NOUN_MALFORMED", "side", value=side))
        elif placed_part is None:
            faults.append(Violation("NOUN_MALFORMED", "cell", value=list(cell)))
        elif placed_part.edges[SIDES.index(side)] == WALL:
            faults.append(Violation("WALL_REFUSED", "tile", tile=tile.id, side=side, because="covered"))
        else:
            masks[placed_part.part] |= 1 << (SIDES.index(side) - laid.rotation // 90) % len(SIDES)
    return tuple(masks) if any(masks) else (), faults


# -- Gates -----------------------------------------------------------------------------------------------------------


def _set_gate(board: Board, cell: Cell, side: str) -> list[Violation]:
    """Set a gate on a double wall of printed walls, if there is one."""
    if side not in SIDES:
        return [Violation("NOUN_MALFORMED", "side", value=side)]
    beyond = (cell[0] + STEP[side][0], cell[1] + STEP[side][1])
    index = SIDES.index(side)
    if not (_printed_wall(board, cell, index) and _printed_wall(board, beyond, index ^ 2)):
        return [Violation("GATE_REFUSED", "side", cell=list(cell), side=side, because="no_double_wall")]
    board.add_passage(*cell, side)
    return []


def _printed_wall(board: Board, cell: Cell, side: int) -> bool:
    placed_part = board.cells.get(cell)
    if placed_part is None:
        return False
    placed = board.placed[placed_part.tile.id]
    return dict(placed_parts(placed.tile, placed.x, placed.y, placed.rotation))[cell].edges[side] == WALL
