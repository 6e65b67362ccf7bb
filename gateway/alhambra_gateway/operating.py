"""What an operator sees: health, readiness, numbers, a log line for what was refused, an id for every request.

    /healthz   this process answers
    /readyz    the service behind it serves; if not, one sentence says why
    /metrics   the numbers of all processes: for this machine only, or at an address of their own

The id of a request is the client's `X-Request-Id` if it is made of hexadecimal digits, and a fresh one otherwise; it is
passed on to the service and stands in the answer and in both logs.
"""

from __future__ import annotations

import itertools
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

import grpc
from flask import Flask, Response, request
from grpc_health.v1 import health_pb2, health_pb2_grpc

from alhambra_api.log_lines import is_request_id

from . import limits, metrics
from .addresses import is_this_machine
from .config import Settings
from .doors import NOWHERE, ROUTE
from .logs import REQUEST
from .plain_calls import ADDRESS, REQUEST_ID
from .problems import Problem
from .upstream import Upstream
from .wire import dumps

Wsgi = Callable[..., Iterable[bytes]]

_REASON = re.compile(rb'"reason":"([A-Z_]+)"')

_log = logging.getLogger(__name__)


def install(app: Flask, settings: Settings, upstream: Upstream) -> None:
    """Adds the addresses, and observes every request from now on. To be called last: it looks from outside."""
    readiness = app.extensions["readiness"] = Readiness(upstream)
    meter = metrics.Meter()

    def healthz() -> Response:
        return _said({"status": "alive"})

    def readyz() -> Response:
        fault = readiness.fault()
        if fault:
            raise Problem("STORE_UNAVAILABLE", fault)
        return _said({"status": "ready"})

    def numbers() -> Response:
        if not settings.metrics and not is_this_machine(request.environ[ADDRESS]):
            raise Problem("ROUTE_NOT_FOUND", "There is no such address.")
        return Response(meter.exposition(), content_type=metrics.MEDIA_TYPE, headers={"Cache-Control": "no-store"})

    for path, view in (("/healthz", healthz), ("/readyz", readyz), ("/metrics", numbers)):
        app.add_url_rule(path, path.removeprefix("/"), view)
    app.wsgi_app = observed(app.wsgi_app, meter.count)  # type: ignore[method-assign]


def _said(words: dict[str, str]) -> Response:
    return Response(dumps(words), content_type="application/json", headers={"Cache-Control": "no-store"})


class Readiness:
    """Whether clients should be sent here."""

    def __init__(self, upstream: Upstream) -> None:
        self.draining = False
        """Whether this gateway will go away soon."""
        self._upstream = upstream
        self._asked = 0.0
        self._said = ""

    def fault(self) -> str:
        """What is wrong, in one sentence; empty if nothing is."""
        if self.draining:
            return "This gateway is stopping."
        if time.monotonic() - self._asked > limits.READY_REMEMBERED_SECONDS:
            self._said = self._ask()
            self._asked = time.monotonic()
        return self._said

    def _ask(self) -> str:
        stub: Any = health_pb2_grpc.HealthStub(self._upstream.channel())
        try:
            status = stub.Check(health_pb2.HealthCheckRequest(), timeout=limits.READY_SECONDS).status
        except grpc.RpcError as error:
            code: Any = error
            return f"The service cannot be reached ({code.code().name})."
        if status != health_pb2.HealthCheckResponse.SERVING:
            return "The service is there but does not serve games: it is stopping, or its store is away."
        return ""


def observed(answer: Wsgi, count: Callable[[str, str, float], None]) -> Wsgi:
    """The application, with every request counted and named, and logged if it was refused."""
    of_this_process, numbers = secrets.token_hex(4), itertools.count()
    clock, set_request = time.perf_counter, REQUEST.set
    debug = _log.isEnabledFor(logging.DEBUG)

    def observe(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        began = clock()
        given = environ.get("HTTP_X_REQUEST_ID")
        name = given if given is not None and is_request_id(given) else f"{of_this_process}{next(numbers):08x}"
        environ[REQUEST_ID] = name
        set_request(name)
        status = ""

        def begin(said: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            nonlocal status
            status = said[:3]
            headers.append(("X-Request-Id", name))
            return start_response(said, headers, *more)

        body = answer(environ, begin)
        seconds = clock() - began
        count(environ.get(ROUTE, NOWHERE), status, seconds)
        if status >= "400" or debug:
            body = _told(environ, status, body, seconds)
        return body

    return observe


def _told(environ: dict[str, Any], status: str, body: Iterable[bytes], seconds: float) -> Iterable[bytes]:
    """Logs a request. A refusal is read for its reason: it is short."""
    about: dict[str, Any] = {
        "method": environ["REQUEST_METHOD"],
        "path": environ["PATH_INFO"],
        "status": int(status),
        "milliseconds": round(1000 * seconds, 2),
    }
    level, message = logging.DEBUG, "A request was answered."
    if status >= "400":
        level, message = (logging.WARNING if status >= "500" else logging.INFO), "A request was refused."
        data = b"".join(body)
        getattr(body, "close", lambda: None)()
        found = _REASON.search(data)
        if found:
            about["reason"] = found[1].decode()
            metrics.REFUSALS.labels(about["reason"]).inc()
        body = [data]
    _log.log(level, message, extra=about)
    return body
