"""What the fields of requests may hold, read from the options that the contract gives them (`v1/limits.proto`)."""

from __future__ import annotations

from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from .v1 import limits_pb2
from .v1.limits_pb2 import Limits

__all__ = ["Limits", "limits_of", "limits_of_form", "limits_within"]


def limits_of(field: FieldDescriptor) -> Limits:
    """Return the limits of a field, its own or those of its form; empty if the contract gives it none."""
    options = field.GetOptions()
    if options.HasExtension(limits_pb2.form):
        return limits_of_form(options.Extensions[limits_pb2.form])
    return options.Extensions[limits_pb2.limits]


def limits_within(message: type[Message], field: str) -> Limits:
    """Return the limits of a field by the class of its message and its name."""
    descriptor: Any = message.DESCRIPTOR
    return limits_of(descriptor.fields_by_name[field])


def limits_of_form(form: limits_pb2.Form.ValueType) -> Limits:
    """Return the limits that all fields of a form have."""
    return limits_pb2.Form.DESCRIPTOR.values_by_number[form].GetOptions().Extensions[limits_pb2.form_limits]
