"""What is counted, for Prometheus: calls, refusals by reason, commit conflicts, store latency, cache hits, watchers.

Nothing in a label comes from a caller: methods and reasons are words of the contract. With several processes each
writes its numbers into a folder (`PROMETHEUS_MULTIPROC_DIR`, set before this file is imported) and the parent adds them
up when it is asked.
"""

from __future__ import annotations

import threading
from collections import deque

from prometheus_client import Counter, Gauge, Histogram

from alhambra_api.observations import observe_all

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
    """A call was refused before any handler saw it."""
    REFUSALS.labels(reason).inc()


class MethodMeter:
    """Counts the calls of one method. Good ones are only noted down, and told to Prometheus many at a time: telling
    each by itself would take as long as checking a placement."""

    def __init__(self, method: str) -> None:
        self._method = method
        self.noted: deque[float] = deque(maxlen=limits.CALLS_NOTED)
        """How long the good plain calls took that Prometheus has not been told of yet."""
        self._telling = threading.Lock()
        self._seconds = CALL_SECONDS.labels(method)
        self._calls = CALLS.labels(method, "OK")

    def count(self, code: str, reason: str, seconds: float | None) -> None:
        """A call ended otherwise, or was a stream."""
        CALLS.labels(self._method, code).inc()
        if seconds is not None:
            self._seconds.observe(seconds)
        if reason:
            REFUSALS.labels(reason).inc()

    def tell(self) -> None:
        """Tells Prometheus of the good calls since the last time."""
        with self._telling:
            found = [self.noted.popleft() for _ in range(len(self.noted))]
            if found:
                self._calls.inc(len(found))
                observe_all(self._seconds, found)


_METERS: dict[str, MethodMeter] = {}


def meter_of(method: str) -> MethodMeter:
    """The one meter of a method in this process."""
    return _METERS.setdefault(method, MethodMeter(method))


def tell_calls() -> None:
    """Tells Prometheus of all good calls since the last time."""
    for meter in [*_METERS.values()]:
        meter.tell()
