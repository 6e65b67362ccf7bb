"""A state as bytes and back: canonical JSON with a checksum in front.

The same state gives the same bytes, always. Bytes with a good checksum are trusted: they were written by this library.
What strangers send comes as notation or export and is replayed instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

from .board import Board
from .components import Tile
from .contacts import Placed
from .migrations import carry_forward, too_old
from .state import Decision, Seat, State
from .violations import BadState

if TYPE_CHECKING:
    from .ruleset import Ruleset

CHECKSUM = 16
FAMILY = b"alh"
MAGIC = FAMILY + b"1"
"""What sealed bytes begin with; the last byte is the version of their form."""
_PLAIN = frozenset((str, int, bool, type(None)))
_WORDS = frozenset((str,))
_RECORDS: dict[str, Callable[..., Any]] = {}
Record = TypeVar("Record", bound=type)


def record(kind: Record) -> Record:
    """Marks a named tuple that may stand in a state, so that it comes back from bytes as what it was."""
    _RECORDS[kind.__name__] = kind
    return kind


def record_forms() -> dict[str, tuple[str, ...]]:
    """The named tuples that may stand in a state, with their fields."""
    return {name: getattr(kind, "_fields", ()) for name, kind in sorted(_RECORDS.items())}


def seal(document: object) -> bytes:
    """JSON-ready data as bytes with magic and checksum."""
    body = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return MAGIC + blake2b(body, digest_size=CHECKSUM).digest() + body


def unseal(data: bytes) -> Any:
    """The data behind sealed bytes; raises BadState if they are not what was written."""
    body = data[len(MAGIC) + CHECKSUM :]
    form = data[len(FAMILY) : len(MAGIC)]
    if data.startswith(FAMILY) and form.isdigit() and form > MAGIC[len(FAMILY) :]:
        raise too_old("the form of these bytes", form.decode(), MAGIC[len(FAMILY) :].decode())
    if data[: len(MAGIC)] != MAGIC:
        raise BadState("STATE_MALFORMED", "these bytes are no game")
    if data[len(MAGIC) : len(MAGIC) + CHECKSUM] != blake2b(body, digest_size=CHECKSUM).digest():
        raise BadState("STATE_MALFORMED", "the checksum does not match")
    return json.loads(body)


def pack(value: Any) -> Any:
    """A value of the state as JSON-ready data. Tuples become lists; what JSON lacks gets a tag."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, tuple):
        # Here and below: most values are plain, and calling `pack` for each would cost more than the rest.
        packed = [entry if type(entry) in _PLAIN else pack(entry) for entry in value]
        return {"@record": [type(value).__name__, *packed]} if type(value).__name__ in _RECORDS else packed
    if isinstance(value, dict):
        if _WORDS.issuperset(map(type, value)):
            return {key: entry if type(entry) in _PLAIN else pack(entry) for key, entry in value.items()}
        pairs = sorted(([pack(key), pack(entry)] for key, entry in value.items()), key=lambda pair: repr(pair[0]))
        return {"@map": pairs}
    if isinstance(value, frozenset):
        return {"@set": sorted((pack(entry) for entry in value), key=repr)}
    raise TypeError(f"a state holds plain data, not {type(value).__name__}")


def unpack(value: Any) -> Any:
    """The value that `pack` was given."""
    if isinstance(value, list):
        return tuple(value if _PLAIN.issuperset(map(type, value)) else map(unpack, value))
    if isinstance(value, dict):
        if "@map" in value:
            return {unpack(key): unpack(entry) for key, entry in value["@map"]}
        if "@record" in value:
            kind, *entries = value["@record"]
            return _RECORDS[kind](*map(unpack, entries))
        if "@set" in value:
            return frozenset(unpack(entry) for entry in value["@set"])
        return {key: unpack(entry) for key, entry in value.items()}
    return value


def pack_board(board: Board) -> Any:
    """Tiles in the order they were built, and gates."""
    placed = [[p.tile.id, p.x, p.y, p.rotation, list(p.sticks)] for p in board.placed.values()]
    return [placed, sorted(list(edge) for edge in board.passages)]


def unpack_board(data: Any, tiles: Callable[[str], Tile]) -> Board:
    """The board that `pack_board` was given."""
    placed, passages = data
    return Board.of(
        [Placed(tiles(tile_id), x, y, rotation, tuple(sticks)) for tile_id, x, y, rotation, sticks in placed],
        frozenset((x, y, side) for x, y, side in passages),
    )


def pack_state(state: State, versions: Mapping[str, int] | None = None) -> dict[str, Any]:
    """The state as JSON-ready data, with the versions of the modules that wrote it (`Ruleset.versions`)."""
    found: dict[str, Any] = {}
    for name, value in vars(state).items():
        if name == "seats":
            found[name] = [_pack_seat(seat) for seat in value]
        elif name == "decision":
            found[name] = None if value is None else [value.kind, value.seat, pack(value.context)]
        elif name == "agenda":
            found[name] = [pack(frame) for frame in value]
        elif name == "slices":
            found[name] = {
                key: {field: pack(getattr(kept, field)) for field in type(kept).__slots__}
                for key, kept in value.items()
            }
        else:
            found[name] = value if type(value) in _PLAIN else pack(value)
    if versions:
        found["versions"] = dict(versions)
    return found


def unpack_state(data: dict[str, Any], ruleset: Ruleset) -> State:
    """The state that `pack_state` was given, carried forward if an older version wrote it. Changes `data`. Raises
    BadState if a newer version wrote it, or if it is no state of these rules."""
    try:
        if data.get("versions", {}) == ruleset.versions:
            data.pop("versions", None)
        else:
            carry_forward(data, ruleset.modules)
        state = _unpack_state(data, ruleset.tiles.__getitem__, ruleset.slices)
        _check(state, ruleset)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as fault:
        raise BadState("STATE_MALFORMED", f"this is no state of these rules: {fault!r}") from fault
    return state


def _check(state: State, ruleset: Ruleset) -> None:
    """Raises KeyError for a step or decision that these rules do not have, and for a missing or unknown slice."""
    for entry in state.agenda:
        _ = ruleset.moments[entry[1]][entry[2]] if entry[0] == "frame" else ruleset.steps[entry[0]]
    if state.decision is not None:
        _ = ruleset.questions[state.decision.kind]
    if state.slices.keys() != ruleset.slices.keys():
        raise KeyError(*sorted(state.slices.keys() ^ ruleset.slices.keys()))


def _unpack_state(data: dict[str, Any], tiles: Callable[[str], Tile], slices: dict[str, type]) -> State:
    state = State([])
    _require_fields(data, vars(state))
    for name, value in data.items():
        if name == "seats":
            state.seats = [_unpack_seat(seat, tiles) for seat in value]
        elif name == "decision":
            state.decision = None if value is None else Decision(value[0], value[1], unpack(value[2]))
        elif name == "agenda":
            state.agenda = [unpack(frame) for frame in value]
        elif name == "slices":
            state.slices = {key: _unpack_slice(slices[key], kept) for key, kept in value.items()}
        else:
            setattr(state, name, unpack(value))
    return state


def _require_fields(data: Mapping[str, Any], fields: Collection[str]) -> None:
    """Raises KeyError unless the data has exactly these fields."""
    if len(data) != len(fields) or not all(name in data for name in fields):
        raise KeyError(*sorted(set(data) ^ set(fields)))


def _pack_seat(seat: Seat) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in Seat.__slots__:
        value = getattr(seat, name)
        found[name] = value if type(value) in _PLAIN else pack_board(value) if name == "board" else pack(value)
    return found


def _unpack_seat(data: dict[str, Any], tiles: Callable[[str], Tile]) -> Seat:
    _require_fields(data, Seat.__slots__)
    seat = Seat.__new__(Seat)
    for name, value in data.items():
        setattr(seat, name, unpack_board(value, tiles) if name == "board" else unpack(value))
    return seat


def _unpack_slice(cls: type, data: dict[str, Any]) -> Any:
    _require_fields(data, cls.__slots__)  # type: ignore[attr-defined]
    kept: Any = object.__new__(cls)
    for name, value in data.items():
        setattr(kept, name, unpack(value))
    return kept
