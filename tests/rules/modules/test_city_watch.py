"""07 The city watch: a point for every three segments of the one wall that is scored, watchtowers among them."""

from __future__ import annotations

import pytest

from alhambra import Game
from tests.rules.modules.characters_table import characters, give
from tests.rules.modules.watchtowers_table import stand
from tests.rules.situations import alhambra, events_of, hold_scoring, points

THREE_IN_THE_WEST = {(-1, 0): "garden-7-nsw"}
TWO_IN_THE_EAST = {(1, 0): "pavilion-4-es"}


def guarded(*modules: str) -> Game:
    game = characters(3, *modules)
    give(game, 0, "city_watch")
    return game


def guard(game: Game) -> int:
    """What the city watch of seat 0 brings in the first scoring."""
    return points(hold_scoring(game, 1), "wall_guard").get(0, 0)


@pytest.mark.rule("07.24")
def test_the_city_watch_counts_the_longest_run_of_walls_and_no_other() -> None:
    game = guarded()
    alhambra(game, 0, {**THREE_IN_THE_WEST, **TWO_IN_THE_EAST})
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 3}
    (line,) = (line for line in events_of(events, "scored") if line["reason"] == "wall_guard")
    assert (line["points"], line["count"], line["piece"]) == (1, 3, "city_watch")


def test_of_two_walls_of_three_segments_the_city_watch_counts_one() -> None:
    game = guarded()
    alhambra(game, 0, {**THREE_IN_THE_WEST, (1, 0): "tower-8-nes"})
    assert guard(game) == 1


@pytest.mark.rule("07.45")
def test_the_long_side_of_a_watchtower_is_a_segment_for_the_city_watch() -> None:
    game = guarded("watchtowers")
    alhambra(game, 0, {(0, -1): "garden-10-n", (1, 0): "garden-9-e"})
    assert guard(game.clone()) == 0
    stand(game, 0, "garden", (1, -1), "SW")
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 3}
    assert points(events, "wall_guard") == {0: 1}


@pytest.mark.rule("07.45")
def test_the_further_points_of_a_watchtower_are_no_segments_for_the_city_watch() -> None:
    game = guarded("watchtowers")
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    stand(game, 0, "garden", (1, -1), "SW")
    events = hold_scoring(game, 1)
    assert (points(events, "wall"), points(events, "wall_watchtowers")) == ({0: 2}, {0: 2})
    assert points(events, "wall_guard") == {}
