"""A short run of generated requests: all operations, resumed, and an interrupted line does not count."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .run import FILE, GATEWAY, SERVICE, Chapter, chapters, keep, summary


def test_a_run_sends_requests_to_both_and_goes_on_where_it_was(tmp_path: Path) -> None:
    keep(tmp_path, Chapter(SERVICE, 7, 100, {"OK": 100}))
    keep(tmp_path, Chapter(GATEWAY, 3, 100, {"200": 100}))
    command = (sys.executable, "-m", "tests.generated_requests", "--folder", str(tmp_path), "--requests", "1200")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    found = chapters(tmp_path)
    assert sum(chapter.requests for chapter in found) >= 1200
    seeds = {part: [chapter.seed for chapter in found if chapter.part == part] for part in (SERVICE, GATEWAY)}
    assert seeds[SERVICE] == list(range(7, 7 + len(seeds[SERVICE])))
    assert seeds[GATEWAY] == list(range(3, 3 + len(seeds[GATEWAY])))
    again = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert again.returncode == 0, again.stderr
    assert len(chapters(tmp_path)) == len(found)


def test_a_line_that_was_cut_off_does_not_count(tmp_path: Path) -> None:
    keep(tmp_path, Chapter(SERVICE, 1, 50, {"OK": 50}))
    with (tmp_path / FILE).open("a") as file:
        file.write('{"part": "serv')
    assert chapters(tmp_path) == [Chapter(SERVICE, 1, 50, {"OK": 50})]
    keep(tmp_path, Chapter(SERVICE, 2, 50, {"OK": 50}))
    assert [chapter.seed for chapter in chapters(tmp_path)] == [1, 2]


def test_a_failure_is_counted_and_fails_the_run(tmp_path: Path) -> None:
    keep(tmp_path, Chapter(SERVICE, 1, 50, {"OK": 49, "INTERNAL": 1}, ["ApplyMove: INTERNAL"]))
    assert summary(chapters(tmp_path))[0].startswith("service         50 requests, 1 of 1 chapters with failures.")
    command = (sys.executable, "-m", "tests.generated_requests", "--folder", str(tmp_path), "--requests", "50")
    assert subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 1
