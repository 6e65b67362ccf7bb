"""States as bytes: canonical JSON with a checksum.

Equal states have equal bytes. Bytes with a valid checksum are trusted, because this library wrote them. Untrusted games
arrive as notation or export and are replayed instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from hashlib import blake2b
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .board import Board
from .components import Tile
from .migrations import migrate_state, too_old
from .module_states import ModuleStates
from .placement.contacts import PlacedTile
from .state import Decision, Seat, State
from .violations import BadState

if TYPE_CHECKING:
    from .ruleset import Ruleset

CHECKSUM = 16
FAMILY = b"alh"
MAGIC = FAMILY + b"1"
"""Prefix of sealed bytes; the last byte is the format version."""
json_text = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
"""Return JSON-ready data as canonical JSON."""
_PLAIN = frozenset((str, int, bool, type(None)))
_MUTABLE_FIELDS = frozenset(("agenda", "module_states", "seats"))
"""Fields of a state that are changed in place. All others are replaced, so their text is valid while they hold the same
object."""
Texts = dict[object, tuple[object, str]]
"""The value written last and its text, by field of a state, by seat number, or by ("module", key)."""
STORED_NAMES = {"known_positions": "pinned", "module_states": "slices", "wooden_walls": "sticks"}
"""Fields of a state that are stored under another name."""
_FIELDS = tuple(sorted((STORED_NAMES.get(name, name), name) for name in vars(State([]))))
"""All fields of a state as (stored name, name), in the order in which they are written."""
_FIELD_OF = dict(_FIELDS)
_STRINGS = frozenset((str,))
_SEAT_FIELDS = tuple(name for name in Seat.__slots__ if name != "board")
_OTHER_SEAT_FIELDS = attrgetter(*_SEAT_FIELDS)
_STORABLE: dict[str, Callable[..., Any]] = {}
TupleType = TypeVar("TupleType", bound=type)


def storable(kind: TupleType) -> TupleType:
    """Register a named tuple that may be part of a state, so that reading restores its type."""
    _STORABLE[kind.__name__] = kind
    return kind


def storable_types() -> dict[str, tuple[str, ...]]:
    """Return the registered named tuples with their fields."""
    return {name: getattr(kind, "_fields", ()) for name, kind in sorted(_STORABLE.items())}


def seal(document: object) -> bytes:
    """Return JSON-ready data as bytes with magic and checksum."""
    return seal_text(json_text(document))


def seal_text(text: str) -> bytes:
    """Return canonical JSON text (`json_text`) as bytes with magic and checksum."""
    body = text.encode()
    return MAGIC + blake2b(body, digest_size=CHECKSUM).digest() + body


def unseal(data: bytes) -> Any:
    """Return the data in sealed bytes. Raise BadState if they are damaged or not sealed bytes."""
    body = data[len(MAGIC) + CHECKSUM :]
    form = data[len(FAMILY) : len(MAGIC)]
    if data.startswith(FAMILY) and form.isdigit() and form > MAGIC[len(FAMILY) :]:
        raise too_old("the form of these bytes", form.decode(), MAGIC[len(FAMILY) :].decode())
    if data[: len(MAGIC)] != MAGIC:
        raise BadState("STATE_MALFORMED", "not the bytes of a game")
    if data[len(MAGIC) : len(MAGIC) + CHECKSUM] != blake2b(body, digest_size=CHECKSUM).digest():
        raise BadState("STATE_MALFORMED", "the checksum does not match")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as fault:  # no version of this library has written that
        raise BadState("STATE_MALFORMED", "the bytes of a game hold no JSON that can be read") from fault


def pack(value: Any) -> Any:
    """Return a value of the state as JSON-ready data. Tuples become lists; types that JSON lacks get a tag."""
    if type(value) in _PLAIN or (type(value) is tuple and _PLAIN.issuperset(map(type, value))):
        return value  # JSON writes tuples as lists
    if isinstance(value, tuple):
        # Here and below: most values are plain, and calling `pack` for each of them would be slow.
        packed = [entry if type(entry) in _PLAIN else pack(entry) for entry in value]
        return {"@record": [type(value).__name__, *packed]} if type(value).__name__ in _STORABLE else packed
    if isinstance(value, dict):
        if _STRINGS.issuperset(map(type, value)):
            return {key: entry if type(entry) in _PLAIN else pack(entry) for key, entry in value.items()}
        return {"@map": [[pack(key), pack(value[key])] for key in sorted(value)]}
    if isinstance(value, frozenset):
        return {"@set": sorted((pack(entry) for entry in value), key=repr)}
    raise TypeError(f"a state must contain only plain data, not {type(value).__name__}")


def unpack(value: Any) -> Any:
    """Return the value that was given to `pack`."""
    if isinstance(value, list):
        return tuple(value if _PLAIN.issuperset(map(type, value)) else map(unpack, value))
    if isinstance(value, dict):
        if "@map" in value:
            return {unpack(key): unpack(entry) for key, entry in value["@map"]}
        if "@record" in value:
            kind, *entries = value["@record"]
            return _STORABLE[kind](*map(unpack, entries))
        if "@set" in value:
            return frozenset(unpack(entry) for entry in value["@set"])
        return {key: unpack(entry) for key, entry in value.items()}
    return value


def pack_board(board: Board) -> Any:
    """Return the tiles in building order, and the gates."""
    placed = [[p.tile.id, p.x, p.y, p.rotation, list(p.wooden_walls)] for p in board.placed.values()]
    return [placed, sorted(list(edge) for edge in board.passages)]


def unpack_board(data: Any, tiles: Callable[[str], Tile]) -> Board:
    """Return the board that was given to `pack_board`."""
    placed, passages = data
    return Board.of(
        [
            PlacedTile(tiles(tile_id), x, y, rotation, tuple(wooden_walls))
            for tile_id, x, y, rotation, wooden_walls in placed
        ],
        frozenset((x, y, side) for x, y, side in passages),
    )


def state_text(state: State, versions: Mapping[str, int], known: Texts) -> str:
    """Return the JSON text of `pack_state`. Texts of fields that have not changed are taken from `known`, which is
    updated."""
    fields: dict[str, Any] = vars(state)
    texts = []
    for stored, name in _FIELDS:
        value = fields[name]
        kept = known.get(name)
        if kept is not None and kept[0] is value:
            texts.append(kept[1])
            continue
        if name == "seats":
            seats = [_seat_text(number, seat, known) for number, seat in enumerate(value)]
            text = f'"seats":[{",".join(seats)}]'
        elif name == "module_states":
            states = value.to_read()
            modules = [f"{json_text(key)}:{_module_text(key, states[key], known)}" for key in sorted(states)]
            text = f'"{stored}":{{{",".join(modules)}}}'
        elif type(value) is int:
            text = f'"{stored}":{value}'
        else:
            text = f'"{stored}":{json_text(_pack_field(name, value))}'
        if name not in _MUTABLE_FIELDS:
            known[name] = (value, text)
        texts.append(text)
    if versions:
        texts.append(f'"versions":{json_text(versions)}')
    return f"{{{','.join(texts)}}}"


def _seat_text(number: int, seat: Seat, known: Texts) -> str:
    values = (seat.board.cached(_board_text), *_OTHER_SEAT_FIELDS(seat))
    kept = known.get(number)
    if kept is not None and all(map(is_, values, cast("tuple[object, ...]", kept[0]))):
        return kept[1]
    board, *others = values
    found = {name: pack(value) for name, value in zip(_SEAT_FIELDS, others, strict=True)}
    text = f'{{"board":{board},{json_text(found)[1:]}'  # `board` sorts first
    known[number] = (values, text)
    return text


def _module_text(key: str, module_state: Any, known: Texts) -> str:
    names = type(module_state).__slots__
    values = [getattr(module_state, name) for name in names]
    kept = known.get(("module", key))
    if kept is not None and all(map(is_, values, cast("list[object]", kept[0]))):
        return kept[1]
    text = json_text({name: pack(value) for name, value in zip(names, values, strict=True)})
    known["module", key] = (values, text)
    return text


def _board_text(board: Board) -> str:
    return json_text(pack_board(board))


def pack_state(state: State, versions: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Return the state as JSON-ready data, with the module versions that wrote it (`Ruleset.versions`)."""
    found: dict[str, Any] = {}
    for stored, name in _FIELDS:
        value = getattr(state, name)
        found[stored] = [_pack_seat(seat) for seat in value] if name == "seats" else _pack_field(name, value)
    if versions:
        found["versions"] = dict(versions)
    return found


def _pack_field(name: str, value: Any) -> Any:
    """Return a field of the state as JSON-ready data; not for `seats`."""
    if name == "decision":
        return None if value is None else [value.kind, value.seat, pack(value.context)]
    if name == "agenda":
        return [pack(item) for item in value]
    if name == "module_states":
        return {
            key: {field: pack(getattr(kept, field)) for field in type(kept).__slots__}
            for key, kept in value.to_read().items()
        }
    return pack(value)


def unpack_state(data: dict[str, Any], ruleset: Ruleset) -> State:
    """Return the state that was given to `pack_state`, migrated if an older version wrote it. Changes `data`. Raise
    BadState if a newer version wrote it, or if it does not fit these rules."""
    try:
        if data.get("versions", {}) == ruleset.versions:
            data.pop("versions", None)
        else:
            migrate_state(data, ruleset.modules)
        state = _unpack_state(data, ruleset.tiles.__getitem__, ruleset.state_types)
        _check(state, ruleset)
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as fault:
        raise BadState("STATE_MALFORMED", f"not a state of these rules: {fault!r}") from fault
    return state


def _check(state: State, ruleset: Ruleset) -> None:
    """Raise KeyError for unknown steps and decisions, and for missing or unknown module states."""
    for entry in state.agenda:
        _ = ruleset.stages[entry[1]][entry[2]] if entry[0] == "frame" else ruleset.steps[entry[0]]
    if state.decision is not None:
        _ = ruleset.questions[state.decision.kind]
    if state.module_states.keys() != ruleset.state_types.keys():
        raise KeyError(*sorted(state.module_states.keys() ^ ruleset.state_types.keys()))


def _unpack_state(data: dict[str, Any], tiles: Callable[[str], Tile], state_types: dict[str, type]) -> State:
    state = State([])
    _require_fields(data, _FIELD_OF)
    for stored, value in data.items():
        name = _FIELD_OF[stored]
        if name == "seats":
            state.seats = [_unpack_seat(seat, tiles) for seat in value]
        elif name == "decision":
            state.decision = None if value is None else Decision(value[0], value[1], unpack(value[2]))
        elif name == "agenda":
            state.agenda = [unpack(item) for item in value]
        elif name == "module_states":
            states = {key: _unpack_module_state(state_types[key], kept) for key, kept in value.items()}
            state.module_states = ModuleStates(states)
        else:
            setattr(state, name, unpack(value))
    return state


def _require_fields(data: Mapping[str, Any], fields: Collection[str]) -> None:
    """Raise KeyError unless the data has exactly these fields."""
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


def _unpack_module_state(cls: type, data: dict[str, Any]) -> Any:
    _require_fields(data, cls.__slots__)  # type: ignore[attr-defined]
    kept: Any = object.__new__(cls)
    for name, value in data.items():
        setattr(kept, name, unpack(value))
    return kept
