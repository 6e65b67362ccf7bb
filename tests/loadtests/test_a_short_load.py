"""A short load on the whole product: every kind of user comes, and every answer is right. A wrong one is noticed."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loadtests.known_answers import prepare, save
from loadtests.product import Product, started
from loadtests.report import rows

ROOT = Path(__file__).parents[2]
PATIENCE = 120
DEAF = """
from loadtests.locustfile import *
from loadtests.users import tables

heard = tables.stream_messages

def some_messages(response):
    for number, message in enumerate(heard(response)):
        if number % 10 != 5:
            yield message

tables.stream_messages = some_messages
"""


@pytest.fixture(scope="module")
def product() -> Any:
    with started() as running:
        yield running


def loaded(product: Product, out: Path, *options: str) -> tuple[int, dict[str, Any]]:
    where = ("--http", product.http, "--grpc", product.grpc, "--out", str(out), "--games", "2", "--processes", "1")
    done = subprocess.run(
        [sys.executable, "-m", "loadtests", *where, "--shape", "constant", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (out / "report.html").exists(), done.stdout + done.stderr
    return done.returncode, json.loads((out / "report.json").read_text(encoding="utf-8"))


def test_every_kind_of_user_gets_right_answers(product: Product, tmp_path: Path) -> None:
    weights = "RestPlacements=1,GrpcPlacements=1,RestBots=1,GrpcBots=1,RestWatchers=1,GrpcWatchers=1"
    code, report = loaded(
        product, tmp_path, "--scenario", "mixed", "--users", "6", "--seconds", "4", "--weights", weights
    )
    assert report["failures"] == []
    assert code == 0
    asked = {call["Name"] for call in report["calls"]}
    assert {"ValidatePlacement", "placements:validate", "ApplyMove", "move", "open a stream", "WatchEvents"} <= asked


def test_watchers_see_whole_games_to_their_end(product: Product, tmp_path: Path) -> None:
    """Games end after a few turns here, so that watchers are compared with players within seconds."""
    options = ("--scenario", "tables", "--users", "4", "--seconds", "7", "--turn-limit", "3")
    code, report = loaded(product, tmp_path, *options)
    assert report["failures"] == []
    assert code == 0
    counts = {call["Name"]: int(call["Request Count"]) for call in report["calls"]}
    assert counts["game watched to its end"] > 0
    assert {"ticket", "ApplyMove", "move"} <= counts.keys()


def test_an_event_that_a_watcher_lost_is_a_failure(product: Product, tmp_path: Path) -> None:
    """A gateway that loses events is played by a locustfile whose watchers drop one in ten of what they read."""
    deaf = tmp_path / "locustfile.py"
    deaf.write_text(DEAF, encoding="utf-8")
    locust = [sys.executable, "-m", "locust", "-f", str(deaf), "--headless", "--only-summary"]
    done = subprocess.run(
        [
            *(*locust, "--host", product.http, "--grpc", product.grpc, "--scenario", "tables", "--peak", "4"),
            *("--seconds", "7", "--turn-limit", "3", "--csv", str(tmp_path / "run")),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    faults = {row["Name"]: row["Error"] for row in rows(tmp_path / "run_failures.csv")}
    assert [*faults] == ["game watched to its end"]
    assert "events were lost" in faults["game watched to its end"]


def test_a_wrong_answer_is_noticed(product: Product, tmp_path: Path) -> None:
    """Whoever expects the opposite of what is right hears of it: the users do compare."""
    known = prepare(product.grpc, games=1, seats=2, seed="a wrong answer")
    questions = tuple(dataclasses.replace(one, codes=() if one.codes else ("HOLE",)) for one in known[0].questions)
    save([dataclasses.replace(known[0], questions=questions)], tmp_path / "games.json")
    locust = [sys.executable, "-m", "locust", "-f", "loadtests/locustfile.py", "--headless", "--only-summary"]
    done = subprocess.run(
        [
            *(*locust, "--host", product.http, "--grpc", product.grpc, "--games-file", str(tmp_path / "games.json")),
            *("--scenario", "placements-rest", "--weights", "GrpcPlacements=1", "--peak", "2", "--seconds", "2"),
            *("--csv", str(tmp_path / "run")),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    calls = {row["Name"]: row for row in rows(tmp_path / "run_stats.csv")}
    assert done.returncode == 1, done.stderr
    for name in ("ValidatePlacement", "placements:validate"):
        assert int(calls[name]["Failure Count"]) == int(calls[name]["Request Count"]) > 0


def test_only_this_machine_is_aimed_at() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "loadtests", "--http", "http://192.0.2.1:80", "--grpc", "192.0.2.1:50051"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert "loopback only" in done.stderr
