"""The search for the highest steady rate: the most calls a second of which 99 in 100 are answered in time.

Does not import Locust, which monkey-patches the standard library.

A step is a number of users, each of which makes calls at
its own pace. The search climbs by a factor until a step is too much, then halves the gap between the highest good step
and the lowest bad one, and at last holds the highest good step for longer. A step that is too much is tried twice, for
others may have used the machine meanwhile; if the last, long step is too much, a lower one is held.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from . import limits

CLIMBING, HALVING, HOLDING = "climbing", "halving", "holding"


class Step(NamedTuple):
    """What a step gave. Times are those of the monotonic clock."""

    users: int
    offered: float
    """Calls a second that the users would make if every answer came in time."""
    rate: float
    """Calls a second that were made."""
    slow_ms: float
    """99 in 100 answers came within these milliseconds."""
    failed: int
    phase: str = CLIMBING
    began: float = 0.0
    ended: float = 0.0

    def too_much(self, limit_ms: float) -> str:
        """Why this is not a steady rate; empty if it is one."""
        if self.failed:
            return f"{self.failed} answers were wrong or missing"
        if self.slow_ms > limit_ms:
            return f"one answer in a hundred took more than {limit_ms:.0f} ms"
        if self.rate < limits.KEPT_UP * self.offered:
            return f"only {self.rate:.0f} of {self.offered:.0f} calls a second were made"
        return ""


class RateSearch:
    """Which step comes next, and what was found in the end."""

    def __init__(self, users: int, limit_ms: float) -> None:
        self.users = users
        self.phase = CLIMBING
        self.steps: list[Step] = []
        self.ended = ""
        """Why the search is over, in words; empty while it is not."""
        self.steady: Step | None = None
        """The long step at the highest steady rate; None if no step was good."""
        self._limit_ms = limit_ms
        self._good, self._bad = 0, 0
        self._why = ""
        self._tried = 0

    @property
    def seconds(self) -> float:
        """How long the next step is measured."""
        return limits.LONG_STEP_SECONDS if self.phase == HOLDING else limits.STEP_SECONDS

    def judge(self, step: Step) -> None:
        """Notes what a step gave. Afterwards `users` and `phase` are those of the next one, or `ended` says why there
        is none."""
        self.steps.append(step._replace(phase=self.phase))
        why = step.too_much(self._limit_ms)
        if not why and self.phase == HOLDING:
            self.steady = self.steps[-1]
            reason = f"with {self._bad} users, {self._why}" if self._bad else "the last step was reached"
            self.ended = f"{step.users} users are steady; {reason}"
            return
        if why and not step.failed and self.phase != HOLDING and not self._tried:
            self._tried = 1
            self._end_if_too_long()
            return
        self._tried = 0
        if why:
            self._bad, self._why = self.users, why
            self._good = min(self._good, self.users - 1)
        else:
            self._good = self.users
        self._go_on(bool(why))
        self._end_if_too_long()

    def _go_on(self, bad: bool) -> None:
        if self.phase == HOLDING:
            self.users = min(self._bad - 1, round(self._bad * limits.STEP_DOWN))
        elif not self._bad:
            self.users = max(self.users + 1, round(self.users * limits.STEP_FACTOR))
            if len(self.steps) >= limits.CLIMBS_MOST:
                self._hold()
        elif self._bad <= max(self._good + 1, round(self._good * limits.CLOSE_ENOUGH)):
            self._hold()
        else:
            self.phase = HALVING
            self.users = (self._good + self._bad) // 2
        if self.users < 1:
            self.ended = f"even with {self._bad} users, {self._why}"

    def _hold(self) -> None:
        self.phase, self.users = HOLDING, self._good

    def _end_if_too_long(self) -> None:
        if not self.ended and len(self.steps) >= limits.STEPS_MOST:
            self.ended = f"it did not come to a result within {limits.STEPS_MOST} steps"


def percentile(before: Mapping[int, int], after: Mapping[int, int], share: float) -> float:
    """The time within which this share of the calls between two counts were answered; a count says how many calls
    took how many milliseconds. 0 if there were none."""
    took = {time: count - before.get(time, 0) for time, count in after.items() if count > before.get(time, 0)}
    left = (1 - share) * sum(took.values())
    for time in sorted(took, reverse=True):
        left -= took[time]
        if left < 0:
            return float(time)
    return 0.0
