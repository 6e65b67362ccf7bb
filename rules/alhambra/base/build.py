"""Laying a tile into an Alhambra, and taking one out: what all verbs that build have in common.

The construction rules judge the place; modules may say what a tile of theirs must touch (`anchors`), let a rule be
broken at a price (`permits`), turn a tile (`helpers`), or lock a built one (`locks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..components import SIDES, Cell, Tile
from ..fast_tuple import new_tuple
from ..module import Licence, Permit
from ..moves import Move
from ..placement.contacts import PlacedTile
from ..placement.rules import cells_forbidden_only_by, check_swap, legal_cells, place_of
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..board import Board
    from ..game import Game

ROTATIONS = (90, 180, 270)
NOWHERE = {"PLACE_TAKEN", "NOUN_MALFORMED", "FOOTPRINT_MISMATCH"}
"""Without a free cell there is no Alhambra to judge any further."""


class Build(NamedTuple):
    """A way to lay a tile: where, how turned, with which helper, by which permit."""

    cell: Cell
    rotation: int | None = None
    items: tuple[str, ...] = ()
    choice: str | None = None


Way: TypeAlias = tuple[Cell, int | None, tuple[str, ...], str | None]
"""The same without a name: for lists, of which one is taken."""


def wooden_walls_of(game: Game, tile: str) -> tuple[int, ...]:
    """The wooden walls that belong to a tile."""
    return game.state.wooden_walls.get(tile, ())


def rotation_helpers(game: Game, seat: int) -> list[Licence]:
    """Items that let the seat turn a tile which is otherwise laid upright."""
    return [licence for contribute in game.ruleset.helpers.get("rotate", ()) for licence in contribute(game, seat)]


# -- Judging ------------------------------------------------------------------------------------------------------


def verify_build(
    game: Game, seat: int, board: Board, tile: Tile, build: Build, *, swapped: str | None = None
) -> list[Violation]:
    """Why the tile cannot be laid like this on that board; `swapped` names the tile whose place it takes."""
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
    """The same build with the tile's first part where it must lie to cover exactly the cells of a built one."""
    return build._replace(cell=place_of(board, old, tile, build.rotation or 0) or build.cell)


def rotation_faults(game: Game, seat: int, tile: Tile, build: Build) -> Iterator[Violation]:
    """Why the tile cannot be turned like this, or an item is named that does not serve to turn it."""
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
    """What modules say against the Alhambra as it would stand with the tile laid here."""
    placed = PlacedTile(tile, *cell, rotation, wooden_walls_of(game, tile.id))
    if swapped is None:
        judges = game.ruleset.anchors.get(tile.kind, ())
        return [fault for judge in judges for fault in judge(game, seat, board, placed)]
    if not judged_by_modules(game, board, swapped, tile):
        return []
    after = board.copy()
    after.remove(swapped)
    after.put(*placed)
    return standing_faults(game, seat, after)


def judged_by_modules(game: Game, board: Board, old: str, tile: Tile | None = None) -> bool:
    """Whether modules have a say when a built tile leaves, or this one takes its place."""
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
    """What modules say against an Alhambra as it would stand."""
    anchors = game.ruleset.anchors
    return [
        fault
        for placed in after.placed.values()
        for judge in anchors.get(placed.tile.kind, ())
        for fault in judge(game, seat, after, placed)
    ]


def lock_of(game: Game, seat: int, tile: str) -> Violation | None:
    """Why a built tile may not be redesigned."""
    for lock in game.ruleset.locks:
        by = lock(game, seat, tile)
        if by is not None:
            return Violation("LOCKED", "tile", tile=tile, by=by)
    return None


def lock_start(game: Game, _seat: int, tile: str) -> str | None:
    """The start tile never moves."""
    return "start" if game.ruleset.tiles[tile].kind == "start" else None


# -- Listing ------------------------------------------------------------------------------------------------------


def builds(game: Game, seat: int, board: Board, tile: Tile) -> list[Way]:
    """Every way to lay the tile on a free place of that board."""
    rules = game.ruleset
    wooden_walls = wooden_walls_of(game, tile.id)
    judged = tile.kind in rules.anchors
    found: list[Way] = []
    for rotation, items in turns(game, seat, tile):
        turn = rotation or 0
        for cell in legal_cells(board, tile, turn, wooden_walls):
            if not judged or not module_faults(game, seat, board, tile, cell, turn):
                found.append((cell, rotation, items, None))
        for choice, permit in rules.permits.items():
            for cell in _permitted(game, seat, board, tile, turn, permit):
                if not any(True for _ in permit.verify(game, seat, tile, cell, turn)):
                    found.append((cell, rotation, items, choice))
    return found


def turns(game: Game, seat: int, tile: Tile) -> list[tuple[int | None, tuple[str, ...]]]:
    """Every way to turn the tile, with the items that it takes: upright, and turned if it may be or an item helps."""
    found: list[tuple[int | None, tuple[str, ...]]] = [(None, ())]
    if tile.rotatable:
        found += [(rotation, ()) for rotation in ROTATIONS]
    elif "rotate" in game.ruleset.helpers:
        found += [(rotation, helper.items) for helper in rotation_helpers(game, seat) for rotation in ROTATIONS]
    return found


def _permitted(game: Game, seat: int, board: Board, tile: Tile, rotation: int, permit: Permit) -> Iterator[Cell]:
    """The cells where nothing speaks against the tile but what the permit lifts."""
    for cell in cells_forbidden_only_by(permit.lifts, board, tile, rotation, wooden_walls_of(game, tile.id)):
        if not module_faults(game, seat, board, tile, cell, rotation):
            yield cell


def may_be_built(game: Game, seat: int, tile: Tile) -> bool:
    """Whether the seat may have a way to lay the tile, as far as the others can tell: what cards it holds, they cannot,
    so a permit counts for every seat that has a hand."""
    board = game.state.seats[seat].board
    if builds(game, seat, board, tile):
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
    """The seat's board, copied so that earlier states keep theirs."""
    owner = game.state.seats[seat]
    owner.board = owner.board.copy()
    return owner.board


def lying(game: Game, seat: int, tile_id: str) -> PlacedTile:
    """How a tile of the seat lies: as it was built, or upright in the cell (0, 0) if it is not built."""
    placed = game.state.seats[seat].board.placed.get(tile_id)
    return placed or PlacedTile(game.ruleset.tiles[tile_id], 0, 0, 0, wooden_walls_of(game, tile_id))


def add_wooden_walls(
    game: Game, seat: int, tile_id: str, sides: Sequence[str], *, part: int = 0, event: str, **more: object
) -> None:
    """Puts wooden walls on one part of a tile of the seat, built or not, and tells it. `sides` are those that one sees:
    on the board as the tile is turned there, elsewhere upright. The walls belong to the tile, wherever it goes."""
    tile, _, _, rotation, standing = lying(game, seat, tile_id)
    mask = sum(1 << (SIDES.index(side) - rotation // 90) % len(SIDES) for side in sides)
    added = tuple(mask if number == part else 0 for number in range(len(tile.parts)))
    together = tuple(old | new for old, new in zip(standing or (0,) * len(added), added, strict=True))
    game.state.wooden_walls = {**game.state.wooden_walls, tile_id: together}
    if tile_id in game.state.seats[seat].board.placed:
        edit_board(game, seat).add_sticks(tile_id, added)
    game.emit(event, seat=seat, tile=tile_id, sides=tuple(sides), **more)


def lay_tile(
    game: Game, seat: int, tile_id: str, build: Build, how: str, *, event: str = "placed", **more: object
) -> None:
    """Lays the tile, tells it, and lets the modules react. `how`: place, add, swap or move."""
    tile = game.ruleset.tiles[tile_id]
    rotation = build.rotation or 0
    edit_board(game, seat).put(tile, build.cell[0], build.cell[1], rotation, wooden_walls_of(game, tile_id))
    if rotation:
        more = {"rotation": rotation, **more}
    game.emit(event, seat=seat, tile=tile_id, cell=build.cell, **more)
    for helper in rotation_helpers(game, seat) if build.items else ():
        if helper.items == build.items and helper.spend:
            helper.spend(game, seat)
    # Whatever is pushed last is done first: the permit's question comes before what the reactions have pushed.
    game.react(game.ruleset.built, seat, tile_id, how)
    if build.choice is not None:
        game.ruleset.permits[build.choice].apply(game, seat, tile, build.cell, rotation)


def lift_tile(game: Game, seat: int, tile_id: str, how: str) -> None:
    """Takes a tile out of the Alhambra and lets the modules react. `how`: remove, swap or move."""
    edit_board(game, seat).remove(tile_id)
    game.react(game.ruleset.unbuilt, seat, tile_id, how)


def build_of(move: Move, items: tuple[str, ...] | None = None) -> Build:
    """The way of building that a move names; `items` if some of its items mean something else."""
    assert move.cell is not None
    return new_tuple(Build, (move.cell, move.rotation, move.items if items is None else items, move.choice))


def built_by(verb: str, tile: str, way: Way) -> Move:
    """The move that lays the tile like this."""
    cell, rotation, items, choice = way
    return new_tuple(
        Move, (verb, tile, None, cell, rotation, None, None, (), (), items, None, None, None, None, choice)
    )


def licences_at(game: Game, decision: Decision) -> list[Licence]:
    """What entitles the asked seat to redesign here."""
    return [licence for contribute in game.ruleset.licences for licence in contribute(game, decision)]
