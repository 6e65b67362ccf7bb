"""One group of measurements, as it is shown and stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from .boards import Enough, moves
from .rounds import ROUNDS, Contest, Figure, Outcome, measured

MET, MISSED, OPEN = "met", "missed", "not settled"
QUICK_MOVES = 40
Tick = Callable[[str], None]
"""Called with a description of the next step, once for each round of a contest."""


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
        """Return the goal with its state: met, missed, or open if the figure is not settled."""
        state = OPEN if not settled else MET if figure.value <= goal else MISSED
        spread = f"{figure.low:.3g}–{figure.high:.3g}" if figure.low < figure.high else ""
        return cls(name, round(figure.value, 4), goal, spread, state, unit)


@dataclass
class Group:
    """What was measured, how, and the figures."""

    title: str
    how: str
    rows: list[dict[str, Any]]
    verdict: dict[str, Any] = field(default_factory=dict)
    goals: list[Goal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Figures without a goal, in words."""

    def kept(self) -> dict[str, Any]:
        """Return the group as data for JSON."""
        return asdict(self)


class Effort(NamedTuple):
    """How much is measured: everything, or a few seconds of it to check that it works."""

    quick: bool
    tick: Tick

    @property
    def rounds(self) -> int:
        """Rounds of contests with a goal."""
        return 1 if self.quick else ROUNDS

    @property
    def few(self) -> int:
        """Rounds of contests without a goal."""
        return 1 if self.quick else 7

    def games(self, count: int) -> int:
        """Return how many games to prepare instead of `count`."""
        return min(2, count) if self.quick else count

    def enough(self, enough: Enough) -> Enough:
        """Return when to stop playing a game instead of `enough`."""
        return moves(QUICK_MOVES) if self.quick else enough

    def calls(self, count: int) -> int:
        """Return how many calls a run makes instead of `count`."""
        return count // 10 if self.quick else count

    def contest(self, name: str, contest: Contest) -> Outcome:
        """Run a contest, and report each round."""
        if self.quick:
            contest.attempts, contest.warm_up = 1, False
        left = iter(range(contest.rounds * contest.attempts))
        return measured(contest, lambda: self.tick(f"{name}, round {next(left) + 1}"))
