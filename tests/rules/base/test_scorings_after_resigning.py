"""The Alhambra of a seat that resigned stays on the table, and every scoring counts it."""

from __future__ import annotations

from tests.rules.situations import alhambra, end_game, events_of, hold_scoring, points, table

THREE_WALLS = {(-1, 0): "garden-7-nsw"}
TWO_WALLS = {(1, 0): "pavilion-4-es"}


def test_the_wall_of_a_seat_that_resigned_is_scored() -> None:
    game = table()
    alhambra(game, 0, TWO_WALLS)
    alhambra(game, 1, THREE_WALLS)
    game.resign(1)
    assert points(hold_scoring(game, 1), "wall") == {0: 2, 1: 3}
    assert game.scores[1] == 3 + 5  # the wall, and the only garden


def test_the_last_scoring_counts_the_wall_of_a_seat_that_resigned_too() -> None:
    game = table()
    alhambra(game, 1, THREE_WALLS)
    game.resign(1)
    events = end_game(game)
    assert points(events, "wall", scoring=3) == {1: 3}
    assert events_of(events, "game_ended")[0]["scores"] == (0, 3 + 20, 0)
    assert 1 not in events_of(events, "game_ended")[0]["winners"]


def test_the_points_of_a_wall_are_told_with_its_length() -> None:
    game = table()
    alhambra(game, 0, TWO_WALLS)
    (line,) = (line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "wall")
    assert (line["seat"], line["points"], line["count"], line["scoring"]) == (0, 2, 2, 1)
