"""Metrics for Prometheus: requests, refusals by reason, streams.

No label contains text of a client: routes and reasons are words of the contract. Each process writes its metrics into
a folder (`PROMETHEUS_MULTIPROC_DIR`, set before this file is imported); the process that is asked adds them up.
"""

from __future__ import annotations

import threading
import time
from collections import deque

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from alhambra_api.observations import observe_all

from . import limits

MEDIA_TYPE = CONTENT_TYPE_LATEST

REQUESTS = Counter("alhambra_gateway_requests", "Requests by route and status.", ["route", "status"])
REQUEST_SECONDS = Histogram(
    "alhambra_gateway_request_seconds",
    "How long it took until an answer, or the first part of a stream, was ready.",
    ["route"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10),
)
REFUSALS = Counter("alhambra_gateway_refusals", "Requests that were refused, by reason.", ["reason"])
STREAMS = Gauge("alhambra_gateway_streams", "Streams of events that are open.", multiprocess_mode="livesum")
SHARED_STREAMS = Gauge(
    "alhambra_gateway_shared_streams", "Streams of the service that clients share.", multiprocess_mode="livesum"
)


class Meter:
    """Counts the requests of one process. Requests are noted and added to the metrics once a second, because a metric
    of prometheus_client takes longer to update than a request needs for its JSON."""

    def __init__(self) -> None:
        self._noted: dict[tuple[str, str], deque[float]] = {}
        self._flushing = threading.Lock()
        threading.Thread(target=self._flush_regularly, name="metrics", daemon=True).start()

    def count(self, route: str, status: str, seconds: float) -> None:
        """Note a request that was answered."""
        try:
            self._noted[route, status].append(seconds)
        except KeyError:
            self._noted.setdefault((route, status), deque(maxlen=limits.REQUESTS_NOTED)).append(seconds)

    def flush(self) -> None:
        """Add the noted requests to the metrics."""
        with self._flushing:
            for (route, status), noted in [*self._noted.items()]:
                found = [noted.popleft() for _ in range(len(noted))]
                if found:
                    REQUESTS.labels(route, status).inc(len(found))
                    observe_all(REQUEST_SECONDS.labels(route), found)

    def _flush_regularly(self) -> None:
        while True:
            time.sleep(limits.NOTED_SECONDS)
            self.flush()

    def exposition(self) -> bytes:
        """Return the metrics of all processes for Prometheus. Those of other processes are up to a second old."""
        self.flush()
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
