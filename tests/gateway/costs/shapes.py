"""Requests that are meant to cost much: bodies, addresses and headers, for every operation of the contract.

A shape is a function that makes a request of an operation. Bodies fill what a body may have (limits.BODY_BYTES).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from alhambra import EDITIONS, compile_ruleset, known_modules
from alhambra_gateway import limits
from alhambra_gateway.json_messages import json_name
from alhambra_gateway.routing.routes import Route

from ..examples import FILE

EXAMPLES: Mapping[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
FULL = limits.BODY_BYTES - 64
"""Bytes that a shape fills, with room for what stands around them."""
LINE = limits.REQUEST_LINE_BYTES - 200
HEADER = limits.HEADER_BYTES - 64


@dataclass(frozen=True)
class Request:
    """One request as it is sent."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes | None = None


Body = Callable[[Route], bytes]
Head = Callable[[], tuple[str, Mapping[str, str]]]
"""Returns a query and headers."""


def filled(before: str, part: str, after: str, between: str = ",", size: int = FULL) -> bytes:
    """Return a text with as many equal parts as there is room for."""
    count = (size - len(before) - len(after)) // (len(part.encode()) + len(between))
    return (before + between.join([part] * count) + after).encode()


def _first(route: Route, test: Callable[[FieldDescriptor], bool]) -> str:
    """Return the JSON name of the first field that passes a test, or of the first field of all."""
    fields = route.body_fields
    return json_name(next(filter(test, fields), fields[0])) if fields else "a"


def _list(route: Route) -> str:
    return _first(route, lambda field: field.is_repeated)


def _text(route: Route) -> str:
    return _first(route, lambda field: field.type == FieldDescriptor.TYPE_STRING and not field.is_repeated)


def _number(route: Route) -> str:
    return _first(route, lambda field: field.type == FieldDescriptor.TYPE_INT32)


def _numbered(part: str, after: str = "", size: int = FULL) -> bytes:
    """Return an object of different members."""
    found, length = [], len(after)
    for number in range(size):
        one = part.format(number)
        length += len(one) + 1
        if length > size:
            break
        found.append(one)
    return ("{" + ",".join(found) + after + "}").encode()


BODIES: dict[str, Body] = {
    "many members, one of them twice": lambda route: _numbered('"{:x}":1', ',"last":1,"last":1'),
    "one member again and again": lambda route: filled("{", '"a":1', "}"),
    "two long names that are equal": lambda route: b'{"%s":1,"%s":1}' % ((b"a" * (FULL // 2 - 8),) * 2),
    "many unknown members": lambda route: _numbered('"member{:x}":[]'),
    "empty objects": lambda route: filled(f'{{"{_list(route)}":[', "{}", "]}"),
    "empty lists": lambda route: filled(f'{{"{_list(route)}":[', "[]", "]}"),
    "empty texts": lambda route: filled(f'{{"{_list(route)}":[', '""', "]}"),
    "small numbers": lambda route: filled(f'{{"{_list(route)}":[', "1", "]}"),
    "objects with two equal members": lambda route: filled(f'{{"{_list(route)}":[', '{"a":1,"a":1}', "]}"),
    "objects inside each other": lambda route: filled("", '{"a":', "", ""),
    "lists inside each other": lambda route: filled("", "[", "", ""),
    "many deep lists": lambda route: filled("[", "[" * 200 + "]" * 200, "]"),
    "one long number": lambda route: filled(f'{{"{_number(route)}":', "9", "}", ""),
    "many long numbers": lambda route: filled(f'{{"{_list(route)}":[', "9" * 4_200, "]}"),
    "long fractions": lambda route: filled(f'{{"{_list(route)}":[', "0." + "1" * 700, "]}"),
    "one long fraction": lambda route: filled(f'{{"{_number(route)}":0.', "1", "}", ""),
    "extreme exponents": lambda route: filled(f'{{"{_list(route)}":[', "1e-308", "]}"),
    "large whole fractions": lambda route: filled(f'{{"{_list(route)}":[', "1.7e308", "]}"),
    "a long text": lambda route: filled(f'{{"{_text(route)}":"', "a", '"}', ""),
    "a long text of base64": lambda route: filled(f'{{"{_text(route)}":"', "QWxo", '"}', ""),
    "a text of escapes": lambda route: filled(f'{{"{_text(route)}":"', "\\u0041", '"}', ""),
    "a text of quotes": lambda route: filled(f'{{"{_text(route)}":"', '\\"', '"}', ""),
    "a text of surrogates": lambda route: filled(f'{{"{_text(route)}":"', "\\ud83d\\ude00", '"}', ""),
    "a text of half surrogates": lambda route: filled(f'{{"{_text(route)}":"', "\\ud83d", '"}', ""),
    "a text of commas": lambda route: filled(f'{{"{_text(route)}":"', ",[{", '"}', ""),
    "a long text of other letters": lambda route: filled(
        f'{{"{_text(route)}":"', "\N{GREEK SMALL LETTER ALPHA}", '"}', ""
    ),
    "texts of escapes": lambda route: filled(f'{{"{_list(route)}":[', '"\\n\\n\\n\\n"', "]}"),
    "a name of escapes": lambda route: filled('{"', "\\u0041", '":1}', ""),
    "blanks": lambda route: filled("{", " ", "}", ""),
    "blanks and lines between members": lambda route: filled(f'{{"{_list(route)}":[', "\n1", "]}"),
    "bytes that are not UTF-8": lambda route: b'{"a":"' + b"a" * FULL + b'\xff"}',
    "no end": lambda route: filled(f'{{"{_list(route)}":[', "{}", ","),
    "a good request with much behind it": lambda route: json.dumps(
        {**example(route).get("body", {}), "zzz": [[]] * (FULL // 8)}
    ).encode(),
}


HEADS: dict[str, Head] = {
    "many parameters": lambda: ("&".join(["a"] * (LINE // 2)), {}),
    "many percent signs": lambda: ("a=" + "%41" * (LINE // 3), {}),
    "many percent signs in names": lambda: ("&".join(["%41%42"] * (LINE // 7)), {}),
    "percent signs that mean nothing": lambda: ("a=" + "%" * LINE, {}),
    "many languages": lambda: ("", {"Accept-Language": ("de;q=0.1," * HEADER)[:HEADER]}),
    "long languages": lambda: ("", {"Accept-Language": ("a-b-" * HEADER)[:HEADER]}),
    "many types": lambda: ("", {"Accept": ("a/b;q=0.1," * HEADER)[:HEADER] + "c/d,*/*"}),
    "short types": lambda: ("", {"Accept": "a," * (HEADER // 2) + "*/*"}),
    "types with parameters": lambda: ("", {"Accept": "a/b" + ";c=d" * (HEADER // 4 - 4) + ",*/*"}),
    "types with quotes": lambda: ("", {"Accept": 'a/b;c="' + '\\"' * (HEADER // 2 - 10)}),
    "many encodings": lambda: ("", {"Accept-Encoding": ("a;q=0.1," * HEADER)[:HEADER]}),
    "many tags": lambda: ("", {"If-None-Match": ('"a",' * HEADER)[:HEADER]}),
    "tags without end": lambda: ("", {"If-None-Match": ("W/" * HEADER)[:HEADER]}),
    "a long condition": lambda: ("", {"If-Match": ("9" * HEADER)[:HEADER]}),
    "a long key": lambda: ("", {"Idempotency-Key": '"' * HEADER}),
    "a long type of content": lambda: ("", {"Content-Type": "application/json" + ";a=b" * (HEADER // 4 - 8)}),
    "long credentials": lambda: ("", {"Authorization": "Bearer " + "a" * (HEADER - 16)}),
    "huge cookies": lambda: ("", {"Cookie": ("a=b; " * HEADER)[:HEADER], "Cookie2": ("a=b; " * HEADER)[:HEADER]}),
    "many headers": lambda: ("", {f"X-{number}": "a" * 380 for number in range(limits.HEADERS - 6)}),
    "a long place to go on from": lambda: ("", {"Last-Event-ID": "1." * (HEADER // 2)}),
    "a range of many parts": lambda: ("", {"Range": "bytes=" + "0-1," * (HEADER // 4 - 4)}),
    "a date that is none": lambda: ("", {"If-Modified-Since": "a" * HEADER}),
}

TILES = sorted(tile for tile in compile_ruleset(6, next(iter(EDITIONS)), tuple(known_modules())).tiles)
"""The tiles of all modules."""


def _row(length: int, y: int, **more: Any) -> list[dict[str, Any]]:
    """Return tiles one beside the other."""
    return [
        {"tile": TILES[at % len(TILES)], "cell": {"x": at % 120 + 1, "y": y + at // 120}, **more}
        for at in range(length)
    ]


def _placed(length: int, y: int = 0) -> list[dict[str, Any]]:
    return _row(length, y, rotation=90, type="garden")


WALLED = {"woodenWalls": [{"cell": {"x": 1, "y": 0}, "side": "N"}] * 12}
MODULES = sorted(known_modules())
LARGEST: dict[str, dict[str, dict[str, Any]]] = {
    "BatchValidatePlacements": {
        "500 placements": {"placements": _row(500, 0), "seat": 0},
        "500 turned placements with helpers": {
            "placements": _row(500, 0, rotation=90, choice="gate", items=["mosaic_layer", "brickmaker"]),
            "seat": 0,
        },
        "500 placements of no tile": {
            "placements": [{"tile": f"{at}" * 16, "cell": {"x": 127, "y": -127}} for at in range(500)],
            "seat": 0,
        },
        "one placement with many helpers": {
            "placements": [{"tile": TILES[0], "cell": {"x": 1, "y": 0}, "items": ["a" * 60] * 1_000}],
            "seat": 0,
        },
    },
    "ValidateBoardPlacement": {
        "a board of 256 tiles": {
            "board": {"tiles": _placed(256)},
            "placement": {"tile": TILES[0], "cell": {"x": 1, "y": 0}},
            "rules": {"modules": MODULES[:64]},
        },
        "a board of 256 tiles on one cell": {
            "board": {"tiles": [{"tile": tile, "cell": {"x": 1, "y": 0}} for tile in TILES[:256]]},
            "placement": {"tile": TILES[0], "cell": {"x": 1, "y": 0}},
        },
        "walls and gates": {
            "board": {
                "tiles": [{**placed, **WALLED} for placed in _row(100, 0)],
                "gates": [{"cell": {"x": 1, "y": 0}, "side": "N"}] * 64,
            },
            "placement": {"tile": TILES[0], "cell": {"x": 1, "y": 0}},
            "rules": {"modules": MODULES[:64]},
        },
    },
    "ScoreBoard": {
        "six boards of 256 tiles": {"boards": [{"tiles": _row(256, 0)}] * 6, "scoring": 3},
        "six boards of 256 tiles with all modules": {
            "boards": [{"tiles": _row(256, 0)}] * 6,
            "scoring": 3,
            "rules": {"modules": MODULES[:64]},
        },
    },
    "CreateGame": {
        "six seats, all modules": {
            "seats": [{"claim": True, "name": "n" * 40, "entropy": "00" * 256}] * 6,
            "modules": MODULES[:64],
        },
        "modules that are not there": {"seats": [{}, {}], "modules": ["a" * 900] * 1_000},
        "options of many values": {"seats": [{}, {}], "options": {"undo": [[1] * 100] * 100}},
    },
    "ApplyMove": {
        "a move of 1,000 cards": {"move": {"verb": "buy", "cards": ["denar-1"] * 1_000}, "version": 0},
        "a move of long words": {"move": {"verb": "v" * 9_000, "items": ["i" * 900] * 1_000}, "version": 0},
    },
    "SetOrders": {
        "50 orders": {"orders": [{"decision": "a", "answer": "b", "unlessSlots": ["s" * 60] * 128}] * 50},
        "1,000 orders": {"orders": [{"decision": "a", "answer": "b"}] * 1_000},
    },
    "CreateWebhook": {"1,000 kinds": {"address": "https://example.com/" + "a" * 9_000, "kinds": ["ping"] * 1_000}},
    "UpdateWebhook": {"1,000 kinds": {"address": "https://example.com/" + "a" * 9_000, "kinds": ["ping"] * 1_000}},
    "LeaseBotDecision": {"1,000 players": {"players": ["p" * 500] * 1_000}},
}
"""By operation: bodies as large as they may be, or of the largest lists that are read."""

QUERIES = {
    "GetGame": "logTail=200",
    "ListGames": "pageSize=100",
    "ListLegalMoves": "payments=all&pageSize=1000&texts=true",
    "WatchEvents": "fromVersion=0&pageSize=1000",
    "ListComponents": "pageSize=1000",
    "ListTiles": "pageSize=1000",
    "ListAuditEntries": "pageSize=100",
    "ListDeliveries": "pageSize=100",
}
"""By operation: parameters that ask for as much as there is."""

ADDRESSES = {
    "many slashes": "/" * LINE,
    "many parts": "/v1" * (LINE // 3),
    "a long game": "/v1/games/" + "a" * (LINE - 20),
    "many colons": "/v1/games/abcdefghijkl" + ":a" * (LINE // 2 - 20),
    "percent signs": "/v1/games/" + "%61" * (LINE // 3 - 20),
    "a page that is not there": "/problems/" + "A" * (LINE - 20),
}
"""Addresses that no operation has."""


def example(route: Route) -> Mapping[str, Any]:
    """Return a good request of an operation."""
    found: Mapping[str, Any] = EXAMPLES[route.descriptor.name]
    return found


def address(route: Route, game: str) -> str:
    """Return the address of an operation, about this game."""
    named = {**example(route).get("path", {}), "game": game}
    path = route.path
    for field in route.path_fields:
        path = path.replace(f"{{{field.name}}}", named[field.name])
    return path


def requests(route: Route, game: str, token: str) -> Iterator[tuple[str, Request]]:
    """Generate the expensive requests of one operation, each with the name of its shape."""
    # A stream would never end: events are asked for as pages.
    path, plain = address(route, game), {"Accept": "application/json" if route.streaming else "*/*"}
    known = plain | ({"Authorization": f"Bearer {token}"} if token else {})
    if route.has_body:
        for name, make in BODIES.items():
            yield name, Request(route.method, path, {**known, "Content-Type": "application/json"}, make(route))
        for name, body in LARGEST.get(route.descriptor.name, {}).items():
            sent = {**known, "Content-Type": "application/json"}
            yield name, Request(route.method, path, sent, json.dumps(body).encode())
        good = json.dumps(example(route).get("body", {})).encode()
        for name, head in HEADS.items():
            query, headers = head()
            sent = {**known, "Content-Type": "application/json", **headers}
            yield name, Request(route.method, f"{path}?{query}" if query else path, sent, good)
        return
    if route.method == "DELETE":
        path = path.replace(game, "nosuchgameaa")
    yield "as much as there is", Request(route.method, f"{path}?{QUERIES.get(route.descriptor.name, '')}", known)
    for name, head in HEADS.items():
        query, headers = head()
        if route.streaming and "Accept" in headers:
            continue
        yield name, Request(route.method, f"{path}?{query}" if query else path, {**known, **headers})
