"""The table of overlays is complete, and every test that it names exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from alhambra import load_module
from scripts.rules_pages import NO_PAGE, statements
from tests.rules.overlays import ways
from tests.rules.overlays.table import FATES, FOLDER, ROOT, WAYS, Row, forms, rows

each_row = pytest.mark.parametrize("row", rows(), ids=lambda row: row.key)


@cache
def functions_of(path: Path) -> frozenset[str]:
    """The names of the functions of a file."""
    found = ast.parse(path.read_text(encoding="utf-8")).body
    return frozenset(entry.name for entry in found if isinstance(entry, ast.FunctionDef))


def sourced(source: str) -> bool:
    """Does a source name statements of the rules that exist, or say that there is none?"""
    return source == NO_PAGE or set(source.split(", ")) <= set(statements())


def test_every_way_of_the_table_can_be_taken_in_a_test() -> None:
    assert list(WAYS) == list(ways.WAYS)


@each_row
def test_a_row_is_about_a_module(row: Row) -> None:
    assert load_module(row.module).number == row.number


@each_row
def test_every_cell_says_what_happens_and_where_the_rules_say_so(row: Row) -> None:
    for way, cell in row.cells.items():
        assert cell.fate in FATES, way
        assert re.fullmatch(r"[A-Z].*\.", cell.says), way
        assert sourced(cell.source), f"{way}: {cell.source}"


def test_every_form_names_the_statements_that_decide_it() -> None:
    assert [form.key for form in forms() if not sourced(form.source)] == []


@each_row
def test_every_cell_names_tests_that_exist(row: Row) -> None:
    for way, cell in row.cells.items():
        assert cell.tests, way
        for path, name in cell.tests:
            assert name in functions_of(path), f"{way}: {path.relative_to(ROOT)}::{name}"


@each_row
def test_every_test_of_an_overlay_stands_behind_a_cell(row: Row) -> None:
    own = FOLDER / f"test_{row.key}.py"
    named = {name for cell in row.cells.values() for path, name in cell.tests if path == own}
    assert {name for name in functions_of(own) if name.startswith("test_")} == named


def test_every_file_of_tests_belongs_to_a_row() -> None:
    files = {path.stem.removeprefix("test_") for path in FOLDER.glob("test_*.py")}
    assert files - {"table", "forms", "projects"} == {row.key for row in rows()}
