"""The request log: every request gets an id and is counted; refused requests are logged with their reason.

When a client disconnects, its call of the service is cancelled and fails. Nothing is wrong with the service then: the
request is counted and logged with the status HUNG_UP, which no client ever reads.

The id of a request is the client's `X-Request-Id` if it consists of hexadecimal digits, otherwise a new one. It is
passed on to the service, and is in the answer and in the logs of gateway and service.
"""

from __future__ import annotations

import itertools
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask

from alhambra_runtime.log_lines import is_request_id

from .. import metrics
from ..connections.thread_pool import client_has_gone
from ..environ_keys import NO_ROUTE, REQUEST_ID, ROUTE
from ..logs import REQUEST

Wsgi = Callable[..., Iterable[bytes]]

HUNG_UP = "499"
"""The status of a request whose client did not wait for the answer, as other servers write it."""
_REASON = re.compile(rb'"reason":"([A-Z_]+)"')

_log = logging.getLogger(__name__)


def install(app: Flask, meter: metrics.RequestMeters) -> None:
    """Put the middleware around the application. Call it last, so that it sees every request and every answer."""
    app.wsgi_app = logged(app.wsgi_app, meter.count)  # type: ignore[method-assign]


def logged(answer: Wsgi, count: Callable[[str, str, float], None]) -> Wsgi:
    """Return the WSGI application with every request named and counted, and logged if it was refused."""
    prefix, numbers = secrets.token_hex(4), itertools.count()
    clock, set_request = time.perf_counter, REQUEST.set
    debug = _log.isEnabledFor(logging.DEBUG)

    def answer_logged(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        began = clock()
        given = environ.get("HTTP_X_REQUEST_ID")
        name = given if given is not None and is_request_id(given) else f"{prefix}{next(numbers):08x}"
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
        if status >= "500" and client_has_gone():
            status = HUNG_UP
        count(environ.get(ROUTE, NO_ROUTE), status, seconds)
        if status >= "400" or debug:
            body = _log_request(environ, status, body, seconds)
        return body

    return answer_logged


def _log_request(environ: dict[str, Any], status: str, body: Iterable[bytes], seconds: float) -> Iterable[bytes]:
    """Log a request, and return the body of its answer. The reason is read from the body of a refusal."""
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
        if status == HUNG_UP:
            message = "The client disconnected before the answer was sent."
        elif found:
            about["reason"] = found[1].decode()
            metrics.REFUSALS.labels(about["reason"]).inc()
        body = [data]
    _log.log(level, message, extra=about)
    return body
