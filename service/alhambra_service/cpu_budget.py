"""CPU budgets: the CPU time that one answer may take. Long work is done in parts: it stops when its budget is spent,
and the answer says how to continue.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from . import current_call, limits


class CpuBudgetSpent(Exception):
    """The CPU time of a piece of work is used up before the work is done."""


class CpuBudget:
    """The CPU time of one piece of work, counted for the thread that made it."""

    def __init__(
        self, seconds: float, every: int = limits.CPU_BUDGET_STEPS, clock: Callable[[], float] = time.thread_time
    ) -> None:
        self._clock = clock
        self._every = every
        self._end = clock() + seconds
        self._steps = 0

    def spent(self) -> bool:
        """Return whether the time is used up; call it after every step. The clock is read only every few steps
        (`every`), so the first steps are always free. Raises CallerGone if the caller has gone."""
        self._steps += 1
        if self._steps % self._every:
            return False
        current_call.require_caller()
        return self._clock() >= self._end
