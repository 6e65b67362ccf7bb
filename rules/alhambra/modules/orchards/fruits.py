"""The fruits, and how they come onto tiles and off them.

A fruit stays on its tile, wherever the tile lies on the market, until somebody acquires the tile. It goes back into the
supply if the tile goes back into the tower, and leaves the game together with a tile that leaves the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...base.purchase import STANDARD
from ...base.supply import SLOTS, pick
from ...components import module_data
from ...game import Game

DATA = module_data("orchards")
FRUITS: tuple[str, ...] = tuple(DATA["fruits"])
COPIES: int = DATA["tiles_per_fruit"]
SPARE_POINTS: int = DATA["face_down_points"]
BOARDS: dict[str, dict[str, tuple[str, ...]]] = {
    board["id"]: {f"fruit-{group['points']}": tuple(group["fields"]) for group in board["groups"]}
    for board in DATA["boards"]
}
"""By fruit board, by group: the kinds of fruit that its fields are for."""
POINTS: dict[str, int] = {f"fruit-{group['points']}": group["points"] for group in DATA["boards"][0]["groups"]}
"""By group: what it brings when it is complete. The groups of all boards are worth the same."""


@dataclass(slots=True)
class Orchards:
    """Where the fruits are, and which board each seat has."""

    supply: tuple[str, ...] = ()
    """The fruits that nobody has drawn yet. They lie face down, so their order means nothing (30.25)."""
    on_tiles: dict[str, str] = field(default_factory=dict)
    """By tile on the market, or just acquired: the fruit that lies on it."""
    boards: tuple[str, ...] = ()
    planted: tuple[dict[str, tuple[str, ...]], ...] = ()
    """By seat, by group: the fruits on its fields."""
    spare: tuple[tuple[str, ...], ...] = ()
    """By seat: the fruits beside its board."""


def lay_fruit(game: Game, tile: str, place: int) -> None:
    """A base building was laid on a market space: a fruit is drawn for it, as long as there are any."""
    orchards = game.module_state(Orchards)
    if game.ruleset.tiles[tile].kind == STANDARD.name and orchards.supply:
        supply = sorted(orchards.supply)
        fruit = pick(game.chance("orchards/fruit"), supply)
        orchards.supply = tuple(supply)
        orchards.on_tiles = {**orchards.on_tiles, tile: fruit}
        game.emit("fruit_drawn", slot=SLOTS[place], tile=tile, piece=fruit)


def take_off(game: Game, tile: str) -> str | None:
    """Take the fruit off a tile and return it; None if none lies there."""
    orchards = game.module_state(Orchards)
    fruit = orchards.on_tiles.get(tile)
    orchards.on_tiles = {other: lying for other, lying in orchards.on_tiles.items() if other != tile}
    return fruit


def return_fruit(game: Game, tile: str) -> None:
    """The fruit of a tile that goes back into the tower goes back into the supply."""
    fruit = take_off(game, tile)
    if fruit is not None:
        orchards = game.module_state(Orchards)
        orchards.supply = (*orchards.supply, fruit)
        game.emit("fruit_returned", tile=tile, piece=fruit)


def lose_fruit(game: Game, tile: str) -> None:
    """The fruit of a tile that leaves the game before anybody got it leaves the game, too (30.27)."""
    fruit = take_off(game, tile)
    if fruit is not None:
        game.state.box = (*game.state.box, fruit)
