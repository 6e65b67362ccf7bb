"""The doors: what every request passes before anything else looks at it.

On the way in is refused
  - a request for a host that this gateway does not have: a page elsewhere could have its own name resolve to here;
  - a request that came through a proxy that is not trusted: who calls could not be told;
  - a token, key or invitation in an address, where logs and histories would keep it (a ticket for events may stand
    there, because it is spent as soon as it is seen);
  - a body that is too large, in whatever way it is sent.
What an answer gets on the way out stands in `envelope.py`.
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

from alhambra_api.settings import read_address

from . import limits
from .addresses import forwarded_address, trusting
from .config import Settings
from .envelope import Envelope
from .plain_calls import ADDRESS
from .problems import Problem, response

Wsgi = Callable[..., Iterable[bytes]]
Environ = dict[str, Any]

ROUTE = "alhambra.route"
"""Where in the environment of a request stands which RPC or page it was for, once it is answered."""
NOWHERE = "none"
"""The route of what has none."""
FORWARDING = frozenset(
    "HTTP_" + name.upper().replace("-", "_")
    for name in ("Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto")
)
FOR_ANY_HOST = frozenset({"/healthz", "/readyz"})
"""Load balancers ask by address, and learn nothing else."""
METRICS = "/metrics"
SECRET_PARAMETERS = frozenset(
    {"access_token", "api_key", "apikey", "authorization", "bearer", "invitation", "key", "secret", "token"}
)
_EVENTS_PATH = re.compile(r"/v1/games/[^/]+/events")
_TICKET = re.compile(r"(?:^|(?<=&))ticket=alh_ticket_[A-Za-z0-9_-]+(?=&|$)")
_PARAMETER = re.compile(r"(?:^|&)([^=&]*)")
_SECRET = re.compile(r"alh_[a-z]+_")
_IN_A_HEADER = (
    "A secret does not belong into an address, where logs and histories keep it: "
    "send a token or key as `Authorization: Bearer …`, and take this one for known to others."
)


def install(app: Flask, settings: Settings) -> None:
    """Puts the doors before the application."""
    app.wsgi_app = Doors(settings).around(app.wsgi_app)  # type: ignore[method-assign]


class Doors:
    """The doors of a gateway with these settings."""

    def __init__(self, settings: Settings) -> None:
        self._hosts = settings.allowed_hosts()
        self._most = settings.body_bytes
        self._metrics_port = str(read_address(settings.metrics).port) if settings.metrics else ""
        self._envelope = Envelope(settings)
        self._is_ours = lru_cache(limits.HEADERS_REMEMBERED)(self._find_host)
        self._is_trusted = trusting(settings.proxies())

    def around(self, answer: Wsgi) -> Wsgi:
        """The application behind the doors."""
        check, envelope = self._check, self._envelope

        def enter(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
            said: list[Any] = []

            def begin(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
                said.extend((status, headers, *more))
                found = environ.get("werkzeug.request")  # as long as Flask remembers it
                if found is not None and found.url_rule is not None:
                    environ[ROUTE] = found.url_rule.endpoint

            try:
                check(environ)
                body = envelope.preflight(environ, begin) or answer(environ, begin)
            except Problem as problem:
                body = response(problem, environ)(environ, begin)
            body = envelope.close(environ, said[0], said[1], body)
            start_response(*said)
            return body

        return enter

    # -- The way in ------------------------------------------------------------------------------------------------

    def _check(self, environ: Environ) -> None:
        path = environ["PATH_INFO"]
        if self._metrics_port and (environ["SERVER_PORT"] == self._metrics_port) != (path == METRICS):
            raise Problem("ROUTE_NOT_FOUND", "There is no such address.")
        if not self._is_ours(environ.get("HTTP_HOST", "")) and path not in FOR_ANY_HOST and path != METRICS:
            raise Problem("HOST_REFUSED", "This gateway is not known by the name in the header Host.")
        environ[ADDRESS] = environ["REMOTE_ADDR"]
        environ[ROUTE] = NOWHERE
        if not environ.keys().isdisjoint(FORWARDING):
            self._believe(environ)
        query = environ["QUERY_STRING"]
        if query or "alh_" in path:
            _refuse_secrets(path, query)
        self._take_body(environ)

    def _find_host(self, header: str) -> bool:
        """Whether a Host is one of ours; the port does not matter."""
        name = re.sub(r":[0-9]*$", "", header.strip().lower())
        return name.removesuffix(".") in self._hosts

    def _believe(self, environ: Environ) -> None:
        """Takes the client's address and scheme from a trusted proxy's headers; refuses those of anybody else."""
        if not self._is_trusted(environ["REMOTE_ADDR"]):
            raise Problem("HOST_REFUSED", "Requests through a proxy are answered only if the proxy is trusted.")
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
        environ[ADDRESS] = forwarded_address(environ["REMOTE_ADDR"], forwarded, self._is_trusted)
        if environ.get("HTTP_X_FORWARDED_PROTO") in ("http", "https"):
            environ["wsgi.url_scheme"] = environ["HTTP_X_FORWARDED_PROTO"]

    def _take_body(self, environ: Environ) -> None:
        """Reads the whole body, and refuses one that is too large or not sent as it should be."""
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
    """Raises Problem if an address holds a secret that does not belong there. What it is is not repeated."""
    if _EVENTS_PATH.fullmatch(path):
        query = _TICKET.sub("", query)
    for name in _PARAMETER.findall(query):
        if unquote_plus(name).lower().replace("-", "_") in SECRET_PARAMETERS:
            raise Problem.malformed(name, _IN_A_HEADER)
    if _SECRET.search(path) or _SECRET.search(unquote_plus(query)):
        raise Problem.malformed("", _IN_A_HEADER)
