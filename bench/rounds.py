"""Things measured in turn: rounds of short runs side by side, with the same thing run twice in every round.

A machine that others use is fast now and slow a moment later. So a run is short, the runs of one round stand next to
each other, each round begins with another of them, and what is compared is compared within its round; the median of
the rounds is the figure, the middle half of them its spread. If the two runs of the same thing (A/A) differ by more
than 4 % over all rounds, everything is thrown away and done again; if that does not help, the figures are marked as
not settled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any, NamedTuple

CONTROL = 0.04
"""How far the same thing may differ from itself."""
ROUNDS = 13
"""For what carries a goal."""
ATTEMPTS = 3
AGAIN = " (again)"
"""Ends the name of the second run of the same thing."""
MICRO = 1e6


class Run(NamedTuple):
    """One short run: so many calls, how long they took, and how long each process was on a core."""

    calls: int
    seconds: float
    cpu: Mapping[str, float]
    extra: Mapping[str, float] = {}
    """Whatever else was found out, by name."""


Entrant = Callable[[], Run]


@dataclass
class Contest:
    """What is measured side by side. The first entrant is the floor, and is run twice in every round."""

    entrants: dict[str, Entrant]
    role: str = "server"
    """Whose time on a core is compared; several with a plus between them."""
    rounds: int = ROUNDS
    attempts: int = ATTEMPTS
    warm_up: bool = True
    """Nobody is measured cold."""
    twin: Entrant | None = None
    """Another process that does the same as the floor, for its second run, where entrants differ in their processes."""

    @property
    def floor(self) -> str:
        """What everything is compared with."""
        return next(iter(self.entrants))


class Figure(NamedTuple):
    """A median and the middle half around it."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, found: list[float]) -> Figure:
        """The figure of several rounds."""
        if len(found) < 4:
            return cls(median(found), min(found), max(found))
        low, middle, high = quantiles(found, n=4)
        return cls(middle, low, high)

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}–{self.high:.2f})"


@dataclass
class Outcome:
    """What a contest gave."""

    runs: dict[str, list[Run]]
    role: str
    floor: str
    attempts: int = 1

    def cost(self, name: str, role: str | None = None) -> list[float]:
        """Microseconds on a core for each call of an entrant, round by round."""
        roles = (role or self.role).split("+")
        return [MICRO * sum(run.cpu.get(one, 0.0) for one in roles) / run.calls for run in self.runs[name]]

    def ratio(self, name: str, to: str | None = None, role: str | None = None) -> Figure:
        """What an entrant costs as a multiple of another one, of the floor unless said otherwise."""
        below = self._floor(role) if to is None else self.cost(to, role)
        return Figure.of([one / other for one, other in zip(self.cost(name, role), below, strict=True)])

    def _floor(self, role: str | None) -> list[float]:
        pairs = zip(self.cost(self.floor, role), self.cost(self.floor + AGAIN, role), strict=True)
        return [(one + other) / 2 for one, other in pairs]

    @property
    def control(self) -> Figure:
        """How the floor compares with itself."""
        return self.ratio(self.floor, self.floor + AGAIN)

    @property
    def settled(self) -> bool:
        """Whether the control is good."""
        return abs(self.control.value - 1) <= CONTROL

    @property
    def flat(self) -> float:
        """Up to which ratio something costs the same as the floor in this run: within the spread of the control."""
        return round(max(1 + CONTROL, self.control.high, 1 / self.control.low), 3)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each entrant, ready to be shown and kept."""
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
        """How far the figures can be trusted."""
        return {
            "rounds": len(self.runs[self.floor]),
            "A/A": round(self.control.value, 3),
            "attempts": self.attempts,
            "settled": self.settled,
        }


def measured(contest: Contest, tick: Callable[[], None] = lambda: None) -> Outcome:
    """Measures until the control is good, or patience is at an end: then what was measured last."""
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
