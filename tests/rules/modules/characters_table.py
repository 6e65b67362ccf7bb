"""A table with characters: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Event, Game
from alhambra.base.supply import draw_from_deck
from alhambra.modules.characters import CHARACTERS, Characters
from tests.rules.situations import deck, display, hand, market, play, table, take_turn

PLAIN = tuple(f"gulden-{value}" for value in range(1, 10))
"""Money that comes up unless a test says otherwise."""
FULL = {"gulden": "garden-10", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-10"}
"""A market with nothing to refill."""


def characters(seats: int = 3, *modules: str, **options: Any) -> Game:
    """A table at which nothing but money will come up for a while."""
    game = table(seats, modules=["characters", *modules], **options)
    deck(game, *PLAIN)
    market(game, **FULL)
    return game


def turned_up_next(game: Game, *cards: str) -> None:
    """These cards are drawn next, characters that were set aside among them."""
    kept = game.module_state(Characters)
    for card in cards:
        if card in kept.aside:
            other = next(found for found in game.state.deck if found in CHARACTERS and found not in cards)
            game.state.deck = tuple(card if found == other else found for found in game.state.deck)
            kept.aside = tuple(other if found == card else found for found in kept.aside)
    deck(game, *cards)


def give(game: Game, seat: int, *pieces: str) -> None:
    """The characters lie before that seat."""
    for piece in pieces:
        turned_up_next(game, piece)
        assert draw_from_deck(game) == piece
        kept = game.module_state(Characters)
        kept.owners = {**kept.owners, piece: seat}


def owner_of(game: Game, piece: str) -> int | None:
    return game.module_state(Characters).owners.get(piece)


def auction(game: Game, *cards: str) -> list[Event]:
    """The player to move ends the turn, and these cards are turned up first."""
    display(game, "dukat-1")
    turned_up_next(game, *cards)
    return take_turn(game)


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def start(game: Game) -> Game:
    """The player to move ends the turn with a plain action; the next one is asked at the start of the turn."""
    if not game.state.display:
        display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    return game


def won_juggler() -> Game:
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "juggler")
    play(game, "bid", amount=9)
    play(game, "pass")
    play(game, "pay denar-9")
    return game


def begging(*cards: str, held: str = "denar-1 denar-2", modules: tuple[str, ...] = ()) -> Game:
    """The beggar's owner is asked at the start, these cards lie on top of the deck."""
    game = characters(3, *modules)
    give(game, 1, "beggar")
    hand(game, 1, held)
    start(game)
    turned_up_next(game, *cards)
    assert asked(game) == ("start", 1)
    return game


def dancing(*modules: str) -> Game:
    game = characters(3, *modules)
    give(game, 1, "dancer")
    return start(game)


def patronised(*modules: str, **options: Any) -> Game:
    game = characters(3, *modules, **options)
    give(game, 0, "rich_patron")
    return game


def stingy(*modules: str) -> Game:
    game = characters(3, *modules)
    give(game, 0, "miser")
    display(game, "dukat-1 dukat-6 dukat-7 dukat-9")
    return game


def building(*modules: str) -> Game:
    game = characters(3, *modules)
    give(game, 0, "master_builder")
    return game
