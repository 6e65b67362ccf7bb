"""Messages as plain data for JSON.

Numbers, booleans, texts and lists are always written. A field that tracks presence and is absent, and an enum that is
unspecified, are left out. A `sparse` message also leaves out what is empty, 0 or false. A `plain` message is written as
the value of its only field. Members are in the order of the contract and map entries in the order of their names, so
the same message always gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from alhambra_api.v1 import annotations_pb2
from alhambra_api.v1.values_pb2 import Value
from alhambra_api.values import from_value

from .field_names import json_name, word_of

Writer = Callable[[Any], Any]
"""Returns a message as plain data."""
Step = Callable[[Any, dict[str, Any]], None]
"""Writes one field of a message into an object."""

_OWN: Mapping[str, Writer] = {
    Value.DESCRIPTOR.full_name: from_value,
    Timestamp.DESCRIPTOR.full_name: Timestamp.ToJsonString,
}
"""Messages that are not written as objects."""


@cache
def writer(descriptor: Descriptor) -> Writer:
    """Return the function that writes messages of this kind as plain data."""
    own = _OWN.get(descriptor.full_name)
    if own is not None:
        return own
    options = descriptor.GetOptions().Extensions
    if options[annotations_pb2.plain]:
        return _plain(descriptor)
    sparse = options[annotations_pb2.sparse]
    steps = tuple(_step(field, sparse) for field in descriptor.fields)

    def write(message: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for step in steps:
            step(message, found)
        return found

    return write


def _plain(descriptor: Descriptor) -> Writer:
    """Return the writer of a message with one field, which is written as the value of the field."""
    (field,) = descriptor.fields
    return _collection(field)


def _collection(field: FieldDescriptor) -> Writer:
    """Return the function that writes the list or the map in a field of a message."""
    name = field.name
    entry_field = map_entry(field)
    if entry_field is not None:
        entry = _value(entry_field)

        def write_map(message: Any) -> dict[str, Any]:
            entries = getattr(message, name)
            return {key: entry(entries[key]) for key in sorted(entries)} if entries else {}

        return write_map
    if field.enum_type is not None:
        words = word_of(field.enum_type)
        return lambda message: [words[number] for number in getattr(message, name) if number in words]
    if field.message_type is None:
        return lambda message: list(getattr(message, name))
    one = _value(field)
    return lambda message: [one(entry) for entry in getattr(message, name)]


def _value(field: FieldDescriptor) -> Writer:
    """Return the function that writes one value of a field: a message, or a value that JSON knows."""
    kind = field.message_type
    return (lambda value: value) if kind is None else writer(kind)


def map_entry(field: FieldDescriptor) -> FieldDescriptor | None:
    """Return the value field of a map's entries; None if the field is no map. All keys in the contract are texts."""
    kind = field.message_type
    return kind.fields_by_name["value"] if kind is not None and kind.GetOptions().map_entry else None


def _step(field: FieldDescriptor, sparse: bool) -> Step:
    name, key = field.name, json_name(field)
    if field.is_repeated:
        collect = _collection(field)

        def write_all(message: Any, found: dict[str, Any]) -> None:
            found[key] = collect(message)

        def write_some(message: Any, found: dict[str, Any]) -> None:
            if getattr(message, name):
                found[key] = collect(message)

        return write_some if sparse else write_all
    if field.enum_type is not None:
        words = word_of(field.enum_type)

        def write_word(message: Any, found: dict[str, Any]) -> None:
            word = words.get(getattr(message, name))
            if word is not None:
                found[key] = word

        return write_word
    if field.has_presence:
        value_of = _value(field)

        def write_present(message: Any, found: dict[str, Any]) -> None:
            if message.HasField(name):
                found[key] = value_of(getattr(message, name))

        return write_present

    def write_value(message: Any, found: dict[str, Any]) -> None:
        found[key] = getattr(message, name)

    def write_if_any(message: Any, found: dict[str, Any]) -> None:
        value = getattr(message, name)
        if value:
            found[key] = value

    return write_if_any if sparse else write_value
