"""Addresses for operators: health, readiness and metrics.

/healthz   this process answers
/readyz    a service serves; if not, one sentence says why
/metrics   the metrics of all processes: for this machine only, or at an address of their own (`--metrics`)
"""

from __future__ import annotations

import time

from flask import Flask, Response, request

from .. import limits, metrics
from ..config import Settings
from ..connections.client_addresses import is_this_machine
from ..environ_keys import ADDRESS
from ..json_messages import dumps
from ..refusals.problem import Problem
from ..refusals.rpc_errors import no_service
from ..upstream.client import Upstream
from ..upstream.service_channels import State


def install(app: Flask, settings: Settings, upstream: Upstream) -> metrics.RequestMeters:
    """Add the addresses, and return the meter that counts requests."""
    readiness = app.extensions["readiness"] = Readiness(upstream)
    meter = metrics.RequestMeters()

    def healthz() -> Response:
        return _status("alive")

    def readyz() -> Response:
        fault = readiness.fault()
        if fault is not None:
            raise fault
        return _status("ready")

    def metrics_page() -> Response:
        if not settings.metrics and not is_this_machine(request.environ[ADDRESS]):
            raise Problem("ROUTE_NOT_FOUND", "There is no such address.")
        return Response(meter.exposition(), content_type=metrics.MEDIA_TYPE, headers={"Cache-Control": "no-store"})

    for path, view in (("/healthz", healthz), ("/readyz", readyz), ("/metrics", metrics_page)):
        app.add_url_rule(path, path.removeprefix("/"), view)
    return meter


def _status(word: str) -> Response:
    return Response(dumps({"status": word}), content_type="application/json", headers={"Cache-Control": "no-store"})


class Readiness:
    """Whether load balancers should send requests to this gateway."""

    def __init__(self, upstream: Upstream) -> None:
        self.draining = False
        """Whether this gateway will stop soon."""
        self._services = upstream.services
        self._started = time.monotonic()

    def fault(self) -> Problem | None:
        """Return what is wrong; None if the gateway is ready: one service that serves games is enough."""
        if self.draining:
            return Problem("STORE_UNAVAILABLE", "This gateway is stopping.", title="This gateway is stopping.")
        if not self._services.usable:  # wait only if the gateway has just been started
            self._services.wait(self._started + limits.READY_SECONDS)
        best = self._services.best()
        if best is State.SERVING:
            return None
        if best is State.NOT_SERVING:
            why = self._services.fault() or "it is stopping, or its store is away."
            detail = f"The service is there but does not serve games: {why}"
            return Problem("STORE_UNAVAILABLE", detail, title="No service serves games.")
        return no_service()
