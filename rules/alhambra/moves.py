"""A move: one verb and a few nouns.

The nouns are a closed list; a module adds verbs and ids, never a noun. One spelling per move: multisets are sorted,
a noun that is not used is absent. `Move.read` takes what a client sent, `Move.as_dict` gives it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from .components import CURRENCIES, TYPES, Cell
from .fast_tuple import new_tuple
from .violations import IllegalMove, RulesDefect, Violation

__all__ = [
    "LIST_LIMIT",
    "NOUNS",
    "TEXT_LIMIT",
    "Move",
    "form_faults",
    "laying_move",
    "laying_moves",
    "malformed",
    "need",
    "noun_form",
    "paying_move",
    "removing_move",
    "shown",
    "taking_move",
    "well_formed",
]

T = TypeVar("T")
CELL_LIMIT = 127
TEXT_LIMIT = 64
LIST_LIMIT = 128
POINTS = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")


class Move(NamedTuple):
    """A verb and its nouns; None or an empty tuple where a noun is absent."""

    verb: str
    tile: str | None = None
    piece: str | None = None
    cell: Cell | None = None
    rotation: int | None = None
    side: str | None = None
    slot: str | None = None
    cards: tuple[str, ...] = ()
    display: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    currency: str | None = None
    type: str | None = None
    seat: int | None = None
    amount: int | None = None
    choice: str | None = None

    def __repr__(self) -> str:
        """Return an expression that evaluates to the move, without absent nouns."""
        nouns = zip(NOUNS, self[1:], strict=True)
        given = [f"{noun}={value!r}" for noun, value in nouns if value is not None and value != ()]
        return f"Move({', '.join([repr(self.verb), *given])})"

    def as_dict(self) -> dict[str, Any]:
        """The move as JSON-ready data, absent nouns left out."""
        found: dict[str, Any] = {"verb": self.verb}
        for noun, value in zip(NOUNS, self[1:], strict=True):
            if value is None or value == ():
                continue
            found[noun] = list(value) if isinstance(value, tuple) else value
        if self.cell is not None:
            found["cell"] = {"x": self.cell[0], "y": self.cell[1]}
        return found

    @classmethod
    def read(cls, data: object) -> Move:
        """A move from JSON data that a stranger sent; raises IllegalMove with every fault of form."""
        if not isinstance(data, Mapping):
            raise IllegalMove([Violation("NOUN_MALFORMED", "verb", value=type(data).__name__)])
        faults: list[Violation] = []
        nouns: dict[str, Any] = {}
        for name, value in data.items():
            reader = _READERS.get(name) if isinstance(name, str) else None
            if reader is None:
                faults.append(Violation("NOUN_UNEXPECTED", shown(name)))
                continue
            noun = reader(value)
            if noun is None:
                faults.append(Violation("NOUN_MALFORMED", name, value=shown(value)))
            else:
                nouns[name] = noun
        if "verb" not in data:
            faults.append(Violation("NOUN_MISSING", "verb"))
        if faults:
            raise IllegalMove(faults)
        return cls(**nouns)


def need(noun: T | None) -> T:
    """Return a noun that the verb requires, for `apply` and `verify`; raise RulesDefect if the move lacks it."""
    if noun is None:
        raise RulesDefect("a rule uses a noun that its verb does not require")
    return noun


# Moves are listed by the thousand: these skip the constructor (`fast_tuple.py`), so every noun has its place.


def paying_move(
    verb: str,
    tile: str | None,
    piece: str | None,
    slot: str | None,
    payment: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    choice: str | None,
) -> Move:
    """Return a move that pays: `payment` has its cards, display cards and items."""
    return new_tuple(Move, (verb, tile, piece, None, None, None, slot, *payment, None, None, None, None, choice))


def taking_move(verb: str, display: tuple[str, ...], items: tuple[str, ...]) -> Move:
    """Return a move that takes open cards."""
    nouns = (None, None, None, None, None, None, (), display, items, None, None, None, None, None)
    return new_tuple(Move, (verb, *nouns))


def laying_move(
    verb: str, tile: str, cell: Cell, rotation: int | None, items: tuple[str, ...], choice: str | None
) -> Move:
    """Return a move that lays a tile."""
    nouns = (tile, None, cell, rotation, None, None, (), (), items, None, None, None, None, choice)
    return new_tuple(Move, (verb, *nouns))


def removing_move(verb: str, tile: str) -> Move:
    """Return a move that names nothing but a tile."""
    return new_tuple(Move, (verb, tile, None, None, None, None, None, (), (), (), None, None, None, None, None))


def laying_moves(verb: str, tile: str, cells: Iterable[Cell]) -> list[Move]:
    """Return the moves that lay a tile upright, one for each cell."""
    nouns = (None, None, None, (), (), (), None, None, None, None, None)
    return [new_tuple(Move, (verb, tile, None, cell, *nouns)) for cell in cells]


NOUNS = Move._fields[1:]
ANY_NOUNS = f"[{' '.join(NOUNS)}]"
"""The description of a verb that may have any of them."""


def shown(value: object) -> str:
    """What a stranger sent, short enough to be shown in a refusal whatever it is."""
    if isinstance(value, str):
        return value[:TEXT_LIMIT]
    if isinstance(value, int) and abs(value) < 2**63:
        return str(value)
    if isinstance(value, tuple | list) and len(value) <= LIST_LIMIT and all(isinstance(v, str | int) for v in value):
        return ", ".join(map(shown, value))[:TEXT_LIMIT]
    return type(value).__name__


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and _good_text(value) else None


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list | tuple) or not 0 < len(value) <= LIST_LIMIT:
        return None
    texts = [_text(entry) for entry in value]
    return tuple(sorted(text for text in texts if text is not None)) if None not in texts else None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31 else None


def _cell(value: object) -> Cell | None:
    if not isinstance(value, Mapping) or set(value) != {"x", "y"}:
        return None
    x, y = _number(value["x"]), _number(value["y"])
    return (x, y) if x is not None and y is not None else None


_READERS: dict[str, Any] = {
    **dict.fromkeys(("verb", "tile", "piece", "side", "slot", "currency", "type", "choice"), _text),
    **dict.fromkeys(("cards", "display", "items"), _texts),
    **dict.fromkeys(("rotation", "seat", "amount"), _number),
    "cell": _cell,
}


def _good_cell(value: object) -> bool:
    if not isinstance(value, tuple) or len(value) != 2:
        return False
    x, y = map(_number, value)
    return x is not None and y is not None and -CELL_LIMIT <= x <= CELL_LIMIT and -CELL_LIMIT <= y <= CELL_LIMIT


def _good_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= TEXT_LIMIT and value.isprintable()


def _good_texts(value: object) -> bool:
    """A sorted tuple."""
    if not isinstance(value, tuple) or not 0 < len(value) <= LIST_LIMIT:
        return False
    before = ""
    for text in value:
        if not _good_text(text) or text < before:
            return False
        before = text
    return True


def _good_count(value: object) -> bool:
    return (_number(value) or 0) > 0 or value == 0


GOOD: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("tile", "piece", "slot", "choice"), _good_text),
    **dict.fromkeys(("cards", "display", "items"), _good_texts),
    **dict.fromkeys(("seat", "amount"), _good_count),
    "cell": _good_cell,
    "rotation": (60, 90, 120, 180, 240, 270, 300).__contains__,
    "side": POINTS.__contains__,
    "currency": CURRENCIES.__contains__,
    "type": TYPES.__contains__,
}
"""By noun: whether a value is well formed by itself, whatever the game: in range, sorted, a known word."""


Noun: TypeAlias = tuple[int, Callable[[Any], bool], bool]
"""A noun of a verb: its place in the move, whether a value is well formed, whether it is required."""


@cache
def noun_form(nouns: str) -> tuple[frozenset[str], frozenset[str]]:
    """Required and allowed nouns of a verb's description, such as "slot [cards items]"."""
    required, _, optional = nouns.partition("[")
    needed = frozenset(required.split())
    return needed, needed | frozenset(optional.rstrip("]").split())


@cache
def _own_and_foreign(nouns: str) -> tuple[tuple[Noun, ...], Callable[[Move], object], object]:
    """The nouns of a verb, a getter of all others, and what that gets from a move which has none of them."""
    required, allowed = noun_form(nouns)
    own = tuple((place, GOOD[noun], noun in required) for place, noun in enumerate(NOUNS, 1) if noun in allowed)
    others = [place for place, noun in enumerate(NOUNS, 1) if noun not in allowed]
    foreign = itemgetter(*others) if others else len
    return own, foreign, foreign(Move(""))


def well_formed(move: Move, nouns: str) -> bool:
    """Whether nothing is wrong with a move's nouns: one look, for the moves that are as they should be."""
    own, foreign, absent = _own_and_foreign(nouns)
    if foreign(move) != absent:
        return False
    for place, good, required in own:
        value = move[place]
        if not value and (value is None or value == ()):
            if required:
                return False
        elif not good(value):
            return False
    return True


def form_faults(move: Move, nouns: str) -> list[Violation]:
    """What is wrong with a move's nouns: missing, not belonging to the verb, or malformed."""
    required, allowed = noun_form(nouns)
    faults = []
    for noun, value in zip(NOUNS, move[1:], strict=True):
        if value is None or value == ():
            if noun in required:
                faults.append(Violation("NOUN_MISSING", noun, noun=noun))
        elif noun not in allowed:
            faults.append(Violation("NOUN_UNEXPECTED", noun, noun=noun))
        elif not GOOD[noun](value):
            faults.append(Violation("NOUN_MALFORMED", noun, value=shown(value)))
    return faults


def malformed(move: Move) -> list[Violation]:
    """What is wrong with the nouns that a move has, whatever its verb."""
    return [] if well_formed(move, ANY_NOUNS) else form_faults(move, ANY_NOUNS)
