"""Relocation: move a built tile to another place in the same Alhambra.

A relocation is a removal followed by building: all rules must hold without the tile, and again with it. The new
footprint must differ from the old one, though a tile of two cells may overlap it. A tile that was laid rotated becomes
upright again; a rotatable one may be rotated anew.

One move names tile and place; two steps perform it. First the tile is lifted, with everything that follows from that.
Then it is laid. In between it is pending but cannot be reserved or given away. Without it the Alhambra is legal, so
nothing is unsettled. If the seat resigns in between, the tile leaves the game like other pending tiles.

A redesign licence can allow relocation (`Licence.relocates`). No decision of the base game offers the verb; modules add
it with `answers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..components import Cell, Tile
from ..module import Verb
from ..moves import Move, need
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
    """Return a copy of the seat's Alhambra without the tile."""
    board = game.state.seats[seat].board.copy()
    board.remove(tile)
    return board


def _footprint(tile: Tile, cell: Cell, rotation: int | None) -> set[Cell]:
    return {covered for covered, _ in placed_parts(tile, *cell, rotation or 0)}


def verify_move_tile(game: Game, decision: Decision, move: Move) -> list[Violation]:
    """Return violations: the tile must be removable, and the new place legal without it and different."""
    seat, board = decision.seat, game.state.seats[decision.seat].board
    faults = list(unlicensed(game, decision, move))
    tile_id = need(move.tile)
    if tile_id not in game.ruleset.tiles:
        return [*faults, Violation("ID_UNKNOWN", "tile", id=tile_id)]
    if tile_id not in board.placed:
        return [*faults, Violation("NOT_THERE", "tile", id=tile_id, place="alhambra")]
    faults += removal_faults(game, seat, tile_id)
    if faults:
        return faults
    tile = game.ruleset.tiles[tile_id]
    build = build_of(move, licence_of(game, decision, move)[1])
    faults += verify_build(game, seat, _lifted(game, seat, tile_id), tile, build)
    if not (build.rotation or 0) % 90 and _footprint(tile, build.cell, build.rotation) == {*board.cells_of(tile_id)}:
        faults.append(Violation("NO_EFFECT", "cell", id=list(build.cell)))
    return faults


def move_tile(game: Game, decision: Decision, move: Move) -> None:
    """Lift the tile, and push the step that lays it."""
    tile = need(move.tile)
    seat = decision.seat
    items = spend_licence(game, decision, move)
    owner = game.state.seats[seat]
    old = owner.board.placed[tile]
    game.push(lay_moved, seat, tile, *build_of(move, items))
    owner.pending = (*owner.pending, tile)
    game.emit("lifted", seat=seat, tile=tile, cell=(old.x, old.y))
    lift_tile(game, seat, tile, "move")


def lay_moved(
    game: Game, seat: int, tile: str, cell: Cell, rotation: int | None, items: tuple[str, ...], choice: str | None
) -> None:
    """Lay a lifted tile, unless it left the game because its owner resigned."""
    if tile in game.state.seats[seat].pending:
        drop_pending(game, seat, tile)
        lay_tile(game, seat, tile, Build(cell, rotation, items, choice), "move", event="moved")


def _places_for(game: Game, seat: int, tile_id: str) -> Iterator[Way]:
    """Yield every way to lay a built tile elsewhere."""
    tile = game.ruleset.tiles[tile_id]
    old = {*game.state.seats[seat].board.cells_of(tile_id)}
    for way in builds(game, seat, _lifted(game, seat, tile_id), tile):
        if _footprint(tile, way[0], way[1]) != old:
            yield way


def _liftable(game: Game, seat: int) -> list[str]:
    return [tile for tile in game.state.seats[seat].board.placed if may_be_lifted(game, seat, tile)]


def _relocations_of(game: Game, decision: Decision, tile: str) -> Iterator[Move]:
    """Yield every relocation of one tile, with every licence."""

    def found(game: Game, decision: Decision) -> Iterator[Move]:
        return (built_by(RELOCATE, tile, way) for way in _places_for(game, decision.seat, tile))

    return licensed(game, decision, found, relocating=True)


def could_relocate(game: Game, decision: Decision) -> bool:
    """Return whether there is a tile other than the fountain, and a licence to move it."""
    return could_lift(game, decision) and bool(licences_for(game, decision, relocating=True))


def relocations(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every relocation of every removable tile."""
    if licences_for(game, decision, relocating=True):
        for tile in _liftable(game, decision.seat):
            yield from _relocations_of(game, decision, tile)


def sample_relocation(game: Game, decision: Decision, randbelow: Callable[[int], int]) -> Move | None:
    """Return a random relocation of a random removable tile. Only places of sampled tiles are computed."""
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
        RELOCATE,
        "tile cell [rotation items cards choice]",
        verify_move_tile,
        move_tile,
        relocations,
        takes_action=is_an_action,
        possible=could_relocate,
        sample=sample_relocation,
    ),
)
AGENDA = {"lay_moved": lay_moved}
