"""Ratings: Bradley-Terry on the Elo scale, results between pairs, and intervals from whole deals."""

from __future__ import annotations

import math
from random import Random

import pytest

from alhambra_cli.tournament.ratings import fit, meetings, pair_results, points, ratings, standings
from alhambra_cli.tournament.results import Fault, Played


def played(number: int, bots: str, places: tuple[int, ...], deal: int = 0, faults: tuple[Fault, ...] = ()) -> Played:
    nothing = (0,) * len(bots)
    return Played(number, deal, tuple(bots), places, nothing, nothing, faults, {}, ())


def test_a_game_counts_between_each_pair_and_a_shared_place_is_half_a_win() -> None:
    assert pair_results(played(0, "abc", (1, 2, 2))) == {
        **{("a", "b"): 1.0, ("b", "a"): 0.0, ("a", "c"): 1.0, ("c", "a"): 0.0},
        **{("b", "c"): 0.5, ("c", "b"): 0.5},
    }


def test_a_bot_does_not_play_against_itself() -> None:
    assert pair_results(played(0, "abb", (1, 2, 3))) == {("a", "b"): 2.0, ("b", "a"): 0.0}


def test_odds_of_ten_to_one_are_four_hundred_points() -> None:
    rated = fit(["a", "b"], {("a", "b"): 10_000.0, ("b", "a"): 1_000.0})
    assert rated["a"] - rated["b"] == pytest.approx(400, abs=1)
    assert rated["a"] + rated["b"] == pytest.approx(0)


def test_ratings_are_found_again_from_results_that_they_predict() -> None:
    true = {"a": 200.0, "b": 50.0, "c": -250.0}
    wins = {
        (one, other): 10_000 / (1 + 10 ** ((true[other] - true[one]) / 400))
        for one in true
        for other in true
        if one != other
    }
    assert fit(list(true), wins) == pytest.approx(true, abs=1)


def test_a_bot_that_wins_everything_has_a_finite_rating() -> None:
    rated = ratings(["a", "b"], [played(number, "ab", (1, 2), number) for number in range(20)])
    assert all(map(math.isfinite, (*rated["a"], *rated["b"])))
    assert rated["a"].elo > rated["b"].elo


def test_the_interval_holds_the_rating_and_shrinks_with_the_number_of_deals() -> None:
    rng = Random(1)
    games = [played(number, "ab", (1, 2) if rng.random() < 0.6 else (2, 1), number) for number in range(800)]
    few, many = (ratings(["a", "b"], games[:count])["a"] for count in (50, 800))
    assert few.low < few.elo < few.high and many.low < many.elo < many.high
    assert many.high - many.low < (few.high - few.low) / 2


def test_games_of_one_deal_are_drawn_together() -> None:
    """Ten copies of a deal tell no more than one: the interval is as wide as that of the single deals."""
    outcomes = [(1, 2), (2, 1), (1, 2), (1, 2), (2, 1), (1, 2)] * 5
    copies = [
        played(10 * deal + copy, "ab", places, deal) for deal, places in enumerate(outcomes) for copy in range(10)
    ]
    alone = [
        played(number, "ab", places, number)
        for number, places in enumerate([o for o in outcomes for _ in "0123456789"])
    ]
    together, apart = ratings(["a", "b"], copies)["a"], ratings(["a", "b"], alone)["a"]
    assert together.high - together.low > 2 * (apart.high - apart.low)


def test_one_deal_gives_no_interval() -> None:
    row = standings(["a", "b"], [played(0, "ab", (1, 2)), played(1, "ba", (2, 1))])[0]
    assert (row["bot"], row["elo_low"], row["elo_high"]) == ("a", None, None)


def test_standings_count_wins_alone_and_faults_by_reason() -> None:
    lost = Fault(1, "b", "timeout", "late")
    rows = standings(["a", "b"], [played(0, "ab", (1, 2), 0, (lost,)), played(1, "ba", (1, 1), 1)])
    found = {row["bot"]: (row["games"], row["won_alone"], row["faults"]) for row in rows}
    assert found == {"a": (2, 0.5, {}), "b": (2, 0.0, {"timeout": 1})}


def test_points_and_meetings_are_those_of_pairs() -> None:
    games = [played(0, "abc", (1, 2, 3)), played(1, "ab", (1, 1))]
    assert points(games) == {"a": 2.5, "b": 1.5, "c": 0.0}
    assert meetings(games) == {frozenset("ab"): 2, frozenset("ac"): 1, frozenset("bc"): 1}
