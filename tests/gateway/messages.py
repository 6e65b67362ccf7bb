"""Random messages of any kind in the contract, made from descriptors: whatever a program could put into one."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

from alhambra_api.v1 import (
    boards_pb2,
    catalog_pb2,
    events_pb2,
    games_pb2,
    moves_pb2,
    nouns_pb2,
    reasons_pb2,
    values_pb2,
    views_pb2,
)
from alhambra_api.v1.values_pb2 import Value
from alhambra_api.values import to_value
from alhambra_gateway.json_messages import is_required

FILES = (
    boards_pb2,
    catalog_pb2,
    events_pb2,
    games_pb2,
    moves_pb2,
    nouns_pb2,
    reasons_pb2,
    values_pb2,
    views_pb2,
)
KINDS: dict[str, Descriptor] = {
    name: kind for file in FILES for name, kind in file.DESCRIPTOR.message_types_by_name.items()
}
"""Every message that travels."""
LAST_SECOND = 253_402_300_799
"""Of the year 9999."""

WHOLE = st.integers(-(1 << 31), (1 << 31) - 1)
PLAIN = st.recursive(
    st.none() | st.booleans() | WHOLE | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_TIMES = st.builds(Timestamp, seconds=st.integers(0, LAST_SECOND), nanos=st.integers(0, 999_999_999))


def messages(kind: Descriptor) -> st.SearchStrategy[Any]:
    """Messages of this kind. Whatever the contract calls REQUIRED is there and says something."""
    if kind.full_name == Value.DESCRIPTOR.full_name:
        return PLAIN.map(to_value)
    if kind.full_name == Timestamp.DESCRIPTOR.full_name:
        return _TIMES
    return st.composite(_filled)(kind)


def _filled(draw: st.DrawFn, kind: Descriptor) -> Message:
    message = GetMessageClass(kind)()
    for field in kind.fields:
        others = field.containing_oneof.fields if field.containing_oneof else ()
        if any(message.HasField(other.name) for other in others):
            continue
        if is_required(field) or draw(st.booleans()):
            _fill(draw, message, field)
    return message


def _fill(draw: st.DrawFn, message: Any, field: FieldDescriptor) -> None:
    needed = is_required(field)
    value = getattr(message, field.name)
    inner = field.message_type
    if inner is not None and inner.GetOptions().map_entry:
        held = inner.fields_by_name["value"]
        for key in draw(st.lists(st.text(max_size=5), max_size=3)):
            if held.message_type is not None:
                value[key].CopyFrom(draw(messages(held.message_type)))
            else:
                value[key] = draw(_scalars(held, True))
    elif inner is not None and field.is_repeated:
        value.extend(draw(st.lists(messages(inner), min_size=int(needed), max_size=2)))
    elif inner is not None:
        value.SetInParent()
        value.CopyFrom(draw(messages(inner)))
    elif field.is_repeated:
        value.extend(draw(st.lists(_scalars(field, True), min_size=int(needed), max_size=3)))
    else:
        setattr(message, field.name, draw(_scalars(field, needed)))


def _scalars(field: FieldDescriptor, needed: bool) -> st.SearchStrategy[Any]:
    if field.enum_type is not None:  # unspecified is the same as nothing, where there can be nothing
        return st.sampled_from([value.number for value in field.enum_type.values if value.number or not needed])
    if field.type == FieldDescriptor.TYPE_STRING:
        return st.text(min_size=int(needed), max_size=8)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return st.booleans()
    return WHOLE
