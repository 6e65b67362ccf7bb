"""Unary calls from end to end: read the HTTP request, call the service, write its answer.

`unary_call` makes one Flask view for each route when the gateway starts. Everything that depends only on the route is
decided at that time, so that a request does as little as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from flask import Response, request

from ..environ_keys import ADDRESS, REQUEST_ID
from ..json_messages import Fault, dumps, loads, members_reader, query_reader, writer
from ..refusals.problem import Problem, response
from ..routing import answer_languages, conditional_requests
from ..routing.answer_languages import CONTENT_LANGUAGE
from ..routing.conditional_requests import Environ
from ..routing.content_negotiation import JSON, SVG, TEXT, accepts, require_accepted, require_json
from ..routing.credentials import View
from ..routing.ready_documents import ReadyDocument, ReadyDocuments
from ..routing.routes import Route, created_at
from .client import Upstream

VARY = "Accept, Accept-Language, Authorization"
REVALIDATE = "private, no-cache"

Read = Callable[[Any, Environ], None]


def unary_call(route: Route, upstream: Upstream, documents: ReadyDocuments) -> View:
    """Return the Flask view that answers requests to this route. `documents` keeps those that do not change."""
    ask = upstream.unary(route)
    takes_key = conditional_requests.takes_idempotency_key(route)
    metadata = upstream.metadata
    make = route.request
    read = _body(route) if route.has_body else _query(route)
    answer_with = _document if route.http_body else _message(route)
    if route.unchanging:
        answer_with = _unchanging(route, documents)

    def answer(**named: str) -> Response:
        environ = request.environ
        try:
            message = make(**named)
            try:
                read(message, environ)
            except Fault as fault:
                raise Problem.from_fault(fault) from None
            found = ask(message, metadata(environ, environ[ADDRESS], environ[REQUEST_ID]))
            answered = answer_with(found, environ)
            if takes_key and upstream.was_replayed():
                answered.headers["Idempotency-Replayed"] = "true"
            return answered
        except Problem as problem:
            found_problem = conditional_requests.stale_as_failed_condition(problem, environ)
            return response(found_problem.about(environ[REQUEST_ID]), environ)

    return answer


def _query(route: Route) -> Read:
    """Return a function that fills the request message from the query string."""
    fill = query_reader(route.query_fields)

    def read(message: Any, environ: Environ) -> None:
        conditional_requests.check_condition(route, environ)
        if not route.http_body:  # the media type of a document is known only when the service has answered
            require_accepted(environ.get("HTTP_ACCEPT"), JSON)
        fill(message, environ.get("QUERY_STRING", ""))

    return read


def _body(route: Route) -> Read:
    """Return a function that fills the request message from the JSON body. No body means an empty object."""
    fill = members_reader(route.body_fields)
    no_query = query_reader(())

    def read(message: Any, environ: Environ) -> None:
        require_accepted(environ.get("HTTP_ACCEPT"), JSON)
        if environ.get("QUERY_STRING"):
            no_query(message, environ["QUERY_STRING"])
        data = environ["wsgi.input"].read()  # request_checks.py has read and measured it
        if data:
            require_json(environ.get("CONTENT_TYPE", ""))
            body = loads(data)
        else:
            body = {}
        if "HTTP_IF_MATCH" in environ or "HTTP_IDEMPOTENCY_KEY" in environ:
            conditional_requests.check_condition(route, environ)
            conditional_requests.merge_headers(route, environ, body)
        fill(message, body)

    return read


# -- Answers -----------------------------------------------------------------------------------------------------------


def _message(route: Route) -> Callable[[Any, Environ], Response]:
    """Return a function that writes the answer of the service as JSON."""
    write = writer(route.descriptor.output_type)
    version_of, language_of = _version(route), answer_languages.language_of(route)
    has_etag, location = conditional_requests.has_etag(route), created_at(route)

    def read(found: Any, environ: Environ) -> Response:
        language = language_of(found, environ)
        return _read_answer(dumps(write(found)), JSON, version_of(found), environ, language)

    def changed(found: Any, environ: Environ) -> Response:
        answer = Response(dumps(write(found)), content_type=JSON)
        if language := language_of(found, environ):
            answer.headers[CONTENT_LANGUAGE] = language
        if not has_etag:
            return answer
        if location:
            answer.headers["Location"] = f"{location}/{found.game}"
        answer.headers["ETag"] = f'"{version_of(found)}"'
        answer.headers["Cache-Control"] = "no-store"  # it may contain a token
        return answer

    return read if conditional_requests.takes_if_none_match(route) else changed


def _unchanging(route: Route, documents: ReadyDocuments) -> Callable[[Any, Environ], Response]:
    """Return a function that answers with the JSON of a message that seldom changes, given its bytes."""
    write, parse = writer(route.descriptor.output_type), route.response.FromString
    language_of = answer_languages.language_of(route)

    def document(found: bytes, environ: Environ) -> ReadyDocument:
        message = parse(found)
        headers = {"Cache-Control": REVALIDATE, "Vary": VARY}
        if language := language_of(message, environ):
            headers[CONTENT_LANGUAGE] = language
        return ReadyDocument(dumps(write(message)), JSON, headers)

    def answer(found: bytes, environ: Environ) -> Response:
        key = (route.name, blake2b(found, digest_size=16).digest())
        return documents.answer(key, lambda: document(found, environ))

    return answer


def _version(route: Route) -> Callable[[Any], int | None]:
    """Return a function that finds the version of the game in an answer; None if the answer has none."""
    if route.answers_with("version"):
        return lambda found: int(found.version)
    if route.answers_with("view"):
        return lambda found: int(found.view.version)
    return lambda found: None


def _document(found: Any, environ: Environ) -> Response:
    """Answer with a document that has a media type of its own, byte for byte as the service made it. A picture is sent
    as plain text to clients that accept text and no picture."""
    header, media_type = environ.get("HTTP_ACCEPT", ""), found.content_type
    no_picture = media_type == SVG and not accepts(header, media_type)
    if no_picture and accepts(header, TEXT):
        return _read_answer(found.data, f"{TEXT}; charset=utf-8", None, environ)
    require_accepted(header, media_type)
    return _read_answer(found.data, media_type, None, environ)


def _read_answer(body: bytes, media_type: str, version: int | None, environ: Environ, language: str = "") -> Response:
    """Answer a read; 304 if the client already has this version."""
    tag = conditional_requests.tag_of(body, version)
    headers = {"ETag": tag, "Cache-Control": REVALIDATE, "Vary": VARY}
    if language:
        headers[CONTENT_LANGUAGE] = language
    if conditional_requests.is_known(environ, tag):
        return Response(status=304, headers=headers)
    return Response(body, headers=headers, content_type=media_type)
