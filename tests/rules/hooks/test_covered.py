"""A covered tile is not finished: it stands in the Alhambra, but has no type and is not for sale."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.base.scoring import count_buildings, types_of
from tests.rules.situations import (
    codes,
    display,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    play,
    points,
    refused,
    table,
)


def bought(seats: int = 3, *modules: str) -> Game:
    """Seat 0 has bought a tower, which stands under a scaffold."""
    game = table(seats, modules=["example_scaffolds", *modules])
    market(game, denar="tower-11")
    hand(game, 0, "denar-9 denar-8")
    display(game, "gulden-1")
    play(game, "buy market-denar denar-9 denar-8")
    return game


def built() -> Game:
    game = bought()
    play(game, "place tower-11 @1,0")
    return game


@pytest.mark.rule("99.28")
def test_a_covered_tile_counts_as_no_building_until_it_is_uncovered() -> None:
    game = built()
    assert types_of(game, "tower-11") == ()
    assert count_buildings(game, 0)["tower"] == 0
    game.state.covered = ()
    assert types_of(game, "tower-11") == ("tower",)


def test_a_cover_hides_a_changed_type_and_leaves_it_as_it_was() -> None:
    game = built()
    game.state.types = {"tower-11": "garden"}
    assert types_of(game, "tower-11") == ()
    game.state.covered = ()
    assert types_of(game, "tower-11") == ("garden",)


@pytest.mark.rule("99.28")
def test_it_wins_no_majority() -> None:
    game = built()
    assert points(hold_scoring(game, 1), "majority") == {}
    game = built()
    game.state.covered = ()
    assert points(hold_scoring(game, 1), "majority", type="tower") != {}


def test_everybody_sees_which_tiles_are_covered() -> None:
    game = built()
    assert game.view(None)["table"]["covered"] == ["tower-11"]
    assert game.with_state(game.state_bytes()).state.covered == ("tower-11",)


def test_a_covered_tile_on_a_personal_market_is_not_for_sale() -> None:
    game = bought(3, "personal_building_market")
    play(game, "reserve tower-11", slot="personal-0-denar")
    hand(game, 1, "denar-9 denar-2 denar-8")
    faults = refused(game, "buy denar-9 denar-2", slot="personal-0-denar")
    assert fact(faults, "NOT_ELIGIBLE") == {"tile": "tower-11", "for": "sale"}
    game.state.covered = ()
    assert legal(game, "buy denar-9 denar-2", slot="personal-0-denar")


def test_a_covered_tile_that_leaves_the_game_is_covered_no_more() -> None:
    game = bought(3, "personal_building_market")
    game.resign(0)
    assert "tower-11" in game.state.box
    assert game.state.covered == ()


def test_a_covered_tile_need_not_be_giftable() -> None:
    game = bought(2)
    assert codes(refused(game, "give_to_dirk tower-11")) == ["NOT_ELIGIBLE"]
