"""Plain data as values of the contract, and back: whole numbers, texts, truths, None, lists and dictionaries.
Over gRPC a fact is a message, `event.facts["due"].number`; `from_value(event.facts["due"])` is simply 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .v1.values_pb2 import Value


def to_value(data: object) -> Value:
    """The value that stands for the data; TypeError if it is no plain data, ValueError beyond 32 bits."""
    value = Value()
    set_value(value, data)
    return value


def set_value(value: Value, data: object) -> None:
    """The same in place: for the entries of maps, `set_value(event.facts["due"], 7)`."""
    value.Clear()
    if data is None:
        return
    if isinstance(data, bool):
        value.truth = data
    elif isinstance(data, int):
        value.number = data
    elif isinstance(data, str):
        value.text = data
    elif isinstance(data, Mapping):
        value.object.SetInParent()
        for name, entry in data.items():
            set_value(value.object.entries[name], entry)
    elif isinstance(data, Sequence) and not isinstance(data, bytes | bytearray):
        value.list.SetInParent()
        for entry in data:
            set_value(value.list.values.add(), entry)
    else:
        raise TypeError(f"no plain data: {type(data).__name__}")


def from_value(value: Value) -> Any:
    """The data that the value stands for, as JSON would hold it; names in alphabetical order."""
    kind = value.WhichOneof("kind")
    if kind is None:
        return None
    if kind == "list":
        return [from_value(entry) for entry in value.list.values]
    if kind == "object":
        entries = value.object.entries
        return {name: from_value(entries[name]) for name in sorted(entries)}
    return getattr(value, kind)
