"""The problems with which a call can fail: one answer for each HTTP status, with its reasons and what they mean.

The list of reasons is the contract's; which of them an operation can fail with follows from what it takes. The tests
drive each operation and compare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus

from alhambra.texts import DEFAULT
from alhambra_api.v1 import annotations_pb2, reasons_pb2

from ..refusals.problem import KINDS, MEDIA_TYPE, PREFIX, example_problems
from ..routing import conditional_requests
from ..routing.routes import Route
from . import headers
from .contract_comments import comment_on
from .schemas import INT32, SCHEMAS, Schema, Shapes

PROBLEM = "Problem"
RESPONSES = "#/components/responses/"
_ALWAYS = (400, 403, 406, 429, 500, 501, 503, 504)
_WITH_HEADERS: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}
_VERSIONS = ("version", "min_version", "from_version")
_BOARDS = ("board", "boards")
_THINGS = ("move", "placement", "placements", "tile", *_BOARDS)
_MODULES = ("modules", "module", *_BOARDS)
_RULES = ("form", "moment", "things", "money", "board")
"""The groups of reasons with which the rules refuse a move."""


def _with(*fields: str) -> Callable[[Route], bool]:
    """Return a function that says whether an operation's request has one of these fields."""
    return lambda route: any(map(route.asks_for, fields))


def _of_a_game(route: Route) -> bool:
    return any(field.name == "game" for field in route.path_fields)


def _needs_a_dealt_game(route: Route) -> bool:
    """Whether the call needs a game that has begun. A game that waits for its seats can be read, watched, joined and
    deleted."""
    return _of_a_game(route) and route.descriptor.name not in (
        "GetGame",
        "DeleteGame",
        "ClaimSeat",
        "LeaveSeat",
        "CancelGame",
        "WatchEvents",
        "CreateEventTicket",
    )


_CREATION = "visibility"
"""A field that only the request for a new game has."""
_ONLY_IF: Mapping[str, Callable[[Route], bool]] = {
    **{kind.reason: _with("move") for kind in KINDS.values() if kind.group in _RULES},
    **dict.fromkeys(("NOUN_MALFORMED", "ID_UNKNOWN"), _with(*_THINGS)),
    "GAME_OVER": lambda route: route.descriptor.name in ("ApplyMove", "Resign"),
    "GAME_WAITING": _needs_a_dealt_game,
    "UNDO_REFUSED": _with("consent"),
    "ENTROPY_REFUSED": _with("entropy"),
    "PLAYERS_UNSUPPORTED": _with(_CREATION),
    "SEATS_INVALID": _with(_CREATION, "invitation"),
    **dict.fromkeys(("MODULES_CLASH", "OPTION_INVALID"), _with(_CREATION, *_BOARDS)),
    "MODULE_UNKNOWN": _with(_CREATION, *_MODULES),
    "QUOTA_EXCEEDED": _with(_CREATION, "address"),
    "SEAT_TAKEN": _with("invitation"),
    "SEAT_REFUSED": lambda route: route.descriptor.name in ("LeaveSeat", "CancelGame"),
    "WEBHOOK_NOT_FOUND": _with("webhook"),
    "BOARD_INVALID": _with(*_BOARDS),
    "TEXT_MALFORMED": lambda route: False,
    **dict.fromkeys(("STATE_MALFORMED", "REPLAY_FAILED", "ENGINE_TOO_OLD", "RULES_CHANGED"), _of_a_game),
    "SCOPE_MISSING": lambda route: bool(route.scope) or route.descriptor.name == "WatchNotices",
    "GAME_NOT_FOUND": _of_a_game,
    "COMPONENT_NOT_FOUND": lambda route: any(field.name == "id" for field in route.path_fields),
    "PAGE_TOKEN_INVALID": _with("page_token"),
    "VERSION_STALE": _with(*_VERSIONS),
    "REQUEST_ID_REUSED": _with("request_id"),
    "ROUTE_NOT_FOUND": lambda route: False,
    "WATCHERS_EXCEEDED": lambda route: route.streaming,
    **dict.fromkeys(
        ("OUTCOME_UNKNOWN", "STORE_FULL", "STORE_READ_ONLY", "STORE_REPLICAS_MISSING"), lambda route: route.changes
    ),
}
"""Operations that can fail with a reason. A reason that is not here is possible wherever its status is."""


def reasons() -> dict[int, tuple[str, ...]]:
    """Return the reasons by HTTP status, in the order of the contract."""
    found: dict[int, list[str]] = {}
    for kind in KINDS.values():
        found.setdefault(kind.status, []).append(kind.reason)
    return {status: tuple(found[status]) for status in sorted(found)}


def name_of(status: int) -> str:
    """Return the name of the answer with this status among the components."""
    return f"{PROBLEM}{status}"


def statuses(route: Route) -> Iterator[int]:
    """Return the statuses with which an operation can fail. 405 is not among them, because it means that there is no
    such operation; nor is 499, because its client has disconnected."""
    yield from _ALWAYS
    if route.caller != annotations_pb2.CALLER_ANYONE:
        yield HTTPStatus.UNAUTHORIZED
    if _of_a_game(route):
        yield HTTPStatus.NOT_FOUND
        yield HTTPStatus.UNPROCESSABLE_ENTITY  # left out where none of its reasons is possible
    elif route.path_fields:
        yield HTTPStatus.NOT_FOUND
    if any(route.asks_for(field) for field in ("request_id", *_VERSIONS)):
        yield HTTPStatus.CONFLICT
    if conditional_requests.takes_if_match(route):
        yield HTTPStatus.PRECONDITION_FAILED
    if route.has_body:
        yield HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        yield HTTPStatus.UNSUPPORTED_MEDIA_TYPE


def possible(route: Route, status: int) -> list[str]:
    """Return the reasons of a status that an operation can fail with, by its caller and its request."""
    return [reason for reason in reasons()[status] if reason not in _ONLY_IF or _ONLY_IF[reason](route)]


def references(route: Route) -> dict[str, Schema]:
    """Return references to the failures of an operation, by status. Each description names the possible reasons."""
    found = {}
    for status in sorted(map(int, statuses(route))):
        if known := possible(route, status):
            said_here = ", ".join(f"`{reason}`" for reason in known)
            found[str(status)] = {"$ref": RESPONSES + name_of(status), "description": said_here}
    return found


def schema(shapes: Shapes) -> Schema:
    """Return the schema of a problem document."""
    violation = shapes.answered(reasons_pb2.Violation.DESCRIPTOR)
    return {
        "type": "object",
        "description": (
            "Why a call failed, as RFC 9457 describes it. The same `reason` always means the same; `detail` is for"
            " people and may change."
        ),
        "properties": {
            "type": {
                "type": "string",
                "format": "uri-reference",
                "description": (
                    "The address of a page that explains the reason, under the name by which the request reached this"
                    " server. Compare `reason`, not this. It has no host if the request named none, or a wrong one."
                ),
            },
            "title": {"type": "string", "description": "What the reason means, in a sentence."},
            "status": {**INT32, "description": "The HTTP status."},
            "detail": {"type": "string", "description": "What happened in this case, in the language of the call."},
            "reason": {
                "type": "string",
                "description": (
                    "A stable word for programs. Modules may add some, so expect words that are not listed here: "
                    + ", ".join(f"`{reason}`" for some in reasons().values() for reason in some)
                    + "."
                ),
            },
            "metadata": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "The facts, by name, as texts; which there are is said by each reason.",
            },
            "violations": {
                "type": "array",
                "items": violation,
                "description": "Everything that speaks against a move or a board; absent if it was about neither.",
            },
        },
        "required": ["type", "title", "status", "detail", "reason", "metadata"],
    }


def responses(routes: Iterable[Route]) -> dict[str, Schema]:
    """Return the answer for each status with which one of the operations can fail, by name, with an example for each
    reason."""
    used = {status for route in routes for status in statuses(route)}
    return {name_of(status): _response(status, known) for status, known in reasons().items() if status in used}


def _response(status: int, known: tuple[str, ...]) -> Schema:
    lines = [
        f"- `{reason}`: {comment_on(f'{reasons_pb2.Reason.DESCRIPTOR.full_name}.{PREFIX}{reason}')}" for reason in known
    ]
    content: Schema = {
        "schema": {"$ref": SCHEMAS + PROBLEM},
        "examples": {reason: {"value": example_problems()[reason][DEFAULT]} for reason in known},
    }
    return {
        "description": "\n".join(lines),
        "headers": headers.answered("Content-Language", *_WITH_HEADERS.get(status, ())),
        "content": {MEDIA_TYPE: content},
    }
