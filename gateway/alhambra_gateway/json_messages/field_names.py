"""Names and words: a field is named in lowerCamelCase, a value of an enum is a word.

The prefix of the enum is left off: CURRENCY_DENAR is "denar". An enum with `upper_words` keeps its case: SIDE_NE is
"NE". The value 0, unspecified, has no word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

from alhambra_api.v1 import annotations_pb2

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def json_name(field: FieldDescriptor) -> str:
    """Return the name of a field in JSON and in queries."""
    return field.json_name


def prefix_of(enum: EnumDescriptor) -> str:
    """Return the prefix of the values of an enum: BUILDING_TYPE_ for BuildingType."""
    return _HUMP.sub("_", enum.name).upper() + "_"


@cache
def word_of(enum: EnumDescriptor) -> Mapping[int, str]:
    """Return the words of an enum by number."""
    upper = enum.GetOptions().Extensions[annotations_pb2.upper_words]
    words = {}
    for value in enum.values:
        if value.number:
            word = value.name.removeprefix(prefix_of(enum))
            words[value.number] = word if upper else word.lower()
    return words


@cache
def words_of(enum: EnumDescriptor) -> Mapping[str, int]:
    """Return the numbers of an enum by word."""
    return {word: number for number, word in word_of(enum).items()}
