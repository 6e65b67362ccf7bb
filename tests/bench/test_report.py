"""The page of figures: what people wrote stays, what a run gave stands between the marks, pictures can be drawn."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench import plots, report
from bench.__main__ import GROUPS, machine
from bench.group import MET, MISSED, Goal, Group
from bench.playing import RATIO

ROWS = [
    {"what": "floor", "server µs": 200.0, "store µs": 0.5, "client µs": 50.0, "ratio": 1.0, "calls/s": 4200},
    {"what": "floor (again)", "server µs": 201.0, "store µs": 0.5, "client µs": 50.0, "ratio": 1.0, "calls/s": 4200},
    {"what": "validate", "server µs": 210.0, "store µs": 0.7, "client µs": 51.0, "ratio": 1.05, "calls/s": 4100},
]
VERDICT = {"rounds": 13, "A/A": 1.01, "attempts": 2, "settled": True}


@pytest.fixture
def results() -> dict[str, Any]:
    goals = [Goal("good", 1.05, 1.1, "1.04–1.06", MET), Goal("bad", 30_000.0, 24_576, "", MISSED, "bytes")]
    group = Group("ValidatePlacement", "How it was done.", ROWS, VERDICT, goals, ["A note."]).kept()
    return {"machine": machine(), "groups": {"hot_path": group}}


def test_what_people_wrote_stays(results: dict[str, Any]) -> None:
    page = f"# Page\n\nbefore\n\n{report.BEGIN}\nold figures\n{report.END}\n\nafter\n"
    found = report.with_figures(page, results)
    assert found.startswith("# Page\n\nbefore\n\n")
    assert found.endswith(f"{report.END}\n\nafter\n")
    assert "old figures" not in found
    assert report.with_figures(found, results) == found


def test_every_goal_is_marked(results: dict[str, Any]) -> None:
    text = report.figures(results)
    assert "| `good` | 1.05 | 1.04–1.06 | ≤ 1.1 | met |" in text
    assert "| `bad` | 30,000 bytes |  | ≤ 24,576 bytes | **missed** |" in text


def test_every_group_has_its_table(results: dict[str, Any]) -> None:
    text = report.tables(results)
    assert "## ValidatePlacement\n\nHow it was done." in text
    assert "| validate | 210.0 | 0.7 | 51.0 | 1.05 | 4,100 |" in text
    assert "13 rounds, A/A 1.01, measured anew 1 time because of a bad control." in text
    assert "A note." in text


def test_the_first_table_has_milliseconds_and_calls_a_second(results: dict[str, Any]) -> None:
    row = {"what": "POST moves", "gateway µs": 1_500.0, "service µs": 1_000.0, "store µs": 100.0}
    results["groups"]["rest_floors"] = Group("Moves", "", [row]).kept()
    room = {"what": "2 seats, 0 modules", "moves": 200, "bytes": 17_424, "KiB": 17.0}
    results["groups"]["room"] = Group("Room", "", [room]).kept()
    assert report.at_a_glance(results) == [
        {"what": "`POST` a move, REST", "ms": 2.5, "calls/s": 400},
        {"what": "a stored game, 2 seats, 0 modules, 200 moves", "KiB": 17.0},
    ]


def test_every_call_of_the_first_table_is_measured() -> None:
    kept = json.loads(report.RESULTS.read_text(encoding="utf-8"))
    shown = {row["what"] for row in report.at_a_glance(kept)}
    assert {call for _, _, call in report.AT_A_GLANCE} <= shown


def test_a_page_without_marks_is_refused(results: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no marks"):
        report.with_figures("# Page\n", results)


def test_the_page_has_its_marks() -> None:
    page = report.PAGE.read_text(encoding="utf-8")
    assert page.count(report.BEGIN) == page.count(report.END) == 1


def test_the_page_shows_the_kept_results() -> None:
    kept = json.loads(report.RESULTS.read_text(encoding="utf-8"))
    assert list(kept["groups"]) == [name for name in GROUPS if name in kept["groups"]]
    page = report.PAGE.read_text(encoding="utf-8")
    assert report.with_figures(page, kept) == page
    assert report.tables(kept) == report.TABLES.read_text(encoding="utf-8")
    for group in kept["groups"].values():
        assert all((plots.IMAGES / image["file"]).exists() for image in group["images"])


def test_a_picture_is_drawn_of_each_process(results: dict[str, Any], tmp_path: Path) -> None:
    (image,) = plots.draw("hot_path", results["groups"]["hot_path"], tmp_path)
    drawn = (tmp_path / image["file"]).read_text(encoding="utf-8")
    assert all(f">{role}<" in drawn for role in ("server", "store", "client"))
    assert "validate" in drawn
    assert "(again)" not in drawn
    (again,) = plots.draw("hot_path", results["groups"]["hot_path"], tmp_path / "again")
    assert (tmp_path / "again" / again["file"]).read_text(encoding="utf-8") == drawn
    assert plots.draw("lag", results["groups"]["hot_path"], tmp_path) == []


def test_a_picture_is_drawn_of_each_interpreter_beside_the_best_known(tmp_path: Path) -> None:
    row = {"what": "peer games", "CPython 3.11.7": 110, "spread of CPython": "1–2", "PyPy 7.3.19": 470, RATIO: 4.27}
    group = Group("Library: whole games", "", [row, {**row, "what": "peer games (again)"}]).kept()
    (image,) = plots.draw("playing", group, tmp_path)
    drawn = (tmp_path / image["file"]).read_text(encoding="utf-8")
    for text in ("CPython 3.11.7", "PyPy 7.3.19", "best known (Rust)", " 110", " 470", " 431"):
        assert f">{text}<" in drawn
    assert RATIO not in drawn
