"""An RPC as an operation of the API document: address, credentials, parameters, body and answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from alhambra_api import contract
from alhambra_api.v1 import annotations_pb2, events_pb2, webhooks_pb2

from ..json_messages import json_name
from ..json_messages.message_reader import is_required
from ..routing import conditional_requests
from ..routing.answer_languages import has_texts
from ..routing.content_negotiation import EVENT_STREAM, JSON, SVG, TEXT
from ..routing.routes import Route, created_at
from . import headers, problem_responses
from .contract_comments import beyond_summary, comment_on, summary
from .schemas import Schema, Shapes

SEAT_TOKEN, API_KEY = "seatToken", "apiKey"
PAGES: Mapping[str, Descriptor] = {
    events_pb2.WatchEventsResponse.DESCRIPTOR.full_name: events_pb2.EventPage.DESCRIPTOR,
    webhooks_pb2.WatchNoticesResponse.DESCRIPTOR.full_name: webhooks_pb2.NoticePage.DESCRIPTOR,
}
"""By the messages of a stream: the page that tells the same to clients that poll."""
_MEDIA_TYPE = re.compile(r"of the type ([\w.+-]+/[\w.+-]*\w)")
_REPLAY: Schema = {
    "type": "object",
    "description": "A document with a format of its own, to be kept and checked byte for byte.",
    "properties": {"format": {"type": "string", "enum": ["alhambra-game/1", "alhambra-view/1"]}},
    "required": ["format"],
}


def tag_of(route: Route) -> str:
    """Return the tag of an operation, the first noun of its address: games, boards, catalog or audit."""
    return re.split(r"[/:]", route.path)[2]


def operation(route: Route, shapes: Shapes, examples: Mapping[str, Any]) -> Schema:
    """Return the operation. `examples` are recorded calls by the name of the RPC."""
    rpc = route.descriptor
    example = examples.get(rpc.name, {})
    text = comment_on(rpc.full_name)
    found: Schema = {
        "operationId": rpc.name[0].lower() + rpc.name[1:],
        "tags": [tag_of(route)],
        "summary": summary(text),
        "description": _description(route, text),
        "security": _security(route),
        "parameters": [*_parameters(route, shapes, example), *headers.sent(route)],
    }
    if route.has_body:
        content: Schema = {"schema": shapes.sent(rpc.input_type, route.body_fields)}
        if "body" in example:
            content["example"] = example["body"]
        needed = any(is_required(field) for field in route.body_fields)
        found["requestBody"] = {"required": needed, "content": {JSON: content}}
    found["responses"] = {
        "200": _answer(route, shapes, example),
        **_unchanged(route),
        **problem_responses.references(route),
    }
    return found


def _description(route: Route, text: str) -> str:
    """Return the description: the comment on the RPC after its summary, the comment on its request, its callers."""
    who = annotations_pb2.Caller.DESCRIPTOR.values_by_number[route.caller]
    parts = [beyond_summary(text), comment_on(route.descriptor.input_type.full_name)]
    called_by = comment_on(f"{contract.PACKAGE}.Caller.{who.name}")
    if route.scope:
        called_by += f" The scope is `{route.scope}`."
    return "\n\n".join(part for part in (*parts, f"**Who may call.** {called_by}") if part)


def _security(route: Route) -> list[Schema]:
    """Return the credentials, one of which is needed. An empty entry means that none is needed."""
    if route.caller == annotations_pb2.CALLER_HOST:
        return [{}, {API_KEY: []}]  # a server without API keys takes none; the description names the scope
    if route.caller == annotations_pb2.CALLER_SEAT:
        return [{SEAT_TOKEN: []}]
    if route.caller == annotations_pb2.CALLER_SPECTATOR:
        return [{}, {SEAT_TOKEN: []}, {API_KEY: []}]
    return [{}, {API_KEY: []}]


# -- What it takes -----------------------------------------------------------------------------------------------------


def _parameters(route: Route, shapes: Shapes, example: Mapping[str, Any]) -> Iterator[Schema]:
    for place, fields in (("path", route.path_fields), ("query", route.query_fields)):
        for field in fields:
            yield _parameter(field, place, shapes, example.get(place, {}))


def _parameter(field: FieldDescriptor, place: str, shapes: Shapes, example: Mapping[str, Any]) -> Schema:
    schema = shapes.value(field, is_sent=True)
    name = json_name(field)
    found: Schema = {"name": name, "in": place, "description": schema.pop("description")}
    if place == "path" or is_required(field):
        found["required"] = True
    found["schema"] = schema
    if field.is_repeated:
        found |= {"style": "form", "explode": True}
    if name in example:
        found["example"] = example[name]
    return found


# -- What it answers ---------------------------------------------------------------------------------------------------


def _answer(route: Route, shapes: Shapes, example: Mapping[str, Any]) -> Schema:
    output = route.descriptor.output_type
    if route.streaming:
        text, content = _stream(output, shapes)
    elif route.http_body:
        asked = contract.comments()[route.descriptor.input_type.full_name]
        media_type = _MEDIA_TYPE.findall(" ".join(asked.split()))[-1]
        schema: Schema = dict(_REPLAY) if media_type == JSON else {"type": "string", "contentMediaType": media_type}
        text, content = comment_on(route.descriptor.full_name), {media_type: {"schema": schema}}
        if media_type == SVG:  # generators of clients that know no pictures take the text
            content[TEXT] = {"schema": {"type": "string", "description": "The source of the picture."}}
    else:
        text, content = comment_on(output.full_name), {JSON: {"schema": shapes.answered(output)}}
    if "answer" in example:
        next(iter(content.values()))["example"] = example["answer"]
    return {"description": text, "headers": headers.answered(*_headers(route)), "content": content}


def _headers(route: Route) -> Iterator[str]:
    """Generate the names of the headers of an answer, besides those that every answer has."""
    if has_texts(route.descriptor.output_type) or route.answers_with("language"):
        yield "Content-Language"
    if conditional_requests.has_etag(route):
        yield "ETag"
    if conditional_requests.takes_idempotency_key(route):
        yield "Idempotency-Replayed"
    if created_at(route):
        yield "Location"


def _stream(message: Descriptor, shapes: Shapes) -> tuple[str, Schema]:
    """Return the answer with a stream of these messages, or with a page."""
    page = PAGES[message.full_name]
    text = (
        f"With `Accept: {JSON}`: {comment_on(page.full_name)}\n\n"
        f"With `Accept: {EVENT_STREAM}`: {comment_on(message.full_name)} The field"
        f" `event` of each names the member of `{message.name}`, `data` is its value as JSON in one line, and"
        " `id` is what a client sends as `Last-Event-ID` to go on."
    )
    stream: Schema = {"type": "string", "contentMediaType": EVENT_STREAM, "contentSchema": shapes.answered(message)}
    return text, {JSON: {"schema": shapes.answered(page)}, EVENT_STREAM: {"schema": stream}}


def _unchanged(route: Route) -> dict[str, Schema]:
    if not conditional_requests.takes_if_none_match(route):
        return {}
    return {
        "304": {
            "description": "Nothing has changed since the ETag that was sent as If-None-Match.",
            "headers": headers.answered("ETag"),
        }
    }
