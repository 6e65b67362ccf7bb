"""The comparison of two versions of the library runs and prints a ratio for each function."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench import report, versions
from bench.group import Effort
from bench.report import ROOT
from bench.versions import works


def test_a_version_is_compared_with_itself() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "bench.versions", str(ROOT), "--only", "clone,legal_moves", "--rounds", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in run.stdout.splitlines()[2:]]
    assert [row[0] for row in rows] == ["clone", "legal_moves"]
    assert all(float(cell) > 0 for row in rows for cell in row[1:])


def test_every_function_runs() -> None:
    for name in ("clone", "peer_games", "random_games"):
        seconds, count = works()[name](0)
        assert seconds >= 0
        assert count > 0


def test_without_the_history_of_the_release_the_page_says_that_nothing_was_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing() -> None:
        raise subprocess.CalledProcessError(128, "git archive")

    monkeypatch.setattr(versions, "released", missing)
    group = versions.since_release(Effort(True, lambda _: None))
    assert not group.goals
    assert "Not measured" in group.notes[0]
    assert group.notes[0] in report.tables({"machine": {}, "groups": {"versions": group.kept()}})


def test_rounds_become_a_ratio_and_a_goal() -> None:
    row, goal = versions._compared("legal_moves", [{"0.1.0": 4e-4, "now": 1e-4, "again": 1e-4}] * 4)
    assert (row["times as fast"], row["A/A"]) == (4.0, 1.0)
    assert (goal.name, goal.state) == ("legal_moves_over_0.1.0", "met")
    row, goal = versions._compared("clone", [{"0.1.0": 2e-6, "now": 6e-6, "again": 9e-6}] * 4)
    assert (goal.value, goal.state) == (6.0, "not settled")
