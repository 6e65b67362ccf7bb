"""Mutants of a source file: the file with one fault in it.

A mutant replaces one piece of the text, so it differs from the file in nothing else.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from tests.mutants.operators import Change, blocks_of, changes_of, expressions_of, is_mutated, swaps_of

SHOWN = 110
"""So many characters of the text before and after a change are shown."""


class Mutant(NamedTuple):
    """One change to one file."""

    path: str
    """Relative to the root of the project."""
    line: int
    last_line: int
    """The lines of the changed statement: a test that runs none of them cannot notice the mutant."""
    kind: str
    place: str
    """The function or class that is changed; "" outside of all."""
    change: str
    """The changed text before and after."""
    start: int
    end: int
    text: str
    """The bytes of the file from start to end become this text."""
    in_function: bool
    """Whether the change is inside of a function; everything else happens while the file is imported."""
    digest: str
    """Differs after every change of the function or top-level statement."""

    @property
    def name(self) -> str:
        """Identifies the mutant among all, wherever in the file its function stands."""
        return f"{self.path} {self.place}: {self.change}"

    def source(self, original: bytes) -> bytes:
        """Return the file with the fault in it."""
        return original[: self.start] + self.text.encode() + original[self.end :]


class _Place(NamedTuple):
    """Where in the file a statement stands."""

    names: tuple[str, ...]
    in_function: bool
    digest: str


def mutants_of(path: Path, root: Path) -> list[Mutant]:
    """Return the mutants of a file, in the order of its lines."""
    file = _File(path.read_bytes(), path.relative_to(root).as_posix())
    counted: Counter[str] = Counter()
    numbered = []
    for mutant in sorted(set(file.mutants()), key=lambda each: (each.start, each.end, each.text)):
        counted[mutant.name] += 1
        again = counted[mutant.name]
        numbered.append(mutant if again == 1 else mutant._replace(change=f"{mutant.change} [{again}]"))
    return numbered


def by_hand(root: Path) -> list[Mutant]:
    """Return the mutants of `by_hand.toml`. Raise ValueError if the text to change does not occur exactly once."""
    found = []
    for entry in tomllib.loads(Path(__file__).with_name("by_hand.toml").read_text(encoding="utf-8"))["mutant"]:
        path = root / "rules" / "alhambra" / entry["file"]
        source, before = path.read_bytes(), entry["before"].encode()
        if source.count(before) != 1:
            raise ValueError(f"by_hand.toml: {entry['file']} has {source.count(before)} times: {entry['before']}")
        found.append(_File(source, path.relative_to(root).as_posix()).replaced(before, entry["after"]))
    return found


class _File:
    """A source file that is searched for what can be changed."""

    def __init__(self, source: bytes, path: str) -> None:
        self.source = source
        self.path = path
        self.line_starts = [0]
        for line in source.splitlines(keepends=True):
            self.line_starts.append(self.line_starts[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
        """Yield every mutant."""
        for statement in ast.parse(self.source).body:
            digest = blake2b(self.source[slice(*self._span(statement))], digest_size=6).hexdigest()
            yield from self._of_statement(statement, _Place((), False, digest))

    def replaced(self, before: bytes, after: str) -> Mutant:
        """Return the mutant in which a text that occurs once is another one."""
        start = self.source.index(before)
        line = self.source.count(b"\n", 0, start) + 1
        last_line = line + before.strip().count(b"\n")
        (statement,) = (each for each in ast.parse(self.source).body if each.lineno <= line <= (each.end_lineno or 0))
        digest = blake2b(self.source[slice(*self._span(statement))], digest_size=6).hexdigest()
        is_function = isinstance(statement, ast.FunctionDef)
        return Mutant(
            *(self.path, line, last_line, "by hand", getattr(statement, "name", "")),
            f"{_shortened(' '.join(before.decode().split()))} → {_shortened(' '.join(after.split()))}",
            *(start, start + len(before), after, is_function, digest),
        )

    def _of_statement(self, node: ast.stmt, place: _Place) -> Iterator[Mutant]:
        if not is_mutated(node):
            return
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            is_function = isinstance(node, ast.FunctionDef)
            place = _Place((*place.names, node.name), place.in_function or is_function, place.digest)
        last_line = max((part.end_lineno or 0 for part in expressions_of(node)), default=node.lineno)
        lambdas = [part for each in expressions_of(node) for part in ast.walk(each) if isinstance(part, ast.Lambda)]
        for change in changes_of(node):
            inside = place.in_function or any(change.node in ast.walk(each.body) for each in lambdas)
            yield from self._mutant(change, node.lineno, last_line, place._replace(in_function=inside))
        for block in blocks_of(node):
            for first, second in swaps_of(block) if place.in_function else ():
                between = self.source[self._span(first)[1] : self._span(second)[0]].decode()
                text = f"{ast.unparse(second)}{between}{ast.unparse(first)}"
                yield from self._mutant(Change(first, "order", text, second), first.lineno, first.lineno, place)
            for statement in block:
                yield from self._of_statement(statement, place)

    def _mutant(self, change: Change, line: int, last_line: int, place: _Place) -> Iterator[Mutant]:
        start, end = self._span(change.node, change.last)
        if isinstance(change.node, ast.keyword):  # a dropped argument takes its comma along
            end += len(self.source[end:]) - len(self.source[end:].lstrip(b", \n"))
        before, after = " ".join(self.source[start:end].decode().split()), " ".join(change.text.split())
        yield Mutant(
            *(self.path, line, last_line, change.kind, ".".join(place.names)),
            f"{_shortened(before)} → {_shortened(after) or '(dropped)'}",
            *(start, end, change.text, place.in_function, place.digest),
        )

    def _span(self, node: ast.stmt | ast.expr | ast.keyword, last: ast.stmt | None = None) -> tuple[int, int]:
        """Return where in the file a node, or a row of statements, begins and ends."""
        final = last or node
        start = self.line_starts[node.lineno - 1] + node.col_offset
        return start, self.line_starts[(final.end_lineno or 0) - 1] + (final.end_col_offset or 0)


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]} … {text[-SHOWN // 2 :]}"
