"""`alhambra simulate --output`: one line for each game, the same bytes however the games were played."""

from __future__ import annotations

import csv
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from alhambra_cli import games
from alhambra_cli.commands import app
from alhambra_cli.simulate import Outcome, Plan, Tally, play


def simulate(output: Path, *arguments: str) -> Result:
    common = ("--seats", "3", "--policy", "peer", "--output", str(output))
    return CliRunner().invoke(app, ["simulate", *common, *arguments])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_a_line_tells_how_to_play_the_game_again(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    result = simulate(path, "--games", "3", "--modules", "squares,thieves", "--workers", "1")
    assert result.exit_code == 0, result.output
    for number, row in enumerate(rows(path)):
        plan = Plan(1, 3, tuple(row["modules"].split()), row["edition"], row["policy"], row["seed"].partition("/")[0])
        outcome = play(plan, int(row["number"]))
        assert row["seed"] == f"alhambra/{number}"
        assert [int(row[f"score_{seat}"]) for seat in range(3)] == list(outcome.scores)
        assert (int(row["turns"]), int(row["moves"])) == (outcome.turns, outcome.moves)


def test_the_bytes_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    one, three = tmp_path / "one.csv", tmp_path / "three.csv"
    simulate(one, "--games", "20", "--workers", "1")
    simulate(three, "--games", "20", "--workers", "3")
    assert one.read_bytes() == three.read_bytes()
    assert len(rows(one)) == 20


@pytest.mark.parametrize("cut", [0, 7], ids=["after a line", "within a line"])
def test_a_simulation_continues_after_the_last_complete_line(tmp_path: Path, cut: int) -> None:
    whole, part = tmp_path / "whole.csv", tmp_path / "part.csv"
    simulate(whole, "--games", "12", "--workers", "1")
    first = b"".join(whole.read_bytes().splitlines(keepends=True)[:6])
    part.write_bytes(first[: len(first) - cut])
    result = simulate(part, "--games", "12", "--workers", "1")
    assert result.exit_code == 0, result.output
    assert part.read_bytes() == whole.read_bytes()


def test_games_that_are_in_the_file_are_counted_and_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.csv"
    first = simulate(path, "--games", "8", "--workers", "1", "--json")
    monkeypatch.setattr(games, "outcomes", lambda plan, workers, begin: iter(()) if begin == plan.games else 1 / 0)
    again = simulate(path, "--games", "8", "--workers", "1", "--json")
    assert again.exit_code == 0, again.output
    untimed = [[line for line in found.output.splitlines() if "second" not in line] for found in (first, again)]
    assert untimed[0] == untimed[1]


@pytest.mark.parametrize("other", [["--seed", "other"], ["--modules", "squares"], ["--seats", "4"]])
def test_a_file_of_another_simulation_is_refused_and_kept(tmp_path: Path, other: list[str]) -> None:
    path = tmp_path / "games.csv"
    simulate(path, "--games", "2", "--workers", "1")
    before = path.read_bytes()
    result = simulate(path, "--games", "4", "--workers", "1", *other)
    assert result.exit_code == 1
    assert "holds" in result.output
    assert path.read_bytes() == before


def test_an_interrupted_simulation_says_how_to_continue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def some(plan: Plan, _workers: int, begin: int) -> Any:
        yield [play(plan, begin)]
        raise KeyboardInterrupt

    path = tmp_path / "games.csv"
    monkeypatch.setattr(games, "outcomes", some)
    result = simulate(path, "--games", "5", "--workers", "1")
    assert result.exit_code == 130
    assert "Interrupted after 1 of 5 games; the same command continues." in result.output
    assert len(rows(path)) == 1


def test_parquet_needs_an_output_and_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = CliRunner().invoke(app, ["simulate", "--games", "1", "--parquet", str(tmp_path / "games.parquet")])
    assert alone.exit_code == 2
    monkeypatch.setattr("alhambra_cli.outcome_file.find_spec", lambda _name: None)
    missing = simulate(tmp_path / "games.csv", "--parquet", str(tmp_path / "games.parquet"))
    assert missing.exit_code == 1
    assert "pip install pyarrow" in missing.output


@pytest.mark.check_only  # the smaller sizes do not install pyarrow
def test_with_pyarrow_the_games_are_written_as_parquet(tmp_path: Path) -> None:
    parquet = import_module("pyarrow.parquet")
    path = tmp_path / "games.csv"
    simulate(path, "--games", "3", "--workers", "1", "--parquet", str(tmp_path / "games.parquet"))
    assert parquet.read_table(tmp_path / "games.parquet")["seed"].to_pylist() == [row["seed"] for row in rows(path)]


@pytest.mark.parametrize(("scores", "median"), [((3, 1, 2), 2.0), ((4, 1, 2, 3), 2.5), ((5, 5), 5.0), ((7,), 7.0)])
def test_the_median_is_found_from_counted_scores(scores: tuple[int, ...], median: float) -> None:
    tally = Tally(Plan(len(scores), 2), 1)
    tally.add([Outcome(number, (score, 0, 0), (0,), 1, 1) for number, score in enumerate(scores)])
    assert tally.results()["scores"][0] == {"mean": round(sum(scores) / len(scores), 2), "median": median}
