"""The result of a game: ranking, winners, returns."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game, Options
from alhambra.base.game_end import declare_result
from alhambra.results import Standing, returns_by_rank


def ended(seats: int = 3, scores: tuple[int, ...] = (), **rules: Any) -> Game:
    """Return a game that was played to its end, or set to these scores before it was ranked."""
    game = Game.new(Options(seats=seats, seed="a result", **rules))
    if not scores:
        rng = Random(1)
        while not game.over:
            game.play(game.random_move(rng))
        return game
    for seat, score in zip(game.state.seats, scores, strict=False):
        seat.score = score
    if len(scores) > seats:
        game.state.dirk_score = scores[seats]
    game.state.decision = None
    declare_result(game)
    return game


def test_a_running_game_has_no_ranking_and_returns_nothing() -> None:
    game = Game.new(Options(seats=3, seed="a result"))
    assert (game.ranking, game.winners, game.returns()) == ((), (), (0.0, 0.0, 0.0))


def test_the_ranking_agrees_with_views_and_scores() -> None:
    game = ended()
    assert [{"seat": s.seat, "place": s.place} for s in game.ranking] == game.view(None)["ranking"]
    assert all(standing.score == game.scores[standing.seat] for standing in game.ranking)
    assert game.winners == tuple(seat for seat, place in game.state.ranking if place == 1)


def test_equal_scores_share_a_place_and_its_return() -> None:
    game = ended(scores=(20, 30, 20))
    assert game.ranking == (Standing(1, 1, 30), Standing(0, 2, 20), Standing(2, 2, 20))
    assert game.winners == (1,)
    assert game.returns() == (-0.5, 1.0, -0.5)


def test_all_who_share_the_first_place_win() -> None:
    game = ended(seats=4, scores=(30, 10, 30, 5))
    assert game.winners == (0, 2)
    assert game.returns() == pytest.approx((2 / 3, -1 / 3, 2 / 3, -1.0))


def test_returns_by_score_are_the_points() -> None:
    assert ended(scores=(20, 30, 20)).returns("score") == (20.0, 30.0, 20.0)


def test_dirk_can_win_but_has_no_return() -> None:
    game = ended(seats=2, scores=(5, 9, 20), dirk_can_win=True)
    assert game.winners == (2,)
    assert game.returns() == (-1.0, 1.0)
    assert game.returns("score") == (5.0, 9.0)


def test_a_seat_that_resigned_is_last() -> None:
    game = Game.new(Options(seats=3, seed="a result"))
    game.resign(1)
    rng = Random(1)
    while not game.over:
        game.play(game.random_move(rng))
    assert game.ranking[-1][0] == 1
    assert game.returns()[1] == -1.0


def test_a_game_stopped_at_its_turn_limit_has_no_result() -> None:
    game = ended(turn_limit=2)
    assert (game.ranking, game.winners, game.returns()) == ((), (), (0.0, 0.0, 0.0))


@pytest.mark.parametrize("places", [(1, 2), (1, 1), (1, 2, 2, 4), (2, 1, 2, 2, 5, 5)])
def test_returns_by_rank_sum_to_nothing(places: tuple[int, ...]) -> None:
    found = returns_by_rank([Standing(seat, place, 0) for seat, place in enumerate(places)], len(places))
    assert sum(found) == pytest.approx(0)
    assert max(found) <= 1
    assert min(found) >= -1
