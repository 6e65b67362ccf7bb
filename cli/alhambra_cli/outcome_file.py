"""The outcomes of simulated games as a file: CSV with one line for each game, in the order of their numbers.

Every line says which game it is (seed, seats, edition, modules, policy), so a line is enough to play the game again. An
interrupted simulation continues after the last complete line. The bytes do not depend on the number of processes.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import click

from .simulate import Outcome, Plan

FIRST_COLUMNS = ("number", "seed", "seats", "edition", "modules", "policy", "turns", "moves", "winners", "broken")

LONGEST_LINE = 1 << 16
"""An upper bound of the bytes in a line."""


def columns(plan: Plan) -> list[str]:
    """Return the names of the columns: those above and a score for each seat, and for Dirk in a game for two."""
    dirk = ["score_dirk"] if plan.seats == 2 else []
    return [*FIRST_COLUMNS, *(f"score_{seat}" for seat in range(plan.seats)), *dirk]


def row_of(plan: Plan, outcome: Outcome) -> list[str]:
    """Return the line of a game, as fields."""
    scores = list(map(str, outcome.scores)) or [""] * (len(columns(plan)) - len(FIRST_COLUMNS))
    winners = " ".join(map(str, outcome.winners))
    about = [str(outcome.number), f"{plan.seed}/{outcome.number}", str(plan.seats), plan.edition]
    return [
        *(*about, " ".join(plan.modules), plan.policy, str(outcome.turns), str(outcome.moves), winners),
        *(outcome.broken, *scores),
    ]


def outcome_of(row: list[str]) -> Outcome:
    """Return the outcome that a line tells."""
    fields = dict(zip(FIRST_COLUMNS, row, strict=False))
    scores = tuple(int(score) for score in row[len(FIRST_COLUMNS) :] if score)
    winners = tuple(map(int, fields["winners"].split()))
    return Outcome(int(fields["number"]), scores, winners, int(fields["turns"]), int(fields["moves"]), fields["broken"])


class OutcomeFile:
    """A file of outcomes that is written to, and read when a simulation continues."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan

    def known(self) -> Iterator[Outcome]:
        """Yield the outcomes of the games that are already in the file, after cutting off a line that was not finished.
        Raise ClickException if the file belongs to another simulation."""
        if not self.path.exists():
            self.path.write_text(_line(columns(self.plan)), encoding="utf-8", newline="")
            return
        self._cut_unfinished_line()
        with self.path.open(encoding="utf-8", newline="") as lines:
            rows = csv.reader(lines)
            if next(rows, None) != columns(self.plan):
                raise click.ClickException(f"{self.path} exists and holds no games with these options.")
            for number, row in enumerate(rows):
                outcome = outcome_of(row) if len(row) == len(columns(self.plan)) else None
                if outcome is None or outcome.number != number or row != row_of(self.plan, outcome):
                    raise click.ClickException(f"{self.path} holds other games: see line {number + 2}.")
                yield outcome

    def _cut_unfinished_line(self) -> None:
        with self.path.open("rb+") as file:
            size = file.seek(0, os.SEEK_END)
            start = file.seek(max(0, size - LONGEST_LINE))
            end = start + file.read().rfind(b"\n") + 1
            if end != size:
                file.truncate(end)

    def append(self, outcomes: Iterable[Outcome]) -> None:
        """Add the next games."""
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write("".join(_line(row_of(self.plan, outcome)) for outcome in outcomes))


def _line(fields: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue()


def check_parquet() -> None:
    """Raise ClickException if Parquet files cannot be written here."""
    if find_spec("pyarrow") is None:
        raise click.ClickException("Parquet files need the package pyarrow: pip install pyarrow")


def write_parquet(source: Path, target: Path) -> None:
    """Write the same table as a Parquet file."""
    from pyarrow import csv as arrow_csv
    from pyarrow import parquet

    parquet.write_table(arrow_csv.read_csv(source), target)
