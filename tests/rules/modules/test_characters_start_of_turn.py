"""07 The characters: the beggar, the dancer and the money changer."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game
from alhambra.modules.characters import Characters
from tests.rules.modules.characters_table import asked, begging, characters, dancing, give, owner_of, start
from tests.rules.situations import (
    codes,
    deck,
    display,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    own,
    play,
    points,
    refused,
    tower,
)

# -- The beggar ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.15")
@pytest.mark.parametrize("held", ["", "denar-1", "denar-1 denar-2"])
def test_the_beggar_draws_with_two_money_cards_at_most(held: str) -> None:
    game = begging("dukat-7", held=held)
    events = play(game, "draw_card")
    assert "dukat-7" in game.state.seats[1].hand
    assert events_of(events, "card_drawn") == [{"seat": 1, "count": 1}]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.15")
def test_the_beggar_does_not_draw_with_three_money_cards() -> None:
    game = begging(held="denar-1 denar-2 denar-3")
    violations = refused(game, "draw_card")
    assert fact(violations, "CONDITION_UNMET") == {"what": "money_cards", "need": 2, "have": 3}


@pytest.mark.rule("07.56")
def test_nobody_else_sees_what_the_beggar_drew() -> None:
    game = begging("dukat-7")
    events = play(game, "draw_card")
    drawn = next(event for event in events if event.kind == "card_drawn")
    assert drawn.seen_by(1)["private"] == {"card": "dukat-7"}
    assert "private" not in drawn.seen_by(0)
    assert game.state.seats[1].unseen == ("dukat-7",)
    samples = [game.determinize(0, Random(number)) for number in range(8)]
    assert len({sample.state.seats[1].hand for sample in samples}) > 1


@pytest.mark.rule("07.15")
def test_the_beggar_may_be_left_alone() -> None:
    game = begging()
    play(game, "pass")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.16", "07.55")
def test_a_scoring_card_is_scored_at_once_and_the_beggar_may_draw_again() -> None:
    game = begging("scoring-1", "dukat-7")
    own(game, 0, tower=1)
    events = play(game, "draw_card")
    assert points(events, "majority", type="tower") == {0: 6}
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert "dukat-7" in game.state.seats[1].hand
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.16")
def test_the_beggar_need_not_draw_again_and_nobody_else_is_used_then() -> None:
    game = begging("scoring-1")
    give(game, 1, "dancer", "master_builder")
    play(game, "draw_card")
    assert codes(refused(game, "dance market-denar")) == ["VERB_NOT_OFFERED"]
    play(game, "pass")
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    assert asked(game)[1] == 2


@pytest.mark.rule("07.55")
def test_the_beggar_is_auctioneer_of_a_character_that_he_draws() -> None:
    game = begging("trader", "dukat-7")
    hand(game, 2, "denar-3")
    play(game, "draw_card")
    assert asked(game) == ("auction", 1)
    play(game, "bid", amount=3)
    play(game, "pass")
    play(game, "pass")
    play(game, "pay denar-1 denar-2")
    assert owner_of(game, "trader") == 1
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert game.state.seats[1].hand == ("dukat-7",)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.57")
def test_the_beggar_draws_from_the_discard_shuffled_anew() -> None:
    game = begging()
    deck(game, only=True)
    game.state.box, game.state.discard = game.state.box[:-1], game.state.box[-1:]
    card = game.state.discard[0]
    events = play(game, "draw_card")
    assert "deck_reshuffled" in kinds(events)
    assert game.ruleset.cards[card].kind != "money" or card in game.state.seats[1].hand


@pytest.mark.rule("07.57")
def test_with_no_card_left_the_beggar_has_no_effect() -> None:
    game = begging()
    deck(game, only=True)
    assert codes(refused(game, "draw_card")) == ["NO_EFFECT"]


@pytest.mark.rule("07.15")
def test_without_the_beggar_nobody_draws() -> None:
    game = begging()
    give(game, 1, "dancer")
    kept = game.module_state(Characters)
    kept.owners = {"dancer": 1}
    assert fact(refused(game, "draw_card"), "NOT_THERE") == {"id": "beggar", "place": "held"}


# -- The dancer ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("07.21")
def test_the_dancer_replaces_a_market_tile_by_one_drawn_blind() -> None:
    game = dancing()
    tower(game, "tower-12")
    events = play(game, "dance market-denar")
    assert game.state.market[2] == "tower-12"
    assert events_of(events, "character_used") == [
        {"seat": 1, "piece": "dancer", "slot": "market-denar", "tile": "arcades-9"}
    ]
    assert events_of(events, "tile_drawn") == [{"tile": "tower-12", "slot": "market-denar"}]


@pytest.mark.rule("07.61")
def test_the_old_tile_is_drawn_last_and_everybody_knows_it() -> None:
    game = dancing()
    play(game, "dance market-denar")
    assert game.state.tower[0] == "arcades-9"
    assert game.state.sunk == 1
    assert game.determinize(0, Random(1)).state.tower[0] == "arcades-9"


@pytest.mark.rule("07.61")
def test_the_old_tile_does_not_come_straight_back() -> None:
    game = dancing()
    tower(game, "tower-12", only=True)
    play(game, "dance market-denar")
    assert game.state.market[2] == "tower-12"
    assert game.state.tower == ("arcades-9",)


@pytest.mark.rule("07.61")
def test_the_dancer_needs_a_tile_in_the_tower_and_one_on_the_space() -> None:
    game = dancing()
    market(game, denar="arcades-9")
    assert fact(refused(game, "dance market-dukat"), "NOT_THERE") == {"id": "market-dukat", "place": "slot"}
    tower(game, only=True)
    assert codes(refused(game, "dance market-denar")) == ["CONDITION_UNMET"]
    assert codes(refused(game, "dance", slot="bazaar")) == ["NOT_THERE", "CONDITION_UNMET"]


# -- The money changer -----------------------------------------------------------------------------------------------


def changing(held: str, shown: str) -> Game:
    game = characters()
    give(game, 1, "money_changer")
    start(game)
    hand(game, 1, held)
    display(game, shown)
    return game


# worked example
@pytest.mark.rule("07.22", "07.50")
def test_the_money_changer_gives_6_and_takes_1_to_6() -> None:
    game = changing("denar-6", "dukat-1 dukat-6 dukat-7 dukat-9")
    assert legal(game, "change_money dukat-1", cards=("denar-6",))
    assert legal(game, "change_money dukat-6", cards=("denar-6",))
    violations = refused(game, "change_money dukat-7", cards=("denar-6",))
    assert fact(violations, "VALUE_TOO_HIGH") == {"value": 7, "limit": 6}


@pytest.mark.rule("07.22", "07.63")
def test_the_card_given_is_discarded_and_the_display_waits_for_the_end_of_the_turn() -> None:
    game = changing("denar-6", "dukat-1 dukat-6 dukat-7 dukat-9")
    events = play(game, "change_money dukat-6", cards=("denar-6",))
    assert game.state.seats[1].hand == ("dukat-6",)
    assert game.state.discard == ("denar-6",)
    assert game.state.display == ("dukat-1", "dukat-7", "dukat-9")
    assert events_of(events, "money_taken") == [
        {"seat": 1, "display": ("dukat-6",), "cards": ("denar-6",), "how": "changer"}
    ]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.22")
def test_the_money_changer_changes_one_card_that_one_has_against_one_that_lies_open() -> None:
    game = changing("denar-6 denar-7", "dukat-1 dukat-6")
    assert codes(refused(game, "change_money dukat-1", cards=("denar-6", "denar-7"))) == ["CARD_COUNT"]
    assert codes(refused(game, "change_money dukat-1 dukat-6", cards=("denar-6",))) == ["CARD_COUNT"]
    assert fact(refused(game, "change_money dukat-1", cards=("denar-9",)), "NOT_THERE")["place"] == "hand"
    assert fact(refused(game, "change_money dukat-2", cards=("denar-6",)), "NOT_THERE")["place"] == "display"
