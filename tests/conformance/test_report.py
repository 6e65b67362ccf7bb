"""The figures of the conformance page come from what was played, and can be read back from the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from alhambra import EDITIONS
from tests.conformance.cases import BASE_SEATS, base_games
from tests.conformance.report import BEGIN, END, HEADINGS, PAGE, Row, read, rewritten, tables
from tests.conformance.results import Result, remembered

DIGEST = "0123456789abcdef"
RESULTS: list[Result] = [
    {"case": "base/de_revised_2019/3/0", "moves": 300, "turns": 80, "seconds": 0.2, "decisions": {}},
    {"case": "base/de_revised_2019/3/1", "moves": 1310, "turns": 90, "seconds": 0.2, "decisions": {}},
    {"case": "base/de_revised_2019/4/0", "failed": "Traceback"},
    {"case": "single/thieves/2/0", "moves": 500, "turns": 100, "seconds": 0.3, "decisions": {}},
    {"case": "pair/squares+thieves/2/0", "moves": 700, "turns": 120, "seconds": 0.5, "decisions": {}},
    {"case": "pair/change+thieves/2/0", "moves": 900, "turns": 130, "seconds": 0.6, "decisions": {}},
    {"case": "all/change+squares+thieves/6/0", "moves": 2000, "turns": 300, "seconds": 2.0, "decisions": {}},
    {"case": "oracle/boards/0", "compared": 2500},
    {"case": "oracle/boards/2500", "compared": 2500},
]


def test_every_combination_has_its_row_and_the_sum_is_last() -> None:
    found = tables(RESULTS)
    assert found["base"] == [
        Row("3, de_revised_2019", (2, 1610, 0)),
        Row("4, de_revised_2019", (1, 0, 1)),
        Row("all", (3, 1610, 1)),
    ]
    assert found["oracle"] == [Row("boards", (5000, 0)), Row("all", (5000, 0))]


def test_a_pair_counts_for_both_its_modules_and_once_in_the_sum() -> None:
    assert tables(RESULTS)["pair"] == [
        Row("change", (1, 900, 0)),
        Row("squares", (1, 700, 0)),
        Row("thieves", (2, 1600, 0)),
        Row("all", (2, 1600, 0)),
    ]


def test_the_figures_are_written_between_the_marks_and_read_back() -> None:
    page = f"# Before\n\n{BEGIN}\nold\n{END}\n\nAfter\n"
    written = rewritten(page, DIGEST, RESULTS)
    assert written.startswith("# Before\n")
    assert written.endswith("\nAfter\n")
    assert "old" not in written
    assert read(written) == (DIGEST, tables(RESULTS))
    assert rewritten(written, DIGEST, RESULTS) == written


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="no marks"):
        rewritten("# A page", DIGEST, RESULTS)


def test_the_page_shows_figures_that_can_be_read_and_no_failure() -> None:
    _, found = read(PAGE.read_text(encoding="utf-8"))
    assert set(found) <= set(HEADINGS)
    assert {row.label for row in found["base"]} == {
        *(f"{seats}, {edition}" for seats in BASE_SEATS for edition in EDITIONS),
        "all",
    }
    for group, rows in found.items():
        assert rows[-1].label == "all"
        assert rows[-1].figures[-1] == 0, f"{group}: failures are published, not hidden; but they are mended first"
        if group != "pair":  # where every game stands in two rows
            assert rows[-1].figures == tuple(map(sum, zip(*(row.figures for row in rows[:-1]), strict=True)))


def test_the_last_result_of_a_case_counts_and_half_a_line_does_not(tmp_path: Path) -> None:
    store = tmp_path / "rules.jsonl"
    store.write_text('{"case": "a", "failed": "x"}\n{"case": "a", "moves": 3}\n{"case": "b", "mov')
    assert remembered(store) == {"a": {"case": "a", "moves": 3}}
    assert remembered(tmp_path / "missing.jsonl") == {}


def test_base_games_come_in_rounds_so_that_a_run_cut_short_has_equal_numbers() -> None:
    cases = list(base_games(2))
    kinds = [(case.seats, case.edition) for case in cases]
    assert kinds[: len(kinds) // 2] == kinds[len(kinds) // 2 :]
    assert len(set(kinds)) == len(kinds) // 2
