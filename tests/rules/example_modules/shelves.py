"""Shelves: the reserve has three named places; a fourth tile takes one's place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Game, Module, Move, Violation
from alhambra.module import Reserve, Step


@dataclass(slots=True)
class Shelves:
    """The three places of each seat."""

    places: tuple[tuple[str, ...], ...] = ()


SHELVES_OF_A_SEAT = ("shelf-1", "shelf-2", "shelf-3")


def build_shelves(game: Game) -> None:
    """All empty."""
    game.module_state(Shelves).places = (("",) * 3,) * len(game.state.seats)


def shelf_of(game: Game, seat: int) -> tuple[str, ...]:
    """What lies on the three places, empty texts included."""
    return game.module_state(Shelves).places[seat]


def _set_shelf(game: Game, seat: int, place: int, tile: str) -> None:
    shelves = game.module_state(Shelves)
    own = shelves.places[seat]
    new = (*own[:place], tile, *own[place + 1 :])
    shelves.places = (*shelves.places[:seat], new, *shelves.places[seat + 1 :])


def on_shelves(game: Game, seat: int) -> tuple[str, ...]:
    """The tiles there."""
    return tuple(tile for tile in shelf_of(game, seat) if tile)


def take_from_shelf(game: Game, seat: int, tile: str) -> None:
    """Its place is free."""
    _set_shelf(game, seat, shelf_of(game, seat).index(tile), "")


def stow_on_shelf(game: Game, seat: int, tile: str) -> None:
    """On the first free place; on the last one if there is none."""
    own = shelf_of(game, seat)
    _put_on(game, seat, own.index("") if "" in own else 2, tile)


def _put_on(game: Game, seat: int, place: int, tile: str) -> None:
    old = shelf_of(game, seat)[place]
    if old:
        game.state.box = (*game.state.box, old)
    _set_shelf(game, seat, place, tile)
    game.emit("reserved", seat=seat, tile=tile, slot=SHELVES_OF_A_SEAT[place])


def _free(game: Game, seat: int) -> list[str]:
    own = shelf_of(game, seat)
    free = [slot for slot, tile in zip(SHELVES_OF_A_SEAT, own, strict=True) if not tile]
    return free or list(SHELVES_OF_A_SEAT)


def verify_shelf(game: Game, seat: int, move: Move) -> Iterator[Violation]:
    """A place must be named, and be free if any is."""
    if move.slot is None:
        yield Violation("NOUN_MISSING", "slot", noun="slot")
    elif move.slot not in SHELVES_OF_A_SEAT:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    elif move.slot not in _free(game, seat):
        yield Violation("PLACE_TAKEN", "slot", slot=move.slot)


def put_on_shelf(game: Game, seat: int, move: Move) -> None:
    """The tile goes to the place named."""
    assert move.slot is not None
    assert move.tile is not None
    _put_on(game, seat, SHELVES_OF_A_SEAT.index(move.slot), move.tile)


def shelf_moves(game: Game, seat: int, tile: str) -> Iterator[Move]:
    """Every place that may be taken."""
    return (Move("reserve", tile, slot=slot) for slot in _free(game, seat))


SHELVES = Module(
    number=904,
    key="example_shelves",
    state=Shelves,
    steps=(Step("setup.deal", build_shelves),),
    reserve=Reserve(on_shelves, take_from_shelf, stow_on_shelf, verify_shelf, put_on_shelf, shelf_moves),
    census=lambda game: (tile for own in game.module_state(Shelves).places for tile in own if tile),
)
