"""Editions: four presets, and every point where they differ as an option of its own."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import EDITIONS, BadOptions, Game, Options
from alhambra.options import CHOICES
from tests.rules.base.test_setup import FEW, FEW_AND_HIGH, FEW_AND_LOW, MANY, first_player, piles_from_the_top
from tests.rules.situations import end_game, events_of, hold_scoring, table, tower

DEFAULTS: dict[str, Any] = {
    "first_player_tiebreak": "lowest_value_then_youngest",
    "starting_deal_order": "seat_order",
    "scoring_card_placement": "shuffled",
    "two_player_money": "one_copy_of_each",
    "dirk_third_allotment": "third_rounded_down",
    "win_tie": "shared_victory",
    "max_actions": "none",
    "bonus_action_optional": False,
    "dirk_can_win": False,
}
HUNGARIAN = {
    "first_player_tiebreak": "youngest",
    "starting_deal_order": "youngest_first",
    "scoring_card_placement": "on_top",
    "dirk_third_allotment": "two_tiles",
    "max_actions": "five",
}


def rules(**options: Any) -> dict[str, Any]:
    found = Options(seats=3, seed="editions", **options).rules
    return {option: found[option] for option in DEFAULTS}


@pytest.mark.rule("00.74")
def test_the_german_revised_edition_is_the_default() -> None:
    assert Options(seats=3, seed="x").edition == "de_revised_2019"
    assert rules() == rules(edition="de_revised_2019") == DEFAULTS


@pytest.mark.rule("00.74")
@pytest.mark.parametrize(
    ("edition", "different"),
    [("de_revised_2019", {}), ("sr_revised", {"win_tie": "draw"}), ("pt", {}), ("hu_2003", HUNGARIAN)],
)
def test_an_edition_is_a_preset_of_options(edition: str, different: dict[str, Any]) -> None:
    assert rules(edition=edition) == DEFAULTS | different


@pytest.mark.rule("00.74")
def test_there_are_four_editions() -> None:
    assert list(EDITIONS) == ["de_revised_2019", "sr_revised", "pt", "hu_2003"]


@pytest.mark.rule("00.74")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("option", DEFAULTS)
def test_every_option_can_be_set_on_top_of_every_edition(edition: str, option: str) -> None:
    for value in CHOICES[option]:
        assert rules(edition=edition, **{option: value})[option] == value


def test_an_unknown_edition_option_or_value_is_refused() -> None:
    bad: list[dict[str, Any]] = [{"edition": "klingon"}, {"pass": True}, {"win_tie": "duel"}, {"dirk_can_win": 1}]
    for options in bad:
        with pytest.raises(BadOptions) as error:
            rules(**options)
        assert error.value.code == "OPTION_INVALID"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_game_of_every_edition_can_be_set_up(edition: str, seats: int) -> None:
    game = Game.new(Options(seats=seats, seed="editions", edition=edition))
    assert game.decision is not None
    assert edition in game.ruleset.id


# -- first_player_tiebreak -------------------------------------------------------------------------------------------


@pytest.mark.rule("00.75")
def test_in_hungary_the_youngest_begins_among_as_many_cards_whatever_they_are_worth() -> None:
    ages = (40, 30, 20)
    assert first_player([FEW, FEW_AND_LOW, FEW_AND_HIGH], ages) == (1, "youngest")
    assert first_player([FEW, FEW_AND_LOW, FEW_AND_HIGH], ages, first_player_tiebreak="youngest") == (2, "youngest")
    assert first_player([FEW, MANY, MANY], ages, first_player_tiebreak="youngest") == (0, "fewest_cards")


# -- starting_deal_order ---------------------------------------------------------------------------------------------


def deal_order(ages: tuple[int | None, ...], **options: Any) -> list[int]:
    game = Game.new(Options(seats=[{"age": age} for age in ages], seed="order", **options))
    return [event["seat"] for event in events_of(game.events, "hand_dealt")]


@pytest.mark.rule("00.76")
def test_dealing_starts_with_seat_0_or_with_the_youngest_and_goes_on_to_the_left() -> None:
    ages = (40, 30, 20, 50)
    assert deal_order(ages) == [0, 1, 2, 3]
    assert deal_order(ages, starting_deal_order="youngest_first") == [2, 3, 0, 1]
    assert deal_order(ages, edition="hu_2003") == [2, 3, 0, 1]


def test_without_ages_dealing_starts_with_seat_0_anyway() -> None:
    assert deal_order((None, None, None), starting_deal_order="youngest_first") == [0, 1, 2]


# -- scoring_card_placement ------------------------------------------------------------------------------------------


@pytest.mark.rule("00.77")
@pytest.mark.parametrize("seed", [f"top {number}" for number in range(6)])
def test_on_top_the_scoring_cards_are_the_first_cards_of_piles_2_and_4(seed: str) -> None:
    game = Game.new(Options(seats=3, seed=seed, scoring_card_placement="on_top"))
    piles = piles_from_the_top(game)
    assert (piles[1][0], piles[3][0]) == ("scoring-1", "scoring-2")
    assert [card for pile in piles for card in pile if card.startswith("scoring")] == ["scoring-1", "scoring-2"]


# -- dirk_third_allotment --------------------------------------------------------------------------------------------


@pytest.mark.rule("00.79")
def test_in_hungary_dirk_gets_exactly_two_tiles_after_scoring_2() -> None:
    chosen: list[dict[str, Any]] = [{"edition": "hu_2003"}, {"dirk_third_allotment": "two_tiles"}]
    for options in chosen:
        game = table(2, **options)
        hold_scoring(game, 2)
        assert len(game.state.dirk) == 2


@pytest.mark.rule("00.79")
def test_two_tiles_are_one_if_the_tower_has_no_more() -> None:
    game = table(2, dirk_third_allotment="two_tiles")
    tower(game, "tower-11", only=True)
    hold_scoring(game, 2)
    assert game.state.dirk == ("tower-11",)


# -- two_player_money ------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.117")
def test_hungary_plays_with_72_cards_too_the_only_reading_that_gives_them() -> None:
    game = Game.new(Options(seats=2, seed="hu", edition="hu_2003"))
    cards = [*game.state.deck, *game.state.display, *(card for seat in game.state.seats for card in seat.hand)]
    assert len(cards) == 72 + 2


@pytest.mark.rule("00.78")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_with_more_than_two_players_the_money_option_changes_nothing(seats: int) -> None:
    game = Game.new(Options(seats=seats, seed="x", two_player_money="one_currency"))
    cards = [*game.state.deck, *game.state.display, *(card for seat in game.state.seats for card in seat.hand)]
    assert len(cards) == 108 + 2


# -- win_tie ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.80")
def test_tied_leaders_share_the_win_or_draw_by_label_only() -> None:
    labels = {}
    for edition in EDITIONS:
        told = events_of(end_game(table(edition=edition)), "game_ended")[0]
        assert told["winners"] == (0, 1, 2)
        labels[edition] = told["tie"]
    assert labels == {**dict.fromkeys(EDITIONS, "shared_victory"), "sr_revised": "draw"}


# -- Ages and seats --------------------------------------------------------------------------------------------------


def test_options_survive_being_written_and_read() -> None:
    options = Options(seats=["Ada", "Ben"], seed="x", edition="hu_2003", max_actions="none", turn_limit=7)
    assert Options.read(options.as_dict()) == options


@pytest.mark.rule("00.1")
@pytest.mark.parametrize("seats", [0, 1, 7, 100])
def test_the_game_is_for_two_to_six(seats: int) -> None:
    with pytest.raises(BadOptions) as error:
        Options(seats=seats, seed="x")
    assert error.value.code == "PLAYERS_UNSUPPORTED"
