"""The figures of `docs/conformance.md`: written from what is remembered, and read back from the page.

Tables stand between two marks. Each is a heading and rows of a label and numbers; the last row is the sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from alhambra import known_modules
from tests.conformance.results import ROOT, Result, number_of

PAGE = ROOT / "docs" / "conformance.md"
BEGIN = "<!-- figures: written by `python -m tests.conformance --report`, do not edit -->"
END = "<!-- end of figures -->"
HEADINGS = {
    "oracle": ("Oracles", "compared with brute force", ("comparisons", "disagreements")),
    "base": ("Base game", "seats, edition", ("games", "moves checked", "failures")),
    "single": ("Modules, each alone", "module", ("games", "moves checked", "failures")),
    "pair": ("Modules, all pairs", "module, with every other", ("games", "moves checked", "failures")),
    "subset": ("Random subsets of modules", "modules in a game", ("games", "moves checked", "failures")),
    "all": ("All modules at once", "seats", ("games", "moves checked", "failures")),
    "resigned": (
        "Every seat resigns at every kind of question",
        "modules in a game",
        ("games", "moves checked", "resignations", "failures"),
    ),
    "habits": (
        "Players with habits",
        "habit, with others",
        ("games", "moves", "undos", "resignations", "not ended", "broken"),
    ),
}
"""By group of cases: heading, what a row is about, the columns."""

SIZES = ((3, 5), (6, 10), (11, 15), (16, 20))
"""Fewest and most modules of the rows about random subsets."""


class Row(NamedTuple):
    """One line of a table."""

    label: str
    figures: tuple[int, ...]


def tables(results: Iterable[Result]) -> dict[str, list[Row]]:
    """The rows of every group that has results; the sum is last."""
    sums: dict[str, dict[str, list[int]]] = {}
    for result in results:
        group, what, *more = result["case"].split("/")
        figures = [_figure(column, result) for column in HEADINGS[group][2]]
        rows = sums.setdefault(group, {})
        for label in (*_labels(group, what, more), "all"):
            row = rows.setdefault(label, [0] * len(figures))
            row[:] = [old + new for old, new in zip(row, figures, strict=True)]
    return {
        group: [Row(label, tuple(sums[group][label])) for label in sorted(sums[group], key=_in_order)]
        for group in HEADINGS
        if group in sums
    }


def _figure(column: str, result: Result) -> int:
    """What one case adds to a column."""
    if column == "games":
        return 1
    if column in ("failures", "disagreements"):
        return int("failed" in result)
    if column == "broken":
        return int("failed" in result and result.get("ended", True))
    if column == "not ended":
        return int(not result.get("ended", True))
    return int(result.get({"moves checked": "moves", "comparisons": "compared"}.get(column, column), 0))


def _labels(group: str, what: str, more: list[str]) -> tuple[str, ...]:
    """The rows that a case belongs to: a pair to those of both modules, a game to those of all habits at the table."""
    if group == "base":
        return (f"{more[0]}, {what}",)
    if group in ("subset", "resigned"):
        return (_size(len(what.split("+"))),)
    if group == "all":
        return (more[0],)
    if group == "habits":
        return tuple(dict.fromkeys(more[0].split("+")))
    return tuple(_module_names().get(word, word) for word in what.split("+"))


def _size(modules: int) -> str:
    """The row of a game with this many modules: with one or with all of them it has a row of its own."""
    return next((f"{fewest} to {most}" for fewest, most in SIZES if fewest <= modules <= most), str(modules))


@cache
def _module_names() -> dict[str, str]:
    """The key of every module, by the number that names it in a case."""
    return {number_of(key): key for key in known_modules()}


def _in_order(label: str) -> tuple[bool, int, str]:
    """Sorts the sum last, and labels that begin with a number by that number."""
    number = re.match(r"\d+", label)
    return label == "all", int(number[0]) if number else 0, label


def section(digest: str, commit: str, results: Iterable[Result]) -> str:
    """The marked part of the page."""
    lines = [BEGIN, "", f"Under rules `{digest}`, commit `{commit}`:"]
    for group, rows in tables(results).items():
        heading, subject, columns = HEADINGS[group]
        lines += ["", f"### {heading}", "", f"| {' | '.join((subject, *columns))} |", "|---" * (len(columns) + 1) + "|"]
        lines += [f"| {' | '.join((row.label, *(f'{figure:,}' for figure in row.figures)))} |" for row in rows]
    return "\n".join([*lines, "", END])


def rewritten(page: str, digest: str, commit: str, results: Iterable[Result]) -> str:
    """The page with new figures, the digest of the rules that they belong to, and the last commit of these rules."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no marks for its figures")
    return before + section(digest, commit, results) + after


def read(page: str) -> tuple[str, dict[str, list[Row]]]:
    """The digest of the rules and the tables that the page shows."""
    marked = page.partition(BEGIN)[2].partition(END)[0]
    digest = re.search(r"Under rules `([0-9a-f]{16})`", marked)
    if digest is None:
        raise ValueError("the page does not say under which rules its figures were won")
    groups = {heading: group for group, (heading, _, _) in HEADINGS.items()}
    found = {}
    for part in marked.split("\n### ")[1:]:
        heading, _, table = part.partition("\n")
        found[groups[heading]] = list(_rows(table))
    return digest[1], found


def _rows(table: str) -> Iterator[Row]:
    for line in table.strip().splitlines()[2:]:
        label, *figures = (cell.strip() for cell in line.strip("|").split("|"))
        yield Row(label, tuple(int(figure.replace(",", "")) for figure in figures))
