"""Messages and enums of the contract as JSON schemas, exactly as annotations.proto says that JSON is written.

What is sent and what is answered differ:

    sent       closed: a member that is not named here is refused. Needed is what the contract marks as REQUIRED.
    answered   open, since an answer may gain members. There for sure is whatever is always written: numbers, truths,
               texts, lists; and messages and enums, unless the comment says when they are absent or unspecified.
    both       open, with the limits of what is sent. A message that goes both ways has one schema, so that a client
               with named types can send back what it was given. Needed is what is REQUIRED, and single numbers, truths
               and texts that are always written: a client that reads `x` of a cell must find it, and one that sends a
               cell does well to say it. Lists and enums may be left out.

A sparse message has only those members that say something. There for sure are the word with which it begins (its first
field), what is REQUIRED, and what the comment calls "always present".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from alhambra_api import contract
from alhambra_api.limits import Limits, limits_of, limits_of_form
from alhambra_api.v1 import annotations_pb2

from ..json_messages import json_name, words_of
from ..json_messages.message_reader import is_required
from .contract_comments import comment_on

Schema: TypeAlias = dict[str, Any]

TIMESTAMP = "google.protobuf.Timestamp"
SCHEMAS = "#/components/schemas/"
INT32: Schema = {"type": "integer", "format": "int32"}
_SCALARS: dict[int, Schema] = {
    FieldDescriptor.TYPE_INT32: INT32,
    FieldDescriptor.TYPE_SINT32: INT32,
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_STRING: {"type": "string"},
}
_SOMETIMES = re.compile(r"; (?:absent|present|unspecified)\b")
_ALWAYS = re.compile(r"\balways\s+present\b", re.IGNORECASE)


class Shapes:
    """The schemas of a document, collected while it is made."""

    def __init__(self, sent: Iterable[Descriptor], answered: Iterable[Descriptor]) -> None:
        """`sent` and `answered` are the messages of all requests and answers; some are both."""
        self._both_ways = {message.name for message in reached(sent) & reached(answered)}
        self.schemas: dict[str, Schema] = {}
        """The schemas used so far, by name."""

    def sent(self, message: Descriptor, fields: Iterable[FieldDescriptor] | None = None) -> Schema:
        """Return a reference to the schema of a request message. `fields` are those in the body, by default all."""
        return self._reference(message, message.fields if fields is None else fields, is_sent=True)

    def answered(self, message: Descriptor) -> Schema:
        """Return a reference to the schema of a message in an answer."""
        return self._reference(message, message.fields, is_sent=False)

    def value(self, field: FieldDescriptor, *, is_sent: bool) -> Schema:
        """Return the schema of a field: its type, its limits, the comment of the contract."""
        schema = dict(self._type(field, is_sent=is_sent))
        if is_sent:
            schema |= keywords(limits_of(field), schema)
        text = comment_on(field.full_name)
        if text:
            schema["description"] = text
        return schema

    # -- Messages ----------------------------------------------------------------------------------------------------

    def _reference(self, message: Descriptor, fields: Iterable[FieldDescriptor], *, is_sent: bool) -> Schema:
        if message.full_name == TIMESTAMP:
            return {"type": "string", "format": "date-time"}
        name = message.name
        if name not in self.schemas:
            self.schemas[name] = {}  # it may contain itself
            plain = message.GetOptions().Extensions[annotations_pb2.plain]
            self.schemas[name] = _plain(message) if plain else self._object(message, fields, is_sent=is_sent)
        return {"$ref": SCHEMAS + name}

    def _object(self, message: Descriptor, fields: Iterable[FieldDescriptor], *, is_sent: bool) -> Schema:
        fields = tuple(fields)
        both_ways = message.name in self._both_ways
        needed_in = _is_needed_both_ways if both_ways else is_required if is_sent else is_always_there
        needed = [json_name(field) for field in fields if needed_in(field)]
        schema: Schema = {"type": "object", "description": comment_on(message.full_name)}
        schema["properties"] = {json_name(field): self.value(field, is_sent=is_sent or both_ways) for field in fields}
        if needed:
            schema["required"] = needed
        if message.oneofs and not is_sent and any(len(choice.fields) > 1 for choice in message.oneofs):
            schema |= {"minProperties": 1, "maxProperties": 1}
        if is_sent and not both_ways:
            schema["additionalProperties"] = False
        return schema

    # -- Fields ------------------------------------------------------------------------------------------------------

    def _type(self, field: FieldDescriptor, *, is_sent: bool) -> Schema:
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            entry = field.message_type.fields_by_name["value"]
            return {"type": "object", "additionalProperties": self._one(entry, is_sent=is_sent)}
        one = self._one(field, is_sent=is_sent)
        return {"type": "array", "items": one} if field.is_repeated else one

    def _one(self, field: FieldDescriptor, *, is_sent: bool) -> Schema:
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        if field.message_type is not None:
            message = field.message_type
            return self._reference(message, message.fields, is_sent=is_sent)
        return _SCALARS[field.type]

    def _enum(self, enum: EnumDescriptor) -> Schema:
        if enum.name not in self.schemas:
            known = words_of(enum)
            lines = [comment_on(enum.full_name), ""]
            for word, number in known.items():
                lines.append(
                    f"- `{word}`: {comment_on(f'{contract.PACKAGE}.{enum.name}.{enum.values_by_number[number].name}')}"
                )
            self.schemas[enum.name] = {"type": "string", "enum": list(known), "description": "\n".join(lines)}
        return {"$ref": SCHEMAS + enum.name}


def _plain(message: Descriptor) -> Schema:
    """Return the schema of any JSON value with whole numbers. What lists and objects contain is left open, because
    generators of clients fail on a type that contains itself."""
    return {
        "description": comment_on(message.full_name),
        "anyOf": [
            {"type": "null"},
            dict(INT32),
            {"type": "string"},
            {"type": "boolean"},
            {"type": "array", "items": {}},
            {"type": "object", "additionalProperties": True},
        ],
    }


# -- Limits ------------------------------------------------------------------------------------------------------------


def keywords(limits: Limits, schema: Schema) -> Schema:
    """Return limits of the contract as keywords of a schema; those of entries go to the `items` that the schema has."""
    found: Schema = {}
    for option, value in limits.ListFields():
        if option.name == "entries":
            found["items"] = schema["items"] | keywords(limits_of_form(value), schema["items"])
        elif option.name == "pattern":
            found["pattern"] = f"^{value}$"
        elif option.name == "numbers":
            found["enum"] = list(value)
        elif option.name != "printable":  # no keyword says it
            found[json_name(option)] = value
    return found


# -- What is there -----------------------------------------------------------------------------------------------------


def is_always_there(field: FieldDescriptor) -> bool:
    """Whether every answer has this member."""
    comment = contract.comments().get(field.full_name, "")
    if is_required(field) or _ALWAYS.search(comment):
        return True
    message = field.containing_type
    if message is not None and message.GetOptions().Extensions[annotations_pb2.sparse]:
        return field.number == 1
    if field.containing_oneof is not None:  # `optional` fields have one of their own
        return False
    if field.is_repeated or not (field.message_type is not None or field.enum_type is not None):
        return True
    return not _SOMETIMES.search(comment)


def _is_needed_both_ways(field: FieldDescriptor) -> bool:
    """Return whether a message that goes both ways must have this field."""
    single = not field.is_repeated and field.message_type is None and field.enum_type is None
    return is_required(field) or (single and is_always_there(field))


def reached(messages: Iterable[Descriptor]) -> set[Descriptor]:
    """Return the messages, and all messages that they contain."""
    found: set[Descriptor] = set()
    waiting = list(messages)
    while waiting:
        message = waiting.pop()
        if message not in found:
            found.add(message)
            waiting += [field.message_type for field in message.fields if field.message_type is not None]
    return found
