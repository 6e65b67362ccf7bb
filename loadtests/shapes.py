"""The number of users at each moment.

constant   all of them, for the time given
step       one step of a search: all users, each at its pace, measured when they have settled
search     steps up, then halves the gap, until the highest steady rate is found; each user makes calls at its pace
spike      a quiet third, a crowd, a quiet third: does it recover?
soak       all of them for long: does memory grow?
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

from locust import LoadTestShape
from locust.stats import StatsEntry

from . import limits
from .rate_search import RateSearch, Step, percentile

Tick = tuple[int, float]
SHARE = 0.99


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

    def _search_steps(self, options: Any) -> Iterator[Tick | None]:
        search = RateSearch(options.peak, options.limit_ms)
        while not search.ended:
            search.judge((yield from self._measured(search.users, search.seconds, options.pace)))
            if options.search_file:
                _write(search, Path(options.search_file))
        while True:
            yield None

    def _one_step(self, options: Any) -> Iterator[Tick | None]:
        step = yield from self._measured(options.peak, options.seconds, options.pace)
        search = RateSearch(options.peak, options.limit_ms)
        search.steps.append(step)
        search.ended = "it was one step"
        _write(search, Path(options.search_file))
        while True:
            yield None

    def _measured(self, users: int, seconds: float, pace: float) -> Generator[Tick, None, Step]:
        """Let this number of users settle, and measure them for this time."""
        yield from self._wait(users, limits.SETTLE_SECONDS)
        began, now, times = time.monotonic(), time.time(), dict(self._total().response_times)
        failed = self._total().num_failures
        yield from self._wait(users, seconds)
        total = self._total()
        return Step(
            users,
            users * pace,
            _rate(total.num_reqs_per_sec, now, time.time()),
            percentile(times, total.response_times, SHARE),
            total.num_failures - failed,
            began=began,
            ended=time.monotonic(),
        )

    def _wait(self, users: int, seconds: float) -> Iterator[Tick]:
        began = self.get_run_time()
        while self.get_run_time() - began < seconds:
            yield users, limits.SPAWN_RATE

    def _search(self, options: Any) -> Tick | None:
        if self._steps is None:
            self._steps = self._search_steps(options)
        return next(self._steps)

    def _step(self, options: Any) -> Tick | None:
        if self._steps is None:
            self._steps = self._one_step(options)
        return next(self._steps)

    def _total(self) -> StatsEntry:
        assert self.runner is not None
        return self.runner.stats.total


def _rate(calls: Mapping[int, int], began: float, ended: float) -> float:
    """Calls a second between two moments, without the last seconds, which have not been reported yet."""
    first, last = int(began), int(ended - limits.REPORT_SECONDS)
    return sum(count for second, count in calls.items() if first <= second < last) / max(1, last - first)


def _write(search: RateSearch, path: Path) -> None:
    """Writes what is known so far; a reader never sees half of it."""
    found = {
        "steps": [step._asdict() for step in search.steps],
        "steady": search.steady._asdict() if search.steady else None,
        "ended": search.ended,
        "next": [search.users, search.phase],
    }
    half = path.with_suffix(".half")
    half.write_text(json.dumps(found), encoding="utf-8")
    half.replace(path)
