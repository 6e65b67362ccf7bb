"""An Alhambra that is sent in a request: read, checked against the construction rules, and put on a table of its own.

No game needs to exist. The rules still need one to judge by, since modules bring tiles, construction rules and scoring:
so a game under the wanted rules is set up once, kept, and cloned for each request; nothing in it but the boards counts.
A board that breaks the rules itself is refused with BOARD_INVALID and everything that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from alhambra import Board, Game, Options, Tile, Violation
from alhambra.base.building import standing_faults
from alhambra.components import SIDES, START_TILES, WALL, Cell
from alhambra.construction import QUARTER_TURNS, standing
from alhambra.contacts import edge_between, lots
from alhambra.grid import LIMIT
from alhambra.module import FRAMES
from alhambra.options import EDITIONS
from alhambra.violations import in_order
from alhambra_api.v1 import boards_pb2, views_pb2

from . import limits
from .nouns import word_of
from .refusals import Refusal

SEED = "a board without a game"
"""Decides nothing that a board could show."""
STARTS = frozenset(tile.id for tile in START_TILES)
DEFAULT_EDITION = next(iter(EDITIONS))
assert "scoring" in FRAMES


def table_for(rules: boards_pb2.BoardRules, seats: int) -> Game:
    """A game under these rules whose Alhambras are all empty; the caller's own copy."""
    names = (*rules.modules, *rules.variants)
    if len(names) > limits.BOARD_RULES:
        raise Refusal.limit("rules", limits.BOARD_RULES)
    return _table(seats, rules.edition or DEFAULT_EDITION, tuple(rules.modules), tuple(rules.variants)).clone()


@lru_cache(maxsize=limits.BOARD_RULES)
def _table(seats: int, edition: str, modules: tuple[str, ...], variants: tuple[str, ...]) -> Game:
    game = Game.new(Options(seats, SEED, edition=edition, modules=modules, variants=variants))
    game.state.decision = None
    game.state.agenda = []
    game.state.dirk = ()
    return game


def lay_out(game: Game, boards: Sequence[boards_pb2.Board]) -> None:
    """Puts the boards before the seats of the game, in their order; raises Refusal if one of them cannot stand."""
    taken: dict[str, int] = {}
    for seat, sent in enumerate(boards):
        if len(sent.tiles) > limits.BOARD_TILES:
            raise Refusal.limit("tiles", limits.BOARD_TILES)
        if len(sent.gates) > limits.BOARD_EDGES:
            raise Refusal.limit("gates", limits.BOARD_EDGES)
        faults = [*_lay_tiles(game, seat, sent.tiles, taken)]
        if not faults:
            faults += _set_gates(game, seat, sent)
        if not faults:
            board = game.state.seats[seat].board
            faults += [*standing(board), *standing_faults(game, seat, board)]
        if faults:
            raise Refusal(
                "BOARD_INVALID",
                f"Board {seat} breaks the construction rules.",
                {"board": str(seat)},
                violations=in_order(faults),
            )


def _lay_tiles(
    game: Game, seat: int, sent: Iterable[views_pb2.PlacedTile], taken: dict[str, int]
) -> Iterator[Violation]:
    board = game.state.seats[seat].board
    start = board.start
    for placed in sent:
        cell = (placed.cell.x, placed.cell.y)
        rotation = placed.rotation
        if placed.tile in STARTS and cell == (0, 0) and not rotation:
            tile: Tile | None = start
        else:
            tile = game.ruleset.tiles.get(placed.tile)
        faults = [*_against_tile(game, tile, placed, cell, taken)]
        if tile is not None and not faults:
            taken[tile.id] = seat
            masks, refused = _sticks(tile, cell, rotation, placed)
            faults += refused
            if not faults:
                _lay(game, board, tile, cell, rotation, masks)
                if placed.type and tile is not start:
                    game.state.types = {**game.state.types, tile.id: word_of("type", placed.type)}
        yield from faults
    game.state.seats[seat].board = board


def _against_tile(
    game: Game, tile: Tile | None, placed: views_pb2.PlacedTile, cell: Cell, taken: dict[str, int]
) -> Iterator[Violation]:
    if tile is None:
        yield Violation("ID_UNKNOWN", "tile", id=placed.tile[:limits.BOARD_EDGES])
        return
    if tile.kind == "start" and cell != (0, 0):
        yield Violation("LOCKED", "tile", tile=tile.id, by="start")
    if tile.id in taken:
        yield Violation("PLACE_TAKEN", "tile", tile=tile.id)
    if max(abs(cell[0]), abs(cell[1])) > LIMIT:
        yield Violation("NOUN_MALFORMED", "cell", value=list(cell))
    if placed.rotation not in QUARTER_TURNS:
        yield Violation("NOUN_MALFORMED", "rotation", value=placed.rotation)
    elif placed.rotation and not tile.rotatable and "rotate" not in game.ruleset.helpers:
        yield Violation("ROTATION_REFUSED", "rotation", rotation=placed.rotation)
    if placed.type and not word_of("type", placed.type).isalpha():
        yield Violation("NOUN_MALFORMED", "type", value=placed.type)


def _sticks(
    tile: Tile, cell: Cell, rotation: int, placed: views_pb2.PlacedTile
) -> tuple[tuple[int, ...], list[Violation]]:
    """The wooden walls of a tile as masks in its own frame, and what is wrong with them."""
    if not placed.wooden_walls:
        return (), []
    if len(placed.wooden_walls) > limits.BOARD_EDGES:
        raise Refusal.limit("wooden_walls", limits.BOARD_EDGES)
    covered = dict(lots(tile, *cell, rotation))
    masks = [0] * len(tile.parts)
    faults = []
    for wall in placed.wooden_walls:
        at, side = (wall.cell.x, wall.cell.y), word_of("side", wall.side)
        lot = covered.get(at)
        if lot is None or side not in SIDES:
            faults.append(Violation("NOUN_MALFORMED", "cell" if side in SIDES else "side", value=[*at, side]))
        elif lot.edges[SIDES.index(side)] == WALL:
            faults.append(Violation("WALL_REFUSED", "tile", tile=tile.id, side=side, because="covered"))
        else:
            masks[lot.part] |= 1 << (SIDES.index(side) - rotation // 90) % len(SIDES)
    return tuple(masks), faults


def _lay(game: Game, board: Board, tile: Tile, cell: Cell, rotation: int, masks: tuple[int, ...]) -> None:
    if masks:
        game.state.sticks = {**game.state.sticks, tile.id: masks}
    if tile.id in board.placed:
        if masks:
            board.add_sticks(tile.id, masks)
    else:
        board.put(tile, *cell, rotation, masks)
