"""Why moves of modules are refused: the facts beside the code, and nothing that is not wrong."""

from __future__ import annotations

import pytest

from alhambra import Game
from tests.rules.modules.characters_table import asked, begging, characters, dancing, give, start, stingy
from tests.rules.modules.power_of_the_sultan_table import held, refill, sultans
from tests.rules.modules.street_trader_table import at_hand, disc, supply, trader_table
from tests.rules.situations import codes, display, fact, hand, legal, play, refused, tower


def test_a_dance_with_an_empty_tower_says_that_one_tile_is_needed() -> None:
    game = dancing()
    tower(game, only=True)
    violations = refused(game, "dance market-denar")
    assert codes(violations) == ["CONDITION_UNMET"]
    assert fact(violations, "CONDITION_UNMET") == {"what": "tower", "need": 1, "have": 0}


def changing(held_cards: str) -> Game:
    game = characters()
    give(game, 1, "money_changer")
    hand(game, 1, held_cards)
    display(game, "dukat-1 dukat-6 dukat-7 dukat-9")
    start(game)
    assert asked(game) == ("start", 1)
    return game


def test_the_money_changer_says_how_many_cards_he_needs() -> None:
    game = changing("denar-6 denar-7")
    violations = refused(game, "change_money dukat-6", cards=("denar-6", "denar-7"))
    assert codes(violations) == ["CARD_COUNT"]
    assert fact(violations, "CARD_COUNT") == {"need": 1, "got": 2}
    violations = refused(game, "change_money", cards=("denar-6",), display=("dukat-6", "dukat-7"))
    assert fact(violations, "CARD_COUNT") == {"need": 1, "got": 2}


def test_the_money_changer_compares_no_values_where_more_than_one_card_is_named() -> None:
    game = changing("denar-1 denar-2")
    assert codes(refused(game, "change_money dukat-9", cards=("denar-1", "denar-2"))) == ["CARD_COUNT"]


def test_an_exchange_with_an_empty_supply_says_that_one_resident_is_needed() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    supply(game)
    at_hand(game, "garden-10")
    play(game, "place garden-10 @1,0")
    found = [violation.metadata for violation in refused(game, "swap_resident", type="arcades")]
    assert {"what": "supply", "need": 1, "have": 0} in found
    assert {"what": "matching_resident", "need": False, "have": True} in found


def test_a_disc_that_cannot_lie_there_names_the_cell() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "seraglio-9")
    play(game, "place seraglio-9 @1,0")
    play(game, "pass")
    assert fact(refused(game, "lay_disc @1,0"), "PLACE_TAKEN") == {"cell": [1, 0]}
    assert fact(refused(game, "lay_disc @3,0"), "NO_CONTACT") == {"cell": [3, 0]}


def test_a_claim_with_an_unknown_card_names_what_was_sent() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    refill(game, "tower-12", "pavilion-8")
    violations = refused(game, "claim", piece="sultan_rupee_1")
    assert codes(violations) == ["ID_UNKNOWN"]
    assert fact(violations, "ID_UNKNOWN") == {"id": "sultan_rupee_1"}


@pytest.mark.rule("07.18")
def test_the_miser_says_that_he_takes_one_card() -> None:
    game = stingy()
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy market-gulden gulden-1 gulden-9")
    violations = refused(game, "take_open dukat-1 dukat-6")
    assert codes(violations) == ["CARD_COUNT"]
    assert fact(violations, "CARD_COUNT") == {"need": 1, "got": 2}


def test_a_beggar_used_in_the_turn_before_does_not_keep_the_next_player_from_dancing() -> None:
    game = begging("dukat-7")
    give(game, 2, "dancer")
    play(game, "draw_card")
    start(game)
    assert asked(game) == ("start", 2)
    assert legal(game, "dance market-denar")
