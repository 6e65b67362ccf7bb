"""The extensions: on the fields of the board, on buildings; what they count and who sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...base.scoring import tiles_of, types_of
from ...components import TYPES, Cell, module_data
from ...game import Game

DATA = module_data("extensions")
HALVES_ADDED: int = 2 * (DATA["counts_as"] - 1)
"""What an extension adds to a majority, in half buildings."""


class Field(NamedTuple):
    """A field of the board: the currencies of the three cards above its column, and the number beside it."""

    pattern: tuple[str, ...]
    number: int


FIELDS = {
    f"extension-{column}-{place['row']}": Field(tuple(data["cards"]), place["exact_max"])
    for column, data in enumerate(DATA["columns"], start=1)
    for place in data["fields"]
}
"""By slot: every field of the board."""


@dataclass(slots=True)
class Extensions:
    """Where the extensions are, each known by the building type that it fits."""

    lying: dict[str, str] = field(default_factory=dict)
    """By slot: the extension on that field, as long as one lies there."""
    attached: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By tile: the extensions on it. Only a tile of two buildings can have two."""
    taken: str = ""
    """The extension that was taken and is not on a tile yet."""
    lost: tuple[str, ...] = ()
    """Extensions that left the game without a tile."""


def lay_out(game: Game) -> None:
    """One extension on each field, shuffled. A field that was emptied stays empty."""
    extensions = [name for name in TYPES for _ in range(DATA["tiles"][name])]
    shuffled = game.chance("extensions/fields").shuffled(extensions)
    game.module_state(Extensions).lying = dict(zip(FIELDS, shuffled, strict=True))
    game.emit("extensions_laid", types=tuple(shuffled))


# -- Which buildings can be extended -------------------------------------------------------------------------------


def own_tiles(game: Game, seat: int) -> tuple[str, ...]:
    """Return every tile that a seat owns: built, in the reserve, or still to be placed."""
    owner = game.state.seats[seat]
    return (*owner.board.placed, *game.ruleset.reserve.tiles(game, seat), *owner.pending)


def own_buildings(game: Game, seat: int, name: str) -> list[str]:
    """Return the tiles of a seat with a finished building of a type."""
    return [tile for tile in own_tiles(game, seat) if name in types_of(game, tile)]


def unextended(game: Game, tiles: Iterable[str], name: str) -> list[str]:
    """Return those of the tiles that have no extension of a type."""
    attached = game.module_state(Extensions).attached
    return [tile for tile in tiles if name not in attached.get(tile, ())]


def extendable(game: Game, seat: int, name: str) -> list[str]:
    """Return the tiles of a seat, or Dirk's, with a building of a type that has no extension yet. Dirk's are listed in
    the order of the component data."""
    if seat < len(game.state.seats):
        return unextended(game, own_buildings(game, seat, name), name)
    dirk = set(game.state.dirk)
    return unextended(
        game, (tile for tile in game.ruleset.tiles if tile in dirk and name in types_of(game, tile)), name
    )


# -- Scoring, and what is seen -------------------------------------------------------------------------------------


def buildings_gained(game: Game, seat: int, name: str) -> int:
    """Return what extensions add to the buildings of a type that a seat or Dirk has, in half buildings: those on tiles
    that count, so not those in the reserve."""
    with_it = [tile for tile, names in game.module_state(Extensions).attached.items() if name in names]
    counted = with_it and tiles_of(game, seat)
    return HALVES_ADDED * sum(tile in counted for tile in with_it)


def view(_game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return what is printed on the board."""
    return {"fields": {slot: {"cards": list(place.pattern), "number": place.number} for slot, place in FIELDS.items()}}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the extensions on the board, the one that was just taken, and those on tiles. Those whose tiles have left
    the game are gone."""
    kept = game.module_state(Extensions)
    for slot, name in kept.lying.items():
        yield {"kind": "extension", "slot": slot, "type": name}
    if kept.taken:
        yield {"kind": "extension", "seat": game.state.active, "type": kept.taken}
    for tile, extensions in kept.attached.items():
        seat = next((seat for seat in range(len(game.state.seats)) if tile in own_tiles(game, seat)), None)
        if seat is not None or tile in game.state.dirk:
            for name in extensions:
                cell = None if seat is None else _cell_of(game, seat, tile, name)
                yield {"kind": "extension", "seat": seat, "tile": tile, "cell": cell, "type": name}


def _cell_of(game: Game, seat: int, tile: str, name: str) -> Cell | None:
    """Return where the extended building of a tile lies in the Alhambra of a seat; None if it is not built."""
    board = game.state.seats[seat].board
    if tile not in board.placed:
        return None
    covered = board.cells_of(tile)
    return next(cell for cell, part in zip(covered, types_of(game, tile), strict=True) if part == name)


def census(game: Game) -> Iterator[str]:
    """Yield all extensions, wherever they are."""
    kept = game.module_state(Extensions)
    attached = (name for extensions in kept.attached.values() for name in extensions)
    yield from (f"extension-{name}" for name in (*kept.lying.values(), *attached, *kept.lost, kept.taken) if name)
