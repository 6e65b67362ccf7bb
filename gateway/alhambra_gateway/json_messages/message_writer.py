"""Messages as plain data for JSON.

Numbers, booleans, texts and lists are always written. A field that tracks presence and is absent, and an enum that is
unspecified, are left out. A `sparse` message also leaves out what is empty, 0 or false. A `plain` message is written as
the value of its only field. Members are in the order of the contract and map entries in the order of their names, so
the same message always gives the same text.

Writing the answer to a move, some fifty messages, is most of what the gateway itself does for it. So no field is asked
for by itself: `ListFields` returns those that are set, and an object that was made before holds all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from alhambra_api.v1 import annotations_pb2
from alhambra_api.v1.values_pb2 import Value
from alhambra_api.values import from_value

from .field_names import json_name, word_of

Writer = Callable[[Any], Any]
"""Returns a message, or the value of a field, as plain data. The data must not be changed: messages without entries
share their empty lists."""

_OWN: Mapping[str, Writer] = {
    Value.DESCRIPTOR.full_name: from_value,
    Timestamp.DESCRIPTOR.full_name: Timestamp.ToJsonString,
}
"""Messages that are not written as objects."""
_LEFT_OUT = object()
"""Stands for the value of a field that is not written."""


@cache
def writer(descriptor: Descriptor) -> Writer:
    """Return the function that writes messages of this kind as plain data."""
    own = _OWN.get(descriptor.full_name)
    if own is not None:
        return own
    options = descriptor.GetOptions().Extensions
    if options[annotations_pb2.plain]:
        return _plain(descriptor)
    fields = descriptor.fields
    if options[annotations_pb2.sparse]:
        numbers = [field.number for field in fields]
        in_order = numbers == sorted(numbers)  # the order of ListFields
        return _members(fields, {} if in_order else {json_name(field): _LEFT_OUT for field in fields})
    if len(fields) > 1 and all(_is_scalar(field) for field in fields):
        return _scalars(fields)
    return _members(fields, {json_name(field): _unset(field) for field in fields})


def _plain(descriptor: Descriptor) -> Writer:
    """Return the writer of a message with one field, which is written as the value of the field."""
    (field,) = descriptor.fields
    name, value_of = field.name, _value(field) or _unchanged
    return lambda message: value_of(getattr(message, name))


def _scalars(fields: Sequence[FieldDescriptor]) -> Writer:
    """Return the writer of a message with several fields, all of them numbers, booleans or texts."""
    keys = tuple(json_name(field) for field in fields)
    values = attrgetter(*(field.name for field in fields))
    return lambda message: dict(zip(keys, values(message), strict=True))


def _members(fields: Sequence[FieldDescriptor], unset: dict[str, Any]) -> Writer:
    """Return the writer of a message as an object. `unset` are the members of a message in which no field is set; they
    also fix the order of the members."""
    members = {field: (json_name(field), _value(field)) for field in fields}
    may_be_left_out = tuple(key for key, value in unset.items() if value is _LEFT_OUT)

    def write(message: Any) -> dict[str, Any]:
        found = unset.copy()
        for field, value in message.ListFields():
            key, value_of = members[field]
            written = value if value_of is None else value_of(value)
            if written is not _LEFT_OUT:
                found[key] = written
        for key in may_be_left_out:
            if found[key] is _LEFT_OUT:
                del found[key]
        return found

    return write


# -- Fields ------------------------------------------------------------------------------------------------------------


def _is_scalar(field: FieldDescriptor) -> bool:
    """Whether a field is a number, a boolean or a text that is always written."""
    return not (field.is_repeated or field.has_presence or field.enum_type is not None)


def _unset(field: FieldDescriptor) -> Any:
    """Return what is written of a field that is not set, unless its message is sparse."""
    if field.is_repeated:
        return [] if map_entry(field) is None else {}
    return field.default_value if _is_scalar(field) else _LEFT_OUT


def _value(field: FieldDescriptor) -> Writer | None:
    """Return the function that writes the value of a field; None if JSON knows the value as it is."""
    entry = map_entry(field)
    if entry is not None:
        return _map(_value(entry) or _unchanged)
    if field.enum_type is not None:
        words = word_of(field.enum_type)
        if field.is_repeated:
            return lambda numbers: [words[number] for number in numbers if number in words]
        return lambda number: words.get(number, _LEFT_OUT)
    if field.message_type is None:
        return list if field.is_repeated else None
    one = writer(field.message_type)
    return (lambda messages: [one(message) for message in messages]) if field.is_repeated else one


def _map(entry: Writer) -> Writer:
    return lambda entries: {key: entry(entries[key]) for key in sorted(entries)}


def _unchanged(value: Any) -> Any:
    return value


def map_entry(field: FieldDescriptor) -> FieldDescriptor | None:
    """Return the value field of a map's entries; None if the field is no map. All keys in the contract are texts."""
    kind = field.message_type
    return kind.fields_by_name["value"] if kind is not None and kind.GetOptions().map_entry else None
