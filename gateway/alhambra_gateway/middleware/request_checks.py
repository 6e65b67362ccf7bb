"""Checks of every request, before Flask sees it. Refused are

  - a request for a host name that is not one of ours, because another page could make its own name resolve to us;
  - a request through a proxy that is not trusted, because the client's address would be unknown;
  - a token, key or invitation in an address, because logs and histories keep addresses (a ticket for events is
    allowed there, because it can be used only once);
  - a request of a caller whose CPU time is used up (`cpu_accounts.py`);
  - a body that is too large, with Content-Length or in chunks.

Answers get their headers from `response_headers.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from io import BytesIO
from typing import Any
from urllib.parse import unquote_plus

from flask import Flask
from gunicorn.http.errors import NoMoreData, ParseException

from alhambra_runtime.addresses import read_address

from .. import limits
from ..config import Settings
from ..connections.client_addresses import forwarded_address, trusting
from ..environ_keys import ADDRESS, NO_ROUTE, ROUTE
from ..refusals.problem import Problem, response
from .cpu_accounts import CpuCharges
from .response_headers import ResponseHeaders

Wsgi = Callable[..., Iterable[bytes]]
Environ = dict[str, Any]

FORWARDING = frozenset(
    "HTTP_" + name.upper().replace("-", "_")
    for name in ("Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto")
)
ANY_HOST = frozenset({"/healthz", "/readyz"})
"""Addresses that are answered for any host name, because load balancers ask by IP address."""
METRICS = "/metrics"
SECRET_PARAMETERS = frozenset(
    {"access_token", "api_key", "apikey", "authorization", "bearer", "invitation", "key", "secret", "token"}
)
_EVENTS_PATH = re.compile(r"/v1/games/[^/]+/events|/v1/notices")
_TICKET = re.compile(r"(?:^|(?<=&))ticket=alh_ticket_[A-Za-z0-9_-]+(?=&|$)")
_PARAMETER = re.compile(r"(?:^|&)([^=&]*)")
_SECRET = re.compile(r"alh_[a-z]+_")
_IN_A_HEADER = (
    "A secret does not belong into an address, where logs and histories keep it: "
    "send a token or key as `Authorization: Bearer …`, and take this one for known to others."
)


def install(app: Flask, settings: Settings, charges: CpuCharges | None = None) -> None:
    """Put the checks around the application. `charges` counts the CPU time of requests."""
    app.wsgi_app = RequestChecks(settings, charges).around(app.wsgi_app)  # type: ignore[method-assign]


class RequestChecks:
    """The checks of a gateway with these settings."""

    def __init__(self, settings: Settings, charges: CpuCharges | None) -> None:
        self._charges = charges
        self._hosts = settings.allowed_hosts()
        self._most = settings.body_bytes
        self._metrics_port = str(read_address(settings.metrics).port) if settings.metrics else ""
        self._response_headers = ResponseHeaders(settings)
        self._is_our_host = lru_cache(limits.HEADERS_REMEMBERED)(self._find_host)
        self._is_trusted = trusting(settings.proxies())

    def around(self, answer: Wsgi) -> Wsgi:
        """Return the WSGI application behind the checks."""
        check, finish, preflight = self._check, self._response_headers.finish, self._response_headers.cors.preflight
        charges = self._charges

        def answer_checked(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
            begun: list[Any] = []

            def begin(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
                begun.extend((status, headers, *more))
                found = environ.get("werkzeug.request")  # werkzeug removes it when the request ends
                if found is not None and found.url_rule is not None:
                    environ[ROUTE] = found.url_rule.endpoint

            try:
                check(environ)
                body = preflight(environ, begin) or answer(environ, begin)
            except Problem as problem:
                body = response(problem, environ)(environ, begin)
            body = finish(environ, begun[1], body)
            if charges is not None:
                charges.finish(environ, begun[0])
            start_response(*begun)
            return body

        return answer_checked

    def _check(self, environ: Environ) -> None:
        path = environ["PATH_INFO"]
        environ[ADDRESS] = environ["REMOTE_ADDR"]
        environ[ROUTE] = NO_ROUTE
        if self._metrics_port and (environ["SERVER_PORT"] == self._metrics_port) != (path == METRICS):
            raise Problem("ROUTE_NOT_FOUND", "There is no such address.")
        if not self._is_our_host(environ.get("HTTP_HOST", "")) and path not in ANY_HOST and path != METRICS:
            raise Problem("HOST_REFUSED", "This gateway is not known by the name in the header Host.")
        if not environ.keys().isdisjoint(FORWARDING):
            self._use_forwarded(environ)
        query = environ["QUERY_STRING"]
        if query or "alh_" in path:
            _refuse_secrets(path, query)
        self._read_body(environ)  # gunicorn would close the connection if a long body were left unread
        if self._charges is not None and path not in ANY_HOST:
            self._charges.admit(environ)

    def _find_host(self, header: str) -> bool:
        """Whether the header Host names this gateway. The port does not matter."""
        name = re.sub(r":[0-9]*$", "", header.strip().lower())
        return name.removesuffix(".") in self._hosts

    def _use_forwarded(self, environ: Environ) -> None:
        """Take the client's address and scheme from a trusted proxy's headers. Raise Problem for other proxies."""
        if not self._is_trusted(environ["REMOTE_ADDR"]):
            raise Problem("HOST_REFUSED", "Requests through a proxy are answered only if the proxy is trusted.")
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
        environ[ADDRESS] = forwarded_address(environ["REMOTE_ADDR"], forwarded, self._is_trusted)
        if environ.get("HTTP_X_FORWARDED_PROTO") in ("http", "https"):
            environ["wsgi.url_scheme"] = environ["HTTP_X_FORWARDED_PROTO"]

    def _read_body(self, environ: Environ) -> None:
        """Read the whole body. Raise Problem if it is too large or malformed."""
        length, source = environ.get("CONTENT_LENGTH"), environ["wsgi.input"]
        try:
            if environ.pop("HTTP_TRANSFER_ENCODING", None) is not None:
                data = source.read(self._most + 1)
            elif length and length != "0":
                wanted = int(length)
                data = source.read(wanted) if wanted <= self._most else None
                if data is not None and len(data) < wanted:
                    raise Problem.malformed("", "The body is shorter than it was announced.")
            else:
                return
        except NoMoreData:
            raise Problem.malformed("", "The body is shorter than it was announced.") from None
        except (ParseException, ValueError):
            raise Problem.malformed("", "The body is not sent as HTTP wants it.") from None
        if data is None or len(data) > self._most:
            detail = f"The body of a request has at most {self._most} bytes."
            raise Problem("BODY_TOO_LARGE", detail, {"limit": self._most})
        environ["CONTENT_LENGTH"] = str(len(data))
        environ["wsgi.input"] = BytesIO(data)


def _refuse_secrets(path: str, query: str) -> None:
    """Raise Problem if an address contains a secret. The problem does not repeat it."""
    if _EVENTS_PATH.fullmatch(path):
        query = _TICKET.sub("", query)
    for name in _PARAMETER.findall(query):
        if unquote_plus(name).lower().replace("-", "_") in SECRET_PARAMETERS:
            raise Problem.malformed(name, _IN_A_HEADER)
    if _SECRET.search(path) or _SECRET.search(unquote_plus(query)):
        raise Problem.malformed("", _IN_A_HEADER)
