"""An action that must be the only one of its turn, and the redesigns that it rules out."""

from __future__ import annotations

import pytest

from alhambra import Game
from tests.rules.hooks.asking import asked
from tests.rules.situations import alhambra, codes, display, fact, hand, legal, market, play, refused, table


def at_action(*modules: str) -> Game:
    game = table(modules=["example_hermits", *modules])
    alhambra(game, 0, {(1, 0): "garden-11", (2, 0): "tower-12"})
    display(game, "gulden-1")
    return game


@pytest.mark.rule("99.6")
def test_it_is_refused_after_another_action_of_the_turn() -> None:
    game = at_action()
    market(game, denar="garden-10")
    hand(game, 0, "denar-1 denar-9")
    assert legal(game, "meditate")
    play(game, "buy market-denar denar-1 denar-9")
    assert asked(game) == ("action", 0), "paid exactly"
    assert fact(refused(game, "meditate"), "SOLE_ACTION") == {"verb": "meditate"}


@pytest.mark.rule("99.6")
def test_it_is_refused_after_a_free_redesign_of_the_turn_and_everybody_can_see_why() -> None:
    game = at_action("example_carters")
    play(game, "remove tower-12", items=("cart",))
    assert asked(game) == ("action", 0)
    assert codes(refused(game, "meditate")) == ["SOLE_ACTION"]
    assert game.view(1)["turn"]["used"] == ["redesign"]


@pytest.mark.rule("99.6", "99.11")
def test_after_it_nothing_grants_a_free_redesign_until_the_turn_ends() -> None:
    game = at_action()
    play(game, "meditate")
    assert asked(game) == ("action", 1), "late is not asked"
    play(game, "take_money gulden-1")
    assert asked(game) == ("late", 1)


@pytest.mark.rule("99.6")
def test_a_redesign_that_is_asked_all_the_same_is_refused() -> None:
    game = at_action("example_masons")
    hand(game, 0, "denar-3")
    play(game, "meditate")
    assert asked(game) == ("late", 0), "another module asks by the hand alone"
    assert codes(refused(game, "remove tower-12 denar-3")) == ["SOLE_ACTION"]
    assert {move.verb for move in game.moves()} == {"pass"}


def test_a_redesign_as_an_action_leaves_no_word() -> None:
    game = at_action()
    play(game, "remove tower-12")
    assert "redesign" not in game.state.used


def test_the_word_is_gone_in_the_next_turn() -> None:
    game = at_action("example_carters")
    play(game, "remove tower-12", items=("cart",))
    play(game, "take_money gulden-1")
    if asked(game)[0] == "late":
        play(game, "pass")
    assert asked(game) == ("action", 1)
    assert game.state.used == ()
    assert legal(game, "meditate")
