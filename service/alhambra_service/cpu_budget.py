"""How much CPU time one answer may take. Long work is done in parts: it stops when its time is used up, and the answer
says how to go on.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from . import current_call, limits


class CpuBudgetSpent(Exception):
    """The CPU time of a piece of work is used up, and it is not done."""


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
        """Ask this after every step: whether the time is used up. The clock is read every few steps only (`every`), so
        the first ones are always free. Raises CallerGone if the caller has gone."""
        self._steps += 1
        if self._steps % self._every:
            return False
        current_call.require_caller()
        return self._clock() >= self._end
