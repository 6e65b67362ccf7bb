"""Messages from the query of an address: parameters are named like fields, words and numbers as in JSON.

`?minVersion=17&payments=all&modules=thieves&modules=change`: a list is a parameter that comes several times, and
nothing else may come twice. What is unknown is refused as it is in a body.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from google.protobuf.descriptor import FieldDescriptor

from .. import limits
from .faults import Fault
from .reading import Scalar, is_required, scalar_reader, whole
from .words import json_name

QueryReader = Callable[[Any, str], None]
"""Fills a message from a query as it stands in the address; raises Fault."""

_DIGITS = re.compile(r"-?[0-9]{1,10}")
_TRUTHS = {"true": True, "false": False}


def query_reader(fields: Iterable[FieldDescriptor]) -> QueryReader:
    """How these fields are filled from a query."""
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
        query.encode("ascii")  # an address is ASCII; other bytes of it would be guessed at
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
