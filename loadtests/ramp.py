"""A ramp: more users with each step, up to the limit of the product. Does not import Locust, which patches sockets."""

from __future__ import annotations

from typing import NamedTuple

from . import limits


class Step(NamedTuple):
    """One step of a ramp that has ended."""

    users: int
    calls_per_second: float
    slow_ms: float
    failed: int


class Ramp:
    """Decides about the next step and about the end."""

    def __init__(self, users: int, limit_ms: float) -> None:
        self.users = users
        self.steps: list[Step] = []
        self.ended = ""
        """Why the ramp is over, in words; empty while it runs."""
        self._limit_ms = limit_ms
        self._best = 0.0
        self._without_gain = 0

    def next(self, calls_per_second: float, slow_ms: float, failed: int) -> None:
        """Note the figures of a step, then set `users` for the next step, or `ended` if there is none."""
        self.steps.append(Step(self.users, calls_per_second, slow_ms, failed))
        self._without_gain = 0 if calls_per_second > self._best * limits.GAIN_LEAST else self._without_gain + 1
        self._best = max(self._best, calls_per_second)
        if failed:
            self.ended = f"{failed} answers were wrong or missing with {self.users} users"
        elif slow_ms > self._limit_ms:
            self.ended = f"one answer in twenty took more than {self._limit_ms:.0f} ms with {self.users} users"
        elif self._without_gain >= limits.STEPS_WITHOUT_GAIN:
            self.ended = f"more than {self.steps[-1 - self._without_gain].users} users brought no more calls"
        elif len(self.steps) >= limits.STEPS_MOST:
            self.ended = "the last step was reached"
        else:
            self.users = max(self.users + 1, round(self.users * limits.STEP_FACTOR))
