"""Tournaments from the command line: a table, and a file that survives a kill and replays every game."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from alhambra_cli.commands import app
from alhambra_cli.tournament.results import read_tournament

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
EXAMPLES = ROOT / "examples"
MINE = f"{__package__}.bots"
CARL = f'carl=cmd:"{sys.executable}" "{EXAMPLES / "line_bot.py"}"'
DEADLINE = 300.0


def arena(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["arena", *arguments])


def started(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "alhambra_cli", "arena", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []


@pytest.mark.check_only
def test_a_tournament_that_was_killed_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    settings = ("--games", "12", "--jobs", "2", "--move-seconds", "300", "--json", "--results", str(file))
    arguments = ("random", "peer", CARL, *settings)
    first = started(*arguments)
    end = time.monotonic() + DEADLINE
    while len(lines_of(file)) < 4 and first.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert first.returncode == -signal.SIGKILL
    before = lines_of(file)
    assert 4 <= len(before) < 13
    with file.open("a") as damaged:
        damaged.write('{"number": 11, "deal"')  # as if the kill had come while a line was written
    second = started(*arguments)
    out, errors = second.communicate(timeout=DEADLINE)
    assert second.returncode == 0, errors.decode()
    told = json.loads(out)
    assert told["games"] == told["of"] == 12
    after = lines_of(file)
    assert after[: len(before)] == before
    _, games = read_tournament(file)
    assert [game.number for game in games] == list(range(12))
    assert all(game.differences() == [] and game.faults == () for game in games)


def test_games_are_replayed_and_printed_in_notation(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert arena("peer", f"{MINE}:talks", "--seats", "2", "--games", "2", "--results", str(file)).exit_code == 0
    replayed = arena("--replay", str(file))
    assert (replayed.exit_code, replayed.output) == (0, "2 games replayed, 0 differences.\n")
    text = arena("--replay", str(file), "--game", "1").output
    game = tmp_path / "game.txt"
    game.write_text(text, "utf-8")
    assert CliRunner().invoke(app, ["verify", str(game)]).exit_code == 0
    header, first, second = lines_of(file)
    forged = json.loads(second)
    forged["scores"][0] += 1
    file.write_text("\n".join((header, first, json.dumps(forged))) + "\n", "utf-8")
    shown = arena("--replay", str(file))
    assert shown.exit_code == 1
    assert "the scores are" in shown.output


def test_a_file_of_another_tournament_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    arguments = ("peer", "random", "--schedule", "match", "--seats", "2", "--jobs", "1", "--results", str(file))
    assert arena(*arguments, "--games", "1").exit_code == 0
    refused = arena(*arguments, "--games", "1", "--seed", "other")
    assert refused.exit_code == 2
    assert "belongs to a tournament with other seed" in refused.output
    more = arena(*arguments, "--games", "2", "--json")
    assert json.loads(more.stdout)["games"] == 2


def test_a_swiss_tournament_plays_its_rounds(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    arguments = ("random", "peer", "a=peer", "b=random", "--schedule", "swiss", "--rounds", "2", "--jobs", "1")
    shown = arena(*arguments, "--results", str(file), "--json")
    assert shown.exit_code == 0, shown.output
    _, games = read_tournament(file)
    assert [game.deal for game in games] == [0] * 4 + [1] * 4
    assert len({frozenset(game.bots) for game in games}) == 4, "nobody meets the same bot twice"


def test_a_table_shows_ratings_and_faults(tmp_path: Path) -> None:
    shown = arena("random", f"{MINE}:fails", "peer", "--games", "12", "--jobs", "1")
    assert shown.exit_code == 0, shown.output
    assert "Elo" in shown.output and "crash 8" in shown.output
    assert "fails lost by crash: ValueError('lost the plot')" in shown.output


def test_a_bot_that_ends_the_process_of_the_arena_stops_the_tournament() -> None:
    shown = arena("random", f"{MINE}:dies", "--schedule", "match", "--seats", "2", "--games", "1")
    assert shown.exit_code == 2
    assert "Game 0 ended its process 2 times" in shown.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("greedy",), "at least two bots"),
        (("greedy", "nobody"), "Unknown bot 'nobody'"),
        (("greedy", "no.such.module:Bot"), "Cannot load no.such.module:Bot"),
        (("greedy", "random", "peer", "--seats", "4"), "need at least as many bots"),
        (("greedy", "random", "peer", "--schedule", "match"), "between two bots"),
        (("--replay", __file__), "is not a file of a tournament"),
    ],
)
def test_wrong_arguments_are_refused_before_any_game(arguments: tuple[str, ...], message: str) -> None:
    shown = arena(*arguments)
    assert shown.exit_code == 2
    assert message in shown.output
