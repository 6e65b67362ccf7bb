"""A table with animals: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Event, Game
from alhambra.base.supply import without
from alhambra.components import Cell
from alhambra.modules.menagerie import SPECIES, Menagerie
from tests.rules.situations import alhambra, display, hand, hold_scoring, market, play, table

FULL = {"gulden": "tower-11", "dirham": "seraglio-9", "denar": "arcades-10", "dukat": "chambers-10"}
"""A market without gardens and with nothing to refill."""
LINE: dict[Cell, str] = {(1, 0): "garden-10", (2, 0): "arcades-9", (3, 0): "tower-12", (4, 0): "garden-11"}
"""From the fountain to the east, without a wall."""


def menagerie(seats: int = 3, *others: str, **options: Any) -> Game:
    """A table at which no animal lies anywhere; all but two that left are in the supply."""
    game = table(seats, modules=["menagerie", *others], **options)
    kept = game.module_state(Menagerie)
    kept.removed, kept.returned, kept.lying = ("snake", "snake"), (), {}
    kept.supply = without(tuple(sorted(SPECIES * 3)), kept.removed)
    market(game, **FULL)
    display(game, "dukat-1 dukat-2 dukat-4 dukat-5")
    return game


def put(game: Game, tile: str, animals: str, part: int = 0) -> None:
    """These animals of the supply lie on a tile."""
    kept = game.module_state(Menagerie)
    kept.supply = without(kept.supply, animals.split())
    lying = (*kept.lying.get(tile, ()), *((part, species) for species in animals.split()))
    kept.lying = {**kept.lying, tile: tuple(sorted(lying))}


def on(game: Game, tile: str) -> list[str]:
    """The animals on a tile."""
    return [species for _, species in game.module_state(Menagerie).lying.get(tile, ())]


def at_late(cards: str = "denar-4", animals: str = "dove monkey", *others: str, **options: Any) -> Game:
    """Animals lie on the garden beside the fountain of seat 0, who has taken money and is asked at the end of its
    turn."""
    game = menagerie(3, *others, **options)
    hand(game, 0, cards)
    alhambra(game, 0, LINE)
    put(game, "garden-10", animals)
    play(game, "take_money dukat-5")
    return game


def scoring(game: Game, number: int) -> list[Event]:
    """Holds a scoring at the end of a plain turn in which no animal is led."""
    events = hold_scoring(game, number)
    while game.decision is not None and game.decision.kind == "late":
        events = [*events, *play(game, "pass")]
    return events
