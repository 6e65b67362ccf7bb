"""The number of users at each moment.

constant   all users for the given time
ramp       more with each step, until one answer in twenty is slow, answers are wrong, or throughput stops growing
spike      a third with few users, a third with many, a third with few: shows whether the product recovers
soak       all users for a long time: shows whether memory grows
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from locust import LoadTestShape
from locust.stats import StatsEntry

from . import limits
from .ramp import Ramp

Tick = tuple[int, float]


class Shape(LoadTestShape):
    """The shape of the option `--shape`."""

    def __init__(self) -> None:
        super().__init__()
        self._steps: Iterator[Tick | None] | None = None

    def tick(self) -> Tick | None:
        """Return the number of users and how many start each second; None to stop."""
        assert self.runner is not None
        options: Any = self.runner.environment.parsed_options
        shape: Callable[[Any], Tick | None] = getattr(self, f"_{options.shape}")
        return shape(options)

    def _constant(self, options: Any) -> Tick | None:
        return (options.peak, limits.SPAWN_RATE) if self.get_run_time() < options.seconds else None

    _soak = _constant

    def _spike(self, options: Any) -> Tick | None:
        third = options.seconds / 3
        crowd = third <= self.get_run_time() < 2 * third
        users = options.peak * limits.SPIKE_FACTOR if crowd else options.peak
        return (users, limits.SPAWN_RATE) if self.get_run_time() < options.seconds else None

    def _ramp_steps(self, options: Any) -> Iterator[Tick | None]:
        ramp = Ramp(options.peak, options.limit_ms)
        while not ramp.ended:
            began, (calls, failed) = self.get_run_time(), self._counted()
            while self.get_run_time() - began < limits.STEP_SECONDS:
                yield ramp.users, limits.SPAWN_RATE
            took = self.get_run_time() - began
            calls_now, failed_now = self._counted()
            slow = self._total().get_current_response_time_percentile(0.95) or 0.0
            ramp.next((calls_now - calls) / took, slow, failed_now - failed)
        print(f"The ramp ended: {ramp.ended}.", flush=True)
        while True:
            yield None

    def _ramp(self, options: Any) -> Tick | None:
        if self._steps is None:
            self._steps = self._ramp_steps(options)
        return next(self._steps)

    def _counted(self) -> tuple[int, int]:
        total = self._total()
        return total.num_requests, total.num_failures

    def _total(self) -> StatsEntry:
        assert self.runner is not None
        return self.runner.stats.total
