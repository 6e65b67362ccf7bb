"""What modules show at moments that seldom come: before choices are published, after the end, between two draws."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Options
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import PACK, Thieves
from tests.rules.modules.characters_table import asked, begging, characters, give, stingy, won_juggler
from tests.rules.modules.test_invaders import invaded
from tests.rules.modules.watchtowers_table import watched
from tests.rules.situations import end_game, events_of, hand, hold_scoring, market, own, play, table


@pytest.mark.rule("12.31")
def test_before_the_discs_are_shown_the_supply_of_residents_is_not_shown_either() -> None:
    game = Game.new(Options(seats=3, seed="secret", modules=["street_trader"]))
    assert asked(game) == ("pick_residents", 0)
    assert [piece["kind"] for piece in game.view(0)["pieces"]["street_trader"]] == ["disc"]


def test_once_the_discs_are_shown_every_twin_has_the_same_discs_and_residents() -> None:
    game = table(4, modules=["street_trader"], dealt=True)
    kept = game.module_state(Residents)
    for viewer in (None, 0, 3):
        for number in range(10):
            sample = game.determinize(viewer, Random(number)).module_state(Residents)
            assert (sample.discs, sample.aboard, sample.supply) == (kept.discs, kept.aboard, kept.supply)


@pytest.mark.rule("15.8")
def test_an_attack_is_told_with_the_number_of_its_scoring() -> None:
    game = invaded(attacks="SWNE")
    told = [event for number in (1, 2) for event in events_of(hold_scoring(game, number), "attack")]
    assert told == [
        {"piece": "invasion_S", "direction": "S", "scoring": 1},
        {"piece": "invasion_W", "direction": "W", "scoring": 2},
    ]


@pytest.mark.rule("22.6")
def test_after_three_scorings_the_surcharge_of_the_last_stretch_is_still_shown() -> None:
    game = watched()
    hold_scoring(game, 1)
    hold_scoring(game, 2)
    market(game)
    end_game(game)
    assert game.state.held == (1, 2, 3)
    assert game.view(None)["slices"]["watchtowers"]["surcharge"] == 2


def test_the_thieves_of_a_seat_that_leaves_are_among_those_never_dealt() -> None:
    game = Game.new(Options(seats=4, seed="leaving", modules=["thieves"]))
    kept = game.module_state(Thieves)
    left = kept.held[2]
    game.resign(2)
    kept = game.module_state(Thieves)
    assert kept.held[2] == ()
    assert sorted((*kept.rest, *(thief for own_ones in kept.held for thief in own_ones))) == sorted(PACK)
    assert set(left) <= set(kept.rest)


def test_a_beggar_who_draws_twice_is_used_once() -> None:
    game = begging("scoring-1", "dukat-7")
    play(game, "draw_card")
    play(game, "draw_card")
    assert game.state.used == ("beggar",)
    (shown,) = game.view(None)["pieces"]["characters"]
    assert (shown["piece"], shown["choice"]) == ("beggar", "used")


def test_between_two_scorings_no_type_is_declared() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=1)
    assert game.view(None)["slices"]["characters"]["declared"] is None
    hold_scoring(game, 1)
    play(game, "declare", type="tower")
    assert game.view(None)["slices"]["characters"]["declared"] is None


def test_who_leaves_while_another_decides_about_the_juggler_or_the_miser_takes_no_decision_away() -> None:
    game = won_juggler()
    game.resign(2)
    assert asked(game) == ("juggler", 1)
    game = stingy()
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    game.resign(2)
    assert asked(game) == ("miser", 0)
