"""Metrics for Prometheus: calls, refusals by reason, commit conflicts, store latency, cache hits, watchers.

No label contains text of a caller: methods and reasons are words of the contract. Each process writes its metrics into
a folder (`alhambra_runtime/meters.py`); the parent adds them up when Prometheus asks.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

from alhambra_runtime.meters import Meter

from . import limits

CALLS = Counter("alhambra_calls", "Calls by method and the gRPC code of their answer.", ["method", "code"])
CALL_SECONDS = Histogram(
    "alhambra_call_seconds",
    "How long plain calls took.",
    ["method"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5),
)
REFUSALS = Counter("alhambra_refusals", "Calls that were refused, by reason.", ["reason"])
CONFLICTS = Counter("alhambra_commit_conflicts", "Commits that came too late because another one was faster.")
STORE_SECONDS = Histogram(
    "alhambra_store_seconds",
    "How long exchanges with the store took.",
    buckets=(0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5),
)
READS = Counter("alhambra_game_reads", "Games that were read, from the process's own memory or the store.", ["source"])
WATCHERS = Gauge("alhambra_watchers", "Streams of events that are open.", multiprocess_mode="livesum")


def count_refusal(reason: str) -> None:
    """Count a call that was refused before a handler was called."""
    REFUSALS.labels(reason).inc()


class MethodMeter:
    """Counts the calls of one method."""

    def __init__(self, method: str) -> None:
        self._method = method
        self._seconds = CALL_SECONDS.labels(method)
        self.good = Meter(CALLS.labels(method, "OK"), self._seconds, limits.CALLS_NOTED)
        """Unary calls that succeeded."""

    def count(self, code: str, reason: str, seconds: float | None) -> None:
        """Count a call that failed, or a stream; `seconds` is None for a stream."""
        CALLS.labels(self._method, code).inc()
        if seconds is not None:
            self._seconds.observe(seconds)
        if reason:
            REFUSALS.labels(reason).inc()


_METERS: dict[str, MethodMeter] = {}


def meter_of(method: str) -> MethodMeter:
    """Return the meter of a method; there is one for each method in a process."""
    return _METERS.setdefault(method, MethodMeter(method))


def flush_calls() -> None:
    """Add the counted calls of all methods to the metrics."""
    for meter in [*_METERS.values()]:
        meter.good.flush()
