"""Contests: short runs of several entrants in interleaved rounds, with one entrant run twice in every round.

The speed of a shared machine changes from moment to moment. So runs are short, each round begins with another entrant,
and figures are compared only within their round. The figure is the median of the rounds, its spread the middle half of
them. If the two runs of the same entrant (A/A) differ by more than 4 % over all rounds, the contest is repeated; if
that does not help, its figures are marked as not settled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any, NamedTuple

CONTROL = 0.04
"""The largest difference between two runs of the same entrant."""
ROUNDS = 13
"""Rounds of contests with a goal."""
ATTEMPTS = 3
AGAIN = " (again)"
"""The end of the name of an entrant's second run."""
MICRO = 1e6


class Run(NamedTuple):
    """One short run: the number of calls, how long they took, and the CPU time of each process."""

    calls: int
    seconds: float
    cpu: Mapping[str, float]
    extra: Mapping[str, float] = {}
    """Other figures of the run, by name."""


Entrant = Callable[[], Run]


@dataclass
class Contest:
    """The entrants of a contest. The first is the floor and is run twice in every round."""

    entrants: dict[str, Entrant]
    role: str = "server"
    """The roles whose CPU time is compared, separated by a plus."""
    rounds: int = ROUNDS
    attempts: int = ATTEMPTS
    warm_up: bool = True
    """Whether each entrant runs once before the first round."""
    twin: Entrant | None = None
    """Another process like the floor, for its second run, if entrants run in different processes."""

    @property
    def floor(self) -> str:
        """The name of the entrant with which all others are compared."""
        return next(iter(self.entrants))


class Figure(NamedTuple):
    """A median and the middle half around it."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, found: list[float]) -> Figure:
        """Return the median and the middle half of several rounds."""
        if len(found) < 4:
            return cls(median(found), min(found), max(found))
        low, middle, high = quantiles(found, n=4)
        return cls(middle, low, high)

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})"


@dataclass
class Outcome:
    """The figures of a contest."""

    runs: dict[str, list[Run]]
    role: str
    floor: str
    attempts: int = 1

    def cost(self, name: str, role: str | None = None) -> list[float]:
        """Return the CPU microseconds per call of an entrant, for each round."""
        roles = (role or self.role).split("+")
        return [MICRO * sum(run.cpu.get(one, 0.0) for one in roles) / run.calls for run in self.runs[name]]

    def ratio(self, name: str, to: str | None = None, role: str | None = None) -> Figure:
        """Return the cost of an entrant as a multiple of another one, by default of the floor."""
        below = self._floor(role) if to is None else self.cost(to, role)
        return Figure.of([one / other for one, other in zip(self.cost(name, role), below, strict=True)])

    def _floor(self, role: str | None) -> list[float]:
        pairs = zip(self.cost(self.floor, role), self.cost(self.floor + AGAIN, role), strict=True)
        return [(one + other) / 2 for one, other in pairs]

    @property
    def control(self) -> Figure:
        """The ratio of the two runs of the floor."""
        return self.ratio(self.floor, self.floor + AGAIN)

    @property
    def settled(self) -> bool:
        """Whether the two runs of the floor differ by little enough."""
        return abs(self.control.value - 1) <= CONTROL

    @property
    def flat(self) -> float:
        """The largest ratio that counts as equal to the floor: the spread of the control."""
        return round(max(1 + CONTROL, self.control.high, 1 / self.control.low), 3)

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each entrant, to be shown and stored."""
        roles = list(dict.fromkeys(role for runs in self.runs.values() for run in runs for role in run.cpu))
        found = []
        for name, runs in self.runs.items():
            row: dict[str, Any] = {"what": name}
            for role in roles:
                row[f"{role} µs"] = round(Figure.of(self.cost(name, role)).value, 1)
            cost = Figure.of(self.cost(name))
            row[f"{self.role} spread"] = f"{cost.low:.0f}–{cost.high:.0f}"
            ratio = self.ratio(name)
            row["ratio"] = round(ratio.value, 3)
            row["ratio spread"] = f"{ratio.low:.2f}–{ratio.high:.2f}"
            row["calls/s"] = round(median(run.calls / run.seconds for run in runs))
            for more in runs[0].extra:
                row[more] = round(median(run.extra[more] for run in runs), 3)
            found.append(row)
        return found

    def verdict(self) -> dict[str, Any]:
        """Return a sentence that says how reliable the figures are."""
        return {
            "rounds": len(self.runs[self.floor]),
            "A/A": round(self.control.value, 3),
            "attempts": self.attempts,
            "settled": self.settled,
        }


def measured(contest: Contest, tick: Callable[[], None] = lambda: None) -> Outcome:
    """Repeat the contest until its control is good. After the last attempt, return its figures in any case."""
    outcome = Outcome({}, contest.role, contest.floor)
    for attempt in range(1, contest.attempts + 1):
        outcome = Outcome(_rounds(contest, tick), contest.role, contest.floor, attempt)
        if outcome.settled:
            break
    return outcome


def _rounds(contest: Contest, tick: Callable[[], None]) -> dict[str, list[Run]]:
    lanes = dict(_twice(contest))
    if contest.warm_up:
        for lane in lanes.values():
            lane()
    runs: dict[str, list[Run]] = {name: [] for name in lanes}
    names = list(lanes)
    for number in range(contest.rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            runs[name].append(lanes[name]())
        tick()
    return runs


def _twice(contest: Contest) -> Iterator[tuple[str, Entrant]]:
    for name, entrant in contest.entrants.items():
        yield name, entrant
        if name == contest.floor:
            yield name + AGAIN, contest.twin or entrant
