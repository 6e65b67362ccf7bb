"""Messages from the query string of an address: parameters have the names of fields, and values as in JSON.

`?minVersion=17&payments=all&modules=thieves&modules=change`: a list is a parameter that comes several times, and
no other parameter may come twice. Unknown parameters are refused, as unknown members of a body are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from google.protobuf.descriptor import FieldDescriptor

from .. import limits
from .field_names import json_name
from .json_text import Fault
from .message_reader import Scalar, is_required, scalar_reader, whole

QueryReader = Callable[[Any, str], None]
"""Fills a message from the query string of an address; raises Fault."""

_DIGITS = re.compile(r"-?[0-9]{1,10}")
_TRUTHS = {"true": True, "false": False}


def query_reader(fields: Iterable[FieldDescriptor]) -> QueryReader:
    """Return the function that fills these fields from a query string."""
    known: Mapping[str, tuple[str, bool, Scalar]] = {
        json_name(field): (field.name, field.is_repeated, _parameter(field)) for field in fields
    }
    required = frozenset(json_name(field) for field in fields if is_required(field))

    def read(message: Any, query: str) -> None:
        seen = set()
        for key, value in _pairs(query) if query else ():
            if key not in known:
                raise Fault("There is no such parameter.", key[: limits.FACT_CHARS])
            name, several, scalar = known[key]
            if key in seen and not several:
                raise Fault("A parameter comes twice.", key)
            seen.add(key)
            try:
                found = scalar(value)
            except Fault as fault:
                raise fault.inside(key) from None
            if several:
                getattr(message, name).append(found)
            else:
                setattr(message, name, found)
        if not required <= seen:
            raise Fault("This is missing.", min(required - seen))

    return read


def _pairs(query: str) -> list[tuple[str, str]]:
    try:
        query.encode("ascii")  # an address is ASCII; the encoding of other bytes is unknown
        return parse_qsl(
            query, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=limits.QUERY_PARAMETERS
        )
    except ValueError:  # bytes that are not UTF-8 among them
        raise Fault("The query cannot be read.") from None


def _parameter(field: FieldDescriptor) -> Scalar:
    scalar = scalar_reader(field)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _truth
    return _number if scalar is whole else scalar


def _truth(value: str) -> bool:
    if value not in _TRUTHS:
        raise Fault("This must be true or false.")
    return _TRUTHS[value]


def _number(value: str) -> int:
    if not _DIGITS.fullmatch(value):
        raise Fault("This must be a whole number.")
    return whole(int(value))
