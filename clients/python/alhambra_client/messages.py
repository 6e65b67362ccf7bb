"""Messages of the contract as frozen dataclasses, and how they are read from JSON and written as JSON.

The classes themselves are in `contract.py`, which is generated. The JSON name of an attribute is its name in
lowerCamelCase. Reading is lenient, so that a newer server can be used: unknown members are ignored, missing ones get
their default, and words that are not listed stay as they are.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from datetime import datetime
from functools import partial
from types import NoneType, UnionType
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

M = TypeVar("M", bound="Message")
Answer = TypeVar("Answer")
"""What a request is answered with: a message, or bytes."""

SECRET: Mapping[str, bool] = {"secret": True}
"""The metadata of fields that hold tokens and other secrets. `repr` does not show them."""


@dataclass(frozen=True, slots=True, repr=False)
class Message:
    """What all messages have in common."""

    def __repr__(self) -> str:
        """Return the message with the fields that differ from their defaults, without secrets."""
        shown = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != field.default and value not in ((), {}):
                shown.append(f"{field.name}={'…' if field.metadata else repr(value)}")
        return f"{type(self).__name__}({', '.join(shown)})"

    @classmethod
    def from_json(cls: type[M], data: Mapping[str, Any]) -> M:
        """Return the message that a JSON object stands for."""
        values = {}
        for member in _members(cls):
            value = data.get(member.json_name)
            if value is None:
                if member.absent is not None:
                    values[member.name] = member.absent()
            else:
                values[member.name] = value if member.read is None else member.read(value)
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """Return the message as a JSON object. Members that have their default are left out, except required ones."""
        found = {}
        for member in _members(type(self)):
            value = getattr(self, member.name)
            if value is not None and (value or member.is_tracked or member.is_required):
                found[member.json_name] = _plain(value)
        return found


class Route(NamedTuple):
    """The HTTP address of a call."""

    method: str
    path: str
    """`/v1/games/{game}/moves`: names in braces are attributes of the request."""
    answer: type[Message] | type[bytes]


@dataclass(frozen=True, slots=True, repr=False)
class Request(Message, Generic[Answer]):
    """A request of the contract. Its type says what it is answered with."""

    route: ClassVar[Route]


class _Member(NamedTuple):
    name: str
    json_name: str
    read: Callable[[Any], Any] | None
    """Converts the JSON value; None if it is used as it is."""
    absent: Callable[[], Any] | None
    """Makes the value of a member that is missing; None if the class has a default for it."""
    is_required: bool
    is_tracked: bool
    """Whether absent and zero differ: absent is None."""


_MEMBERS: dict[type[Message], tuple[_Member, ...]] = {}
"""The members of each class that was read or written."""


def _members(message: type[Message]) -> tuple[_Member, ...]:
    known = _MEMBERS.get(message)
    if known is not None:
        return known
    types = get_type_hints(message)
    found = []
    for field in dataclasses.fields(message):
        kind = types[field.name]
        required = field.default is MISSING and field.default_factory is MISSING
        absent = _absent(kind) if required else None
        found.append(_Member(field.name, json_name(field.name), _reader(kind), absent, required, field.default is None))
    _MEMBERS[message] = tuple(found)
    return _MEMBERS[message]


def json_name(name: str) -> str:
    """Return the JSON name of an attribute: `min_version` is `minVersion`."""
    return re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), name)


def _reader(kind: Any) -> Callable[[Any], Any] | None:
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _reader(next(each for each in inside if each is not NoneType))
    if origin is tuple:
        read = _reader(inside[0])
        return tuple if read is None else partial(_read_list, read)
    if origin is not None and origin is not Literal:  # a mapping
        read = _reader(inside[1])
        return dict if read is None else partial(_read_map, read)
    if isinstance(kind, type) and issubclass(kind, Message):
        return kind.from_json
    return datetime.fromisoformat if kind is datetime else None


def _read_list(read: Callable[[Any], Any], values: list[Any]) -> tuple[Any, ...]:
    return tuple(map(read, values))


def _read_map(read: Callable[[Any], Any], values: dict[str, Any]) -> dict[str, Any]:
    return {name: read(value) for name, value in values.items()}


def _absent(kind: Any) -> Callable[[], Any]:
    if isinstance(kind, type) and issubclass(kind, Message):
        return partial(kind.from_json, {})
    return tuple if get_origin(kind) is tuple else int if kind is int else str


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value
