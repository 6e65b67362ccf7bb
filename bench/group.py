"""One group of measurements, as it is shown and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from .boards import Enough, moves
from .rounds import ROUNDS, Contest, Figure, Outcome, measured

MET, MISSED, OPEN = "met", "missed", "not settled"
QUICK_MOVES = 40
Tick = Callable[[str], None]
"""Told what is being done; once for each round of a contest."""


@dataclass(frozen=True)
class Goal:
    """A figure that must not be larger than its goal."""

    name: str
    value: float
    goal: float
    spread: str = ""
    state: str = MET
    unit: str = "×"

    @classmethod
    def of(cls, name: str, figure: Figure, goal: float, *, settled: bool = True, unit: str = "×") -> Goal:
        """Whether a figure keeps within its goal; if the control was bad nobody knows."""
        state = OPEN if not settled else MET if figure.value <= goal else MISSED
        spread = f"{figure.low:.3g}–{figure.high:.3g}" if figure.low < figure.high else ""
        return cls(name, round(figure.value, 4), goal, spread, state, unit)


@dataclass
class Group:
    """What was measured, how, and what came of it."""

    title: str
    how: str
    rows: list[dict[str, Any]]
    verdict: dict[str, Any] = field(default_factory=dict)
    goals: list[Goal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Figures that carry no goal, in words."""

    def kept(self) -> dict[str, Any]:
        """The group as JSON-ready data."""
        return asdict(self)


class Effort(NamedTuple):
    """How much is done: the whole thing, or a few seconds of it to see that it works."""

    quick: bool
    tick: Tick

    @property
    def rounds(self) -> int:
        """For what carries a goal."""
        return 1 if self.quick else ROUNDS

    @property
    def few(self) -> int:
        """For what carries none."""
        return 1 if self.quick else 7

    def games(self, count: int) -> int:
        """How many games are asked about."""
        return min(2, count) if self.quick else count

    def enough(self, enough: Enough) -> Enough:
        """How far they are played."""
        return moves(QUICK_MOVES) if self.quick else enough

    def calls(self, count: int) -> int:
        """How many calls a run has."""
        return count // 10 if self.quick else count

    def contest(self, name: str, contest: Contest) -> Outcome:
        """Measures side by side, and says so."""
        if self.quick:
            contest.attempts, contest.warm_up = 1, False
        left = iter(range(contest.rounds * contest.attempts))
        return measured(contest, lambda: self.tick(f"{name}, round {next(left) + 1}"))
