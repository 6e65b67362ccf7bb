"""Whole games measured: interpreters in processes of their own that take turns, and what is made of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import playing
from bench.group import MET, MISSED, Effort
from bench.playing import BEST_KNOWN, Interpreter, Kind, player
from bench.report import ROOT


def test_a_player_plays_what_it_is_asked_to() -> None:
    with player(sys.executable, "peer") as play:
        one, five = play(0, 1), play(0, 5)
    assert 0 < one < five


def test_a_player_that_cannot_start_is_no_figure() -> None:
    with pytest.raises(ValueError), player(sys.executable, "nonsense") as play:
        play(0, 1)


def test_an_interpreter_says_who_it_is() -> None:
    found = Interpreter.at(sys.executable)
    assert found.name == f"CPython {'.'.join(map(str, sys.version_info[:3]))}"
    assert found.warm_up == 0
    assert Interpreter("pypy3", "PyPy 7.3.19").warm_up > 0


def test_two_interpreters_stand_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {
        "CPython 3.11.7": [100.0, 110.0, 120.0],
        "PyPy 7.3.19": [2.0 * BEST_KNOWN, 3.0 * BEST_KNOWN, 4.0 * BEST_KNOWN],
    }
    again = {name + " (again)": found for name, found in rates.items()}
    both = [Interpreter("python3", "CPython 3.11.7"), Interpreter("pypy3", "PyPy 7.3.19")]
    monkeypatch.setattr(playing, "interpreters", lambda _: (both, ""))
    monkeypatch.setattr(playing, "_rates", lambda *_: rates | again)
    monkeypatch.setattr(playing, "kinds", lambda: (Kind("peer games", "peer", (), 1),))
    group = playing.games(Effort(False, lambda _: None))
    assert [row["what"] for row in group.rows] == ["peer games", "peer games (again)"]
    assert group.rows[0]["CPython 3.11.7"] == 110
    assert group.rows[0]["PyPy 7.3.19"] == 3 * BEST_KNOWN
    assert group.rows[0]["times as many"] == pytest.approx(3 * BEST_KNOWN / 110, abs=0.01)
    assert [(goal.name, goal.state) for goal in group.goals] == [
        ("best_known_over_peer_games_on_cpython", MISSED),
        ("best_known_over_peer_games_on_pypy", MET),
    ]


def test_where_there_is_no_pypy_the_page_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "scripts" / "pypy.sh"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\necho There is none. >&2\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setattr(playing, "ROOT", tmp_path)
    found, why_not = playing.interpreters(Effort(False, lambda _: None))
    assert [one.path for one in found] == [sys.executable]
    assert why_not == "Without PyPy: There is none."


def test_what_is_no_pypy_is_not_taken_for_one(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "pypy.sh"

    def ask(interpreter: str) -> subprocess.CompletedProcess[str]:
        asked = {**os.environ, "PYPY": interpreter}
        return subprocess.run([script], env=asked, capture_output=True, text=True, check=False)

    refused = ask(sys.executable)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "no PyPy of Python 3.11" in refused.stderr
    fake = tmp_path / "pypy3"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    assert ask(str(fake)).stdout == f"{fake}\n"
