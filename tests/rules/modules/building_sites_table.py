"""A table with building sites: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Event, Game
from alhambra.modules.building_sites import Sites
from tests.rules.situations import deck, display, hand, market, play, reserve, table

FULL = {"gulden": "seraglio-8-s", "dirham": "arcades-9", "denar": "garden-11", "dukat": "pavilion-6-n"}
"""A market with a garden for 11 denars."""
GARDEN = "garden-11"


def sites(game: Game) -> Sites:
    return game.module_state(Sites)


def building_yard(seats: int = 3, *modules: str, cards: str = "denar-5 denar-6", **options: Any) -> Game:
    """Seat 0 is at its action and can buy the garden for 11 denars."""
    game = table(seats, modules=["building_sites", *modules], **options)
    market(game, **FULL)
    display(game, "gulden-1 gulden-2 gulden-4 gulden-5")
    deck(game, "dirham-1 dirham-2 dirham-3 dirham-4 dirham-5 dirham-6 dirham-7 dirham-8")
    hand(game, 0, cards)
    return game


def only_markers(game: Game, *currencies: str) -> None:
    """Exactly these markers are left in the stack; the others leave the game."""
    kept = sites(game)
    gone = list(kept.stack)
    for currency in currencies:
        gone.remove(currency)
    kept.stack = tuple(sorted(currencies))
    game.state.box = (*game.state.box, *(f"site-{currency}" for currency in gone))


def start(game: Game, cards: str = "denar-5", slot: str = "market-denar") -> list[Event]:
    """The asked seat starts a site."""
    return play(game, f"buy {slot} {cards}", choice="site")


def started(marker: str = "dukat", *modules: str, seats: int = 3, **options: Any) -> Game:
    """Seat 0 has started a site with the garden, holds its marker, and is asked to place it."""
    game = building_yard(seats, *modules, **options)
    only_markers(game, marker, marker)
    start(game)
    play(game, "keep_marker", currency=marker)
    return game


def built(marker: str = "dukat", *modules: str, seats: int = 3, at: str = "@1,0", **options: Any) -> Game:
    """The site stands in the Alhambra of seat 0; seat 1 is to move."""
    game = started(marker, *modules, seats=seats, **options)
    play(game, f"place {GARDEN} {at}")
    return game


def lay_site(game: Game, seat: int, tile: str, marker: str) -> None:
    """A tile of the seat, wherever it lies, is an unfinished building."""
    kept = sites(game)
    stack = list(kept.stack)
    stack.remove(marker)
    kept.stack = tuple(stack)
    kept.on = {**kept.on, tile: (seat, marker)}
    game.state.covered = (*game.state.covered, tile)


def in_reserve(game: Game, seat: int, tile: str, marker: str) -> None:
    """An unfinished building lies in the reserve of the seat."""
    reserve(game, seat, tile)
    lay_site(game, seat, tile, marker)
