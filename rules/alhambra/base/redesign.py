"""Redesign: add a tile from the reserve, remove one into it, or swap two.

The resulting Alhambra must satisfy every construction rule. The start tile never moves; pending tiles cannot be used.
What entitles to a redesign depends on the moment: an action of the turn, or something named in the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..components import Cell, Tile
from ..construction import check_removal, clashes, may_leave, may_swap
from ..module import Licence, Verb
from ..moves import Move
from ..state import Decision
from ..violations import Violation
from .building import (
    ROTATIONS,
    Build,
    build_of,
    builds,
    built_by,
    in_place_of,
    lay_tile,
    licences_at,
    lift_tile,
    lock_of,
    rotation_faults,
    rotation_helpers,
    standing_faults,
    sticks_of,
    verify_build,
)
from .sole_action import note_free_redesign, sole_action_taken
from .supply import missing

if TYPE_CHECKING:
    from ..game import Game


# -- What entitles to it -------------------------------------------------------------------------------------------


BY_ACTION = Licence(action=True)
RELOCATE = "move_tile"
"""The verb that needs a licence which allows a relocation (`relocating.py`)."""


def by_action(game: Game, decision: Decision) -> Iterator[Licence]:
    """A redesign is one of the actions of the turn."""
    if decision.kind == "action" and game.state.actions > 0:
        yield BY_ACTION


def licences_for(game: Game, decision: Decision, *, relocating: bool) -> list[Licence]:
    """What entitles the asked seat to redesign here, or to relocate a tile. After a sole action nothing grants a
    redesign for free."""
    found = licences_at(game, decision)
    if relocating:
        found = [licence for licence in found if licence.relocates]
    if found and game.state.taken and sole_action_taken(game, decision.seat):
        found = [licence for licence in found if licence.action]
    return found


def licence_of(game: Game, decision: Decision, move: Move) -> tuple[Licence | None, tuple[str, ...]]:
    """The licence that a move uses, and the items left over for something else. What names more is meant first."""
    licences = licences_for(game, decision, relocating=move.verb == RELOCATE)
    for licence in sorted(licences, key=lambda licence: -len(licence.items)):
        if licence.cards == move.cards and not missing(move.items, licence.items):
            return licence, tuple(missing(licence.items, move.items))
    return None, move.items


def is_an_action(game: Game, decision: Decision, move: Move) -> bool:
    """Whether it is the action of the turn that entitles to this redesign."""
    licence, _ = licence_of(game, decision, move)
    return licence is not None and licence.action


def unlicensed(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Why nothing entitles the seat to this redesign."""
    if licence_of(game, decision, move)[0] is None:
        if sole_action_taken(game, decision.seat):
            yield Violation("SOLE_ACTION", "verb", verb=move.verb)
            return
        named = (*move.items, *move.cards)
        noun = "items" if move.items or not move.cards else "cards"
        if named:
            yield Violation("NOT_THERE", noun, id=named[0], place="held" if noun == "items" else "hand")
        else:
            yield Violation("NOUN_MISSING", noun, noun=noun)


def spend_licence(game: Game, decision: Decision, move: Move) -> tuple[str, ...]:
    """Uses up what entitles to the redesign, and returns the items that are left to turn the tile with."""
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
    """Whether a tile lies in the reserve."""
    return bool(game.ruleset.reserve.tiles(game, decision.seat))


def could_lift(game: Game, decision: Decision) -> bool:
    """Whether there is a tile beside the fountain."""
    return len(game.state.seats[decision.seat].board.placed) > 1


def could_swap(game: Game, decision: Decision) -> bool:
    """Whether there are two tiles to swap."""
    return could_build(game, decision) and could_lift(game, decision)


def licensed(game: Game, decision: Decision, found: Iterator[Move], *, relocating: bool = False) -> Iterator[Move]:
    """Each redesign once for every licence that entitles to it."""
    licences = licences_for(game, decision, relocating=relocating)
    if not licences:
        return
    for move in found:
        for licence in licences:
            if licence.items or licence.cards or move.items:
                items = tuple(sorted((*move.items, *licence.items)))
                yield move._replace(items=items, cards=licence.cards)
            else:
                yield move


# -- Add -----------------------------------------------------------------------------------------------------------


def _verify_reserved(game: Game, decision: Decision, move: Move) -> list[Violation]:
    assert move.tile is not None
    if move.tile in game.ruleset.reserve.tiles(game, decision.seat):
        return []
    if move.tile not in game.ruleset.tiles:
        return [Violation("ID_UNKNOWN", "tile", id=move.tile)]
    return [Violation("NOT_THERE", "tile", id=move.tile, place="reserve")]


def verify_add(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """The tile lies in the reserve, and the construction rules hold."""
    faults = [*unlicensed(game, decision, move), *_verify_reserved(game, decision, move)]
    if faults:
        return faults
    assert move.tile is not None
    board = game.state.seats[decision.seat].board
    build = build_of(move, licence_of(game, decision, move)[1])
    return verify_build(game, decision.seat, board, game.ruleset.tiles[move.tile], build)


def add(game: Game, decision: Decision, move: Move) -> None:
    """Reserve to Alhambra."""
    assert move.tile is not None
    items = spend_licence(game, decision, move)
    game.ruleset.reserve.take(game, decision.seat, move.tile)
    lay_tile(game, decision.seat, move.tile, build_of(move, items), "add", source="reserve")


def _adds(game: Game, decision: Decision) -> Iterator[Move]:
    board = game.state.seats[decision.seat].board
    for tile in game.ruleset.reserve.tiles(game, decision.seat):
        for way in builds(game, decision.seat, board, game.ruleset.tiles[tile]):
            yield built_by("add", tile, way)


def adds(game: Game, decision: Decision) -> Iterator[Move]:
    """Every reserve tile at every place it can go."""
    return licensed(game, decision, _adds(game, decision))


# -- Remove --------------------------------------------------------------------------------------------------------


def removal_faults(game: Game, seat: int, tile: str) -> list[Violation]:
    """Why a built tile cannot be taken out."""
    board = game.state.seats[seat].board
    lock = lock_of(game, seat, tile)
    if lock is not None:
        return [lock]
    found = list(check_removal(board, tile))
    if game.ruleset.standing:
        after = board.copy()
        after.remove(tile)
        found += standing_faults(game, seat, after)
    return found


def verify_remove(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """The tile is built and may go."""
    faults = list(unlicensed(game, decision, move))
    assert move.tile is not None
    if move.tile not in game.state.seats[decision.seat].board.placed:
        known = move.tile in game.ruleset.tiles
        code = Violation("NOT_THERE", "tile", id=move.tile, place="alhambra")
        return [*faults, code if known else Violation("ID_UNKNOWN", "tile", id=move.tile)]
    if not faults:
        unused = Build((0, 0), items=licence_of(game, decision, move)[1])
        faults += rotation_faults(game, decision.seat, game.ruleset.tiles[move.tile], unused)
    return faults + removal_faults(game, decision.seat, move.tile)


def remove(game: Game, decision: Decision, move: Move) -> None:
    """Alhambra to reserve."""
    assert move.tile is not None
    spend_licence(game, decision, move)
    placed = game.state.seats[decision.seat].board.placed[move.tile]
    game.tell("removed", seat=decision.seat, tile=move.tile, cell=(placed.x, placed.y))
    lift_tile(game, decision.seat, move.tile, "remove")
    game.ruleset.reserve.stow(game, decision.seat, move.tile)


def removes(game: Game, decision: Decision) -> Iterator[Move]:
    """Every built tile that may go."""
    board = game.state.seats[decision.seat].board
    found = (Move("remove", tile) for tile in board.placed if may_be_lifted(game, decision.seat, tile))
    return licensed(game, decision, found)


def may_be_lifted(game: Game, seat: int, tile: str) -> bool:
    """Whether a built tile can be taken out: the quick answer to `removal_faults`."""
    if not may_leave(game.state.seats[seat].board, tile):
        return False
    return not removal_faults(game, seat, tile) if game.ruleset.standing else lock_of(game, seat, tile) is None


# -- Swap ----------------------------------------------------------------------------------------------------------


def _standing_at(game: Game, seat: int, cell: Cell) -> str | None:
    """The built tile whose first cell this is."""
    board = game.state.seats[seat].board
    lot = board.at(*cell)
    if lot is None:
        return None
    placed = board.placed[lot.tile.id]
    return lot.tile.id if (placed.x, placed.y) == cell else None


def _swap_faults(game: Game, seat: int, tile: str, old: str, build: Build) -> list[Violation]:
    lock = lock_of(game, seat, old)
    if lock is not None:
        return [lock]
    return verify_build(game, seat, game.state.seats[seat].board, game.ruleset.tiles[tile], build, swapped=old)


def verify_swap(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """A reserve tile takes exactly the place of a built one."""
    faults = [*unlicensed(game, decision, move), *_verify_reserved(game, decision, move)]
    assert move.tile is not None
    assert move.cell is not None
    old = _standing_at(game, decision.seat, move.cell)
    if old is None:
        faults.append(Violation("NOT_THERE", "cell", id=list(move.cell), place="alhambra"))
    if faults:
        return faults
    assert old is not None
    return _swap_faults(game, decision.seat, move.tile, old, build_of(move, licence_of(game, decision, move)[1]))


def swap(game: Game, decision: Decision, move: Move) -> None:
    """Reserve tile in, built tile out."""
    assert move.tile is not None
    assert move.cell is not None
    items = spend_licence(game, decision, move)
    seat = decision.seat
    old = _standing_at(game, seat, move.cell)
    assert old is not None
    board, tile = game.state.seats[seat].board, game.ruleset.tiles[move.tile]
    build = in_place_of(board, old, tile, build_of(move, items))
    game.ruleset.reserve.take(game, seat, move.tile)
    lift_tile(game, seat, old, "swap")
    game.ruleset.reserve.stow(game, seat, old)  # first: a question about it waits until the new tile is settled
    lay_tile(game, seat, move.tile, build, "swap", event="swapped", removed=old)


def _swaps(game: Game, decision: Decision) -> Iterator[Move]:
    seat = decision.seat
    board = game.state.seats[seat].board
    turners: list[tuple[str, ...]] = [helper.items for helper in rotation_helpers(game, seat)]
    # Most swaps fail on sides that do not match. Where no permit lifts that, nothing else needs to be looked at.
    rigid = all(permit.lifts != "EDGE_MISMATCH" for permit in game.ruleset.permits.values())
    for tile_id in game.ruleset.reserve.tiles(game, seat):
        tile = game.ruleset.tiles[tile_id]
        turns: list[tuple[int | None, tuple[str, ...]]] = [(None, ())]
        turns += [(r, items) for items in ([()] if tile.rotatable else turners) for r in ROTATIONS]
        sticks = sticks_of(game, tile_id)
        for old, placed in board.placed.items():
            for rotation, items in turns:
                if rigid and placed.tile.plain and clashes(board, tile, placed.x, placed.y, rotation or 0, sticks):
                    continue
                fits = may_swap(board, old, tile, rotation or 0, sticks)
                # On an Alhambra of plain tiles a swap fails on its sides alone, and no permit lifts that.
                if fits or not board.plain:
                    build = Build((placed.x, placed.y), rotation, items)
                    for choice in _ways_to_swap(game, seat, tile, old, build, fits=fits):
                        yield built_by("swap", tile_id, build._replace(choice=choice) if choice else build)


def _ways_to_swap(game: Game, seat: int, tile: Tile, old: str, build: Build, *, fits: bool) -> Iterator[str | None]:
    """Without a permit where the tile fits, else with each one that helps."""
    if fits:
        faults = game.ruleset.standing and _swap_faults(game, seat, tile.id, old, build)
        if not faults and lock_of(game, seat, old) is None:
            yield None
        return
    for choice in game.ruleset.permits:
        if not _swap_faults(game, seat, tile.id, old, build._replace(choice=choice)):
            yield choice


def swaps(game: Game, decision: Decision) -> Iterator[Move]:
    """Every reserve tile at every built place it fits."""
    return licensed(game, decision, _swaps(game, decision))


REDESIGN = ("action", "late")
BUILDING = "tile cell [rotation items cards choice]"
VERBS = (
    Verb(
        *("add", BUILDING, verify_add, add, adds),
        at=REDESIGN,
        takes_action=is_an_action,
        possible=could_build,
    ),
    Verb(
        *("remove", "tile [items cards]", verify_remove, remove, removes),
        at=REDESIGN,
        takes_action=is_an_action,
        possible=could_lift,
    ),
    Verb(
        *("swap", BUILDING, verify_swap, swap, swaps),
        at=REDESIGN,
        takes_action=is_an_action,
        possible=could_swap,
    ),
)
