"""Results: remembered line by line, added up, and written between the marks of the page."""

from pathlib import Path

import pytest

from .report import PAGE, Line, remember, remembered, rewritten, section

LINE: Line = {
    **{"seed": 1, "store": "single", "durability": "always", "took": 60.0, "lost": 0, "unconfirmed": 3},
    **{"faults": {"cut": 4, "stall": 1}, "defects": {"stale": 2}, "recovery": 1.5, "oldest_read": 0.5},
    "counts": {"acknowledged": 1_000, "reads": 30, "no answer": 5},
}
OTHER: Line = {**LINE, "store": "cluster", "lost": 7, "defects": {}, "faults": {"cut": 1}}


def test_rounds_are_remembered_and_a_line_that_was_cut_off_is_no_round(tmp_path: Path) -> None:
    file = tmp_path / "results" / "run.jsonl"
    assert remembered(file) == []
    remember(file, LINE)
    remember(file, OTHER)
    with file.open("a", encoding="utf-8") as opened:
        opened.write('{"seed": 3, "st')
    assert remembered(file) == [LINE, OTHER]


def test_rounds_are_added_up() -> None:
    written = section([LINE, LINE, OTHER])
    assert "3 rounds, 3 minutes, **11 faults** of 2 kinds" in written
    assert "| single, `always` | 2 | 10 | 2,070 | 2,000 | 0 | 0 | 4 | 0 | 0 | 6 |" in written
    assert "| all | 3 | 11 | 3,105 | 3,000 | 7 | 0 | 4 | 0 | 0 | 9 |" in written
    assert "| cut | all connections of a line are reset | 9 |" in written


def test_the_page_has_marks_between_which_figures_are_written() -> None:
    once = rewritten(PAGE.read_text("utf-8"), [LINE])
    assert section([LINE]) in once
    assert rewritten(once, [LINE]) == once
    with pytest.raises(ValueError, match="marks"):
        rewritten("no marks", [LINE])
