"""The Alhambra of a seat that resigned stays on the table, and every scoring counts it."""

from __future__ import annotations

import pytest

from alhambra import known_modules, load_module
from alhambra.base.scoring import score
from tests.rules.situations import alhambra, end_game, events_of, hold_scoring, points, table

THREE_WALLS = {(-1, 0): "garden-7-nsw"}
TWO_WALLS = {(1, 0): "pavilion-4-es"}


@pytest.mark.rule("00.62")
def test_the_wall_of_a_seat_that_resigned_is_scored() -> None:
    game = table()
    alhambra(game, 0, TWO_WALLS)
    alhambra(game, 1, THREE_WALLS)
    game.resign(1)
    assert points(hold_scoring(game, 1), "wall") == {0: 2, 1: 3}
    assert game.scores[1] == 3 + 5  # the wall, and the only garden


@pytest.mark.rule("00.62")
def test_the_last_scoring_counts_the_wall_of_a_seat_that_resigned_too() -> None:
    game = table()
    alhambra(game, 1, THREE_WALLS)
    game.resign(1)
    events = end_game(game)
    assert points(events, "wall", scoring=3) == {1: 3}
    assert events_of(events, "game_ended")[0]["scores"] == (0, 3 + 20, 0)
    assert 1 not in events_of(events, "game_ended")[0]["winners"]


@pytest.mark.rule("00.42")
def test_the_points_of_a_wall_are_told_with_its_length() -> None:
    game = table()
    alhambra(game, 0, TWO_WALLS)
    (line,) = (line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "wall")
    assert (line["seat"], line["points"], line["count"], line["scoring"]) == (0, 2, 2, 1)


# -- One rule for all modules: what is on the tiles counts, what lies before the seat does not -------------------------


@pytest.mark.rule("00.63", "42.26")
def test_points_for_what_lies_before_a_seat_are_not_scored_once_it_has_resigned() -> None:
    game = table(modules=["treasures"])
    assert "treasures" in load_module("treasures").scores_before_seats
    game.resign(1)
    score(game, 0, 5, "treasures", scoring=3)
    score(game, 1, 5, "treasures", scoring=3)
    assert game.scores == (5, 0, 0)


@pytest.mark.rule("00.63", "35.32")
def test_a_seat_that_resigned_scores_nothing_between_scorings() -> None:
    game = table(modules=["palace_designers"])
    game.resign(1)
    score(game, 1, 2, "designer", tile="garden-10")
    assert game.scores == (0, 0, 0)


@pytest.mark.rule("00.62", "15.42")
def test_losses_of_the_alhambra_of_a_seat_that_resigned_count_like_its_points() -> None:
    game = table(modules=["invaders"])
    game.state.seats[1].score = 10
    game.resign(1)
    score(game, 1, -3, "attack", scoring=1)
    assert game.scores == (0, 7, 0)


BEFORE_SEATS = {
    "arts_of_the_moors": {"culture"},
    "falconers": {"falcons"},
    "orchards": {"orchard_group", "orchard_spare"},
    "treasures": {"treasures"},
}


@pytest.mark.rule("00.63", "12.43", "13.44", "16.40", "22.47")
@pytest.mark.parametrize("key", [key for key in known_modules() if not key.startswith("example_")])
def test_the_score_lines_that_end_with_a_resignation_are_these(key: str) -> None:
    assert {*load_module(key).scores_before_seats} == BEFORE_SEATS.get(key, set())
