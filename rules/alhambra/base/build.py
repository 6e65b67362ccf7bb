"""Building: lay a tile into an Alhambra and take one out, as shared by all building verbs.

The construction rules check the place. Modules can restrict what a tile must touch (`anchors`), allow exceptions at a
price (`permits`), allow rotation (`helpers`) and lock built tiles (`locks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..components import SIDES, Cell, Tile
from ..fast_tuple import new_tuple
from ..module import Licence, Permit
from ..moves import Move, laying_move, laying_moves, need
from ..placement.contacts import PlacedTile
from ..placement.rules import cells_forbidden_only_by, check_swap, legal_cells, place_of
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..board import Board
    from ..game import Game

ROTATIONS = (90, 180, 270)
NOWHERE = {"PLACE_TAKEN", "NOUN_MALFORMED", "FOOTPRINT_MISMATCH"}
"""Codes after which checking a placement further makes no sense: the cell is not free."""


class Build(NamedTuple):
    """A way to lay a tile: cell, rotation, items, and the permit used (`choice`)."""

    cell: Cell
    rotation: int | None = None
    items: tuple[str, ...] = ()
    choice: str | None = None


Way: TypeAlias = tuple[Cell, int | None, tuple[str, ...], str | None]
"""A Build as a plain tuple, which is faster in long lists."""
TileWays: TypeAlias = list[tuple[str, list[Way]]]
"""Tiles, each with its ways."""


def wooden_walls_of(game: Game, tile: str) -> tuple[int, ...]:
    """Return the wooden walls of a tile."""
    return game.state.wooden_walls.get(tile, ())


def rotation_helpers(game: Game, seat: int) -> list[Licence]:
    """Return the items with which the seat can rotate a tile that is normally laid upright."""
    return [licence for contribute in game.ruleset.helpers.get("rotate", ()) for licence in contribute(game, seat)]


# -- Judging ------------------------------------------------------------------------------------------------------


def verify_build(
    game: Game, seat: int, board: Board, tile: Tile, build: Build, *, swapped: str | None = None
) -> list[Violation]:
    """Return why the tile cannot be laid like this on the board. `swapped` is the tile that it replaces."""
    faults = list(rotation_faults(game, seat, tile, build))
    rotation = build.rotation or 0
    if rotation % 90:
        return faults
    if swapped is not None:
        build = in_place_of(board, swapped, tile, build)
    found = _judge_place(game, seat, board, tile, build.cell, rotation, swapped)
    if build.choice is None:
        return faults + found
    permit = game.ruleset.permits.get(build.choice)
    if permit is None:
        return [*faults, *found, Violation("NOUN_MALFORMED", "choice", value=build.choice)]
    if not any(fault.code == permit.lifts for fault in found):
        faults.append(Violation("NO_EFFECT", "choice", id=build.choice))
    faults.extend(permit.verify(game, seat, tile, build.cell, rotation))
    return faults + [fault for fault in found if fault.code != permit.lifts]


def in_place_of(board: Board, old: str, tile: Tile, build: Build) -> Build:
    """Return the build moved so that the tile covers exactly the cells of a built one."""
    return build._replace(cell=place_of(board, old, tile, build.rotation or 0) or build.cell)


def rotation_faults(game: Game, seat: int, tile: Tile, build: Build) -> Iterator[Violation]:
    """Yield why the tile cannot be rotated like this, and items that do not help to rotate it."""
    rotation = build.rotation or 0
    helped = any(helper.items == build.items for helper in rotation_helpers(game, seat)) if build.items else False
    if build.items and not helped:
        yield Violation("NOT_THERE", "items", id=build.items[0], place="held")
    elif build.items and (tile.rotatable or not rotation):
        yield Violation("NO_EFFECT", "items", id=build.items[0])
    if rotation % 90 or (rotation and not tile.rotatable and not helped):
        yield Violation("ROTATION_REFUSED", "rotation", rotation=rotation)


def _judge_place(
    game: Game, seat: int, board: Board, tile: Tile, cell: Cell, rotation: int, swapped: str | None
) -> list[Violation]:
    wooden_walls = wooden_walls_of(game, tile.id)
    if swapped is None:
        found = list(game.ruleset.check_placement(board, tile, cell[0], cell[1], rotation, wooden_walls))
    else:
        found = list(check_swap(board, swapped, tile, rotation, wooden_walls))
    if not any(fault.code in NOWHERE for fault in found):
        found += module_faults(game, seat, board, tile, cell, rotation, swapped)
    return found


def module_faults(
    game: Game, seat: int, board: Board, tile: Tile, cell: Cell, rotation: int, swapped: str | None = None
) -> list[Violation]:
    """Return the objections of modules to the Alhambra with the tile laid here."""
    placed = PlacedTile(tile, *cell, rotation, wooden_walls_of(game, tile.id))
    if swapped is None:
        anchor = game.ruleset.anchors.get(tile.kind)
        return [] if anchor is None else [*anchor(game, seat, board, placed)]
    if not judged_by_modules(game, board, swapped, tile):
        return []
    after = board.copy()
    after.remove(swapped)
    after.put(*placed)
    return standing_faults(game, seat, after)


def judged_by_modules(game: Game, board: Board, old: str, tile: Tile | None = None) -> bool:
    """Return whether modules have rules for removing a built tile, or for replacing it by this one."""
    anchors = game.ruleset.anchors
    if not anchors:
        return False
    if tile is not None and tile.kind in anchors:
        return True
    return any(
        beside.tile.kind in anchors
        for cell in board.cells_of(old)
        for _, beside in board.neighbours(*cell)
        if beside is not None
    )


def standing_faults(game: Game, seat: int, after: Board) -> list[Violation]:
    """Return the objections of modules to a whole Alhambra."""
    anchors = game.ruleset.anchors
    return [
        fault
        for placed in after.placed.values()
        if placed.tile.kind in anchors
        for fault in anchors[placed.tile.kind](game, seat, after, placed)
    ]


def lock_of(game: Game, seat: int, tile: str) -> Violation | None:
    """Return why a built tile is locked; None if it may be redesigned."""
    for lock in game.ruleset.locks:
        by = lock(game, seat, tile)
        if by is not None:
            return Violation("LOCKED", "tile", tile=tile, by=by)
    return None


def is_locked(game: Game, seat: int, tile: str) -> bool:
    """Return whether a built tile is locked. Faster than `lock_of`."""
    for lock in game.ruleset.locks:  # noqa: SIM110 - a generator would cost more than the locks
        if lock(game, seat, tile) is not None:
            return True
    return False


def only_start_is_locked(game: Game) -> bool:
    """Return whether no module locks tiles."""
    return game.ruleset.locks == (lock_start,)


def lock_start(game: Game, _seat: int, tile: str) -> str | None:
    """Return the lock of the start tile; None for other tiles."""
    return "start" if game.ruleset.tiles[tile].kind == "start" else None


# -- Listing ------------------------------------------------------------------------------------------------------


def builds(game: Game, seat: int, board: Board, tile: Tile) -> list[Way]:
    """Return every way to lay the tile on free cells of the board."""
    return list(each_build(game, seat, board, tile))


def each_build(game: Game, seat: int, board: Board, tile: Tile) -> Iterable[Way]:
    """Return every way to lay the tile on free cells of the board, step by step: who needs only the first one does not
    wait for the others."""
    if tile.id in game.ruleset.upright:
        return [(cell, None, (), None) for cell in legal_cells(board, tile, 0, wooden_walls_of(game, tile.id))]
    return _turned_builds(game, seat, board, tile)


def _turned_builds(game: Game, seat: int, board: Board, tile: Tile) -> Iterator[Way]:
    """Yield every way to lay a tile that may be turned, or whose place is not for the construction rules alone."""
    rules = game.ruleset
    wooden_walls = wooden_walls_of(game, tile.id)
    judged = tile.kind in rules.anchors
    for rotation, items in turns(game, seat, tile):
        turn = rotation or 0
        for cell in legal_cells(board, tile, turn, wooden_walls):
            if not judged or not module_faults(game, seat, board, tile, cell, turn):
                yield cell, rotation, items, None
        for choice, permit in rules.permits.items():
            for cell in _permitted(game, seat, board, tile, turn, permit):
                if next(iter(permit.verify(game, seat, tile, cell, turn)), None) is None:
                    yield cell, rotation, items, choice


def building_moves(game: Game, seat: int, verb: str, tile_id: str) -> Iterable[Move]:
    """Return every move with this verb that lays the tile on free cells of the seat's board. Where only the
    construction rules decide, they are cached until the board changes; otherwise they are found step by step."""
    rules, state = game.ruleset, game.state
    board = state.seats[seat].board
    if tile_id not in rules.upright:
        return (built_by(verb, tile_id, way) for way in each_build(game, seat, board, rules.tiles[tile_id]))
    kept = board.cached(kept_moves)
    key = (verb, tile_id, state.wooden_walls.get(tile_id, ()))
    found = kept.get(key)
    if found is None:
        found = kept[key] = laying_moves(verb, tile_id, legal_cells(board, rules.tiles[tile_id], 0, key[2]))
    return found


def kept_moves(_board: Board) -> dict[tuple[str, str, tuple[int, ...]], list[Move]]:
    """Return the cache of a board: moves by verb, tile and the wooden walls on it."""
    return {}


def turns(game: Game, seat: int, tile: Tile) -> list[tuple[int | None, tuple[str, ...]]]:
    """Return every rotation of the tile with the items it needs: upright, and rotated if the tile or an item allows
    it."""
    found: list[tuple[int | None, tuple[str, ...]]] = [(None, ())]
    if tile.rotatable:
        found += [(rotation, ()) for rotation in ROTATIONS]
    elif "rotate" in game.ruleset.helpers:
        found += [(rotation, helper.items) for helper in rotation_helpers(game, seat) for rotation in ROTATIONS]
    return found


def way_at(ways: TileWays, number: int) -> tuple[str, Way]:
    """Return the tile and the way with this number, counted over all tiles."""
    for tile, found in ways:
        if number < len(found):
            return tile, found[number]
        number -= len(found)
    raise IndexError(number)


def _permitted(game: Game, seat: int, board: Board, tile: Tile, rotation: int, permit: Permit) -> Iterator[Cell]:
    """Yield the cells where only the rule that the permit lifts forbids the tile."""
    for cell in cells_forbidden_only_by(permit.lifts, board, tile, rotation, wooden_walls_of(game, tile.id)):
        if not module_faults(game, seat, board, tile, cell, rotation):
            yield cell


def may_be_built(game: Game, seat: int, tile: Tile) -> bool:
    """Return whether the seat may be able to lay the tile, judging by public information. Cards in hand are hidden, so
    a permit counts for every seat that has a hand."""
    board = game.state.seats[seat].board
    if any(True for _ in each_build(game, seat, board, tile)):
        return True
    if not game.state.seats[seat].hand:
        return False
    return any(
        all(
            fault.code == "NOT_THERE" and fault.noun == "choice"
            for fault in permit.verify(game, seat, tile, cell, rotation or 0)
        )
        for rotation, _ in turns(game, seat, tile)
        for permit in game.ruleset.permits.values()
        for cell in _permitted(game, seat, board, tile, rotation or 0, permit)
    )


# -- Doing --------------------------------------------------------------------------------------------------------


def edit_board(game: Game, seat: int) -> Board:
    """Return the seat's board for editing: a copy, so that earlier states keep theirs."""
    owner = game.state.seats[seat]
    owner.board = owner.board.copy()
    return owner.board


def lying(game: Game, seat: int, tile_id: str) -> PlacedTile:
    """Return a tile of the seat as it lies: as built, or upright at (0, 0) if it is not built."""
    placed = game.state.seats[seat].board.placed.get(tile_id)
    return placed or PlacedTile(game.ruleset.tiles[tile_id], 0, 0, 0, wooden_walls_of(game, tile_id))


def add_wooden_walls(
    game: Game, seat: int, tile_id: str, sides: Sequence[str], *, part: int = 0, event: str, **more: object
) -> None:
    """Add wooden walls to one part of the seat's tile, built or not, and emit the event. `sides` are the visible ones:
    rotated as on the board, upright elsewhere. The walls stay with the tile."""
    tile, _, _, rotation, standing = lying(game, seat, tile_id)
    mask = sum(1 << (SIDES.index(side) - rotation // 90) % len(SIDES) for side in sides)
    added = tuple(mask if number == part else 0 for number in range(len(tile.parts)))
    together = tuple(old | new for old, new in zip(standing or (0,) * len(added), added, strict=True))
    game.state.wooden_walls = {**game.state.wooden_walls, tile_id: together}
    if tile_id in game.state.seats[seat].board.placed:
        edit_board(game, seat).add_wooden_walls(tile_id, added)
    game.emit(event, seat=seat, tile=tile_id, sides=tuple(sides), **more)


def lay_tile(
    game: Game, seat: int, tile_id: str, build: Build, how: str, *, event: str = "placed", **more: object
) -> None:
    """Lay the tile, emit the event and run the hooks. `how`: place, add, swap or move."""
    tile = game.ruleset.tiles[tile_id]
    rotation = build.rotation or 0
    edit_board(game, seat).put(tile, build.cell[0], build.cell[1], rotation, wooden_walls_of(game, tile_id))
    if rotation:
        more = {"rotation": rotation, **more}
    game.emit(event, seat=seat, tile=tile_id, cell=build.cell, **more)
    for helper in rotation_helpers(game, seat) if build.items else ():
        if helper.items == build.items and helper.spend:
            helper.spend(game, seat)
    # Pushed last, so that the permit's question comes before steps of the hooks.
    game.run_hooks(game.ruleset.reactions["built"], seat, tile_id, how)
    if build.choice is not None:
        game.ruleset.permits[build.choice].apply(game, seat, tile, build.cell, rotation)


def lift_tile(game: Game, seat: int, tile_id: str, how: str) -> None:
    """Take a tile out of the Alhambra and run the hooks. `how`: remove, swap or move."""
    edit_board(game, seat).remove(tile_id)
    game.run_hooks(game.ruleset.reactions["unbuilt"], seat, tile_id, how)


def build_of(move: Move, items: tuple[str, ...] | None = None) -> Build:
    """Return the build that a move names. Pass `items` if some items of the move have another purpose."""
    return new_tuple(Build, (need(move.cell), move.rotation, move.items if items is None else items, move.choice))


def built_by(verb: str, tile: str, way: Way) -> Move:
    """Return the move that lays the tile like this."""
    return laying_move(verb, tile, *way)


def licences_at(game: Game, decision: Decision) -> list[Licence]:
    """Return the licences with which the seat may redesign at this decision."""
    return [licence for contribute in game.ruleset.licences for licence in contribute(game, decision)]
