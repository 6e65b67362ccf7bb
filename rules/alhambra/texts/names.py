"""Names for people: of components, places and players, in each language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ..moves import TEXT_LIMIT
from .catalogues import find

NAMED = ("thing", "type", "currency", "tile", "colour")
"""Where the words of a component's id are looked up."""
OWNED = "personal"
"""A place that belongs to a seat: the next word of its id is the number of the seat."""


def name_of(thing: str, language: str = "en", names: Sequence[str] = ()) -> str:
    """A component, slot or item for people: the words of its id translated, sides in brackets. `names` are those of the
    players, for places that belong to one."""
    head, _, argument = printable(thing).partition(":")
    words = [word for word in re.split("[-_]", head) if word]
    for size in range(len(words), 0, -1):
        found = find(language, *(f"{kind}.{'_'.join(words[:size])}" for kind in NAMED))
        if found is not None:
            break
    else:
        return printable(thing)
    known, spoken = found
    if words[0] == "start":  # everybody has one fountain
        return known
    parts = [known, *(_part(word, words[0], spoken, names) for word in words[size:])]
    name = " ".join(parts)
    return f"{name}: {name_of(argument, spoken, names)}" if argument else name


def names_of(things: Iterable[str], language: str = "en", names: Sequence[str] = ()) -> list[str]:
    """The names of several things; of those that are there more than once, with their number in front."""
    return [
        name_of(thing, language, names) if copies == 1 else f"{copies} × {name_of(thing, language, names)}"
        for thing, copies in Counter(things).items()
    ]


def player_name(seat: int, language: str = "en", names: Sequence[str] = ()) -> str:
    """The name of a seat: its player's, Dirk's behind two players, or its number if it has none."""
    if 0 <= seat < len(names) and names[seat].strip():
        return printable(names[seat])
    dirk = find(language, "seat.dirk")
    if seat == len(names) == 2 and dirk is not None:
        return dirk[0]
    found = find(language, f"seat.{seat}")
    return found[0] if found is not None else str(seat)


def _part(word: str, head: str, language: str, names: Sequence[str]) -> str:
    """A further word of an id: a type, a currency, the seat of a market, or the sides of walls and arrows."""
    if head == OWNED and word.isdigit():
        return player_name(int(word), language, names)
    found = find(language, *(f"{kind}.{word}" for kind in ("type", "currency", "colour", "thing")))
    if found is not None:
        return found[0]
    if re.fullmatch("[nesw]+|[NESW]+", word):
        sides = (find(language, f"side.{letter}") for letter in word.upper())
        return f"({', '.join(side[0] for side in sides if side is not None)})"
    return word


def printable(plain: str) -> str:
    """The text without control characters, cut to a bounded length."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in plain[:TEXT_LIMIT])
