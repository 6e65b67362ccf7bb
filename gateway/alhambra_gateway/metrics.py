"""Metrics for Prometheus: requests, refusals by reason, streams.

No label contains text of a client: routes and reasons are words of the contract. Each process writes its metrics into
a folder (`alhambra_runtime/meters.py`); the process that Prometheus asks adds them up.
"""

from __future__ import annotations

import os
import threading
import time

from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, Histogram, generate_latest

from alhambra_runtime.meters import FOLDER_VARIABLE, Meter, all_processes

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


class RequestMeters:
    """Counts the requests of one process, and adds them to the metrics once a second."""

    def __init__(self) -> None:
        self._meters: dict[tuple[str, str], Meter] = {}
        threading.Thread(target=self._flush_regularly, name="metrics", daemon=True).start()

    def count(self, route: str, status: str, seconds: float) -> None:
        """Note a request that was answered."""
        meter = self._meters.get((route, status))
        if meter is None:
            new = Meter(REQUESTS.labels(route, status), REQUEST_SECONDS.labels(route), limits.REQUESTS_NOTED)
            meter = self._meters.setdefault((route, status), new)
        meter.note(seconds)

    def flush(self) -> None:
        """Add the noted requests to the metrics."""
        for meter in [*self._meters.values()]:
            meter.flush()

    def _flush_regularly(self) -> None:
        while True:
            time.sleep(limits.NOTED_SECONDS)
            self.flush()

    def exposition(self) -> bytes:
        """Return the metrics of all processes for Prometheus. Those of other processes are up to a second old."""
        self.flush()
        return generate_latest(all_processes(os.environ[FOLDER_VARIABLE]))
