"""Every row of the interaction matrix and every decision has tests, and they exist."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from scripts.rules_pages import statements
from tests.rules.interactions import test_money_items, test_purchases
from tests.rules.interactions.money_table import BY_VALUE, CARD_DEMANDED
from tests.rules.interactions.purchase_table import COLUMNS, TABLE
from tests.rules.interactions.rows import CELLS, DECISIONS, MATRIX, ROOT, SOURCES, all_rows, statements_of

ABOUT_THE_LIBRARY = {
    "verbs of several modules",
    "lists of payments",
    "standing orders and replays",
    "standing orders and hands",
    "dry runs",
}
"""Decisions that no statement of the rules makes."""
CASES = {
    *(
        f"test_a_column_applies_to_a_purchase_where_the_table_has_a_dot[{name}-{column}]".replace(" ", "_")
        for name, column in test_purchases.CELLS
    ),
    *(
        f"test_an_item_lies_beside_other_money_where_the_table_says_so[{item}-{purchase}]"
        for item in test_money_items.PLAIN
        for purchase in BY_VALUE
    ),
    *(
        f"test_a_card_that_is_demanded_is_money_with_a_back[{item}-{place}]"
        for item in test_money_items.ITEMS
        for place in CARD_DEMANDED
    ),
    *(f"test_leftover_tiles_go_to_the_richest_in_money_that_counts[{item}]" for item in test_money_items.ITEMS),
}
"""The cases of tests that rows name one by one."""


@cache
def names_in(path: Path) -> set[str]:
    """The names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_every_test_that_a_row_names_exists() -> None:
    missing = []
    for row in all_rows():
        for path, name in row.nodes():
            plain, bracket, _ = name.partition("[")
            found = path.exists() and plain in names_in(path) and (not bracket or name in CASES)
            if not found:
                missing.append(f"{row.id}: {path.relative_to(ROOT)}::{name}")
    assert missing == []


def test_no_row_is_without_a_test_and_no_two_have_one_name() -> None:
    rows = all_rows()
    assert [row.id for row in rows if not any(row.nodes())] == []
    assert len({row.id for row in rows}) == len(rows)


def test_every_row_names_the_statements_that_decide_it() -> None:
    known = statements()
    for section in (*MATRIX, *DECISIONS):
        for row in section.rows:
            numbers = statements_of(row.id)
            assert bool(numbers) != (row.id in ABOUT_THE_LIBRARY), row.id
            assert set(numbers) <= set(known), row.id


def test_every_source_belongs_to_a_row() -> None:
    assert set(SOURCES) == {row.id for section in MATRIX for row in section.rows}


def test_every_cell_of_the_purchase_table_has_a_row() -> None:
    assert [row.id for row in CELLS] == [
        f"purchases: {purchase} × {column}"
        for purchase in TABLE
        for column in COLUMNS
        if TABLE[purchase][column] != "–"
    ]


def test_what_a_row_says_is_a_sentence() -> None:
    said = [row.says for section in (*MATRIX, *DECISIONS) for row in section.rows]
    assert [text for text in said if not text.endswith(".") or text != text.strip()] == []
