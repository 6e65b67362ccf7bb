"""The OpenAPI document of the gateway, made from the contract. No call is described here by hand.

Version 3.1, whose schemas are plain JSON Schema. It is made once for each process and served as bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from alhambra_api import contract
from alhambra_api.v1 import annotations_pb2, reasons_pb2

from ..routing.routes import Route, compile_routes
from . import headers, problem_responses
from .contract_comments import comment_on, summary
from .operations import API_KEY, PAGES, SEAT_TOKEN, operation, tag_of
from .schemas import Schema, Shapes

OPENAPI = "3.1.1"
LICENCE = "Apache-2.0"
EXAMPLES = "example_calls.json"
INTRODUCTION = """\
Everything here can also be called over gRPC: both are one contract, and this document is made from it.

A game in five calls:

1. `POST /v1/games` with `{"seats": [{"claim": true}, {"serverPlayer": "random"}]}` answers with the id of the game \
and a token for the first seat.
2. `GET /v1/games/{game}/moves` with `Authorization: Bearer <token>` lists what the seat may do.
3. `POST /v1/games/{game}/moves` with one of these moves and the version that was seen makes it, and answers with what \
happened and with the game as it is now.
4. `GET /v1/games/{game}/events` tells what happens as it happens, as Server-Sent Events.
5. `GET /v1/games/{game}/replay` gives the record of the game, which anybody can check.

What holds for every call:

- **Credentials** are sent as `Authorization: Bearer …`, never in an address. The token decides which seat the caller \
is; no request names it.
- **Failures** are problem documents (`application/problem+json`) with a stable `reason`; each reason has a page at \
[/problems/](/problems/). A call that fails has changed nothing, except where its reason says that the outcome is \
unknown.
- **Versions**: each answer about a game names the version of the state it comes from. Reads take `minVersion`.
- **Repetition**: a call that changes a game takes a `requestId`, or the header `Idempotency-Key`, and can be repeated \
safely with it.
- **Words**: modules of the game add words (verbs, kinds, ids, facts), never members. Ignore words that you do not \
know. In what you send, unknown members are refused.
"""


@cache
def document() -> Schema:
    """Return the document. It is made once and must not be changed."""
    return build(compile_routes(), example_calls())


def build(routes: Iterable[Route], examples: dict[str, Any]) -> Schema:
    """Return the document for these routes, with these recorded calls as examples."""
    routes = tuple(routes)
    shapes = Shapes(
        sent=[route.descriptor.input_type for route in routes if route.has_body],
        answered=[
            *(route.descriptor.output_type for route in routes if not route.http_body),
            *PAGES.values(),
            reasons_pb2.Violation.DESCRIPTOR,
        ],
    )
    paths: dict[str, Schema] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = operation(route, shapes, examples)
    problem = problem_responses.schema(shapes)
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Alhambra",
            "summary": "The rules of the board game Alhambra as a service.",
            "description": INTRODUCTION,
            "version": version("alhambra-rules"),
            "contact": {"name": "The maintainers of Alhambra"},
            "license": {"name": LICENCE, "identifier": LICENCE},
        },
        "servers": [{"url": "/", "description": "This gateway"}],
        "tags": [{"name": name, "description": text} for name, text in _tags(routes).items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted((shapes.schemas | {problem_responses.PROBLEM: problem}).items())),
            "parameters": headers.PARAMETERS,
            "headers": headers.HEADERS,
            "responses": problem_responses.responses(routes),
            "securitySchemes": _security_schemes(),
        },
    }


def example_calls() -> dict[str, Any]:
    """Return recorded calls of a running gateway with their answers, by RPC. Secrets are replaced by similar texts."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath(EXAMPLES).read_text(encoding="utf-8"))
    return found


def _tags(routes: Iterable[Route]) -> dict[str, str]:
    """Return the tags with their descriptions: the comment on the service for the first tag of a service, the summary
    of its first call for another one."""
    found: dict[str, str] = {}
    described: set[str] = set()
    for route in routes:
        service = route.descriptor.containing_service.full_name
        if tag_of(route) not in found:
            text = summary(comment_on(route.descriptor.full_name)) + "."
            found[tag_of(route)] = text if service in described else comment_on(service)
        described.add(service)
    return found


def _security_schemes() -> Schema:
    def bearer(caller: int) -> Schema:
        name = annotations_pb2.Caller.DESCRIPTOR.values_by_number[caller].name
        return {"type": "http", "scheme": "bearer", "description": comment_on(f"{contract.PACKAGE}.Caller.{name}")}

    return {SEAT_TOKEN: bearer(annotations_pb2.CALLER_SEAT), API_KEY: bearer(annotations_pb2.CALLER_HOST)}
