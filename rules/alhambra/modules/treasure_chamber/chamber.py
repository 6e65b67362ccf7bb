"""The chests: in the bag, in the rooms, in buildings; what they score and who sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...base.scoring import score, split_places, tiles_of
from ...base.supply import pick
from ...components import TYPES, module_data
from ...game import Game

DATA = module_data("treasure_chamber")
SLOTS = tuple(f"room-{number}" for number in range(1, DATA["rooms"] + 1))
ROOM_SIZE: int = DATA["chests_per_room"]
VALUES = {int(scoring): tuple(places) for scoring, places in DATA["scoring"].items()}


@dataclass(slots=True)
class Chamber:
    """Where the chests are, each known by the building type that it fits."""

    bag: tuple[str, ...] = ()
    rooms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bought: tuple[str, ...] = ()
    """The chests bought in this turn that have no place yet."""
    emptied: tuple[str, ...] = ()
    """The rooms whose chests were bought in this turn."""
    put: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By tile: the chests in it. Only a tile of two buildings can have two."""
    stopped: bool = False
    """Whether rooms are filled no more."""


def open_chamber(game: Game) -> None:
    """All chests go into the bag, then the rooms are filled."""
    chamber = game.module_state(Chamber)
    chamber.bag = tuple(name for name in TYPES for _ in range(DATA["chests"][name]))
    chamber.rooms = dict.fromkeys(SLOTS, ())
    for slot in SLOTS:
        fill_room(game, slot)


def fill_room(game: Game, slot: str) -> None:
    """Draw the chests of a room; with too few in the bag it stays empty, and so does every room from then on."""
    chamber = game.module_state(Chamber)
    if not chamber.stopped and len(chamber.bag) < ROOM_SIZE:
        chamber.stopped = True
        game.emit("refilling_stopped")
    if chamber.stopped:
        return
    stream, bag = game.chance("treasure_chamber/draw"), sorted(chamber.bag)
    drawn = tuple(sorted((pick(stream, bag) for _ in range(ROOM_SIZE)), key=TYPES.index))
    chamber.bag, chamber.rooms = tuple(bag), {**chamber.rooms, slot: drawn}
    game.emit("room_filled", slot=slot, types=drawn)


def return_chests(game: Game, chests: tuple[str, ...], **facts: object) -> None:
    """Chests go back into the bag."""
    if chests:
        game.module_state(Chamber).bag = (*game.module_state(Chamber).bag, *chests)
        game.emit("chests_returned", types=chests, **facts)


def refill_rooms(game: Game) -> None:
    """Chests without a place return to the bag, then the rooms are filled in the order in which they were emptied."""
    chamber = game.module_state(Chamber)
    left, emptied = chamber.bought, chamber.emptied
    chamber.bought = chamber.emptied = ()
    return_chests(game, left)
    for slot in emptied:
        fill_room(game, slot)


def take_chest_out(game: Game, _seat: int, tile: str, _how: str) -> None:
    """The chest of a building that leaves the Alhambra returns to the bag."""
    chamber = game.module_state(Chamber)
    if tile in chamber.put:
        chests = chamber.put[tile]
        chamber.put = {other: own for other, own in chamber.put.items() if other != tile}
        return_chests(game, chests, tile=tile)


def give_chests_back(game: Game, seat: int) -> None:
    """A buyer who leaves puts no chest any more. Chests in buildings stay there and count."""
    if seat == game.state.active:
        refill_rooms(game)


# -- Scoring, and what is seen -----------------------------------------------------------------------------------------


def chests_of(game: Game, seat: int) -> int:
    """Return how many chests a seat has in its buildings; Dirk's count, too."""
    return sum(len(game.module_state(Chamber).put.get(tile, ())) for tile in tiles_of(game, seat))


def score_chests(game: Game, number: int) -> None:
    """The most chests, the second most and the third most score; places are shared as in majorities."""
    seats = len(game.state.seats)
    counts = {seat: chests_of(game, seat) for seat in range(seats + (seats == 2))}
    for seat, (points, place, shared) in split_places(counts, VALUES[number]).items():
        facts = {"count": counts[seat], "place": place, "shared": shared}
        score(game, seat, points, "chest_majority", scoring=number, **facts)


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return whether rooms are still filled."""
    return {"stopped": game.module_state(Chamber).stopped}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield chests in buildings, in rooms, just bought, and in the bag."""
    chamber = game.module_state(Chamber)
    owners: dict[str, Any] = {
        tile: {"seat": seat} for seat, owner in enumerate(game.state.seats) for tile in owner.board.placed
    }
    for tile, chests in chamber.put.items():
        yield from ({"kind": "chest", **owners.get(tile, {}), "tile": tile, "type": name} for name in chests)
    lying = [({"slot": slot}, chests) for slot, chests in chamber.rooms.items()]
    lying += [({"choice": "bought"}, chamber.bought), ({"choice": "bag"}, chamber.bag)]
    for where, chests in lying:
        for name in sorted(set(chests), key=TYPES.index):
            yield {"kind": "chest", **where, "type": name, "amount": chests.count(name)}


def census(game: Game) -> Iterator[str]:
    """Yield all chests, wherever they are."""
    chamber = game.module_state(Chamber)
    for lying in (chamber.bag, chamber.bought, *chamber.rooms.values(), *chamber.put.values()):
        yield from (f"chest-{name}" for name in lying)
