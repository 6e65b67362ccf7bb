"""Tries mutants on several cores.

Each worker imports nothing of the project. For mutants inside of functions it keeps one process with all tests
collected, which forks itself for each mutant.
"""

from __future__ import annotations

import gc
import json
import os
import struct
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from types import CodeType, FunctionType
from typing import NamedTuple

from tests.mutants.changes import Mutant
from tests.mutants.journal import STOPPED, SURVIVED, Result, result_of
from tests.mutants.reach import CLASSES, Reach, Tracer, in_order
from tests.mutants.run_tests import (
    CRASHED,
    IMPORT,
    SLOW,
    Answer,
    CannotReplace,
    Tests,
    changes_import,
    clear_caches,
    collect,
    functions_by_code,
    in_a_fork,
    measure,
    noting_calls,
    put_in,
    run_imported,
    silence,
)
from tests.mutants.targets import Target

INDEX = struct.Struct("<i")
BATCH = 4
"""Files of tests that are measured at a time."""
MEASURING = 3600
"""The CPU time that measuring a batch may take."""
LIKELY = 3
"""So many tests that noticed mutants of a function, and of a file, are tried first."""
CANNOT = "cannot replace"
SLACK, TIMES = 15, 5
"""A mutant is slow after this many seconds and this many times the CPU time of its tests."""


class Work(NamedTuple):
    """A mutant and the tests that may notice it, in order."""

    mutant: Mutant
    target: Target
    tests: list[Reach]
    direct: bool
    """Whether the tests run the changed line, so that replacing the function's code may do."""

    @classmethod
    def of(
        cls,
        mutant: Mutant,
        target: Target,
        reaches: Sequence[Reach],
        classes: Collection[str] = CLASSES,
        *,
        run_elsewhere: bool = False,
    ) -> Work:
        """Choose the tests of a mutant among those of some classes."""
        tests, direct = in_order(mutant, target, reaches, run_elsewhere=run_elsewhere)
        return cls(mutant, target, [test for test in tests if test.kind in classes], direct)

    def files(self) -> list[str]:
        """Return the files of the tests, in the order of their first tests."""
        return list(dict.fromkeys(test.file for test in self.tests))

    @property
    def limit(self) -> float:
        """The seconds of CPU time after which the mutant is ended."""
        return SLACK + TIMES * sum(test.seconds for test in self.tests)

    def result(self, by: str) -> Result:
        """Return what is remembered of the mutant, given what noticed it."""
        kinds = {test.test: test.kind for test in self.tests}
        outcome = STOPPED if by in (SLOW, CRASHED, IMPORT) else kinds[by] if by else SURVIVED
        return result_of(self.mutant, self.target.name, outcome, by, len(self.tests))


class Noticed:
    """The tests that noticed earlier mutants: they are the likeliest to notice further ones in the same function or
    file, and a mutant that is noticed by its first test costs next to nothing."""

    def __init__(self) -> None:
        self._by_place: dict[str, list[str]] = {}

    def first(self, work: Work) -> list[str]:
        """Return the tests of a mutant in order, in each class the likeliest first."""
        likely = {test: rank for place in reversed(_places(work)) for rank, test in enumerate(self._of(place), -LIKELY)}
        ranked = sorted(work.tests, key=lambda test: (CLASSES.index(test.kind), likely.get(test.test, 0)))
        return [test.test for test in ranked]

    def add(self, work: Work, by: str) -> None:
        """Remember which test noticed a mutant."""
        if any(test.test == by for test in work.tests):
            for place in _places(work):
                kept = [test for test in self._of(place) if test != by]
                self._by_place[place] = [by, *kept][:LIKELY]

    def _of(self, place: str) -> list[str]:
        return self._by_place.get(place, [])


def _places(work: Work) -> tuple[str, str]:
    return f"{work.mutant.path} {work.mutant.place}", work.mutant.path


def measure_all(files: Sequence[str], tracer: Tracer, workers: int) -> Iterator[str]:
    """Measure what the tests of some files reach; yield a line for each batch of files."""
    batches = [files[at : at + BATCH] for at in range(0, len(files), BATCH)]

    def work(index: int) -> bytes:
        in_a_fork(MEASURING, partial(_measured, batches[index], tracer), silent=False)
        return b""

    yield from _on_workers(len(batches), workers, lambda: work)


def _measured(files: Sequence[str], tracer: Tracer, answer: Answer) -> None:
    measure(files, tracer)
    answer("")


def try_all(works: Sequence[Work], workers: int) -> Iterator[Result]:
    """Try mutants; yield what became of each as soon as it is known."""
    files = list(dict.fromkeys(file for work in works if work.direct for file in work.files()))

    def begin() -> Callable[[int], bytes]:
        replace = _replacing(works, files) if files else None

        def work(index: int) -> bytes:
            by = replace(index) if replace and works[index].direct else CANNOT
            if by == CANNOT:
                by = _imported(works[index])
            return json.dumps(works[index].result(by)).encode()

        return work

    for line in _on_workers(len(works), workers, begin):
        yield Result(*json.loads(line))


def _imported(work: Work) -> str:
    """Try a mutant by importing it, first with the likeliest file of tests alone: importing all of them takes long."""
    first, *others = work.files() or [""]
    for files in filter(None, ([first] if first else [], others)):
        tests = [test.test for test in work.tests if test.file in files]
        if by := in_a_fork(work.limit, partial(run_imported, work.mutant, tests)):
            return by
    return ""


def _replacing(works: Sequence[Work], files: Sequence[str]) -> Callable[[int], str]:
    """Start a process that has collected the tests; return a function that lets it try a mutant in a fork."""
    asks, asked = os.pipe()
    answers, answered = os.pipe()
    if not os.fork():
        os.close(asked)
        os.close(answers)
        silence(1)

        def serve(tests: Tests) -> None:
            sys.setprofile(None)
            functions = functions_by_code()
            clear_caches()  # finds them once for all forks
            gc.freeze()
            noticed = Noticed()
            while record := os.read(asks, INDEX.size):
                work = works[INDEX.unpack(record)[0]]
                order = noticed.first(work)
                by = in_a_fork(work.limit, partial(_replaced, work, order, tests, functions, called))
                noticed.add(work, by)
                os.write(answered, f"{by}\n".encode())

        try:
            with noting_calls() as called:
                collect(files, serve)
        finally:
            os._exit(0)
    os.close(asks)
    os.close(answered)
    lines = os.fdopen(answers, encoding="utf-8")

    def ask(index: int) -> str:
        os.write(asked, INDEX.pack(index))
        return lines.readline().removesuffix("\n")

    return ask


def _replaced(
    work: Work,
    order: Sequence[str],
    tests: Tests,
    functions: Mapping[CodeType, list[FunctionType]],
    called: Collection[CodeType],
    answer: Answer,
) -> None:
    """Answer with the test that notices a mutant; with CANNOT if another way has to be tried."""
    try:
        put_in(work.mutant, functions)
    except CannotReplace:
        answer(CANNOT)
    clear_caches()
    by = tests.run(order)
    answer(by or (CANNOT if changes_import(work.mutant, called) else ""))


def _on_workers(count: int, workers: int, begin: Callable[[], Callable[[int], bytes]]) -> Iterator[str]:
    """Share indices among forked workers; yield the lines that they answer."""
    indices, given = os.pipe()
    reader, writer = os.pipe()
    for _ in range(min(workers, count)):
        if not os.fork():
            os.close(given)
            os.close(reader)
            try:
                work = begin()
                while record := os.read(indices, INDEX.size):
                    os.write(writer, work(INDEX.unpack(record)[0]) + b"\n")
            except BaseException as fault:
                print(f"A worker ended: {fault!r}", file=sys.stderr)
                raise
            finally:
                os._exit(0)
    os.close(indices)
    os.close(writer)
    with os.fdopen(given, "wb", buffering=0) as feed, os.fdopen(reader, encoding="utf-8") as lines:
        for index in range(count):
            feed.write(INDEX.pack(index))
        feed.close()
        yield from lines
