"""Every RPC of the contract with its HTTP address; there is no other list of routes.

An address of the contract, `/v1/games/{game}/moves`, becomes a rule of Flask, `/v1/games/<game:game>/moves`. A field of
the request that is part of the address is a path field. All other fields are members of the body, or query parameters
if the call has no body. The rule itself says what the id of a game looks like; otherwise `abc:undo` in
`/v1/games/abc:undo` could be read as an id.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from google.api import annotations_pb2 as http_annotations
from google.api import httpbody_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from werkzeug.routing import BaseConverter

from alhambra_api import contract
from alhambra_api.limits import limits_of_form
from alhambra_api.v1 import annotations_pb2, limits_pb2, service_pb2

GAME_ID = limits_of_form(limits_pb2.FORM_GAME).pattern
"""The form of `{game}`, the id of a game."""
WORD = limits_of_form(limits_pb2.FORM_PATH_WORD).pattern
"""The form of a word of the contract in an address."""
GAME_RULE = "/v1/games/<game:game>"
"""The beginning of Flask's rules about one game."""
WHOLE_BODY = "*"
_FIELD_IN_PATH = re.compile(r"{(\w+)}")


class GameConverter(BaseConverter):
    """The converter `game`: the id of a game in an address."""

    regex = GAME_ID


class WordConverter(BaseConverter):
    """The converters `kind` and `id`: a word of the contract in an address."""

    regex = WORD


class WebhookConverter(BaseConverter):
    """The converter `webhook`: the id of a webhook in an address."""

    regex = limits_of_form(limits_pb2.FORM_WEBHOOK).pattern


CONVERTERS: dict[str, type[BaseConverter]] = {
    "game": GameConverter,
    "webhook": WebhookConverter,
    "kind": WordConverter,
    "id": WordConverter,
}
"""Converters by field. A path field without a converter is refused at the start."""


@dataclass(frozen=True)
class Route:
    """One RPC, and how it is called over HTTP."""

    name: str
    """`GameService.ApplyMove`; the name of the endpoint in Flask, too."""
    rpc: str
    """As gRPC spells it: `/alhambra_api.v1.GameService/ApplyMove`."""
    descriptor: MethodDescriptor
    method: str
    """`GET`, `POST` or `DELETE`."""
    path: str
    """As the contract spells it: `/v1/games/{game}/moves`."""
    rule: str
    """As Flask spells it: `/v1/games/<game:game>/moves`."""
    path_fields: tuple[FieldDescriptor, ...]
    body_fields: tuple[FieldDescriptor, ...]
    """The members of the JSON body; empty if the call has none."""
    query_fields: tuple[FieldDescriptor, ...]
    has_body: bool
    request: type[Message]
    response: type[Message]
    streaming: bool
    """Whether the answer is a stream."""
    http_body: bool
    """Whether the answer is a document with a media type of its own, a google.api.HttpBody."""
    caller: int
    """The callers that the call allows: a number of the contract's enum Caller."""
    scope: str
    """The scope that an API key needs for the call; empty if it needs none."""

    @property
    def changes(self) -> bool:
        """Whether the call changes stored data: it takes a request id, or it removes something and answers nothing."""
        return self.asks_for("request_id") or not self.response.DESCRIPTOR.fields

    @property
    def unchanging(self) -> bool:
        """Whether the answer changes only with the version of the service: it is part of the catalogue, as JSON."""
        return self.method == "GET" and self.caller == annotations_pb2.CALLER_ANYONE and not self.http_body

    def answers_with(self, field: str) -> bool:
        """Whether the answer has a field of this name."""
        return field in self.descriptor.output_type.fields_by_name

    def asks_for(self, field: str) -> bool:
        """Whether the request has a field of this name."""
        return field in self.descriptor.input_type.fields_by_name


def created_at(route: Route) -> str:
    """Return the address under which the call creates something, whose id the answer has as `game`; an empty text for
    other calls. The status of such a call is 200, not 201, because clients of the first release expect it."""
    creates = route.changes and not route.path_fields and route.answers_with("game")
    return route.path if creates else ""


@cache
def compile_routes() -> tuple[Route, ...]:
    """Return the routes of all RPCs in the order of the contract; raises ValueError if one has no HTTP address."""
    found = {(route.service, route.rpc.name): route for route in contract.routes()}
    compiled = []
    for service in service_pb2.DESCRIPTOR.services_by_name.values():
        for method in service.methods:
            known = found.get((service.full_name, method.name))
            if known is None:
                raise ValueError(f"{method.full_name} has no HTTP address")
            compiled.append(_compile(method, known))
    return tuple(compiled)


def _compile(method: MethodDescriptor, known: contract.Route) -> Route:
    options = method.GetOptions()
    request = method.input_type
    names = _FIELD_IN_PATH.findall(known.path)
    in_path = tuple(request.fields_by_name[name] for name in names)
    others = tuple(field for field in request.fields if field not in in_path)
    if known.body not in ("", WHOLE_BODY):
        raise ValueError(f"{method.full_name}: only a whole message can be a body")
    if options.Extensions[http_annotations.http].additional_bindings:
        raise ValueError(f"{method.full_name}: an RPC has one address")
    has_body = known.body == WHOLE_BODY
    if not has_body:
        _check_query(method, others)
    return Route(
        name=f"{method.containing_service.name}.{method.name}",
        rpc=f"/{method.containing_service.full_name}/{method.name}",
        descriptor=method,
        method=known.method,
        path=known.path,
        rule=_FIELD_IN_PATH.sub(_in_flask, known.path),
        path_fields=in_path,
        body_fields=others if has_body else (),
        query_fields=() if has_body else others,
        has_body=has_body,
        request=GetMessageClass(request),
        response=GetMessageClass(method.output_type),
        streaming=method.server_streaming,
        http_body=method.output_type.full_name == httpbody_pb2.HttpBody.DESCRIPTOR.full_name,
        caller=int(options.Extensions[annotations_pb2.caller]),
        scope=options.Extensions[annotations_pb2.scope],
    )


def _check_query(method: MethodDescriptor, fields: Sequence[FieldDescriptor]) -> None:
    """Raise ValueError if a field is a message, which cannot be written as a query parameter."""
    for field in fields:
        if field.message_type is not None:
            raise ValueError(f"{method.full_name}: {field.name} cannot be a query parameter")


def _in_flask(found: re.Match[str]) -> str:
    field = found.group(1)
    if field not in CONVERTERS:
        raise ValueError(f"there is no converter for {{{field}}} in an address")
    return f"<{field}:{field}>"
