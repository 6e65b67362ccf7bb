"""Processes that share games: they ignore Ctrl-C, which ends the command that started them."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from alhambra_cli import process_pool as pool_file
from alhambra_cli.process_pool import process_pool

PATIENCE = 120
"""Seconds to wait for a process on a busy machine."""


def interrupt(command: list[str], output: Path, lines: int) -> str:
    """Run a command until its output has more than these lines, send it and its processes what Ctrl-C sends, and return
    its errors."""
    # A test run in the background ignores the signal, and so would its processes.
    program = "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler);"
    program += "runpy.run_module('alhambra_cli', run_name='__main__')"
    running = subprocess.Popen(
        [sys.executable, "-c", program, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE
    while not (output.exists() and output.read_bytes().count(b"\n") > lines):
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    return errors


@pytest.mark.parametrize("ordered", [True, False])
def test_workers_ignore_ctrl_c_from_their_start(ordered: bool) -> None:
    before = signal.getsignal(signal.SIGINT)
    with process_pool(2, ordered=ordered) as share:
        assert signal.getsignal(signal.SIGINT) == before
        assert set(share(signal.getsignal, [signal.SIGINT] * 4)) == {signal.SIG_IGN}


@pytest.mark.parametrize("on_pypy", [True, False])
def test_no_worker_is_started_for_no_tasks(on_pypy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_file, "ON_PYPY", on_pypy)
    with process_pool(0) as share:
        assert list(share(str, [])) == []


def test_ctrl_c_ends_all_processes_of_a_simulation_and_keeps_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    common = ["--games", "1000000", "--workers", "2", "--seats", "3", "--policy", "peer"]
    errors = interrupt(["simulate", *common, "--output", str(path)], path, lines=8)
    assert "Traceback" not in errors
    with path.open(encoding="utf-8", newline="") as lines:
        numbers = [int(row["number"]) for row in csv.DictReader(lines)]
    assert numbers == list(range(len(numbers)))


def test_ctrl_c_ends_all_processes_of_a_match_and_keeps_its_results(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    common = ["--games", "100000", "--workers", "2", "--seats", "2"]
    errors = interrupt(["arena", "peer", "random", *common, "--results", str(path)], path, lines=1)
    assert "Traceback" not in errors
    assert "Interrupted; the same command with --results resumes." in errors
    numbers = [json.loads(line)["number"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(set(numbers)) == len(numbers) >= 2
