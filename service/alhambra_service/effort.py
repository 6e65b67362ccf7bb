"""How much CPU time one answer may take. Long work is done in parts: it stops when its time is used up, and the answer
says how to go on.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from . import limits, patience


class Effort:
    """The CPU time of one piece of work, counted for the thread that made it."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._steps = 0

    def spent(self) -> bool:
        """Ask this after every small step: whether the time is used up. The clock is read every few steps only, so the
        first steps are always free. Raises Refusal if the caller has gone."""
        self._steps += 1
        if self._steps % limits.EFFORT_STEPS:
            return False
        patience.check()
        return self._clock() >= self._end
