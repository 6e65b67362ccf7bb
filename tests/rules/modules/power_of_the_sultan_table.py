"""A table with the sultan's cards: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Event, Game
from alhambra.base.supply import draw_from_deck
from alhambra.modules.power_of_the_sultan import Sultan
from tests.rules.situations import deck, display, market, play, table, take_turn, tower

FULL = {"gulden": "garden-10", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-10"}
"""A market with nothing to refill."""
PLAIN = tuple(f"gulden-{value}" for value in range(1, 10))
"""Money that comes up unless a test says otherwise."""


def sultans(seats: int = 3, *modules: str, **options: Any) -> Game:
    """A table at which nothing but money will come up for a while."""
    game = table(seats, modules=["power_of_the_sultan", *modules], **options)
    deck(game, *PLAIN)
    return game


def beside(game: Game, card: str, mark: str) -> None:
    """The card lies beside the board with that mark."""
    deck(game, card)
    draw_from_deck(game)
    sultan = game.module_state(Sultan)
    sultan.marks = {**sultan.marks, card: mark}


def held(game: Game, seat: int, card: str, mark: str) -> None:
    """The card lies before that seat with that mark."""
    beside(game, card, mark)
    sultan = game.module_state(Sultan)
    sultan.owners = {**sultan.owners, card: seat}


def buy_card(game: Game, *cards: str) -> list[Event]:
    return play(game, " ".join(["buy", *cards]), slot="sultan", piece="sultan_denar_1")


def decision(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def refill(game: Game, *tiles: str, spaces: str = "gulden") -> list[Event]:
    """Ends a plain turn of seat 0 after which these spaces are refilled with these tiles."""
    market(game, **{currency: tile for currency, tile in FULL.items() if currency not in spaces.split()})
    tower(game, *tiles)
    display(game, "dukat-1")
    return take_turn(game)
