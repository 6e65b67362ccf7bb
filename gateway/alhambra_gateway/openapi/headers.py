"""HTTP headers in the API document: what each means, and which operations take it or answer with it."""

from __future__ import annotations

from collections.abc import Iterator

from alhambra_api.limits import limits_of_form
from alhambra_api.v1 import limits_pb2

from ..routing import conditional_requests
from ..routing.routes import Route
from .schemas import Schema, keywords

_PARAMETERS, _HEADERS = "#/components/parameters/", "#/components/headers/"
_TEXT: Schema = {"type": "string"}
_ALWAYS = ("X-Request-Id",)


def sent(route: Route) -> list[Schema]:
    """Return references to the headers that an operation takes."""
    return [{"$ref": _PARAMETERS + name} for name in _names_sent(route)]


def answered(*names: str) -> dict[str, Schema]:
    """Return references to these headers of an answer, and to those that every answer has."""
    return {name: {"$ref": _HEADERS + name} for name in (*names, *_ALWAYS)}


def _names_sent(route: Route) -> Iterator[str]:
    yield "Accept-Language"
    if conditional_requests.takes_idempotency_key(route):
        yield "Idempotency-Key"
    if conditional_requests.takes_if_match(route):
        yield "If-Match"
    if conditional_requests.takes_if_none_match(route):
        yield "If-None-Match"
    if route.streaming:
        yield "Last-Event-ID"


# -- What each header means --------------------------------------------------------------------------------------------


_SENT: dict[str, tuple[str, Schema]] = {
    "Accept-Language": ("The language of texts for people, `de` for example; English if it is not known.", _TEXT),
    "Idempotency-Key": (
        "The same as the member `requestId`, for clients that send it as a header. A UUID will do.",
        {**_TEXT, **keywords(limits_of_form(limits_pb2.FORM_REQUEST_ID), _TEXT)},
    ),
    "If-Match": (
        "The ETag that was seen, instead of the member `version`: if the game has moved on, the answer is 412 and"
        " nothing is done.",
        _TEXT,
    ),
    "If-None-Match": ("The ETag of an answer that the caller has: if it would be the same, the answer is 304.", _TEXT),
    "Last-Event-ID": (
        "The id of the last event that was received, `17.2.9f3c1a` for example; wins over `after`.",
        _TEXT,
    ),
}
PARAMETERS: Schema = {
    name: {"name": name, "in": "header", "description": text, "schema": schema}
    for name, (text, schema) in _SENT.items()
}
SOMETIMES = frozenset({"Content-Language", "Idempotency-Replayed", "RateLimit-Policy"})
"""Headers that an answer need not have."""
HEADERS: Schema = {
    "Content-Language": {
        "description": "The language of the texts for people, `en` for example; absent from an answer without texts.",
        "schema": _TEXT,
    },
    "ETag": {
        "description": "Begins with the version of the game that the answer comes from; to be sent as If-Match or"
        " If-None-Match.",
        "schema": _TEXT,
    },
    "Idempotency-Replayed": {
        "description": "`true` if this is the first answer to the same key again, and nothing was done now; otherwise"
        " absent.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Location": {
        "description": "The address of what was created, relative to this server.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "RateLimit": {
        "description": 'What is left, as draft-ietf-httpapi-ratelimit-headers has it: `"calls";r=0;t=2` means no call'
        " for 2 seconds.",
        "schema": _TEXT,
    },
    "RateLimit-Policy": {
        "description": 'What is allowed, as draft-ietf-httpapi-ratelimit-headers has it: `"calls";q=40;w=2` means 40'
        " calls in 2 seconds; absent if another limit was met.",
        "schema": _TEXT,
    },
    "Retry-After": {
        "description": "After how many seconds it may be tried again.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "WWW-Authenticate": {"description": "How to authenticate: Bearer.", "schema": _TEXT},
    "X-Request-Id": {"description": "By what the request is found in the logs of the server.", "schema": _TEXT},
}
