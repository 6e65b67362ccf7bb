"""The benchmarks run: a few seconds of every group, against real processes, and every answer is the right one."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.load import Asking, Question

ROOT = Path(__file__).parents[2]
PATIENCE = 240


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_few_seconds_of_everything() -> None:
    before = {path: path.stat().st_mtime_ns for path in (ROOT / "bench/results.json", ROOT / "docs/performance.md")}
    done = run("--quick")
    assert done.returncode == 0, done.stdout + done.stderr
    for goal in (
        *("grpc_validate_over_floor", "rest_validate_over_floor", "batch_item_over_single", "bytes_per_game"),
        *("growth_100000_over_10_games", "growth_move_200_over_5", "event_to_shared_client_over_own_stream"),
        *("modules_not_on_over_not_loaded", "best_known_over_peer_games_on_cpython"),
        *("rest_apply_over_floor", "rest_get_game_over_floor", "apply_all_modules_over_base"),
        *("worst_list_with_texts_with_modules", "start_of_the_product", "service_worker_memory"),
    ):
        assert goal in done.stdout
    for what in ("ApplyMove, appendfsync always", "WatchEvents until the snapshot", "two processes", "seen late"):
        assert what in done.stdout
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_group_that_does_not_exist_is_refused() -> None:
    done = run("--quick", "--only", "hot_path,nonsense")
    assert done.returncode == 2
    assert "no such group: nonsense" in done.stderr


def test_an_answer_of_another_length_is_noticed(tmp_path: Path) -> None:
    asking = Asking(tmp_path, "127.0.0.1:1", [Question("/any/Call", b"question", b"answer")], 1, 10)
    text = "requests: 10 total\n10 succeeded, 0 failed, 0 errored\ntraffic: 1KB (1000) total, 110B (%d) data"
    right = Question("/any/Call", b"question", b"answer")
    asking._check(right, text % 110)
    with pytest.raises(AssertionError, match="not answered as it should be"):
        asking._check(right, text % 50)
    with pytest.raises(AssertionError, match="not answered as it should be"):
        asking._check(right, (text % 110).replace("10 succeeded, 0 failed", "9 succeeded, 1 failed"))
