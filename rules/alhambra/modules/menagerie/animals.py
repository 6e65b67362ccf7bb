"""The animals: face down, on the market, on tiles; what they score and who knows what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ...base.purchase import STANDARD
from ...base.scoring import score, types_of
from ...base.supply import SLOTS, missing, pick, without
from ...components import module_data
from ...determinize import Secrets
from ...game import Game

KEY = "menagerie"
_DATA = module_data(KEY)
SPECIES: tuple[str, ...] = tuple(_DATA["animals"])
REMOVED: int = _DATA["removed"]
PER_GARDEN: int = _DATA["per_garden"]
GARDEN = "garden"

Animal = tuple[int, str]
"""The part of its tile that an animal lies on, and its species."""


@dataclass(slots=True)
class Menagerie:
    """Where all animals are but those that have left the game before all eyes."""

    supply: tuple[str, ...] = ()
    """Face down, in no order: whoever draws, draws any of them."""
    removed: tuple[str, ...] = ()
    """Those that left the game unseen."""
    returned: tuple[str, ...] = ()
    """Those of the supply that everybody knows to be there, because they went back into it from the market."""
    lying: dict[str, tuple[Animal, ...]] = field(default_factory=dict)
    """By tile, wherever that is: the animals on it."""


def set_out(game: Game) -> None:
    """All animals are mixed face down, and two leave the game unseen."""
    kept, stream = game.module_state(Menagerie), game.chance(f"{KEY}/removed")
    animals = [species for species in SPECIES for _ in range(_DATA["per_animal"])]
    kept.removed = tuple(sorted(pick(stream, animals) for _ in range(REMOVED)))
    kept.supply = tuple(sorted(animals))


def put_back(game: Game) -> None:
    """No animals belong to Alhambras that are laid out without a game."""
    game.module_state(Menagerie).lying = {}


# -- On tiles ----------------------------------------------------------------------------------------------------------


def put_animals(kept: Menagerie, tile: str, animals: Iterable[Animal]) -> None:
    """Exactly these animals lie on a tile."""
    others = {other: lying for other, lying in kept.lying.items() if other != tile}
    lying = tuple(sorted(animals))
    kept.lying = {**others, tile: lying} if lying else others


def _take_off(kept: Menagerie, tile: str) -> tuple[str, ...]:
    """Take all animals off a tile and return their species."""
    animals = tuple(species for _, species in kept.lying.get(tile, ()))
    put_animals(kept, tile, ())
    return animals


def come_to_market(game: Game, tile: str, place: int) -> None:
    """Two animals come with a standard garden, or as many as are left."""
    printed, kept = game.ruleset.tiles[tile], game.module_state(Menagerie)
    if printed.kind != STANDARD.name or printed.type != GARDEN or not kept.supply:
        return
    stream, supply = game.chance(f"{KEY}/draw"), list(kept.supply)
    drawn = tuple(sorted(pick(stream, supply) for _ in range(min(PER_GARDEN, len(supply)))))
    kept.supply = tuple(supply)
    kept.returned = tuple(missing(drawn, kept.returned))  # a returned copy may be the one that was drawn
    put_animals(kept, tile, ((0, species) for species in drawn))
    game.emit("animals_drawn", slot=SLOTS[place], tile=tile, pieces=drawn)


def leave_game(game: Game, tile: str) -> None:
    """Animals leave the game with their tile, or because it was given to Dirk."""
    animals = _take_off(game.module_state(Menagerie), tile)
    if animals:
        game.state.box = (*game.state.box, *animals)
        game.emit("animals_boxed", tile=tile, pieces=animals)


def return_to_supply(game: Game, tile: str) -> None:
    """A garden went back into the tower: its animals go back to the supply."""
    kept = game.module_state(Menagerie)
    animals = _take_off(kept, tile)
    if animals:
        kept.supply = tuple(sorted((*kept.supply, *animals)))
        kept.returned = tuple(sorted((*kept.returned, *animals)))
        game.emit("animals_returned", tile=tile, pieces=animals)


# -- Scoring, and what is known ----------------------------------------------------------------------------------------


def score_animals(game: Game, number: int) -> None:
    """Every finished garden, or garden half of a tile, with a single species."""
    lying = game.module_state(Menagerie).lying
    for seat, owner in enumerate(game.state.seats):
        for tile in owner.board.placed if lying else ():
            for part, name in enumerate(types_of(game, tile)) if tile in lying else ():
                animals = [species for at, species in lying[tile] if at == part]
                if name == GARDEN and len(set(animals)) == 1:
                    score(game, seat, len(animals), "animals", scoring=number, tile=tile, count=len(animals))


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield animals on cells of Alhambras and on other tiles, and those that are still face down."""
    kept = game.module_state(Menagerie)
    owners = {tile: seat for seat, owner in enumerate(game.state.seats) for tile in owner.board.placed}
    for tile, animals in sorted(kept.lying.items()):
        seat = owners.get(tile)
        cells = () if seat is None else game.state.seats[seat].board.cells_of(tile)
        for part, species in animals:
            where = {"seat": seat, "cell": cells[part]} if cells else {"tile": tile}
            yield {"kind": "animal", "piece": species, **where}
    if kept.supply:
        yield {"kind": "animal", "amount": len(kept.supply), "choice": "face_down"}


def secrets(game: Game, _viewer: int | None, hidden: Secrets) -> None:
    """No player knows which animals left the game unseen: any that never came out of the supply (36.34)."""
    kept = game.module_state(Menagerie)
    unseen, returned = without(kept.supply, kept.returned), kept.returned
    hidden.add(KEY, kept.removed, lambda animals: setattr(kept, "removed", tuple(sorted(animals))))
    hidden.add(KEY, unseen, lambda animals: setattr(kept, "supply", tuple(sorted((*animals, *returned)))))


def census(game: Game) -> Iterator[str]:
    """Yield all animals but those in the box."""
    kept = game.module_state(Menagerie)
    yield from (*kept.supply, *kept.removed)
    yield from (species for animals in kept.lying.values() for _, species in animals)
