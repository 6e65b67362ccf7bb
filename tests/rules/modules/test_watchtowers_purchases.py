"""22 Watchtowers: with which purchases one comes, and where the eighteen are."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game
from alhambra.invariants import census
from alhambra.modules.watchtowers import WATCHTOWERS
from tests.rules.modules.watchtowers_table import asked, bought, placing, supply, watched
from tests.rules.situations import codes, end_game, fact, hand, hold_scoring, legal, market, pieces, play, refused


def all_watchtowers(game: Game) -> Counter[str]:
    """All watchtowers, wherever they are."""
    return Counter({tile: count for tile, count in census(game).items() if tile in WATCHTOWERS})


@pytest.mark.rule("22.1", "22.3")
def test_eighteen_watchtowers_are_in_the_supply_or_with_somebody() -> None:
    game = watched()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-8 denar-7")
    assert all_watchtowers(game) == Counter([*WATCHTOWERS])
    play(game, "buy market-denar denar-7 denar-8", choice="watchtower")
    assert all_watchtowers(game) == Counter([*WATCHTOWERS])


@pytest.mark.rule("22.34")
def test_a_watchtower_that_fits_nowhere_is_in_the_supply_only() -> None:
    game = placing({}, "garden")
    assert asked(game) == ("action", 1)
    assert game.state.seats[0].pending == ()
    assert all_watchtowers(game) == Counter([*WATCHTOWERS])


@pytest.mark.rule("22.4")
def test_a_building_may_be_bought_without_a_watchtower() -> None:
    game = watched()
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    assert game.state.seats[0].pending == ("garden-9-e",)
    assert supply(game)["garden"] == 3


@pytest.mark.rule("22.3", "22.8")
def test_a_type_of_which_none_is_left_is_not_shown() -> None:
    game = watched()
    bought(game, 1, "garden", "garden", "garden")
    assert pieces(game, "watchtowers", type="garden") == []
    assert supply(game)["tower"] == 3


@pytest.mark.rule("22.35", "25.19")
def test_no_watchtower_comes_with_a_magical_building() -> None:
    game = watched(3, "magical_buildings")
    market(game, denar="magical_tower")
    hand(game, 0, "denar-9 denar-8 denar-6")
    assert fact(refused(game, "buy market-denar denar-9 denar-8", choice="watchtower"), "NOT_THERE") == {
        "id": "watchtower",
        "place": "slot",
    }
    assert legal(game, "buy market-denar denar-9 denar-8")


@pytest.mark.rule("22.24", "23.1")
def test_no_watchtower_is_bought_together_with_a_site() -> None:
    game = watched(3, "building_sites")
    market(game, denar="tower-10-w")
    hand(game, 0, "denar-6 denar-5 denar-9 denar-7")
    assert legal(game, "buy market-denar denar-5", choice="site")
    assert fact(refused(game, "buy market-denar denar-6 denar-5", choice="watchtower"), "UNDERPAID")["due"] == 16
    assert legal(game, "buy market-denar denar-9 denar-7", choice="watchtower")


@pytest.mark.rule("22.39")
def test_a_watchtower_itself_is_never_given_to_dirk() -> None:
    game = watched(2)
    market(game, denar="garden-9-e")
    hand(game, 0, "denar-9 denar-7")
    play(game, "buy market-denar denar-7 denar-9", choice="watchtower")
    assert asked(game) == ("place_tiles", 0)
    assert legal(game, "give_to_dirk garden-9-e")
    assert codes(refused(game, "give_to_dirk watchtower_garden_1")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("22.6")
def test_the_surcharge_that_is_shown_after_the_last_scoring_is_the_last_one() -> None:
    game = watched()
    hold_scoring(game, 1)
    hold_scoring(game, 2)
    market(game)
    end_game(game)
    assert game.over
    assert game.view(None)["slices"]["watchtowers"] == {"surcharge": 2}
