"""The comparison of two versions of the library runs and prints a ratio for each function."""

from __future__ import annotations

import subprocess
import sys

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
