"""The twelve buildings, who may still use which of them, and who sees what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...base.payment.offers import Purchase
from ...base.peek import known_to
from ...base.supply import SLOTS, TowerPlan
from ...base.turn_order import in_own_turn
from ...components import Tile, module_data, plain_tile
from ...determinize import TILES, Secrets
from ...game import Game
from ...known_positions import DECK, TOWER
from ...views import FACE_DOWN

KEY = "buildings_of_power"
_DATA = module_data(KEY)["tiles"]
BUILDINGS: dict[str, Tile] = {data["id"]: plain_tile(data, "standard") for data in _DATA}
POWERS: dict[str, str] = {data["id"]: data["power"] for data in _DATA}
REPLACED: dict[str, str] = {data["id"]: data["replaces"] for data in _DATA}
ARCHITECTURE, WISDOM = "architecture", "wisdom"
DICE = {"strength": "black_die", "wealth": "white_die"}
"""By power: the die that is put on such a building. The others are used with the red die."""
SIDES_OF_A_DIE = 6
Claim = tuple[int, str, int]
"""A function that was not used yet: the seat, the building, and the first turn in which it can be used."""


@dataclass(slots=True)
class Powers:
    """Dice, functions that wait to be used, and what lies hidden under the market."""

    supply: tuple[str, ...] = tuple(DICE[power] for power in POWERS.values() if power in DICE)
    """The dice that lie on no building and were not used up: one for each building that takes one."""
    dice: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By building: the seat that has it, and what its die shows."""
    functions: tuple[Claim, ...] = ()
    hidden: tuple[str, ...] = ("",) * len(SLOTS)
    """By market space: the tile under the one that lies there."""
    hiders: tuple[int, ...] = (0,) * len(SLOTS)
    """By market space: the seat that hid a tile there last."""


def mix_in(plan: TowerPlan) -> None:
    """Each building takes the place of the tile that it is like."""
    for building, tile in REPLACED.items():
        plan.replace(tile, building)


# -- Getting one -------------------------------------------------------------------------------------------------------


def die_to_supply(game: Game, tile: str) -> None:
    """The die of a building that its owner does not have any more goes back; what it showed is lost (38.19)."""
    powers = game.module_state(Powers)
    if tile in powers.dice:
        powers.dice = {other: die for other, die in powers.dice.items() if other != tile}
        powers.supply = (*powers.supply, DICE[POWERS[tile]])
        game.emit("die_returned", tile=tile)


def after_purchase(game: Game, purchase: Purchase) -> None:
    """A building that was bought has its effect, wherever it was bought."""
    if purchase.tile in POWERS:
        gain_power(game, purchase.seat, purchase.tile)


def change_hands(game: Game, seat: int, tile: str, how: str) -> None:
    """The die of a building stays with its old owner. A building that was claimed has its effect at once; one that was
    bought has it when the purchase has come so far; one that is left over at the end has none."""
    die_to_supply(game, tile)
    if how == "claim" and tile in POWERS:
        gain_power(game, seat, tile)


def gain_power(game: Game, seat: int, tile: str) -> None:
    """A die is rolled at once. A function waits for the end of its owner's turn: of this one, unless it is over
    (38.34)."""
    powers, power = game.module_state(Powers), POWERS[tile]
    if power not in DICE:
        first = game.state.turn + (not in_own_turn(game, seat, through="MARKET"))
        powers.functions = (*powers.functions, (seat, tile, first))
    elif DICE[power] in powers.supply:
        supply = list(powers.supply)
        supply.remove(DICE[power])
        value = roll(game, seat, DICE[power])
        powers.supply, powers.dice = tuple(supply), {**powers.dice, tile: (seat, value)}
        game.emit("die_placed", seat=seat, tile=tile, value=value)


def roll(game: Game, seat: int, die: str) -> int:
    """Return what a die shows; everybody sees it."""
    value = game.chance(f"{KEY}/{die}").randbelow(SIDES_OF_A_DIE) + 1
    game.emit("die_rolled", seat=seat, die=die, value=value)
    return value


def usable(game: Game, seat: int) -> list[str]:
    """Return the buildings whose functions the seat may use at the end of this turn."""
    state = game.state
    own = [tile for owner, tile, first in game.module_state(Powers).functions if owner == seat and first <= state.turn]
    return own if seat == state.active else []


def drop_function(game: Game, seat: int, tile: str) -> None:
    """The function of a building was used, once."""
    powers = game.module_state(Powers)
    at = next(n for n, (owner, own, _) in enumerate(powers.functions) if (owner, own) == (seat, tile))
    powers.functions = (*powers.functions[:at], *powers.functions[at + 1 :])


def lapse_unused(game: Game) -> None:
    """A function that was not used at the end of the turn is lost."""
    for tile in usable(game, game.state.active):
        drop_function(game, game.state.active, tile)


def leave(game: Game, seat: int) -> None:
    """A seat that resigned uses no functions any more; its dice stay on its buildings."""
    powers = game.module_state(Powers)
    powers.functions = tuple(claim for claim in powers.functions if claim[0] != seat)


# -- Hidden tiles ------------------------------------------------------------------------------------------------------


def put_under(game: Game, place: int, tile: str, seat: int) -> None:
    """A tile lies under the one on a market space; with an empty text, none does."""
    powers = game.module_state(Powers)
    powers.hidden = (*powers.hidden[:place], tile, *powers.hidden[place + 1 :])
    powers.hiders = (*powers.hiders[:place], seat, *powers.hiders[place + 1 :])


def secrets(game: Game, viewer: int | None, pools: Secrets) -> None:
    """Only the seat that hid a tile knows it; for the others it could be any of the tower."""
    powers = game.module_state(Powers)
    for place, (tile, hider) in enumerate(zip(powers.hidden, powers.hiders, strict=True)):
        if tile and hider != viewer:
            pools.add(TILES, (tile,), partial(_put_other, game, place, hider))


def _put_other(game: Game, place: int, hider: int, tiles: tuple[str, ...]) -> None:
    put_under(game, place, tiles[0], hider)


# -- What is seen ------------------------------------------------------------------------------------------------------


def view(game: Game, viewer: int | None) -> dict[str, Any]:
    """Return the functions that wait, which are public, and what the viewer knows of the next tiles and cards."""
    waiting = [{"seat": seat, "tile": tile} for seat, tile, _ in game.module_state(Powers).functions]
    known = {"tiles": known_to(game, viewer, TOWER), "cards": known_to(game, viewer, DECK)}
    return {"functions": waiting, "known": known}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield dice on their buildings and in the supply, and where a tile lies hidden."""
    powers = game.module_state(Powers)
    for tile, (seat, value) in sorted(powers.dice.items()):
        yield {"kind": DICE[POWERS[tile]], "seat": seat, "tile": tile, "sum": value}
    for die in sorted(set(powers.supply)):
        yield {"kind": die, "amount": powers.supply.count(die)}
    for slot, tile, seat in zip(SLOTS, powers.hidden, powers.hiders, strict=True):
        if tile:
            yield {"kind": "hidden_tile", "seat": seat, "slot": slot, "choice": FACE_DOWN}


def private_pieces(game: Game, seat: int) -> Iterator[dict[str, Any]]:
    """Yield the tiles that the seat hid, which it may look at again."""
    powers = game.module_state(Powers)
    for slot, tile, hider in zip(SLOTS, powers.hidden, powers.hiders, strict=True):
        if tile and hider == seat:
            yield {"kind": "hidden_tile", "seat": seat, "slot": slot, "tile": tile, "choice": FACE_DOWN}


def census(game: Game) -> Iterator[str]:
    """Yield hidden tiles, and all dice that are still in the game."""
    powers = game.module_state(Powers)
    yield from (tile for tile in powers.hidden if tile)
    yield from powers.supply
    yield from (DICE[POWERS[tile]] for tile in powers.dice)
