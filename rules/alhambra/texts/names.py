"""Names for people: of components, places and players, in each language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial

from ..components import component_data
from ..moves import TEXT_LIMIT
from ..registry import ON_REGISTER
from .catalogues import find
from .messages import parsed, written

NAMED = ("thing", "type", "currency", "tile", "colour")
"""Where the words of a component's id are looked up."""
OWNED = "personal"
"""A place that belongs to a seat: the next word of its id is the number of the seat."""
NAMES_KEPT = 8_192
"""How many names are kept ready: those of all components in five languages, and some more."""
CALLED = "{name}[ {value}][ ({notes})][: {argument}]"
"""The form of a name. The text `called.<word>` is another form, for ids that begin with that word."""


def name_of(thing: str, language: str = "en", names: Sequence[str] = ()) -> str:
    """A component, slot or item for people: the words of its id translated, types and sides in brackets, without the
    numbers that tell copies apart. `names` are those of the players, for places that belong to one."""
    return _name_of(printable(thing), language, tuple(names) if thing.startswith(OWNED) else ())


@lru_cache(maxsize=NAMES_KEPT)
def _name_of(thing: str, language: str, names: tuple[str, ...]) -> str:
    head, _, argument = thing.partition(":")
    parts: list[tuple[str, str]] = re.findall("([-_]*)([^-_]+)", head)
    if head in walls_of_numbered_tiles():
        parts[-1] = ("_", walls_of_numbered_tiles()[head])
    words = [word for _, word in parts]
    heads = ["_".join(words[:size]) for size in range(len(words), 0, -1)]
    candidates = (
        (skipped, find(language, *(f"{kind}.{stem}" for kind in NAMED))) for skipped, stem in enumerate(heads)
    )
    skipped, found = next(((skipped, found) for skipped, found in candidates if found is not None), (0, None))
    if found is None:
        return thing
    known, spoken = found
    if words[0] == "start":  # everybody has one fountain
        return known
    facts = _facts(words[0], parts[len(words) - skipped :], spoken, names)
    if argument:
        facts["argument"] = name_of(argument, spoken, names)
    if not facts:
        return known
    facts["name"] = known
    form = find(spoken, *(f"called.{stem}" for stem in heads[skipped:]))
    return written(parsed(form[0] if form is not None else CALLED), facts, spoken, partial(_plain, facts))


ON_REGISTER.append(_name_of.cache_clear)


def _facts(owner: str, parts: Sequence[tuple[str, str]], language: str, names: Sequence[str]) -> dict[str, str]:
    """What the further words of an id say: `notes` all of them, `type` the first building type and `others` the rest of
    the notes, `colour_list` those of the types, `value` a number that stands on the component, `number` any first
    number, `row` a second one and `seat` the owner of a place."""
    facts: dict[str, str] = {}
    notes: list[str] = []
    types: list[str] = []
    before = ""
    for joint, word in parts:
        if owner == OWNED and word.isdigit() and "seat" not in facts:
            facts["seat"] = player_name(int(word), language, names)
        elif word.isdigit() and "number" in facts:
            facts.setdefault("row", word)
        elif word.isdigit():
            facts["number"] = word
            if joint == "-" and before in types:  # the id of a tile inside another one
                notes[-1] += f" {word}"
            elif joint == "-":
                facts["value"] = word
        else:
            types += [word] if word in colours_of_types() else []
            notes.append(_part(word, language))
        before = word
    if notes:
        facts["notes"] = ", ".join(notes)
    if types:
        facts["type"] = _part(types[0], language)
        others = [note for note in notes if not note.startswith(facts["type"])]
        facts |= {"others": ", ".join(others)} if others else {}
        facts["colour_list"] = ", ".join(_part(colours_of_types()[name], language) for name in types)
    return facts


def _plain(facts: Mapping[str, str], name: str, _fact: object) -> str:
    return facts.get(name, "")


@cache
def colours_of_types() -> Mapping[str, str]:
    """The colour of each building type: that of its residents, servants, chests and watchtowers, too."""
    return {entry["id"]: entry["colour"] for entry in component_data()["building_types"]}


@cache
def walls_of_numbered_tiles() -> Mapping[str, str]:
    """The walls of tiles whose ids number those of one type, such as `square_garden_4`: they tell them apart."""
    lists = (part for module in component_data()["modules"].values() for part in module.get("data", {}).values())
    entries = (entry for part in lists if isinstance(part, list) for entry in part if isinstance(entry, dict))
    return {
        entry["id"]: "".join(entry["walls"])
        for entry in entries
        if entry.get("walls") and re.fullmatch(rf"\w+_{entry.get('type')}_[0-9]+", entry["id"])
    }


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


def _part(word: str, language: str) -> str:
    """A further word of an id: a type, a currency, a colour, or the sides of walls and arrows."""
    found = find(language, *(f"{kind}.{word}" for kind in ("type", "currency", "colour", "thing")))
    if found is not None:
        return found[0]
    if re.fullmatch("[nesw]+|[NESW]+", word):
        sides = (find(language, f"side.{letter}") for letter in word.upper())
        return ", ".join(side[0] for side in sides if side is not None)
    return word


def printable(plain: str) -> str:
    """The text without control characters, cut to a bounded length."""
    if len(plain) <= TEXT_LIMIT and plain.isprintable():  # as nearly all are
        return plain
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in plain[:TEXT_LIMIT])
