"""What a request may hold at most and at least: the numbers that the comments of the contract say in words.

The service refuses what lies outside; here they are for readers of the API document and for programs that check before
they send. A test compares them with the comments, and with what the running service does.
"""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from ..routing.routes import GAME_ID, WORD

_NOT_NEGATIVE = {"minimum": 0}
_COORDINATE = {"minimum": -127, "maximum": 127}
_QUARTER_TURN = {"enum": [0, 90, 180, 270]}
REQUEST_ID = {"maxLength": 64}
_WORD = {"pattern": f"^{WORD}$"}
_ENTROPY = {"pattern": "^([0-9a-f]{2}){0,256}$"}

RANGES: dict[str, dict[str, Any]] = {
    # By name, wherever the field stands.
    "game": {"pattern": f"^{GAME_ID}$"},
    "min_version": _NOT_NEGATIVE,
    "at_version": _NOT_NEGATIVE,
    "version": _NOT_NEGATIVE,
    "from_version": _NOT_NEGATIVE,
    "request_id": REQUEST_ID,
    "entropy": _ENTROPY,
    # In one message only.
    "CreateGameRequest.seats": {"minItems": 2, "maxItems": 6},
    "CreateGameRequest.turn_limit": {"minimum": 0, "maximum": 1000},
    "CreateGameRequest.turn_seconds": _NOT_NEGATIVE,
    "CreateGameRequest.seed": {"maxLength": 256},
    "SeatSetup.name": {"maxLength": 40},
    "SeatSetup.age": {"minimum": 0, "maximum": 150},
    "ClaimSeatRequest.name": {"maxLength": 40},
    "GetGameRequest.log_tail": {"minimum": 0, "maximum": 200},
    "ListGamesRequest.page_size": {"minimum": 0, "maximum": 100},
    "ListLegalMovesRequest.page_size": {"minimum": 0, "maximum": 1000},
    "ListComponentsRequest.page_size": {"minimum": 0, "maximum": 1000},
    "GetComponentPictureRequest.kind": _WORD,
    "GetComponentPictureRequest.id": _WORD,
    "ListTilesRequest.page_size": {"minimum": 0, "maximum": 1000},
    "WatchEventsRequest.page_size": {"minimum": 0, "maximum": 1000},
    "BatchValidatePlacementsRequest.placements": {"maxItems": 500},
    "ListLegalPlacementsRequest.rotation": _QUARTER_TURN,
    "ScoreBoardRequest.boards": {"minItems": 1, "maxItems": 6},
    "ScoreBoardRequest.scoring": {"minimum": 1, "maximum": 3},
    "Cell.x": _COORDINATE,
    "Cell.y": _COORDINATE,
}
"""Keywords of the schema by field, with or without its message. An entry with its message wins."""


def of(field: FieldDescriptor) -> dict[str, Any]:
    """Return the limits of a field; empty if the contract has none."""
    message = field.containing_type.name if field.containing_type is not None else ""
    return RANGES.get(f"{message}.{field.name}") or RANGES.get(field.name, {})
