"""Who meets whom: every deal from every seat, nobody forgotten, and Swiss rounds by points."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from alhambra_cli.bad_input import BadInput
from alhambra_cli.tournament.entrants import BUILT_IN, GRPC, LINES, PYTHON, read_entrant, read_entrants
from alhambra_cli.tournament.schedule import (
    MATCH,
    ROUND_ROBIN,
    fixtures,
    games_of_a_deal,
    swiss_fixtures,
    swiss_round,
)

BOTS = ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_round_robin_every_bot_has_every_seat_of_every_deal_against_all_others(seats: int) -> None:
    games = fixtures(ROUND_ROBIN, BOTS, seats, 2 * games_of_a_deal(ROUND_ROBIN, BOTS, seats))
    assert [game.number for game in games] == list(range(len(games)))
    for deal in (0, 1):
        tables = Counter(frozenset(game.bots) for game in games if game.deal == deal)
        assert set(tables) == {frozenset(table) for table in combinations(BOTS, seats)}
        assert set(tables.values()) == {seats}
        sat = Counter((bot, seat) for game in games if game.deal == deal for seat, bot in enumerate(game.bots))
        assert len(sat) == len(BOTS) * seats and len(set(sat.values())) == 1


def test_in_a_match_the_first_bot_has_every_seat_against_the_second() -> None:
    games = fixtures(MATCH, ["a", "b"], 3, 6)
    assert [game.bots for game in games[:3]] == [("a", "b", "b"), ("b", "b", "a"), ("b", "a", "b")]
    assert [game.deal for game in games] == [0, 0, 0, 1, 1, 1]


def test_more_games_of_a_schedule_begin_with_the_same_games() -> None:
    assert fixtures(ROUND_ROBIN, BOTS, 2, 90)[:50] == fixtures(ROUND_ROBIN, BOTS, 2, 50)


def test_a_swiss_round_pairs_bots_with_similar_points_that_have_not_met() -> None:
    points = {"a": 3.0, "b": 3.0, "c": 2.0, "d": 0.0}
    first = swiss_round(BOTS[:4], 2, points, {}, ())
    assert first.tables == [("a", "b"), ("c", "d")]
    again = swiss_round(BOTS[:4], 2, points, {frozenset("ab"): 2}, ())
    assert again.tables == [("a", "c"), ("b", "d")]


def test_the_lowest_bot_that_has_not_sat_out_sits_out_a_swiss_round() -> None:
    points = dict(zip(BOTS, (5.0, 4.0, 3.0, 2.0, 1.0), strict=True))
    assert swiss_round(BOTS, 2, points, {}, ()).byes == ("e",)
    assert swiss_round(BOTS, 2, points, {}, ("e",)).byes == ("d",)


def test_a_table_of_a_swiss_round_plays_every_deal_from_every_seat() -> None:
    games = swiss_fixtures([("a", "b"), ("c", "d")], range(4, 6), 10)
    assert [game.number for game in games] == list(range(10, 18))
    assert Counter((game.deal, frozenset(game.bots)) for game in games) == {
        (deal, frozenset(table)): 2 for deal in (4, 5) for table in ("ab", "cd")
    }


@pytest.mark.parametrize(
    ("text", "name", "kind", "target"),
    [
        ("greedy", "greedy", BUILT_IN, "greedy"),
        ("mine=greedy", "mine", BUILT_IN, "greedy"),
        ("my.bots:Best", "Best", PYTHON, "my.bots:Best"),
        ("cmd:node bots/clever.js --depth=3", "clever", LINES, "node bots/clever.js --depth=3"),
        ("cmd:./clever --depth=3", "clever", LINES, "./clever --depth=3"),
        ("js=cmd:node clever.js", "js", LINES, "node clever.js"),
        ("grpc:python bot.py", "bot", GRPC, "python bot.py"),
    ],
)
def test_a_bot_is_written_as_a_name_and_how_to_reach_it(text: str, name: str, kind: str, target: str) -> None:
    assert read_entrant(text) == (name, kind, target)


@pytest.mark.parametrize("text", ["nobody", "cmd:", 'cmd:"unclosed', "my bots:Best", f"{'n' * 41}=greedy"])
def test_a_text_that_names_no_bot_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_entrant(text)


def test_bots_of_the_same_name_are_numbered() -> None:
    assert [entrant.name for entrant in read_entrants(["greedy", "greedy", "greedy"])] == [
        *("greedy", "greedy-2", "greedy-3")
    ]
