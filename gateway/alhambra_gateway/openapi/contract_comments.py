"""The comments of the contract as Markdown, in the words of HTTP.

A comment speaks of fields and constants as a `.proto` file spells them. A reader of the API document sees JSON: so
`min_version` becomes `minVersion`, and PAYMENTS_BRIEF becomes "brief". Nothing else of a comment is changed but its
form: what stands in two columns becomes a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from google.protobuf.descriptor import FileDescriptor

from alhambra_api import contract
from alhambra_api.v1 import service_pb2

from ..json_messages import json_name, words_of

_CONSTANT = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")
_QUOTED_FIELD = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")
_ROW = re.compile(r"  (?! )(?P<term>.+?) {2,}(?P<text>\S.*)")
"""A line of two columns: a term and its explanation."""
_FIRST_SENTENCE = re.compile(r".+?[.!?](?=\s|$)", re.DOTALL)


def comment_on(name: str) -> str:
    """Return the comment of the contract on something, by its full name, as Markdown in the words of HTTP."""
    return markdown(contract.comments().get(name, ""))


def summary(text: str) -> str:
    """Return the first sentence of a text, without its full stop."""
    found = _FIRST_SENTENCE.match(text)
    return " ".join((found.group() if found else text).split()).removesuffix(".")


def beyond_summary(text: str) -> str:
    """Return what follows the first sentence of a text."""
    found = _FIRST_SENTENCE.match(text)
    return text[found.end() :].strip() if found else ""


def markdown(comment: str) -> str:
    """Return a comment as Markdown: two columns become a list, everything else stays."""
    lines: list[str] = []
    in_list = False
    for line in comment.splitlines():
        row = _ROW.fullmatch(line)
        if row:
            lines.append(f"- **{row['term']}**: {row['text']}")
        elif in_list and line.startswith("   "):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
        in_list = bool(row) or (in_list and line.startswith("   "))
    return _in_words_of_json("\n".join(lines))


def _in_words_of_json(text: str) -> str:
    text = _CONSTANT.sub(lambda found: _constants().get(found.group(), found.group()), text)
    return _QUOTED_FIELD.sub(lambda found: f"`{_fields().get(found.group(1), found.group(1))}`", text)


def _files() -> Iterator[FileDescriptor]:
    pool = service_pb2.DESCRIPTOR.pool
    return (pool.FindFileByName(file.name) for file in contract.contract_files())


@cache
def _fields() -> dict[str, str]:
    """Return the JSON name of each field of the contract, by its name."""
    messages = (message for file in _files() for message in file.message_types_by_name.values())
    return {field.name: json_name(field) for message in messages for field in message.fields}


@cache
def _constants() -> dict[str, str]:
    """Return the word of each constant, in quotes, by its name. Reasons keep their names and are not here."""
    enums = (enum for file in _files() for enum in file.enum_types_by_name.values())
    return {
        enum.values_by_number[number].name: f'"{word}"' for enum in enums for word, number in words_of(enum).items()
    }
