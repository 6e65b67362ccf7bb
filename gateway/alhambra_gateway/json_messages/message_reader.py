"""Messages from parsed JSON. Unknown members, wrong types and numbers out of range are refused.

A member is missing if the contract marks it as REQUIRED and it was not sent. `null` is allowed only in fields that take
any value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp

from alhambra_api.limits import limits_of
from alhambra_api.v1 import annotations_pb2
from alhambra_api.v1.values_pb2 import Value

from .. import limits
from .field_names import json_name, words_of
from .json_text import Fault, TooMany
from .message_writer import map_entry

Reader = Callable[[Any, Any], None]
"""Fills a message from a parsed value; raises Fault."""
Scalar = Callable[[Any], Any]
"""Returns the value of a field from a parsed value; raises Fault."""

INT32_LEAST, INT32_MOST = -(1 << 31), (1 << 31) - 1
_WHOLE = frozenset({FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_SINT32})


@cache
def reader(descriptor: Descriptor) -> Reader:
    """Return the function that fills a message of this kind from parsed JSON."""
    own = _OWN.get(descriptor.full_name)
    if own is not None:
        return own
    if descriptor.GetOptions().Extensions[annotations_pb2.plain]:
        (field,) = descriptor.fields
        return _collection(field)
    return members_reader(descriptor.fields)


def members_reader(fields: Iterable[FieldDescriptor]) -> Reader:
    """Return the function that fills these fields from the members of an object."""
    known: Mapping[str, Reader] = {json_name(field): _member(field) for field in fields}
    required = frozenset(json_name(field) for field in fields if is_required(field))

    def read(message: Any, value: Any) -> None:
        if type(value) is not dict:
            raise Fault("This must be an object.")
        for name, entry in value.items():
            member = known.get(name)
            if member is None:
                raise Fault("There is no such member.", name[: limits.FACT_CHARS])
            try:
                member(message, entry)
            except Fault as fault:
                raise fault.inside(name) from None
        if not required <= value.keys():
            raise Fault("This is missing.", min(required - value.keys()))

    return read


def is_required(field: FieldDescriptor) -> bool:
    """Whether the contract marks the field as REQUIRED."""
    return field_behavior_pb2.REQUIRED in field.GetOptions().Extensions[field_behavior_pb2.field_behavior]


def _member(field: FieldDescriptor) -> Reader:
    """Return the function that fills one field of a message."""
    name = field.name
    if field.is_repeated:
        return _collection(field)
    if field.message_type is not None:
        inside = reader(field.message_type)

        def read_message(message: Any, value: Any) -> None:
            inner = getattr(message, name)
            inner.SetInParent()
            inside(inner, value)

        return _one_of(field, read_message)
    scalar = scalar_reader(field)

    def read_scalar(message: Any, value: Any) -> None:
        setattr(message, name, scalar(value))

    return _one_of(field, read_scalar)


def _one_of(field: FieldDescriptor, read: Reader) -> Reader:
    """Refuse a second field of a `oneof`; other fields are read as they are."""
    oneof = field.containing_oneof
    if oneof is None or len(oneof.fields) == 1:  # `optional` is a choice of one
        return read
    choice = oneof.name

    def read_first(message: Any, value: Any) -> None:
        if message.WhichOneof(choice) is not None:
            raise Fault("This excludes another member.")
        read(message, value)

    return read_first


def _collection(field: FieldDescriptor) -> Reader:
    """Return the function that fills the list or the map in a field of a message."""
    name = field.name
    entry_field = map_entry(field)
    if entry_field is not None:
        plain = scalar_reader(entry_field) if entry_field.message_type is None else None
        entry = reader(entry_field.message_type) if entry_field.message_type is not None else None

        def read_map(message: Any, value: Any) -> None:
            if type(value) is not dict:
                raise Fault("This must be an object.")
            entries = getattr(message, name)
            for key, one in value.items():
                try:
                    if entry is not None:
                        entry(entries[text(key)], one)
                    elif plain is not None:
                        entries[text(key)] = plain(one)
                except Fault as fault:
                    raise fault.inside(key[: limits.FACT_CHARS]) from None

        return read_map
    allowed = limits_of(field).max_items or limits.LIST_ENTRIES
    if field.message_type is not None:
        item = reader(field.message_type)

        def read_list(message: Any, value: Any) -> None:
            if type(value) is not list:
                raise Fault("This must be a list.")
            if len(value) > limits.LIST_ENTRIES:
                raise TooMany(json_name(field), allowed)
            add = getattr(message, name).add
            for index, one in enumerate(value):
                try:
                    item(add(), one)
                except Fault as fault:
                    raise fault.at(index) from None

        return read_list
    scalar = scalar_reader(field)

    def read_scalars(message: Any, value: Any) -> None:
        if type(value) is not list:
            raise Fault("This must be a list.")
        if len(value) > limits.LIST_ENTRIES:
            raise TooMany(json_name(field), allowed)
        append = getattr(message, name).append
        for index, one in enumerate(value):
            try:
                append(scalar(one))
            except Fault as fault:
                raise fault.at(index) from None

    return read_scalars


# -- Single values -----------------------------------------------------------------------------------------------------


def scalar_reader(field: FieldDescriptor) -> Scalar:
    """Return the function that reads the value of a field; raises ValueError for types outside of the contract."""
    if field.enum_type is not None:
        words = words_of(field.enum_type)

        def word(value: Any) -> int:
            found = words.get(value) if type(value) is str else None
            if found is None:
                raise Fault(f"This must be one of: {', '.join(words)}.")
            return found

        return word
    if field.type == FieldDescriptor.TYPE_STRING:
        return text
    if field.type == FieldDescriptor.TYPE_BOOL:
        return truth
    if field.type in _WHOLE:
        return whole
    raise ValueError(f"{field.full_name} has a type that cannot be read")


def text(value: Any) -> str:
    """Return a text; raises Fault if it is none, or has half a surrogate pair."""
    if type(value) is not str:
        raise Fault("This must be a text.")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Fault("This is not Unicode.") from None
    return value


def truth(value: Any) -> bool:
    """Return true or false; raises Fault for anything else."""
    if type(value) is not bool:
        raise Fault("This must be true or false.")
    return value


def whole(value: Any) -> int:
    """Return a whole number of 32 bits; raises Fault if it is none. 1.0 is one, because JSON has one type of number."""
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int:
        raise Fault("This must be a whole number.")
    if not INT32_LEAST <= value <= INT32_MOST:
        raise Fault(f"This must be a number from {INT32_LEAST} to {INT32_MOST}.")
    return value


# -- Messages that are no objects in JSON ------------------------------------------------------------------------------


def _read_value(message: Any, value: Any, depth: int = 0) -> None:
    """Read any plain value, nested at most VALUE_DEPTH deep."""
    if depth > limits.VALUE_DEPTH:
        raise Fault("This is nested too deeply.")
    message.SetInParent()
    kind = type(value)
    if kind is bool:
        message.truth = value
    elif kind is str:
        message.text = text(value)
    elif kind is dict:
        message.object.SetInParent()
        entries = message.object.entries
        for name, one in value.items():
            try:
                _read_value(entries[text(name)], one, depth + 1)
            except Fault as fault:
                raise fault.inside(name[: limits.FACT_CHARS]) from None
    elif kind is list:
        message.list.SetInParent()
        for index, one in enumerate(value):
            try:
                _read_value(message.list.values.add(), one, depth + 1)
            except Fault as fault:
                raise fault.at(index) from None
    elif value is not None:
        message.number = whole(value)


def _read_time(message: Any, value: Any) -> None:
    """Read a time in the form of RFC 3339."""
    try:
        message.FromJsonString(text(value))
    except ValueError:
        raise Fault("This must be a time such as 2026-01-31T12:00:00Z.") from None


_OWN: Mapping[str, Reader] = {
    Value.DESCRIPTOR.full_name: _read_value,
    Timestamp.DESCRIPTOR.full_name: _read_time,
}
