"""Scoring: the longest outer wall, and the majorities of the six building types."""

from __future__ import annotations

import pytest

from alhambra import TYPES, Game
from alhambra.base.scoring import split_places
from alhambra.components import MAJORITY_VALUES
from tests.rules.base.majority_oracle import all_values, compare, disagreement, every_shape
from tests.rules.situations import (
    alhambra,
    display,
    events_of,
    hand,
    hold_scoring,
    market,
    own,
    play,
    points,
    reserve,
    table,
)

PICTURE = {
    (0, -1): "tower-7-new",
    (1, 0): "garden-10-n",
    (2, 0): "arcades-8-n",
    (3, 0): "tower-8-nes",
    (-1, 0): "seraglio-5-sw",
    (0, 1): "pavilion-7-e",
    (1, 1): "chambers-9-w",
}
"""An outer run of eight edges, a shorter one of two, and an inner wall between (0, 1) and (1, 1)."""


# -- Walls -----------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("00.40", "00.42", "00.87")
@pytest.mark.parametrize("scoring", [1, 2, 3])
def test_the_longest_outer_wall_counts_a_point_per_edge_in_every_scoring(scoring: int) -> None:
    game = table()
    alhambra(game, 1, PICTURE)
    assert points(hold_scoring(game, scoring), "wall") == {1: 8}


@pytest.mark.rule("00.42")
def test_everybody_scores_the_own_wall() -> None:
    game = table()
    alhambra(game, 0, {(1, 0): "arcades-4-nes"})
    alhambra(game, 1, {(1, 0): "garden-9-e"})
    alhambra(game, 2, {(1, 0): "garden-10"})
    assert points(hold_scoring(game, 1), "wall") == {0: 3, 1: 1}


@pytest.mark.rule("00.43")
def test_a_wall_runs_on_around_corners_and_across_tiles() -> None:
    game = table()
    alhambra(game, 0, {(1, 0): "garden-10-n", (2, 0): "garden-8-ne"})
    assert points(hold_scoring(game, 1), "wall") == {0: 3}


@pytest.mark.rule("00.43")
def test_a_wall_between_two_tiles_is_no_outer_wall() -> None:
    game = table()
    board = {(1, 0): "garden-9-e", (1, 1): "garden-10", (2, 1): "garden-11", (2, 0): "tower-10-w"}
    alhambra(game, 0, board)
    assert points(hold_scoring(game, 1), "wall") == {}


@pytest.mark.rule("00.42")
def test_two_runs_are_not_added() -> None:
    game = table()
    alhambra(game, 0, {(1, 0): "arcades-4-nes", (-1, 0): "chambers-5-nsw"})
    assert points(hold_scoring(game, 1), "wall") == {0: 3}


@pytest.mark.rule("00.41")
def test_tiles_in_reserve_do_not_score() -> None:
    game = table()
    reserve(game, 0, "arcades-4-nes tower-11")
    events = hold_scoring(game, 1)
    assert events_of(events, "scored") == []


@pytest.mark.rule("00.41")
def test_tiles_that_are_not_placed_yet_do_not_score() -> None:
    game = table()
    market(game, denar="garden-10")
    hand(game, 0, "denar-4 denar-6")
    display(game, "gulden-1")
    play(game, "buy market-denar denar-4 denar-6")
    game.state.due = (1,)
    events = play(game, "take_money gulden-1")
    assert events_of(events, "scored") == []
    assert points(play(game, "place garden-10 @1,0"), "majority") == {0: 5}


# -- Majorities ------------------------------------------------------------------------------------------------------


def majority(scoring: int, name: str, *counts: int) -> dict[int, int]:
    """Points of a type if the seats own so many of it."""
    game = table(len(counts))
    for seat, count in enumerate(counts):
        own(game, seat, **{name: count})
    return points(hold_scoring(game, scoring), "majority", type=name)


# worked example
@pytest.mark.rule("00.85")
def test_in_scoring_1_the_sole_most_chambers_are_worth_4() -> None:
    assert majority(1, "chambers", 1, 2, 0) == {1: 4}


# worked example
@pytest.mark.rule("00.85")
def test_in_scoring_2_first_and_second_in_towers_get_13_and_6() -> None:
    assert majority(2, "tower", 3, 1, 2) == {0: 13, 2: 6}


# worked example
@pytest.mark.rule("00.86")
def test_in_scoring_2_two_tied_most_towers_get_9_each() -> None:
    assert majority(2, "tower", 4, 4, 1) == {0: 9, 1: 9}


# worked example
@pytest.mark.rule("00.85")
def test_in_scoring_3_pavilions_are_worth_16_8_and_1() -> None:
    assert majority(3, "pavilion", 1, 3, 2, 0) == {1: 16, 2: 8, 0: 1}


# worked example
@pytest.mark.rule("00.86")
def test_in_scoring_1_two_tied_most_pavilions_get_nothing() -> None:
    assert majority(1, "pavilion", 2, 2, 1) == {}


# worked example
@pytest.mark.rule("00.89")
def test_in_scoring_2_three_tied_most_towers_get_6_each_and_there_is_no_second() -> None:
    assert majority(2, "tower", 2, 2, 2, 1) == {0: 6, 1: 6, 2: 6}


# worked example
@pytest.mark.rule("00.89")
def test_in_scoring_3_two_tied_second_in_towers_get_9_each_behind_21() -> None:
    assert majority(3, "tower", 1, 2, 1) == {1: 21, 0: 9, 2: 9}


@pytest.mark.rule("00.46")
def test_in_scoring_3_a_tie_for_third_shares_the_last_value() -> None:
    assert majority(3, "tower", 3, 2, 1, 1) == {0: 21, 1: 13, 2: 3, 3: 3}


@pytest.mark.rule("00.45")
def test_without_a_building_of_the_type_nobody_scores_it() -> None:
    assert majority(3, "garden", 0, 0, 1) == {2: 20}
    assert majority(3, "garden", 0, 0, 0) == {}


@pytest.mark.rule("00.44")
@pytest.mark.parametrize("name", TYPES)
def test_the_place_values_are_those_of_the_table(name: str) -> None:
    step = TYPES.index(name)
    assert MAJORITY_VALUES[name] == {1: (1 + step,), 2: (8 + step, 1 + step), 3: (16 + step, 8 + step, 1 + step)}
    assert majority(1, name, 3, 2, 1) == {0: 1 + step}
    assert majority(2, name, 3, 2, 1) == {0: 8 + step, 1: 1 + step}
    assert majority(3, name, 3, 2, 1) == {0: 16 + step, 1: 8 + step, 2: 1 + step}


@pytest.mark.rule("00.44")
def test_prices_do_not_matter() -> None:
    game = table()
    alhambra(game, 0, {(1, 0): "tower-13-e"})
    alhambra(game, 1, {(1, 0): "tower-8-nes", (0, -1): "tower-7-new"})
    assert points(hold_scoring(game, 1), "majority", type="tower") == {1: 6}


@pytest.mark.rule("00.44")
def test_every_type_is_scored_by_itself() -> None:
    game = table()
    own(game, 0, pavilion=1, seraglio=1, arcades=1)
    own(game, 1, chambers=1, garden=1, tower=1)
    events = hold_scoring(game, 1)
    assert points(events, "majority") == {0: 1 + 2 + 3, 1: 4 + 5 + 6}


@pytest.mark.rule("00.44", "00.46")
def test_a_score_line_tells_type_place_and_sharers() -> None:
    game = table()
    alhambra(game, 0, {(1, 0): "tower-11"})
    alhambra(game, 1, {(1, 0): "tower-12"})
    lines = [line for line in events_of(hold_scoring(game, 2), "scored") if line["reason"] == "majority"]
    assert lines == [
        {"seat": seat, "scoring": 2, "frame": "S2", "reason": "majority", "points": 9}
        | {"type": "tower", "count": 2, "parts": (("base", 2),), "place": 1, "shared": 2}  # counted in half buildings
        for seat in (0, 1)
    ]


def test_the_lines_of_a_seat_add_up_to_its_score() -> None:
    game = table(4)
    for seat, counts in enumerate(({"tower": 2, "garden": 1}, {"tower": 2}, {"arcades": 3, "pavilion": 1}, {})):
        own(game, seat, **counts)
    lines = []
    for scoring in (1, 2, 3):
        lines += events_of(hold_scoring(game, scoring), "scored")
    for seat in range(4):
        assert sum(line["points"] for line in lines if line["seat"] == seat) == game.scores[seat]


@pytest.mark.rule("00.40")
def test_walls_are_scored_before_majorities() -> None:
    game = table()
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    assert [line["reason"] for line in events_of(hold_scoring(game, 1), "scored")] == ["wall", "majority"]


# -- Against the oracle ----------------------------------------------------------------------------------------------


@pytest.mark.rule("00.46")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_shape_of_ties_is_split_as_the_oracle_does(seats: int) -> None:
    problems = [disagreement(counts, values) for counts in every_shape(seats) for values in all_values()]
    assert [problem for problem in problems if problem] == []


@pytest.mark.rule("00.46")
def test_every_shape_of_ties_among_six_is_split_as_the_oracle_does() -> None:
    values = [MAJORITY_VALUES["tower"][scoring] for scoring in (1, 2, 3)]
    problems = [disagreement(counts, values[n % 3]) for n, counts in enumerate(every_shape(6))]
    assert [problem for problem in problems if problem] == []


@pytest.mark.rule("00.46")
def test_random_tables_are_split_as_the_oracle_does() -> None:
    assert compare(2_000) == []


@pytest.mark.rule("00.46")
def test_places_and_sharers_are_told_with_the_points() -> None:
    assert split_places({0: 4, 1: 2, 2: 4, 3: 2, 4: 0}, (21, 13, 6)) == {
        0: (17, 1, 2),
        2: (17, 1, 2),
        1: (3, 3, 2),
        3: (3, 3, 2),
    }


@pytest.mark.parametrize("scoring", [1, 2, 3])
def test_scores_only_grow_in_the_base_game(scoring: int) -> None:
    game: Game = table()
    own(game, 0, tower=2)
    game.state.seats[0].score = 5
    hold_scoring(game, scoring)
    assert game.scores[0] > 5
