"""Redesign: add a tile from the reserve, remove one into it, or swap two.

The resulting Alhambra must satisfy all construction rules. The start tile never moves; pending tiles cannot be used. A
redesign needs a licence: an action of the turn, or something named in the move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..components import Cell, Tile
from ..module import Licence, RandBelow, Verb
from ..moves import Move, laying_moves, need, removing_move
from ..placement.contacts import PlacedTile, lying_walls
from ..placement.rules import check_removal, may_remove, places_for, removable_tiles
from ..state import Decision
from ..violations import Violation
from .build import (
    Build,
    TileWays,
    Way,
    build_of,
    building_moves,
    builds,
    built_by,
    in_place_of,
    is_locked,
    judged_by_modules,
    kept_moves,
    lay_tile,
    licences_at,
    lift_tile,
    lock_of,
    only_start_is_locked,
    rotation_faults,
    standing_faults,
    turns,
    verify_build,
    way_at,
    wooden_walls_of,
)
from .sole_action import free_redesign_barred, note_free_redesign, sole_action_taken
from .supply import missing

if TYPE_CHECKING:
    from ..board import Board
    from ..game import Game


# -- What entitles to it -------------------------------------------------------------------------------------------


BY_ACTION = Licence(action=True)
RELOCATE = "move_tile"
"""The verb whose licence must allow a relocation (`relocation.py`)."""
BY_CONTACT = ("EDGE_MISMATCH", "CONTACT_FORBIDDEN")
"""Codes of sides that must not touch."""


def by_action(game: Game, decision: Decision) -> Iterator[Licence]:
    """Yield the licence to redesign as an action of the turn."""
    if decision.kind == "action" and game.state.actions > 0:
        yield BY_ACTION


def licences_for(game: Game, decision: Decision, *, relocating: bool = False) -> list[Licence]:
    """Return the licences of the seat for a redesign or a relocation. After a sole action there are no free
    redesigns."""
    found = licences_at(game, decision)
    if relocating:
        found = [licence for licence in found if licence.relocates]
    if found and game.state.taken and sole_action_taken(game, decision.seat):
        found = [licence for licence in found if licence.action]
    return found


def licence_of(game: Game, decision: Decision, move: Move) -> tuple[Licence | None, tuple[str, ...]]:
    """Return the licence that a move uses, and the items left for other purposes. The licence that names the most is
    preferred."""
    licences = licences_for(game, decision, relocating=move.verb == RELOCATE)
    for licence in sorted(licences, key=lambda licence: -len(licence.items)):
        if licence.cards == move.cards and not missing(move.items, licence.items):
            return licence, tuple(missing(licence.items, move.items))
    return None, move.items


def is_an_action(game: Game, decision: Decision, move: Move) -> bool:
    """Return whether the redesign takes an action of the turn."""
    licence, _ = licence_of(game, decision, move)
    return licence is not None and licence.action


def unlicensed(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield why the seat has no licence for this redesign."""
    if licence_of(game, decision, move)[0] is None:
        if sole_action_taken(game, decision.seat):
            yield Violation("SOLE_ACTION", "verb", verb=move.verb)
        if free_redesign_barred(game, decision.seat):
            return
        named = (*move.items, *move.cards)
        noun = "items" if move.items or not move.cards else "cards"
        if named:
            yield Violation("NOT_THERE", noun, id=named[0], place="held" if noun == "items" else "hand")
        else:
            yield Violation("NOUN_MISSING", noun, noun=noun)


def spend_licence(game: Game, decision: Decision, move: Move) -> tuple[str, ...]:
    """Use up the licence, and return the items left to rotate the tile."""
    licence, items = licence_of(game, decision, move)
    assert licence is not None
    if licence.action:
        game.spend_action(move.verb)
    else:
        note_free_redesign(game, decision.seat)
    if licence.spend is not None:
        licence.spend(game, decision.seat)
    return items


def could_build(game: Game, decision: Decision) -> bool:
    """Return whether there is a tile in the reserve."""
    return bool(game.ruleset.reserve.tiles(game, decision.seat))


def could_lift(game: Game, decision: Decision) -> bool:
    """Return whether there is a tile other than the fountain."""
    return len(game.state.seats[decision.seat].board.placed) > 1


def could_swap(game: Game, decision: Decision) -> bool:
    """Return whether there are two tiles to swap."""
    return could_build(game, decision) and could_lift(game, decision)


def licensed(
    game: Game, decision: Decision, found: Callable[[Game, Decision], Iterable[Move]], *, relocating: bool = False
) -> Iterator[Move]:
    """Return each redesign once for every licence."""
    licences = licences_for(game, decision, relocating=relocating)
    if licences == [BY_ACTION]:
        return iter(found(game, decision))  # nothing has to be named
    moves = found(game, decision) if licences else ()
    return (_with_licence(move, licence) for move in moves for licence in licences)


def _with_licence(move: Move, licence: Licence) -> Move:
    if licence.items or licence.cards or move.items:
        return move._replace(items=tuple(sorted((*move.items, *licence.items))), cards=licence.cards)
    return move


def _draw(
    game: Game,
    decision: Decision,
    randbelow: RandBelow,
    verb: str,
    found: Callable[[Game, Decision], TileWays],
) -> Move | None:
    """Return a random way with a random licence. Only one move is built."""
    licences = licences_for(game, decision)
    ways = found(game, decision) if licences else []
    count = sum([len(of_tile) for _, of_tile in ways])
    if not count:
        return None
    way, licence = divmod(randbelow(count * len(licences)), len(licences))
    return _with_licence(built_by(verb, *way_at(ways, way)), licences[licence])


# -- Add -----------------------------------------------------------------------------------------------------------


def _verify_reserved(game: Game, decision: Decision, move: Move) -> list[Violation]:
    tile = need(move.tile)
    if tile in game.ruleset.reserve.tiles(game, decision.seat):
        return []
    if tile not in game.ruleset.tiles:
        return [Violation("ID_UNKNOWN", "tile", id=tile)]
    return [Violation("NOT_THERE", "tile", id=tile, place="reserve")]


def verify_add(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Return violations: the tile must be in the reserve, and the construction rules must hold."""
    faults = [*unlicensed(game, decision, move), *_verify_reserved(game, decision, move)]
    if faults:
        return faults
    board = game.state.seats[decision.seat].board
    build = build_of(move, licence_of(game, decision, move)[1])
    return verify_build(game, decision.seat, board, game.ruleset.tiles[need(move.tile)], build)


def add(game: Game, decision: Decision, move: Move) -> None:
    """Build a tile from the reserve."""
    tile = need(move.tile)
    items = spend_licence(game, decision, move)
    game.ruleset.reserve.take(game, decision.seat, tile)
    lay_tile(game, decision.seat, tile, build_of(move, items), "add", source="reserve")


def _ways_to_add(game: Game, decision: Decision) -> TileWays:
    seat = decision.seat
    board = game.state.seats[seat].board
    tiles = game.ruleset.reserve.tiles(game, seat)
    return [(tile, builds(game, seat, board, game.ruleset.tiles[tile])) for tile in tiles]


def _adds(game: Game, decision: Decision) -> Iterator[Move]:
    seat = decision.seat
    for tile in game.ruleset.reserve.tiles(game, seat):
        yield from building_moves(game, seat, "add", tile)


def adds(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every tile of the reserve at every legal place."""
    return licensed(game, decision, _adds)


def sample_add(game: Game, decision: Decision, randbelow: RandBelow) -> Move | None:
    """Return a random legal addition; None if there is none."""
    return _draw(game, decision, randbelow, "add", _ways_to_add)


# -- Remove --------------------------------------------------------------------------------------------------------


def removal_faults(game: Game, seat: int, tile: str) -> list[Violation]:
    """Return why a built tile cannot be removed."""
    board = game.state.seats[seat].board
    lock = lock_of(game, seat, tile)
    if lock is not None:
        return [lock]
    found = list(check_removal(board, tile))
    if judged_by_modules(game, board, tile):
        after = board.copy()
        after.remove(tile)
        found += standing_faults(game, seat, after)
    return found


def verify_remove(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Return violations: the tile must be built and removable."""
    faults = list(unlicensed(game, decision, move))
    tile = need(move.tile)
    if tile not in game.state.seats[decision.seat].board.placed:
        known = tile in game.ruleset.tiles
        code = Violation("NOT_THERE", "tile", id=tile, place="alhambra")
        return [*faults, code if known else Violation("ID_UNKNOWN", "tile", id=tile)]
    if not faults:
        unused = Build((0, 0), items=licence_of(game, decision, move)[1])
        faults += rotation_faults(game, decision.seat, game.ruleset.tiles[tile], unused)
    return faults + removal_faults(game, decision.seat, tile)


def remove(game: Game, decision: Decision, move: Move) -> None:
    """Move a built tile into the reserve."""
    tile = need(move.tile)
    spend_licence(game, decision, move)
    placed = game.state.seats[decision.seat].board.placed[tile]
    game.emit("removed", seat=decision.seat, tile=tile, cell=(placed.x, placed.y))
    lift_tile(game, decision.seat, tile, "remove")
    game.ruleset.reserve.stow(game, decision.seat, tile)


def _removable(game: Game, seat: int) -> Sequence[str]:
    """Return the built tiles that may be removed."""
    board = game.state.seats[seat].board
    if only_start_is_locked(game) and not game.ruleset.anchors:
        return board.cached(removable_tiles)
    return [
        tile
        for tile in board.cached(removable_tiles)
        if not is_locked(game, seat, tile)
        and (not judged_by_modules(game, board, tile) or not removal_faults(game, seat, tile))
    ]


def _removes(game: Game, decision: Decision) -> list[Move]:
    return [removing_move("remove", tile) for tile in _removable(game, decision.seat)]


def removes(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every removable tile."""
    return licensed(game, decision, _removes)


def sample_remove(game: Game, decision: Decision, randbelow: RandBelow) -> Move | None:
    """Return a random legal removal; None if there is none."""
    licences = licences_for(game, decision)
    found = _removable(game, decision.seat) if licences else []
    if not found:
        return None
    number, licence = divmod(randbelow(len(found) * len(licences)), len(licences))
    return _with_licence(removing_move("remove", found[number]), licences[licence])


def may_be_lifted(game: Game, seat: int, tile: str) -> bool:
    """Return whether a built tile can be removed. Faster than `removal_faults`."""
    board = game.state.seats[seat].board
    if not may_remove(board, tile) or is_locked(game, seat, tile):
        return False
    return not judged_by_modules(game, board, tile) or not removal_faults(game, seat, tile)


# -- Swap ----------------------------------------------------------------------------------------------------------


def standing_at(game: Game, seat: int, cell: Cell) -> str | None:
    """Return the built tile whose first cell this is."""
    board = game.state.seats[seat].board
    part = board.at(*cell)
    if part is None:
        return None
    placed = board.placed[part.tile.id]
    return part.tile.id if (placed.x, placed.y) == cell else None


def swap_faults(game: Game, seat: int, tile: str, old: str, build: Build) -> list[Violation]:
    """Return why a tile cannot replace a built one of the seat."""
    lock = lock_of(game, seat, old)
    if lock is not None:
        return [lock]
    return verify_build(game, seat, game.state.seats[seat].board, game.ruleset.tiles[tile], build, swapped=old)


def verify_swap(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Return violations: a tile of the reserve must fit exactly in the place of a built one."""
    faults = [*unlicensed(game, decision, move), *_verify_reserved(game, decision, move)]
    cell = need(move.cell)
    old = standing_at(game, decision.seat, cell)
    if old is None:
        faults.append(Violation("NOT_THERE", "cell", id=list(cell), place="alhambra"))
    if faults:
        return faults
    assert old is not None
    return swap_faults(game, decision.seat, need(move.tile), old, build_of(move, licence_of(game, decision, move)[1]))


def swap(game: Game, decision: Decision, move: Move) -> None:
    """Swap a tile of the reserve with a built one."""
    items = spend_licence(game, decision, move)
    seat = decision.seat
    old = standing_at(game, seat, need(move.cell))
    assert old is not None
    tile_id = need(move.tile)
    board, tile = game.state.seats[seat].board, game.ruleset.tiles[tile_id]
    build = in_place_of(board, old, tile, build_of(move, items))
    game.ruleset.reserve.take(game, seat, tile_id)
    lift_tile(game, seat, old, "swap")
    game.ruleset.reserve.stow(game, seat, old)  # first, so that a question about it waits until the new tile is placed
    lay_tile(game, seat, tile_id, build, "swap", event="swapped", removed=old)


def _ways_to_swap(game: Game, decision: Decision) -> TileWays:
    return _swaps_by_tile(game, decision.seat, game.ruleset.reserve.tiles(game, decision.seat))


def swaps_of(game: Game, seat: int, tiles: tuple[str, ...]) -> list[tuple[str, Way]]:
    """Return every way in which one of these tiles can replace a built one of the seat."""
    return [(tile, way) for tile, ways in _swaps_by_tile(game, seat, tiles) for way in ways]


def _swaps_by_tile(game: Game, seat: int, tiles: tuple[str, ...]) -> TileWays:
    board = game.state.seats[seat].board
    if not tiles or len(board.placed) == 1:
        return []
    leaving = _not_locked(game, seat)
    if _sides_decide(game, board, tiles):
        return [
            (tile, [(cell, None, (), None) for cell in cells])
            for tile, cells in _cells_by_tile(game, board, tiles, leaving)
        ]
    known = game.ruleset.tiles
    return [(tile, list(_swaps_with(game, seat, board, known[tile], leaving))) for tile in tiles]


def _not_locked(game: Game, seat: int) -> list[PlacedTile]:
    """Return the built tiles that can be replaced, as far as locks go."""
    board = game.state.seats[seat].board
    if only_start_is_locked(game):
        return board.cached(_all_but_start)
    return [standing for tile, standing in board.placed.items() if not is_locked(game, seat, tile)]


def _all_but_start(board: Board) -> list[PlacedTile]:
    return [standing for tile, standing in board.placed.items() if tile != board.start.id]


def _sides_decide(game: Game, board: Board, tiles: tuple[str, ...]) -> bool:
    """Return whether only the sides of neighbours decide where these tiles can replace a built one."""
    rules = game.ruleset
    return board.plain and not rules.anchors and rules.upright.issuperset(tiles)


def _cells_by_tile(
    game: Game, board: Board, tiles: tuple[str, ...], leaving: list[PlacedTile]
) -> Iterator[tuple[str, list[Cell]]]:
    """Yield the cells where each tile can replace one of these, if only sides decide."""
    standing = [(placed.x, placed.y) for placed in leaving]
    for tile in tiles:
        wooden_walls = wooden_walls_of(game, tile)
        plain = game.ruleset.tiles[tile]
        fitting = board.grid.replaceable_by(lying_walls(plain, 0, wooden_walls) if wooden_walls else plain.walls)
        yield tile, [cell for cell in standing if cell in fitting]


def _swaps_with(game: Game, seat: int, board: Board, tile: Tile, leaving: list[PlacedTile]) -> Iterator[Way]:
    """Yield every way in which the tile can replace one of these: without a permit if it fits, otherwise with each
    permit that helps."""
    ways = turns(game, seat, tile)
    wooden_walls = wooden_walls_of(game, tile.id)
    fitting = {rotation: places_for(board, tile, leaving, rotation or 0, wooden_walls) for rotation, _ in ways}
    for placed in leaving:
        old = placed.tile.id
        for rotation, items in ways:
            if old in fitting[rotation]:
                build = Build((placed.x, placed.y), rotation, items)
                if not judged_by_modules(game, board, old, tile) or not swap_faults(game, seat, tile.id, old, build):
                    yield build
            elif not board.plain and game.ruleset.permits:
                build = Build((placed.x, placed.y), rotation, items)
                for choice in _permits_at(game, seat, tile, placed, build):
                    if not swap_faults(game, seat, tile.id, old, build._replace(choice=choice)):
                        yield build._replace(choice=choice)


def _permits_at(game: Game, seat: int, tile: Tile, old: PlacedTile, build: Build) -> Iterator[str]:
    """Yield the permits that might make a refused swap legal. Walkable one-cell tiles fail only because of their
    sides."""
    if len(tile.parts) != len(old.tile.parts):
        return
    alike = tile.plain and old.tile.plain
    where = in_place_of(game.state.seats[seat].board, old.tile.id, tile, build)
    for choice, permit in game.ruleset.permits.items():
        if alike and permit.lifts not in BY_CONTACT:
            continue
        if next(iter(permit.verify(game, seat, tile, where.cell, build.rotation or 0)), None) is None:
            yield choice


def _swaps(game: Game, decision: Decision) -> Iterable[Move]:
    if not could_swap(game, decision):
        return ()
    seat = decision.seat
    board, tiles = game.state.seats[seat].board, game.ruleset.reserve.tiles(game, seat)
    leaving = _not_locked(game, seat)
    if _sides_decide(game, board, tiles):
        return _swaps_by_sides(game, board, tiles, leaving)
    known = game.ruleset.tiles
    return (
        built_by("swap", tile, way) for tile in tiles for way in _swaps_with(game, seat, board, known[tile], leaving)
    )


def _swaps_by_sides(game: Game, board: Board, tiles: tuple[str, ...], leaving: list[PlacedTile]) -> list[Move]:
    """Return every swap of these tiles, if only sides decide. Cached until the board changes, unless modules lock
    tiles."""
    kept = board.cached(kept_moves) if only_start_is_locked(game) else {}
    walls = game.state.wooden_walls
    missing_still = tuple([tile for tile in tiles if ("swap", tile, walls.get(tile, ())) not in kept])
    for tile, cells in _cells_by_tile(game, board, missing_still, leaving):
        kept["swap", tile, walls.get(tile, ())] = laying_moves("swap", tile, cells)
    return [move for tile in tiles for move in kept["swap", tile, walls.get(tile, ())]]


def swaps(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every tile of the reserve at every built place where it fits."""
    return licensed(game, decision, _swaps)


def sample_swap(game: Game, decision: Decision, randbelow: RandBelow) -> Move | None:
    """Return a random legal swap; None if there is none."""
    return _draw(game, decision, randbelow, "swap", _ways_to_swap)


REDESIGN = ("action", "late")
BUILDING = "tile cell [rotation items cards choice]"
VERBS = (
    Verb(
        "add",
        BUILDING,
        verify_add,
        add,
        adds,
        at=REDESIGN,
        takes_action=is_an_action,
        possible=could_build,
        sample=sample_add,
    ),
    Verb(
        "remove",
        "tile [items cards]",
        verify_remove,
        remove,
        removes,
        at=REDESIGN,
        takes_action=is_an_action,
        possible=could_lift,
        sample=sample_remove,
    ),
    Verb(
        "swap",
        BUILDING,
        verify_swap,
        swap,
        swaps,
        at=REDESIGN,
        takes_action=is_an_action,
        possible=could_swap,
        sample=sample_swap,
    ),
)
