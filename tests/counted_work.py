"""Work counted in lines of Python that run or in calls, not in seconds: the same, however busy the machine is."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

SLACK = 1.1
"""How much more than twice the work twice the input may take; what is done once is left out by the comparison."""


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of Python run during a call. Every turn of a loop counts, also in a comprehension. The call
    may be refused."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    with without_collections():
        sys.settrace(trace)
        try:
            with suppress(Exception):
                work()
        finally:
            sys.settrace(before)
    return count


def calls_made(work: Callable[[], object]) -> int:
    """Return how many functions of Python are called during a call."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    with without_collections():
        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(None)
    return count


@contextmanager
def without_collections() -> Iterator[None]:
    """Keep the garbage collector from running: what it calls, such as callbacks of hypothesis, would be counted."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def is_linear(work: Callable[[int], Callable[[], object]], size: int) -> bool:
    """Return whether the work grows no faster than its input: from twice the size to four times the size at most twice
    as much as from once to twice. `work(n)` prepares an input of size n, and returns what is counted."""
    for each in (size, 2 * size):
        lines_run(work(each))  # what is cached at the first time is not counted
    once, twice, four = (lines_run(work(factor * size)) for factor in (1, 2, 4))
    return four - twice <= 2 * SLACK * max(twice - once, 50)
