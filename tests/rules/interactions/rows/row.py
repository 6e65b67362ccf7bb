"""A row of the interaction matrix, or a decision: what is said, and which tests see to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[4]
FOLDERS = {"base": "tests/rules", "hooks": "tests/rules", "interactions": "tests/rules", "modules": "tests/rules"}
"""Where the folders of tests lie that a row names; any other one lies in `tests`."""


class Row(NamedTuple):
    """One thing that holds between modules."""

    id: str
    says: str
    tests: Mapping[str, tuple[str, ...]]
    """By file (`modules/thieves` is tests/rules/modules/test_thieves.py): the names of tests without `test_`."""

    def nodes(self) -> Iterator[tuple[Path, str]]:
        """The tests: each with its file and its name."""
        for short, names in self.tests.items():
            folder, _, name = short.rpartition("/")
            path = ROOT / FOLDERS.get(folder.partition("/")[0], "tests") / folder / f"test_{name}.py"
            yield from ((path, f"test_{test}") for test in names)


class Section(NamedTuple):
    """Rows that belong together."""

    title: str
    about: str
    rows: tuple[Row, ...]
