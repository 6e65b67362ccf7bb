"""10 The thieves together with other modules."""

from __future__ import annotations

import pytest

from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.city_gates import Gates
from alhambra.modules.city_walls import Walls
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.power_of_the_sultan import Sultan
from tests.rules.hooks.asking import asked
from tests.rules.modules.thieves_table import finish, held, steal, thieves
from tests.rules.situations import codes, deck, discard, events_of, hand, legal, play, refused


@pytest.mark.rule("10.13")
def test_the_player_due_next_is_asked_for_the_vizier_only() -> None:
    game = thieves(3, "viziers_favour")
    held(game, s1="denar")
    finish(game)
    assert asked(game) == ("window", 1)
    assert not legal(game, "play_thief denar-9", currency="denar")


@pytest.mark.rule("10.13")
def test_a_run_of_thieves_may_end_with_the_vizier() -> None:
    game = thieves(3, "viziers_favour")
    held(game, s2="denar denar")
    hand(game, 2, "denar-8")
    finish(game)
    play(game, "pass")
    steal(game, "denar-1")
    play(game, "buy market-denar denar-1 denar-8")
    play(game, "place garden-9-e @1,0")
    assert asked(game) == ("window", 1)
    play(game, "pass")
    assert asked(game) == ("window", 2)
    steal(game, "denar-9")


@pytest.mark.rule("05.29", "10.14")
def test_an_open_gate_card_cannot_be_stolen() -> None:
    game = thieves(3, "city_gates")
    held(game, s2="denar")
    discard(game, "gate")
    game.state.discard, game.module_state(Gates).open = (), True
    finish(game)
    assert codes(refused(game, "play_thief gate", currency="denar")) == ["NOT_THERE"]


@pytest.mark.rule("10.19")
def test_gate_and_wall_cards_that_come_up_after_a_theft_go_where_they_belong() -> None:
    game = thieves(3, "city_gates", "city_walls")
    held(game, s2="denar denar")
    finish(game)
    deck(game, "gate wallcard_N dukat-9")
    steal(game, "denar-9")
    assert game.module_state(Gates).open
    assert game.module_state(Walls).open == ("wallcard_N",)
    assert game.state.display[-1] == "dukat-9"
    assert asked(game) == ("window", 2)


@pytest.mark.rule("09.23", "10.14")
def test_an_open_wall_card_cannot_be_stolen() -> None:
    game = thieves(3, "city_walls")
    held(game, s2="denar")
    discard(game, "wallcard_N")
    game.state.discard, game.module_state(Walls).open = (), ("wallcard_N",)
    finish(game)
    assert codes(refused(game, "play_thief", display=("wallcard_N",), currency="denar")) == ["NOT_THERE"]


@pytest.mark.rule("10.18")
def test_a_character_that_comes_up_is_auctioned_at_once_beginning_with_the_player_due_next() -> None:
    game = thieves(3, "characters")
    held(game, s2="denar denar")
    hand(game, 1, "dukat-9")
    hand(game, 2, "dukat-9")
    finish(game)
    card = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "character")
    deck(game, card)
    events = steal(game, "denar-9")
    assert events_of(events, "auction_began") == [{"piece": card, "auctioneer": 1}]
    assert asked(game) == ("auction", 1)
    play(game, "pass")
    play(game, "pass")
    play(game, "pass")
    assert game.state.auction is None
    assert len(game.state.display) == 4
    assert asked(game) == ("window", 2)


@pytest.mark.rule("10.17")
def test_thieves_are_no_money_cards_for_the_beggar() -> None:
    game = thieves(3, "characters")
    game.module_state(Characters).owners = {"beggar": 1}
    held(game, s1="denar denar denar")
    hand(game, 1, "dukat-8 dukat-9")
    finish(game)
    assert asked(game) == ("start", 1)
    assert legal(game, "draw_card")


@pytest.mark.rule("10.15")
def test_coins_cannot_be_stolen() -> None:
    game = thieves(3, "change")
    coins = game.module_state(Coins)
    bag = list(coins.bag)
    bag.remove("coin-denar")
    coins.bag, coins.held = tuple(bag), ((), ("coin-denar",), ())
    held(game, s2="denar")
    finish(game)
    assert codes(refused(game, "play_thief", display=("coin-denar",), currency="denar")) == ["ID_UNKNOWN"]


@pytest.mark.rule("10.19")
def test_a_sultan_card_that_comes_up_is_laid_out_and_marked() -> None:
    game = thieves(3, "power_of_the_sultan")
    held(game, s2="denar denar")
    finish(game)
    deck(game, "sultan_denar_1 dukat-9")
    steal(game, "denar-9")
    assert list(game.module_state(Sultan).marks) == ["sultan_denar_1"]
    assert game.state.display[-1] == "dukat-9"
    assert asked(game) == ("window", 2)


@pytest.mark.rule("10.15")
def test_money_laid_down_for_a_project_cannot_be_stolen() -> None:
    game = thieves(3, "major_construction_projects")
    held(game, s2="denar")
    hand(game, 0, "denar-7 denar-8")
    play(game, "bid_project denar-7 denar-8")
    assert game.module_state(Projects).cards == ("denar-7", "denar-8")
    assert asked(game) == ("window", 2)
    assert codes(refused(game, "play_thief denar-8", currency="denar")) == ["NOT_THERE"]


OTHERS = ["squares", "military_camps", "watchtowers", "street_trader", "personal_building_market"]


@pytest.mark.parametrize("key", OTHERS)
def test_stealing_goes_on_as_ever_beside_modules_that_know_no_thieves(key: str) -> None:
    game = thieves(3, key)
    held(game, s2="denar denar")
    finish(game)
    steal(game, "denar-9")
    steal(game, "denar-1")
    assert game.state.seats[2].hand == ("denar-1", "denar-9")
    assert asked(game) == ("action", 1)
