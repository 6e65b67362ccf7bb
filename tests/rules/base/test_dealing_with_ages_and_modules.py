"""Setting up with the Hungarian options: who is dealt money first, and what lies on top of piles 2 and 4."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import Game, Options
from tests.rules.base.test_setup import piles_from_the_top
from tests.rules.situations import events_of

INSERTING = ["characters", "city_gates", "city_walls", "power_of_the_sultan"]
"""Modules that shuffle cards into piles 2 and 4."""


@pytest.mark.rule("99.40")
@pytest.mark.parametrize("seed", [f"top {number}" for number in range(12)])
def test_on_top_a_scoring_card_lies_above_the_cards_that_modules_put_into_its_pile(seed: str) -> None:
    game = Game.new(Options(seats=3, seed=seed, scoring_card_placement="on_top", modules=INSERTING))
    piles = piles_from_the_top(game)
    assert (piles[1][0], piles[3][0]) == ("scoring-1", "scoring-2")
    assert sum(card.startswith("scoring") for pile in piles for card in pile) == 2
    for pile in (piles[1], piles[3]):
        inserted = {game.ruleset.cards[card].kind for card in pile[1:]} - {"money"}
        assert {"character", "wall"} <= inserted


@pytest.mark.rule("99.40")
@pytest.mark.parametrize("pile", [1, 3])
def test_on_top_the_cards_of_modules_are_shuffled_into_the_pile_below_the_scoring_card(pile: int) -> None:
    places = set()
    for number in range(40):
        options = Options(seats=3, seed=f"mixed {number}", scoring_card_placement="on_top", modules=["characters"])
        cards = piles_from_the_top(game := Game.new(options))[pile]
        places |= {at for at, card in enumerate(cards) if game.ruleset.cards[card].kind == "character"}
    assert 0 not in places
    assert {1, 5, 10} <= places


def deal_order(*ages: int | None, **options: Any) -> list[int]:
    rules: dict[str, Any] = {"starting_deal_order": "youngest_first", **options}
    game = Game.new(Options(seats=[{"age": age} for age in ages], seed="order", **rules))
    return [event["seat"] for event in events_of(game.events, "hand_dealt")]


@pytest.mark.rule("00.76")
def test_among_equally_young_players_dealing_starts_with_the_lower_seat() -> None:
    assert deal_order(40, 20, 30, 20) == [1, 2, 3, 0]
    assert deal_order(40, 30, 20, 20) == [2, 3, 0, 1]
    assert deal_order(20, 20, 20) == [0, 1, 2]


@pytest.mark.rule("00.92")
def test_players_of_unknown_age_are_not_taken_for_the_youngest() -> None:
    assert deal_order(None, 40, 30) == [2, 0, 1]
    assert deal_order(40, None, None, 50) == [0, 1, 2, 3]
    assert deal_order(None, None, None, 90) == [3, 0, 1, 2]
