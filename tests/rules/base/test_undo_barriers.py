"""Undo stops at everything that was shown, even if it was a single tile, card or character."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.thieves import Thieves
from tests.rules.modules.characters_table import asked, begging, dancing
from tests.rules.situations import alhambra, deck, display, hand, market, play, table, tower

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


def refusal(game: Game, seat: int) -> str | None:
    """Why the seat cannot take back its last move although all others agree; None if it can."""
    found = game.can_undo(seat, consent=True)
    return None if found is None else str(found.metadata["because"])


def redesigned(**tiles: str) -> Game:
    """Seat 0 has ended a turn without drawing a card: the display was full, one tile went into the reserve."""
    game = table(undo="by_consent")
    market(game, **tiles)
    tower(game, "arcades-9")
    display(game, "gulden-1 gulden-2 gulden-3 dukat-9")
    alhambra(game, 0, {(1, 0): "garden-8-ne"})
    play(game, "remove garden-8-ne")
    assert asked(game) == ("action", 1)
    return game


@pytest.mark.rule("99.90")
def test_a_single_tile_drawn_for_the_market_is_a_reveal() -> None:
    assert refusal(redesigned(**{**FULL, "denar": ""}), 0) == "revealed"
    assert refusal(redesigned(**FULL), 0) is None


@pytest.mark.rule("07.70")
def test_the_tile_that_the_dancer_draws_is_a_reveal() -> None:
    game = dancing()
    play(game, "dance market-denar")
    assert asked(game) == ("action", 1)
    assert refusal(game, 1) == "revealed"


@pytest.mark.rule("99.90", "07.70")
def test_the_card_that_the_beggar_draws_is_a_reveal() -> None:
    game = begging("dukat-7")
    play(game, "draw_card")
    assert asked(game) == ("action", 1)
    assert refusal(game, 1) == "revealed"


def juggler_of_the_beggar() -> Game:
    """The beggar has drawn the juggler and his owner has paid for her: no card will be drawn after the decision."""
    game = begging("juggler", held="denar-9")
    for seat in (0, 2):
        hand(game, seat)
    play(game, "draw_card")
    play(game, "bid", amount=1)
    play(game, "pay denar-9")
    assert asked(game) == ("juggler", 1)
    return game


@pytest.mark.rule("07.70")
def test_the_character_that_comes_for_the_juggler_is_a_reveal() -> None:
    game = juggler_of_the_beggar()
    play(game, "choose", choice="exchange")
    assert asked(game)[1] == 1
    assert refusal(game, 1) == "revealed"


@pytest.mark.rule("99.90", "07.70")
def test_keeping_the_juggler_shows_nothing() -> None:
    game = juggler_of_the_beggar()
    play(game, "choose", choice="keep")
    assert asked(game) == ("start", 1)
    assert refusal(game, 1) is None


@pytest.mark.rule("99.90", "10.33")
def test_a_thief_that_is_played_is_a_reveal_even_if_no_card_is_drawn_after_it() -> None:
    game = table(modules=["thieves"], undo="by_consent", turn_of=2)
    market(game, **FULL)
    game.module_state(Thieves).held = ((), ("thief-denar", "thief-denar"), ())
    display(game, "denar-1 denar-9 dirham-4 gulden-1")
    deck(game, only=True)
    play(game, "take_money gulden-1")
    assert asked(game) == ("window", 1)
    play(game, "play_thief denar-9", currency="denar")
    assert asked(game) == ("window", 1)
    assert refusal(game, 1) == "revealed"
