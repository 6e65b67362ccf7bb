"""Culture tiles: what is printed on them, who has which, and how many buildings of their prices a seat has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...base.purchase import STANDARD
from ...base.scoring import types_of
from ...components import module_data
from ...game import Game

DATA = module_data("arts_of_the_moors")
SORTS: dict[str, dict[str, Any]] = {sort["id"]: sort for sort in DATA["tiles"]}
"""By sort of culture tile: what is printed on it. The sections are in the order in which they reach the gem."""
SORT_OF_PRICE: dict[int, str] = {price: name for name, sort in SORTS.items() for price in sort["prices_matched"]}
FEWEST: int = DATA["min_buildings"]
SECTION_DEGREES = 60


class Dial(NamedTuple):
    """A culture tile of a seat: the section that points to the gem, and the marked one, counted from 0."""

    turned: int
    marked: int


@dataclass(slots=True)
class Culture:
    """The stacks, and what each seat has taken from them."""

    stacks: dict[str, int] = field(default_factory=dict)
    owned: tuple[dict[str, tuple[int, int]], ...] = ()
    """By seat, by sort: a dial."""
    received: tuple[str, ...] = ()
    """Buildings that were acquired since the end of a turn and have not led to a question yet."""


def lay_out(game: Game) -> None:
    """All stacks are full, nobody has a culture tile."""
    culture = game.module_state(Culture)
    culture.stacks = {name: sort["copies"] for name, sort in SORTS.items()}
    culture.owned = ({},) * len(game.state.seats)


def dials(game: Game, seat: int) -> dict[str, Dial]:
    """Return the culture tiles of a seat by their sorts."""
    owned = game.module_state(Culture).owned[seat]
    return {name: Dial(*owned[name]) for name in SORTS if name in owned}


def set_dial(game: Game, seat: int, name: str, dial: Dial) -> None:
    """A seat has a culture tile like this."""
    culture = game.module_state(Culture)
    own = {**culture.owned[seat], name: (dial.turned, dial.marked)}
    culture.owned = (*culture.owned[:seat], own, *culture.owned[seat + 1 :])


# -- Counting buildings of a price -------------------------------------------------------------------------------------


def sort_of(game: Game, tile_id: str) -> str | None:
    """Return the sort of culture tile that a building counts for; None if it is no finished base building, or too
    cheap."""
    tile = game.ruleset.tiles[tile_id]
    if tile.kind != STANDARD.name or tile.price is None or not types_of(game, tile_id):
        return None
    return SORT_OF_PRICE.get(tile.price)


def buildings_of(game: Game, seat: int) -> dict[str, int]:
    """Return by sort how many buildings of its price a seat has, in the Alhambra and the reserve."""
    counts = dict.fromkeys(SORTS, 0)
    for tile in tiles_of(game, seat):
        name = sort_of(game, tile)
        if name is not None:
            counts[name] += 1
    return counts


def tiles_of(game: Game, seat: int) -> tuple[str, ...]:
    """Return the tiles in the Alhambra and the reserve of a seat."""
    return (*game.state.seats[seat].board.placed, *game.ruleset.reserve.tiles(game, seat))


def section_for(name: str, count: int) -> int:
    """Return the last section that demands no more buildings than there are."""
    demanded = [section["buildings"] for section in SORTS[name]["sections"]]
    return max(place for place, number in enumerate(demanded) if number <= count)


def points_at(name: str, section: int) -> int:
    """Return what is printed in a section."""
    points: int = SORTS[name]["sections"][section]["value"]
    return points
