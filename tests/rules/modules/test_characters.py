"""07 The characters: how they come into the game, and that one of them is used a turn."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Move
from alhambra.modules.characters import CHARACTERS, ONE_A_TURN, Characters
from tests.rules.modules.characters_table import asked, characters, give, start
from tests.rules.situations import display, hand, market, play, table

# -- Setting up ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.2")
def test_two_characters_lie_in_each_of_the_piles_2_3_and_4() -> None:
    game = table(modules=["characters"], dealt=True)
    found, at = [], 0
    for size in game.state.piles:
        found.append(sum(card in CHARACTERS for card in game.state.deck[at : at + size]))
        at += size
    assert found[::-1] == [0, 2, 2, 2, 0]


@pytest.mark.rule("07.3")
def test_the_other_four_are_set_aside_and_nobody_sees_which() -> None:
    game = table(modules=["characters"], dealt=True)
    aside = game.module_state(Characters).aside
    assert len(aside) == 4
    for viewer in (None, 0, 1, 2):
        view = game.view(viewer)["slices"]["characters"]
        assert view["set_aside"] == 4
        assert not any(piece in str(view) for piece in CHARACTERS)


@pytest.mark.rule("07.3")
def test_what_was_set_aside_could_as_well_lie_in_the_deck() -> None:
    game = table(modules=["characters"], dealt=True)
    samples = [game.determinize(0, Random(number)) for number in range(5)]
    assert len({frozenset(sample.module_state(Characters).aside) for sample in samples}) > 1


# -- One of them a turn ----------------------------------------------------------------------------------------------


@pytest.mark.rule("07.1")
def test_the_five_that_can_be_used_once_a_turn() -> None:
    assert set(ONE_A_TURN) == {"beggar", "miser", "master_builder", "dancer", "money_changer"}


@pytest.mark.rule("07.12", "07.51")
def test_only_one_character_of_the_turn_class_is_used_in_a_turn() -> None:
    game = characters()
    give(game, 1, *ONE_A_TURN)
    display(game, "gulden-1 gulden-2")
    hand(game, 1, "denar-9")
    start(game)
    assert asked(game) == ("start", 1)
    market(game, denar="arcades-9", gulden="garden-10", dirham="chambers-11", dukat="tower-12")
    play(game, "dance market-gulden")
    assert asked(game) == ("action", 1)
    hand(game, 1, "dirham-9 dirham-2")
    play(game, "buy market-dirham dirham-2 dirham-9")
    assert asked(game) == ("action", 1)  # the miser is not asked
    play(game, "take_money", display=(game.state.display[0],))
    play(game, "reserve chambers-11")
    assert asked(game)[1] == 2  # nor the master builder
    assert game.state.used == ()


@pytest.mark.rule("07.12")
def test_the_view_shows_who_was_used() -> None:
    game = characters()
    give(game, 1, "dancer")
    start(game)
    play(game, "dance market-denar")
    shown = {"kind": "character", "seat": 1, "piece": "dancer", "choice": "used"}
    assert game.view(2)["pieces"]["characters"] == [shown]


@pytest.mark.rule("07.68")
def test_the_owner_is_asked_even_if_the_hand_rules_it_out() -> None:
    game = characters()
    give(game, 1, "beggar")
    hand(game, 1, "denar-1 denar-2 denar-3")
    start(game)
    assert asked(game) == ("start", 1)
    assert list(game.moves()) == [Move("pass")]


@pytest.mark.rule("07.68")
def test_nobody_else_is_asked_at_the_start() -> None:
    game = characters()
    give(game, 1, "dancer", "beggar", "money_changer")
    start(game)
    play(game, "pass")
    assert asked(game) == ("action", 1)
    start(game)
    assert asked(game) == ("action", 2)
