"""An Alhambra that is sent in a request: read, checked against the construction rules, and put on a table of its own.

No game needs to exist. The rules still need one to judge by, since modules bring tiles, construction rules and scoring:
so a game under the wanted rules is set up once, kept, and cloned for each request; nothing in it but the boards counts.
A board that breaks the rules itself is refused with BOARD_INVALID and everything that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from alhambra import Board, Game, Options, Tile, Violation
from alhambra.base.building import standing_faults
from alhambra.components import SIDES, START_TILES, STEP, TYPES, WALL, Cell
from alhambra.construction import QUARTER_TURNS, standing
from alhambra.contacts import lots
from alhambra.grid import LIMIT
from alhambra.moves import shown
from alhambra.options import EDITIONS
from alhambra.violations import in_order
from alhambra_api.v1 import boards_pb2, nouns_pb2, views_pb2

from . import limits
from .nouns import word_of
from .refusals import Refusal

SEED = "a board without a game"
"""Decides nothing that a board could show."""
STARTS = frozenset(tile.id for tile in START_TILES)
FOUNTAIN: Cell = (0, 0)


def table_for(rules: boards_pb2.BoardRules, seats: int) -> Game:
    """A game under these rules whose Alhambras are all empty; the caller's own copy. Raises BadOptions."""
    if len(rules.modules) + len(rules.variants) > limits.BOARD_RULES:
        raise Refusal.limit("rules", limits.BOARD_RULES)
    return _table(seats, rules.edition or next(iter(EDITIONS)), tuple(rules.modules), tuple(rules.variants)).clone()


@lru_cache(maxsize=limits.BOARD_RULES)
def _table(seats: int, edition: str, modules: tuple[str, ...], variants: tuple[str, ...]) -> Game:
    game = Game.new(Options(seats, SEED, edition=edition, modules=modules, variants=variants))
    game.state.decision = None
    game.state.agenda = []
    game.state.dirk = ()
    return game


def lay_out(game: Game, boards: Sequence[boards_pb2.Board]) -> None:
    """Puts the boards before the seats of the game, in their order; raises Refusal if one of them cannot stand."""
    laid: set[str] = set()
    for seat, sent in enumerate(boards):
        _check_sizes(sent)
        board = Board(START_TILES[seat])
        faults = [fault for placed in sent.tiles for fault in _lay_tile(game, board, placed, laid)]
        if not faults:
            faults = [fault for gate in sent.gates for fault in _set_gate(board, gate)]
        if not faults:
            faults = [*standing(board), *standing_faults(game, seat, board)]
        if faults:
            message = f"Board {seat} of the request breaks the construction rules."
            raise Refusal("BOARD_INVALID", message, {"board": str(seat)}, violations=in_order(faults))
        game.state.seats[seat].board = board


def _check_sizes(sent: boards_pb2.Board) -> None:
    for what, length, limit in (
        ("tiles", len(sent.tiles), limits.BOARD_TILES),
        ("gates", len(sent.gates), limits.BOARD_EDGES),
        ("wooden_walls", max((len(placed.wooden_walls) for placed in sent.tiles), default=0), limits.BOARD_EDGES),
    ):
        if length > limit:
            raise Refusal.limit(what, limit)


# -- Tiles -----------------------------------------------------------------------------------------------------------


def _lay_tile(game: Game, board: Board, placed: views_pb2.PlacedTile, laid: set[str]) -> list[Violation]:
    """Lays a tile where it is said to lie, if there is nothing wrong with it by itself."""
    cell = (placed.cell.x, placed.cell.y)
    named = placed.tile in STARTS and cell == FOUNTAIN
    tile = board.start if named else game.ruleset.tiles.get(placed.tile)
    if tile is None:
        return [Violation("ID_UNKNOWN", "tile", id=shown(placed.tile))]
    faults = [*_against_tile(game, board, tile, placed, laid)]
    if faults:
        return faults
    masks, faults = _sticks(tile, placed)
    if faults:
        return faults
    laid.add(tile.id)
    if masks:
        game.state.sticks = {**game.state.sticks, tile.id: masks}
    if placed.type:
        game.state.types = {**game.state.types, tile.id: word_of("type", placed.type)}
    if not named:
        board.put(tile, *cell, placed.rotation, masks)
    elif masks:
        board.add_sticks(tile.id, masks)
    return []


def _against_tile(
    game: Game, board: Board, tile: Tile, placed: views_pb2.PlacedTile, laid: set[str]
) -> Iterator[Violation]:
    if tile.id in laid:
        yield Violation("PLACE_TAKEN", "tile", tile=tile.id)
    if placed.type and word_of("type", placed.type) not in TYPES:
        yield Violation("NOUN_MALFORMED", "type", value=placed.type)
    if tile.kind == board.start.kind:
        if tile.id != board.start.id or (placed.cell.x, placed.cell.y) != FOUNTAIN or placed.rotation:
            yield Violation("LOCKED", "tile", tile=tile.id, by="start")
        return
    if placed.rotation not in QUARTER_TURNS:
        yield Violation("NOUN_MALFORMED", "rotation", value=placed.rotation)
        return
    if placed.rotation and not tile.rotatable and "rotate" not in game.ruleset.helpers:
        yield Violation("ROTATION_REFUSED", "rotation", rotation=placed.rotation)
    for x, y in _cells(tile, placed):
        if max(abs(x), abs(y)) > LIMIT:
            yield Violation("NOUN_MALFORMED", "cell", value=[x, y])
        elif (x, y) in board.cells:
            yield Violation("PLACE_TAKEN", "cell", cell=[x, y])


def _cells(tile: Tile, placed: views_pb2.PlacedTile) -> list[Cell]:
    return [cell for cell, _ in lots(tile, placed.cell.x, placed.cell.y, placed.rotation)]


def _sticks(tile: Tile, placed: views_pb2.PlacedTile) -> tuple[tuple[int, ...], list[Violation]]:
    """The wooden walls of a tile as masks in its own frame, and what is wrong with them."""
    covered = dict(lots(tile, placed.cell.x, placed.cell.y, placed.rotation))
    masks = [0] * len(tile.parts)
    faults = []
    for wall in placed.wooden_walls:
        cell, side = (wall.cell.x, wall.cell.y), word_of("side", wall.side)
        lot = covered.get(cell)
        if side not in SIDES:
            faults.append(Violation("NOUN_MALFORMED", "side", value=side))
        elif lot is None:
            faults.append(Violation("NOUN_MALFORMED", "cell", value=list(cell)))
        elif lot.edges[SIDES.index(side)] == WALL:
            faults.append(Violation("WALL_REFUSED", "tile", tile=tile.id, side=side, because="covered"))
        else:
            masks[lot.part] |= 1 << (SIDES.index(side) - placed.rotation // 90) % len(SIDES)
    return tuple(masks) if any(masks) else (), faults


# -- Gates -----------------------------------------------------------------------------------------------------------


def _set_gate(board: Board, gate: nouns_pb2.Edge) -> list[Violation]:
    """Sets a gate on a double wall, if there is one, of printed walls."""
    cell, side = (gate.cell.x, gate.cell.y), word_of("side", gate.side)
    if side not in SIDES:
        return [Violation("NOUN_MALFORMED", "side", value=side)]
    beyond = (cell[0] + STEP[side][0], cell[1] + STEP[side][1])
    index = SIDES.index(side)
    if not (_printed_wall(board, cell, index) and _printed_wall(board, beyond, index ^ 2)):
        return [Violation("GATE_REFUSED", "side", cell=list(cell), side=side, because="no_double_wall")]
    board.add_passage(*cell, side)
    return []


def _printed_wall(board: Board, cell: Cell, side: int) -> bool:
    lot = board.cells.get(cell)
    if lot is None:
        return False
    placed = board.placed[lot.tile.id]
    return dict(lots(placed.tile, placed.x, placed.y, placed.rotation))[cell].edges[side] == WALL
