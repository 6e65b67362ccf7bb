"""Which lines each test runs, and how long the test takes: measured once, and again after a change.

A test cannot notice a mutant in a line that it does not run. Of each file of tests a compressed file remembers what
was measured. It counts as long as the tests and the sources that they ran are the same.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from tests.mutants.changes import Mutant
from tests.mutants.targets import GAMES, ROOT, TABLES, Target

STORE = ROOT / ".mutants"
RULE, OTHER, GAME = CLASSES = ("rule", "other", "games")
"""Tests that name a statement of the rules, golden and random games, and all others."""


class Reach(NamedTuple):
    """What was measured of one test."""

    test: str
    seconds: float
    """CPU time, traced."""
    rules: tuple[str, ...]
    """The statements of the rules that it names."""
    lines: Mapping[str, int]
    """By file: the lines that it ran, as bits."""

    @property
    def file(self) -> str:
        """The file of the test."""
        return self.test.partition("::")[0]

    @property
    def kind(self) -> str:
        """The class of the test."""
        if self.test.startswith(GAMES):
            return GAME
        return RULE if self.rules or self.test.startswith(TABLES) else OTHER

    def runs(self, mutant: Mutant) -> bool:
        """Tell whether the test runs the changed statement."""
        return runs(self.lines, mutant)


def runs(lines: Mapping[str, int], mutant: Mutant) -> bool:
    """Tell whether the changed statement is among lines."""
    bits = (1 << mutant.last_line + 1) - (1 << mutant.line)
    return bool(lines.get(mutant.path, 0) & bits)


class Tracer:
    """Notes the lines of some source files that run, until a function has no line left to note."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.files = {str(path): path.relative_to(ROOT).as_posix() for path in files}
        self.left: dict[CodeType, set[int]] = {}

    def __enter__(self) -> Tracer:
        self.left = {}
        sys.settrace(self._on_call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def found(self) -> dict[str, int]:
        """Return the lines that ran, by file, as bits."""
        found: dict[str, int] = {}
        for code, left in self.left.items():
            path = self.files[code.co_filename]
            for line in _lines_of(code) - left:
                found[path] = found.get(path, 0) | 1 << line
        return found

    def _on_call(self, frame: FrameType, _event: str, _argument: object) -> Any:
        code = frame.f_code
        if code.co_filename not in self.files:
            return None
        if code not in self.left:
            self.left[code] = set(_lines_of(code))
        self.left[code].discard(frame.f_lineno)
        return self._on_line if self.left[code] else None

    def _on_line(self, frame: FrameType, _event: str, _argument: object) -> Any:
        left = self.left[frame.f_code]
        left.discard(frame.f_lineno)
        return self._on_line if left else None


@cache
def _lines_of(code: CodeType) -> frozenset[int]:
    return frozenset(line for _, _, line in code.co_lines() if line)


def save(file: str, measured: Iterable[Reach]) -> None:
    """Remember what was measured of a file of tests."""
    reaches = list(measured)
    sources = {path: _digest(path) for path in sorted({path for reach in reaches for path in reach.lines})}
    text = json.dumps({"digest": _digest(file), "sources": sources, "tests": reaches})
    place = _place(file)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(gzip.compress(text.encode(), 3))


def load(file: str) -> list[Reach] | None:
    """Return what is remembered of a file of tests; None if it has to be measured."""
    try:
        kept = json.loads(gzip.decompress(_place(file).read_bytes()))
    except FileNotFoundError:
        return None
    if kept["digest"] != _digest(file) or any(_digest(path) != old for path, old in kept["sources"].items()):
        return None
    return [Reach(test, seconds, tuple(rules), lines) for test, seconds, rules, lines in kept["tests"]]


def all_lines(reaches: Iterable[Reach]) -> dict[str, int]:
    """Return the lines that tests run together, by file, as bits."""
    found: dict[str, int] = {}
    for reach in reaches:
        for path, bits in reach.lines.items():
            found[path] = found.get(path, 0) | bits
    return found


def in_order(
    mutant: Mutant, target: Target, reaches: Iterable[Reach], *, run_elsewhere: bool = False
) -> tuple[list[Reach], bool]:
    """Return the tests that may notice a mutant in the order to try them, and whether one of them runs its lines.

    What happens while a file is imported is run by no test, so every test that runs any line of the target may notice,
    unless a test elsewhere, not among these, runs the lines.
    Servers run in threads and processes of their own, where nothing is measured: every test of them may notice, first
    those that run the line in their own thread.
    """
    found = list(reaches)
    by_line = mutant.in_function and bool(target.page)
    direct = [reach for reach in found if by_line and reach.runs(mutant)]
    if by_line and run_elsewhere and not direct:
        return [], False
    files = {path.relative_to(ROOT).as_posix() for path in target.files}
    chosen = direct or [reach for reach in found if not target.page or not files.isdisjoint(reach.lines)]
    return sorted(chosen, key=lambda reach: _rank(reach, mutant, target)), bool(direct)


def _rank(reach: Reach, mutant: Mutant, target: Target) -> tuple[int, bool, bool, float, str]:
    others = not any(rule.startswith(f"{target.page}.") for rule in reach.rules)
    return CLASSES.index(reach.kind), others, not reach.runs(mutant), reach.seconds, reach.test


@cache
def _digest(path: str) -> str:
    place = ROOT / path
    return blake2b(place.read_bytes(), digest_size=8).hexdigest() if place.exists() else ""


def _place(file: str) -> Path:
    return STORE / "reach" / f"{file.replace('/', '.')}.json.gz"
