"""The nouns of the rules: their kinds, the words of their enums, and how they are read from messages.

Move, Event, EventPart and Piece have the same nouns under the same names, so one table serves all four. An absent noun
has no field. `events.py` writes nouns into messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from alhambra.moves import NOUNS
from alhambra_api.v1 import events_pb2, nouns_pb2

TEXTS: Final = frozenset({"tile", "piece", "slot", "choice"})
LISTS: Final = frozenset({"cards", "display", "items"})
NUMBERS: Final = frozenset({"seat", "amount", "rotation"})

Carrier = nouns_pb2.Move | nouns_pb2.Piece | events_pb2.Event | events_pb2.EventPart
"""A message that has nouns."""


def _words(enum: Any, lower: bool) -> dict[str, int]:
    """Return the words of an enum as the rules write them, with their numbers."""
    wrapper: EnumTypeWrapper = enum
    names = wrapper.keys()
    prefix = names[0].removesuffix("UNSPECIFIED")
    found = {name.removeprefix(prefix): wrapper.Value(name) for name in names[1:]}
    return {word.lower(): number for word, number in found.items()} if lower else found


WORDS: Final[Mapping[str, Mapping[str, int]]] = {
    "side": _words(nouns_pb2.Side, lower=False),
    "currency": _words(nouns_pb2.Currency, lower=True),
    "type": _words(nouns_pb2.BuildingType, lower=True),
}
"""By noun: the words of its enum."""
_NAMES: Final = {noun: {number: word for word, number in words.items()} for noun, words in WORDS.items()}


def number_of(noun: str, word: str | None) -> Any:
    """Return the number of a word in the enum of a noun; 0, which means absent, for None or an unknown word."""
    return WORDS[noun].get(word or "", 0)


def word_of(noun: str, number: int) -> str:
    """Return the word of a number in the enum of a noun; an unknown number as text, and an empty text for 0."""
    return _NAMES[noun].get(number, str(number) if number else "")


def nouns_in(message: Carrier) -> dict[str, Any]:
    """Return every noun that a message has, as `Move.read` takes it: words of enums, lists, cells by x and y."""
    found: dict[str, Any] = {}
    for noun in NOUNS:
        if noun in NUMBERS:
            if message.HasField(noun):  # type: ignore[arg-type]
                found[noun] = getattr(message, noun)
        elif noun == "cell":
            if message.HasField("cell"):
                found[noun] = {"x": message.cell.x, "y": message.cell.y}
        elif value := getattr(message, noun):
            found[noun] = word_of(noun, value) if noun in WORDS else list(value) if noun in LISTS else value
    return found


def edge_to(cell: Sequence[int], side: str) -> nouns_pb2.Edge:
    """Return an edge: a cell and one of its sides."""
    return nouns_pb2.Edge(cell=nouns_pb2.Cell(x=cell[0], y=cell[1]), side=number_of("side", side))
