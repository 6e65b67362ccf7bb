"""Relocating: a built tile is moved to another place in the same Alhambra.

It is a removal followed by building in: every rule must hold with the tile lifted, and again with the tile laid. The
new footprint must not be the old one, though a tile of two cells may overlap it; turning a tile on its own cell is
refused. A tile that was laid turned is upright again; one that may be rotated is turned anew.

One move names tile and place, two steps make it: the tile is lifted, and everything that follows from that is done and
asked; then it is laid. In between it is pending, but no question about placing tiles is asked: it can be neither
reserved nor given away. With the tile lifted the Alhambra is a legal one, so nothing is unsettled. A seat that resigns
in between takes the tile out of the game like its other pending tiles.

A licence of a redesign lets a seat relocate instead (`Licence.relocates`). The verb answers no question by itself;
modules let it in with `answers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..components import Cell, Tile
from ..module import Verb
from ..moves import Move
from ..placement.contacts import placed_parts
from ..state import Decision
from ..violations import Violation
from .build import Build, Way, build_of, builds, built_by, lay_tile, lift_tile, verify_build
from .place_tiles import drop_pending
from .redesign import (
    RELOCATE,
    could_lift,
    is_an_action,
    licence_of,
    licences_for,
    licensed,
    may_be_lifted,
    removal_faults,
    spend_licence,
    unlicensed,
)

if TYPE_CHECKING:
    from ..board import Board
    from ..game import Game


def _lifted(game: Game, seat: int, tile: str) -> Board:
    """The seat's Alhambra without the tile, as a copy."""
    board = game.state.seats[seat].board.copy()
    board.remove(tile)
    return board


def _footprint(tile: Tile, cell: Cell, rotation: int | None) -> set[Cell]:
    return {covered for covered, _ in placed_parts(tile, *cell, rotation or 0)}


def verify_move_tile(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """The tile is built and may be lifted, and without it the place that the move names is legal and another one."""
    assert move.tile is not None
    assert move.cell is not None
    seat, board = decision.seat, game.state.seats[decision.seat].board
    faults = list(unlicensed(game, decision, move))
    if move.tile not in game.ruleset.tiles:
        return [*faults, Violation("ID_UNKNOWN", "tile", id=move.tile)]
    if move.tile not in board.placed:
        return [*faults, Violation("NOT_THERE", "tile", id=move.tile, place="alhambra")]
    faults += removal_faults(game, seat, move.tile)
    if faults:
        return faults
    tile = game.ruleset.tiles[move.tile]
    build = build_of(move, licence_of(game, decision, move)[1])
    faults += verify_build(game, seat, _lifted(game, seat, move.tile), tile, build)
    if not (build.rotation or 0) % 90 and _footprint(tile, build.cell, build.rotation) == {*board.cells_of(move.tile)}:
        faults.append(Violation("NO_EFFECT", "cell", id=list(build.cell)))
    return faults


def move_tile(game: Game, decision: Decision, move: Move) -> None:
    """Lifts the tile; when everything that follows from that is done, it is laid."""
    assert move.tile is not None
    seat = decision.seat
    items = spend_licence(game, decision, move)
    owner = game.state.seats[seat]
    old = owner.board.placed[move.tile]
    game.push(lay_moved, seat, move.tile, *build_of(move, items))
    owner.pending = (*owner.pending, move.tile)
    game.emit("lifted", seat=seat, tile=move.tile, cell=(old.x, old.y))
    lift_tile(game, seat, move.tile, "move")


def lay_moved(
    game: Game, seat: int, tile: str, cell: Cell, rotation: int | None, items: tuple[str, ...], choice: str | None
) -> None:
    """Lays a lifted tile, unless it has left the game because its owner resigned."""
    if tile in game.state.seats[seat].pending:
        drop_pending(game, seat, tile)
        lay_tile(game, seat, tile, Build(cell, rotation, items, choice), "move", event="moved")


def _places_for(game: Game, seat: int, tile_id: str) -> Iterator[Way]:
    """Every way to lay a built tile elsewhere."""
    tile = game.ruleset.tiles[tile_id]
    old = {*game.state.seats[seat].board.cells_of(tile_id)}
    for way in builds(game, seat, _lifted(game, seat, tile_id), tile):
        if _footprint(tile, way[0], way[1]) != old:
            yield way


def _liftable(game: Game, seat: int) -> list[str]:
    return [tile for tile in game.state.seats[seat].board.placed if may_be_lifted(game, seat, tile)]


def _relocations_of(game: Game, decision: Decision, tile: str) -> Iterator[Move]:
    """One tile to every other place it can go, with every licence that entitles to it."""

    def found(game: Game, decision: Decision) -> Iterator[Move]:
        return (built_by(RELOCATE, tile, way) for way in _places_for(game, decision.seat, tile))

    return licensed(game, decision, found, relocating=True)


def could_relocate(game: Game, decision: Decision) -> bool:
    """Whether there is a tile beside the fountain, and something entitles to moving it."""
    return could_lift(game, decision) and bool(licences_for(game, decision, relocating=True))


def relocations(game: Game, decision: Decision) -> Iterator[Move]:
    """Every built tile that may be lifted, to every other place it can go."""
    if licences_for(game, decision, relocating=True):
        for tile in _liftable(game, decision.seat):
            yield from _relocations_of(game, decision, tile)


def sample_relocation(game: Game, decision: Decision, randbelow: Callable[[int], int]) -> Move | None:
    """A random tile that may be lifted, to a random place; only the places of the tiles drawn are worked out."""
    if not licences_for(game, decision, relocating=True):
        return None
    tiles = _liftable(game, decision.seat)
    while tiles:
        found = list(_relocations_of(game, decision, tiles.pop(randbelow(len(tiles)))))
        if found:
            return found[randbelow(len(found))]
    return None


VERBS = (
    Verb(
        *(RELOCATE, "tile cell [rotation items cards choice]", verify_move_tile, move_tile, relocations),
        takes_action=is_an_action,
        possible=could_relocate,
        sample=sample_relocation,
    ),
)
AGENDA = {"lay_moved": lay_moved}
