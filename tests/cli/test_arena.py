"""Matches between players: every seat in turn, results that are kept, and intervals that are Wilson's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from alhambra_cli.arena import Match, ResultsFile, Standing, play_game, wilson
from alhambra_cli.arena import Result as GameResult
from alhambra_cli.commands import app

MATCH = Match("peer", "random", 2)


def arena(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["arena", *arguments])


@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [(0, 0, 0.0, 1.0), (10, 10, 0.722, 1.0), (0, 10, 0.0, 0.278), (50, 100, 0.404, 0.596), (81, 263, 0.255, 0.366)],
)
def test_the_interval_is_wilsons(won: int, played: int, low: float, high: float) -> None:
    assert wilson(won, played) == pytest.approx((low, high), abs=0.0006)


def test_a_challenger_has_every_seat_once_with_the_same_deal() -> None:
    first, second = (play_game(MATCH, number) for number in (0, 1))
    assert (first.number, second.number) == (0, 1)
    assert play_game(MATCH, 0) == first
    assert play_game(MATCH._replace(seed="other"), 0) != first


def test_a_match_is_shown_as_a_table_or_as_json() -> None:
    shown = arena("peer", "random", "--games", "2", "--seats", "2", "--workers", "1")
    assert shown.exit_code == 0, shown.output
    assert "peer" in shown.output and "95 % sure" in shown.output
    told = json.loads(arena("peer", "random", "--games", "2", "--seats", "2", "--workers", "1", "--json").stdout)
    assert told["games"] == 2
    assert told["low"] <= told["share"] <= told["high"]


def test_games_that_are_in_the_file_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = tmp_path / "results.jsonl"
    arguments = ("peer", "random", "--seats", "2", "--workers", "1", "--results", str(book))
    assert arena(*arguments, "--games", "2").exit_code == 0
    played: list[int] = []

    def noted(match: Match, number: int) -> GameResult:
        played.append(number)
        return GameResult(number, won=True, score=1, best_other=0)

    monkeypatch.setattr("alhambra_cli.arena.play_game", noted)
    assert arena(*arguments, "--games", "4").exit_code == 0
    assert played == [2, 3]
    assert len(book.read_text().splitlines()) == 4
    assert arena(*arguments[:2], "--seats", "3", *arguments[4:], "--games", "1").exit_code == 0
    assert played == [2, 3, 0], "another match is not the same games"


def test_a_file_that_holds_something_else_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("dear diary\n")
    result = arena("peer", "random", "--games", "1", "--results", str(other))
    assert result.exit_code == 2
    assert "is not a file of arena results" in result.output


def test_a_shared_victory_is_none(tmp_path: Path) -> None:
    standing = Standing(MATCH)
    for number, won in enumerate((True, False, False, True)):
        standing.add(GameResult(number, won, 10 + number, 20))
    row = standing.row()
    assert (row["games"], row["wins"], row["share"], row["score"], row["best_other"]) == (4, 2, 0.5, 11.5, 20)
    assert ResultsFile(None).known(MATCH, 4).results == {}


@pytest.mark.parametrize("bot", ["grpc:python bot.py", "lease:python bot.py"])
def test_bots_over_grpc_name_the_extra_that_is_missing(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alhambra_cli.arena_command.find_spec", lambda _name: None)
    result = arena("peer", bot, "--games", "1")
    assert result.exit_code == 2
    assert "pip install 'alhambra-rules[server]'" in result.output
