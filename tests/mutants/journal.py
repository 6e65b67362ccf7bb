"""What became of each mutant, remembered as one line of JSON, so that a run can be resumed.

A line counts as long as the changed function is the same. A mutant that survived is tried again when it is asked for,
because there may be a new test. Of a mutant that was tried again, the last line counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.mutants.changes import Mutant
from tests.mutants.reach import CLASSES, STORE

FILE = STORE / "journal.jsonl"
SURVIVED = "survived"
STOPPED = "stopped"
"""A mutant that runs for ever, ends its process or cannot be imported: everything that uses it notices."""
OUTCOMES = (*CLASSES, STOPPED, SURVIVED)


class Result(NamedTuple):
    """What became of a mutant."""

    target: str
    name: str
    digest: str
    line: int
    kind: str
    outcome: str
    """The class of the test that noticed it, STOPPED or SURVIVED."""
    by: str
    """The test that noticed it."""
    tests: int
    """How many tests were tried, or would have been."""


def result_of(mutant: Mutant, target: str, outcome: str, by: str, tests: int) -> Result:
    """Return what is remembered of a mutant."""
    return Result(target, mutant.name, mutant.digest, mutant.line, mutant.kind, outcome, by, tests)


def remember(results: Iterable[Result], file: Path = FILE) -> None:
    """Append what became of mutants."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        for result in results:
            lines.write(json.dumps(result._asdict(), ensure_ascii=False) + "\n")


def remembered(file: Path = FILE) -> dict[tuple[str, str], Result]:
    """Return the last result of each mutant by its name and digest. A line that was cut off is none."""
    found: dict[tuple[str, str], Result] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            result = Result(**json.loads(line))
        except (json.JSONDecodeError, TypeError):
            continue
        found[result.name, result.digest] = result
    return found
