"""A plain call from end to end: the request is read, the service asked, its answer written.

One function is made for each route when the gateway starts. What can be decided then is decided then; a call that is
answered does the rest and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, request

from . import conditions
from .conditions import JSON, Environ
from .problems import Problem, response
from .routes import Route
from .upstream import Upstream
from .wire import Fault, dumps, loads, members_reader, query_reader, writer

ADDRESS = "alhambra.address"
"""Where in the environment of a request stands who sent it, as far as that can be believed."""
REQUEST_ID = "alhambra.request_id"
"""And the id that it has in the logs."""
OWN_TO_THE_CALLER = "Accept, Accept-Language, Authorization"
ASK_AGAIN = "private, no-cache"

View = Callable[..., Response]
Read = Callable[[Any, Environ], None]


def plain_call(route: Route, upstream: Upstream) -> View:
    """What answers requests to this route."""
    ask = upstream.plain(route)
    metadata = upstream.metadata
    make = route.request
    read = _body(route) if route.has_body else _query(route)
    answer_with = _document if route.http_body else _message(route)

    def answer(**named: str) -> Response:
        environ = request.environ
        try:
            message = make(**named)
            try:
                read(message, environ)
            except Fault as fault:
                raise Problem.from_fault(fault) from None
            found = ask(message, metadata(environ, environ[ADDRESS], environ[REQUEST_ID]))
            return answer_with(found, environ)
        except Problem as problem:
            return response(conditions.stale_as_condition(problem, environ).about(environ[REQUEST_ID]), environ)

    return answer


def _query(route: Route) -> Read:
    """How a request without a body is read."""
    fill = query_reader(route.query_fields)

    def read(message: Any, environ: Environ) -> None:
        conditions.check_condition(route, environ)
        if not route.http_body:  # of a document nobody knows the form yet
            conditions.require_accepted(environ, JSON)
        fill(message, environ.get("QUERY_STRING", ""))

    return read


def _body(route: Route) -> Read:
    """How a request with a body is read. Nothing sent is the same as an empty object."""
    fill = members_reader(route.body_fields)
    no_query = query_reader(())

    def read(message: Any, environ: Environ) -> None:
        conditions.require_accepted(environ, JSON)
        if environ.get("QUERY_STRING"):
            no_query(message, environ["QUERY_STRING"])
        data = environ["wsgi.input"].read()  # all of it is there: the doors have measured it
        if data:
            conditions.require_json(environ)
            body = loads(data)
        else:
            body = {}
        if "HTTP_IF_MATCH" in environ or "HTTP_IDEMPOTENCY_KEY" in environ:
            conditions.check_condition(route, environ)
            conditions.merge_headers(route, environ, body)
        fill(message, body)

    return read


# -- Answers -----------------------------------------------------------------------------------------------------------


def _message(route: Route) -> Callable[[Any, Environ], Response]:
    """How a message is answered with."""
    write = writer(route.descriptor.output_type)
    version_of = _version(route)
    if conditions.takes_if_none_match(route):
        return lambda found, environ: _read_answer(dumps(write(found)), JSON, version_of(found), environ)
    if not conditions.has_etag(route):
        return lambda found, environ: Response(dumps(write(found)), content_type=JSON)

    def changed(found: Any, environ: Environ) -> Response:
        answer = Response(dumps(write(found)), content_type=JSON)
        answer.headers["ETag"] = f'"{version_of(found)}"'
        answer.headers["Cache-Control"] = "no-store"  # it may hold a token
        return answer

    return changed


def _version(route: Route) -> Callable[[Any], int | None]:
    """Where the version of the game stands in an answer."""
    if route.answers_with("version"):
        return lambda found: int(found.version)
    if route.answers_with("view"):
        return lambda found: int(found.view.version)
    return lambda found: None


def _document(found: Any, environ: Environ) -> Response:
    """A document with a media type of its own, byte for byte as the service made it. A picture is also sent as plain
    text, to callers that accept text and no picture."""
    header, media_type = environ.get("HTTP_ACCEPT", ""), found.content_type
    no_picture = media_type == conditions.SVG and not conditions.accepts(header, media_type)
    if no_picture and conditions.accepts(header, conditions.TEXT):
        return _read_answer(found.data, f"{conditions.TEXT}; charset=utf-8", None, environ)
    conditions.require_accepted(environ, media_type)
    return _read_answer(found.data, media_type, None, environ)


def _read_answer(body: bytes, media_type: str, version: int | None, environ: Environ) -> Response:
    """Something that was read: not sent to who has it already."""
    tag = conditions.tag_of(body, version)
    headers = {"ETag": tag, "Cache-Control": ASK_AGAIN, "Vary": OWN_TO_THE_CALLER}
    if conditions.known_already(environ, tag):
        return Response(status=304, headers=headers)
    return Response(body, headers=headers, content_type=media_type)
