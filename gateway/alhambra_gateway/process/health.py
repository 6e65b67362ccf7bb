"""Addresses for operators: health, readiness and metrics.

/healthz   this process answers
/readyz    the service serves; if not, one sentence says why
/metrics   the metrics of all processes: for this machine only, or at an address of their own (`--metrics`)
"""

from __future__ import annotations

import time
from typing import Any

import grpc
from flask import Flask, Response, request
from grpc_health.v1 import health_pb2, health_pb2_grpc

from .. import limits, metrics
from ..config import Settings
from ..connections.client_addresses import is_this_machine
from ..environ_keys import ADDRESS
from ..json_messages import dumps
from ..refusals.problem import Problem
from ..upstream.client import Upstream

FAULT_METADATA = "alhambra-fault-bin"
"""Under this name the service says in the metadata of an answer about its health why it does not serve games."""


def install(app: Flask, settings: Settings, upstream: Upstream) -> metrics.RequestMeters:
    """Add the addresses, and return the meter that counts requests."""
    readiness = app.extensions["readiness"] = Readiness(upstream)
    meter = metrics.RequestMeters()

    def healthz() -> Response:
        return _status("alive")

    def readyz() -> Response:
        fault = readiness.fault()
        if fault:
            raise Problem("STORE_UNAVAILABLE", fault)
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
        self._upstream = upstream
        self._asked = 0.0
        self._fault = ""

    def fault(self) -> str:
        """Return what is wrong in one sentence; an empty text if the gateway is ready."""
        if self.draining:
            return "This gateway is stopping."
        if time.monotonic() - self._asked > limits.READY_REMEMBERED_SECONDS:
            self._fault = self._ask()
            self._asked = time.monotonic()
        return self._fault

    def _ask(self) -> str:
        stub: Any = health_pb2_grpc.HealthStub(self._upstream.channel())
        try:
            answer, call = stub.Check.with_call(health_pb2.HealthCheckRequest(), timeout=limits.READY_SECONDS)
        except grpc.RpcError as error:
            code: Any = error
            return f"The service cannot be reached ({code.code().name})."
        if answer.status != health_pb2.HealthCheckResponse.SERVING:
            told = dict(call.trailing_metadata() or ()).get(FAULT_METADATA)
            why = told.decode("utf-8", "replace") if told else "it is stopping, or its store is away."
            return f"The service is there but does not serve games: {why}"
        return ""
