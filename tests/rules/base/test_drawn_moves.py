"""A move that the game has drawn itself goes unverified only in the state it was drawn for."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, IllegalMove, Move
from tests.rules.situations import deck, display, market, table

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


def offering(card: str) -> Game:
    """This card is the only one that lies open, and other cards will follow it."""
    game = table()
    market(game, **FULL)
    display(game, card)
    deck(game, "gulden-1 gulden-2 gulden-3 gulden-4 gulden-5 gulden-6 gulden-7")
    return game


def test_once_another_move_was_made_a_drawn_move_is_verified_like_any_other() -> None:
    game = offering("dukat-9")
    drawn = game.sample_move("take_money", Random(1).randrange)
    assert drawn == Move("take_money", display=("dukat-9",))
    game.play(Move("take_money", display=("dukat-9",)))
    assert not game.over
    before = game.to_bytes()
    with pytest.raises(IllegalMove) as error:
        game.play(drawn)
    assert [violation.code for violation in error.value.violations] == ["NOT_THERE"]
    assert game.to_bytes() == before


def test_a_drawn_move_cannot_be_played_twice() -> None:
    game = offering("dukat-9")
    drawn = game.sample_move("take_money", Random(1).randrange)
    assert drawn is not None
    game.play(drawn)
    assert game.state.seats[0].hand == ("dukat-9",)
    with pytest.raises(IllegalMove):
        game.play(drawn)
    assert game.state.seats[1].hand == ()


def test_a_drawn_move_is_verified_after_somebody_has_left() -> None:
    game = offering("dukat-9")
    drawn = game.sample_move("take_money", Random(1).randrange)
    assert drawn is not None
    game.resign(0)
    game.state.display = ("gulden-1",)
    with pytest.raises(IllegalMove):
        game.play(drawn)
