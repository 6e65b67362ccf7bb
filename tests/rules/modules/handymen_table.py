"""A table with handymen, and dice that show what a test wants."""

from __future__ import annotations

from typing import Any

from alhambra import Decision, Game
from alhambra.base.supply import SLOTS
from alhambra.modules.handymen import Crew
from alhambra.modules.handymen.crew import add_to_space, add_to_supply
from tests.rules.situations import display, market, table, take_turn

MARKET = {"gulden": "tower-11", "dirham": "seraglio-7-w", "denar": "garden-10", "dukat": "chambers-5-nsw"}


def crew(seats: int = 3, *modules: str, **options: Any) -> Game:
    """A full market and open cards; seat 0 is to act."""
    game = table(seats, modules=["handymen", *modules], **options)
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    return game


def at_start(seats: int = 3, *modules: str, **options: Any) -> Game:
    """Seat 1 is asked at the start of its turn."""
    game = crew(seats, *modules, **options)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    assert game.decision == Decision("start", 1, {})
    return game


def rolled(game: Game, *dice: int) -> Game:
    """Whoever is to act has rolled these dice and is asked what to do with them."""
    assert game.decision is not None
    game.state.used = ("dice", "forced")
    game.state.phase = "START"
    game.state.decision = Decision("dice", game.decision.seat, {"dice": dice})
    return game


def post(game: Game, seat: int, currency: str, count: int = 1) -> None:
    """Handymen of a seat lie at a market space."""
    add_to_supply(game, seat, -count)
    add_to_space(game, SLOTS.index(f"market-{currency}"), seat, count)


def employ(game: Game, seat: int, *tiles: str) -> None:
    """Handymen of a seat are on these tiles."""
    kept = game.module_state(Crew)
    add_to_supply(game, seat, -len(tiles))
    kept.on_tiles = {**kept.on_tiles, **dict.fromkeys(tiles, seat)}


def supply(game: Game, seat: int) -> int:
    """How many handymen everybody sees before a seat."""
    return game.module_state(Crew).supply[seat]


def posted(game: Game, seat: int, currency: str) -> int:
    """How many handymen of a seat everybody sees at a market space."""
    shown = game.view(None)["pieces"]["handymen"]
    slot = f"market-{currency}"
    return sum(piece.get("amount", 1) for piece in shown if piece.get("slot") == slot and piece["seat"] == seat)
