"""A table with buildings of power: dice, functions, and what is drawn next are as a test wants them."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import Game
from alhambra.base.supply import SLOTS
from alhambra.engine import GameEngine
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.buildings_of_power.powers import POWERS, put_under
from alhambra.rng import Stream
from tests.rules.situations import display, market, play, table, take_turn, tower

KEY = "buildings_of_power"
ARCHITECTURE = "power_architecture_tower-12"
WISDOM = "power_wisdom_garden-11"
STRENGTH = "power_strength_chambers-11"
WEALTH = "power_wealth_seraglio-9"
MARKET = {"gulden": "tower-11", "dirham": "seraglio-7-w", "denar": "garden-10", "dukat": "chambers-5-nsw"}
NEXT = ("arcades-8-e", "seraglio-6-es", "chambers-9-w", "garden-8-ne")


class Loaded(Stream):
    """A die that shows what it was loaded with."""

    def __init__(self, value: int) -> None:
        self.value = value

    def randbelow(self, bound: int) -> int:
        return min(self.value - 1, bound - 1)


def load(monkeypatch: pytest.MonkeyPatch, value: int) -> None:
    """Every die of the module shows this value."""
    chance = GameEngine.chance

    def loaded(game: GameEngine, label: str) -> Stream:
        found = chance(game, label)
        return Loaded(value) if label.startswith(KEY) else found

    monkeypatch.setattr(GameEngine, "chance", loaded)


def powers(seats: int = 3, *modules: str, **options: Any) -> Game:
    """A full market and open cards; seat 0 is to act."""
    game = table(seats, modules=[KEY, *modules], **options)
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    return game


def with_function(tile: str, seats: int = 3, *modules: str) -> Game:
    """Seat 0 may use the function of a building, and is asked at the end of its turn."""
    game = powers(seats, *modules)
    tower(game, tile)
    game.state.tower = game.state.tower[:-1]
    game.state.seats[0].reserve = (tile,)
    game.module_state(Powers).functions = ((0, tile, game.state.turn),)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    assert game.decision is not None
    assert game.decision.kind == "after"
    return game


def put_die(game: Game, seat: int, tile: str, value: int) -> None:
    """A die of the supply lies on a building of a seat."""
    kept = game.module_state(Powers)
    die = {"strength": "black_die", "wealth": "white_die"}[POWERS[tile]]
    supply = list(kept.supply)
    supply.remove(die)
    kept.supply, kept.dice = tuple(supply), {**kept.dice, tile: (seat, value)}


def hide(game: Game, seat: int, currency: str, tile: str) -> None:
    """A seat has hidden a tile of the tower under a market space."""
    tower(game, tile)
    game.state.tower = game.state.tower[:-1]
    put_under(game, SLOTS.index(f"market-{currency}"), tile, seat)


def looking(monkeypatch: pytest.MonkeyPatch, tile: str, count: int, *modules: str) -> Game:
    """Seat 0 has rolled the red die and looks at as many tiles or cards."""
    game = with_function(tile, 3, *modules)
    load(monkeypatch, count)
    return game


def use(game: Game, tile: str) -> None:
    """The function is used."""
    play(game, f"use_function {tile}")
