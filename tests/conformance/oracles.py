"""The brute-force oracles, in numbers: flood fill, outer wall, majority split, each against the engine."""

from __future__ import annotations

import traceback
from collections.abc import Callable

from rich.console import Console

from tests.rules.base import majority_oracle
from tests.rules.test_construction_by_brute_force import compare_with_brute_force

BOARDS = 100_000
TABLES = 100_000
CHUNK = 5_000


def run_long() -> int:
    """Runs all oracles on many random boards and tables, with progress; answers with the number of failures."""
    console = Console()
    failures = 0
    works: list[tuple[str, int, Callable[[int, str], object]]] = [
        ("boards against flood fill and outline", BOARDS, compare_with_brute_force),
        ("tables against enumerated ties", TABLES, majority_oracle.compare),
    ]
    for name, count, compare in works:
        checked = 0
        while checked < count:
            try:
                found = compare(CHUNK, f"long {checked}")
            except AssertionError:
                failures += 1
                console.print(f"[red]{name}[/red]\n{traceback.format_exc(limit=-4)}")
                break
            if isinstance(found, list) and found:
                failures += len(found)
                console.print(f"[red]{name}[/red] {found[:3]}")
            checked += CHUNK
            console.print(f"{name}: {checked:,} of {count:,} agree")
    return failures
