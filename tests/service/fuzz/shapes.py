"""Messages made from their descriptors: random ones field by field, others with one field changed, and broken bytes.

Everything is drawn from one Random, so that the same seed gives the same messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

DEPTH = 5
MANY = 1_100
"""More than any list of the contract may hold."""
HUGE = 70_000
EDGES = (0, 1, 2, 3, 5, -1, 6, 7, 90, 100, 127, 128, -127, -128, 255, 256, 1_000, 1_001, 2**31 - 1, -(2**31))
ODD_TEXTS = (
    "",
    " ",
    "\0",
    "\n",
    "a\0b",
    "../../etc/passwd",
    "{}",
    "alh:state:{x}",
    "%s%n",
    "\u202e",
    "é́́",
    "\U0001f3f0" * 9,
    "ſ",
    "٣",
    "²",
    "-1",
    "1e9",
    "null",
    "a" * 41,
    "a" * 65,
    "a" * 257,
    "0" * 12,
    "z" * 32,
    "garden-8-ne:",
    "denar-",
    "handyman:",
    "handyman:-99999999999999999999",
    ":",
    "5:0",
    "1.5.9",
    "99999999999999999999:0",
)
Words = Mapping[str, Sequence[str]]
"""By name of a field: words that mean something there; under "" those that mean something anywhere."""


def random_message(rng: Random, descriptor: Descriptor, words: Words, depth: int = 0) -> Any:
    """A message of this type with anything in it."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if rng.random() < 0.6:
            put_random(rng, message, field, words, depth)
    return message


def put_random(rng: Random, message: Any, field: FieldDescriptor, words: Words, depth: int = 0) -> None:
    """Puts anything of the right type into a field."""
    if field.message_type is not None and depth >= DEPTH:
        return
    if field.is_repeated:
        message.ClearField(field.name)
        for _ in range(_count(rng, field)):
            _add_random(rng, message, field, words, depth)
    elif field.message_type is not None:
        getattr(message, field.name).CopyFrom(random_message(rng, field.message_type, words, depth + 1))
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, random_scalar(rng, field, words))


def _count(rng: Random, field: FieldDescriptor) -> int:
    if field.message_type is None and rng.random() < 0.03:
        return MANY
    return rng.choice((0, 1, 1, 2, 2, 3, 6, 7))


def _add_random(rng: Random, message: Any, field: FieldDescriptor, words: Words, depth: int) -> None:
    held = getattr(message, field.name)
    if field.message_type is None:
        held.append(random_scalar(rng, field, words))
    elif field.message_type.GetOptions().map_entry:
        key = random_text(rng, words, field.name)
        value = field.message_type.fields_by_name["value"]
        if value.message_type is None:
            held[key] = random_scalar(rng, value, words)
        else:
            held[key].CopyFrom(random_message(rng, value.message_type, words, depth + 1))
    else:
        held.add().CopyFrom(random_message(rng, field.message_type, words, depth + 1))


def random_scalar(rng: Random, field: FieldDescriptor, words: Words) -> Any:
    """A value of the field's type."""
    if field.enum_type is not None:
        return _random_enum(rng, field.enum_type)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if field.cpp_type == FieldDescriptor.CPPTYPE_INT32:
        return _random_number(rng)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return random_text(rng, words, field.name)
    raise NotImplementedError(f"nobody knows what to put into {field.full_name}")


def _random_enum(rng: Random, enum: EnumDescriptor) -> int:
    if rng.random() < 0.2:
        return rng.choice((99, -1, 2**31 - 1))
    return rng.choice([value.number for value in enum.values])


def _random_number(rng: Random) -> int:
    return rng.choice(EDGES) if rng.random() < 0.8 else rng.randint(-(2**31), 2**31 - 1)


def random_text(rng: Random, words: Words, name: str = "") -> str:
    """A text: most often a word that means something somewhere."""
    kind = rng.random()
    if kind < 0.45 and words.get(name):
        return rng.choice(words[name])
    if kind < 0.6 and words.get(""):
        return rng.choice(words[""])
    if kind < 0.85:
        return rng.choice(ODD_TEXTS)
    if kind < 0.88:
        return rng.choice("aé\U0001f3f0") * HUGE
    return "".join(chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD7FF)))) for _ in range(rng.randint(1, 30)))


# -- One field changed -------------------------------------------------------------------------------------------------


def places(message: Any) -> Iterator[tuple[Any, FieldDescriptor]]:
    """Every field that could be changed, in the message and in those inside it."""
    for field in message.DESCRIPTOR.fields:
        yield message, field
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        if field.is_repeated:
            for inner in getattr(message, field.name):
                yield from places(inner)
        elif message.HasField(field.name):
            yield from places(getattr(message, field.name))


def change_one(rng: Random, message: Message, words: Words) -> str:
    """Changes one field, in place; says which."""
    found = list(places(message))
    if not found:
        return "nothing to change"
    inside, field = rng.choice(found)
    if rng.random() < 0.2:
        inside.ClearField(field.name)
    elif field.is_repeated and len(getattr(inside, field.name)) and rng.random() < 0.5:
        _change_list(rng, inside, field, words)
    else:
        put_random(rng, inside, field, words)
    return str(field.full_name)


def _change_list(rng: Random, message: Any, field: FieldDescriptor, words: Words) -> None:
    """One element more, one less, or one twice."""
    held = getattr(message, field.name)
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        _add_random(rng, message, field, words, 0)
        return
    number = rng.randrange(len(held))
    change = rng.randrange(3)
    if change == 0:
        del held[number]
    elif change == 1:
        held.extend([held[number]])
    else:
        _add_random(rng, message, field, words, 0)


# -- Bytes that are no message -----------------------------------------------------------------------------------------


def broken_bytes(rng: Random, good: bytes) -> bytes:
    """Bytes that are hardly a message: cut, changed, too deep, wrong UTF-8, or nothing at all."""
    kind = rng.randrange(8)
    if kind == 0:
        return good[: rng.randint(0, len(good))]
    if kind == 1:
        return rng.randbytes(rng.randint(1, 200))
    if kind == 2 and good:
        changed = bytearray(good)
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        return bytes(changed)
    if kind == 3:
        return good + b"\x0a\x03\xff\xfe\xc0"  # field 1 as a text that is no UTF-8
    if kind == 4:
        return nested(rng.choice((20, 60, 90, 99, 120, 3_000)), rng.choice((b"\x22", b"\x0a", b"\x12")))
    if kind == 5:
        return good + b"\xfa\xff\xff\xff\x0f\x02hi"  # a field that nobody knows
    if kind == 6:
        return good + good
    return good + b"\x0a\xff\xff\xff\xff\x07"  # a length beyond the end


def nested(depth: int, tag: bytes) -> bytes:
    """A message in a message in a message."""
    found = b""
    for _ in range(depth):
        found = tag + _varint(len(found)) + found
    return found


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])
