"""Texts for people: what the library's words mean, in the languages of `data/texts/`.

The library itself speaks in words that never change: codes, verbs, ids. Here each of them has a text, under a key that
says what it is: `violation.HOLE`, `verb.take_money`, `module.base`, `currency.denar`. English and German are
complete; where another language has no text, the English one is given.

A text may have places for facts, `{side}`. A passage in square brackets is left out if one of its facts is not known:

    "A wall would meet an open side[ to the {side} of {cell}]. Either both sides have a wall, or neither."
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from .moves import TEXT_LIMIT, shown
from .violations import AlhambraError, IllegalMove, Violation

__all__ = ["DEFAULT", "choose_language", "explain", "keys", "languages", "missing", "name_of", "text"]

DEFAULT = "en"
CLOSED = ("what", "because", "by", "for", "place", "decision")
"""Metadata with a short list of words; a violation can have a sentence of its own for one, `violation.LOCKED.gate`."""
MEANS = {"auctioneer": "seat", "seller": "seat", "direction": "side", "sides": "side", "types": "type"}
"""Facts that are told in the words of another one."""
QUOTED = ("known", "value")
"""Facts that are shown as they are, because somebody has to recognise what was written."""
NAMED = ("thing", "type", "currency", "tile", "colour")
"""Where the words of a component's id are looked up."""
LIST_SHOWN = 8
HEADER_LIMIT = 1_000
UNKNOWN = "…"

_PASSAGE = re.compile(r"\[([^\[\]]*)\]")
_FACT = re.compile(r"\{([a-z_]+)\}")
_RANGE = re.compile(r"\s*([A-Za-z]{1,8}|\*)(?:-[A-Za-z0-9]{1,8})*\s*(?:;\s*[qQ]\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?")


@cache
def _catalogues() -> Mapping[str, Mapping[str, str]]:
    """Every language's texts by key, English first."""
    folder = files(__package__).joinpath("data/texts")
    found = {
        entry.name.removesuffix(".json"): json.loads(entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if entry.name.endswith(".json")
    }
    order = sorted(found, key=lambda language: (language != DEFAULT, language))
    return MappingProxyType({language: MappingProxyType(found[language]) for language in order})


def languages() -> tuple[str, ...]:
    """The languages that there are texts in, English first."""
    return tuple(_catalogues())


def keys() -> tuple[str, ...]:
    """Every key that has a text."""
    return tuple(_catalogues()[DEFAULT])


def missing(language: str) -> list[str]:
    """The keys for which a language falls back to English."""
    known = _catalogues().get(language, {})
    return [key for key in keys() if key not in known]


def text(key: str, /, language: str = DEFAULT, **facts: Any) -> str:
    """The text of a key in a language, else in English, else the last word of the key itself."""
    return _written(language, facts, key)


def explain(refusal: Violation | AlhambraError, language: str = DEFAULT) -> str:
    """Why something is refused, in a sentence or two; every violation of an illegal move in its order."""
    if isinstance(refusal, IllegalMove):
        return " ".join(explain(violation, language) for violation in refusal)
    noun = refusal.noun if isinstance(refusal, Violation) else None
    facts = {"noun": noun, **refusal.metadata}
    key = f"violation.{refusal.code}"
    special = (f"{key}.{facts[word]}" for word in CLOSED if isinstance(facts.get(word), str))
    return _written(language, facts, *special, key)


def name_of(thing: str, language: str = DEFAULT) -> str:
    """A component, slot or item for people: the words of its id translated, sides in brackets."""
    head, _, argument = _printable(thing).partition(":")
    words = [word for word in re.split("[-_]", head) if word]
    for size in range(len(words), 0, -1):
        found = _find(language, *(f"{kind}.{'_'.join(words[:size])}" for kind in NAMED))
        if found is not None:
            break
    else:
        return _printable(thing)
    known, spoken = found
    if words[0] == "start":  # everybody has one fountain
        return known
    name = " ".join([known, *(_part(word, words[0], spoken) for word in words[size:])])
    return f"{name}: {name_of(argument, spoken)}" if argument else name


def choose_language(header: object) -> str:
    """The best language for an `Accept-Language` header, whatever it holds; English if nothing fits."""
    wanted: list[tuple[float, int, str]] = []
    for place, entry in enumerate(header[:HEADER_LIMIT].split(",") if isinstance(header, str) else ()):
        found = _RANGE.fullmatch(entry)
        if found:
            language = DEFAULT if found[1] == "*" else found[1].lower()
            weight = float(found[2] or 1)
            if language in _catalogues() and 0 < weight <= 1:
                wanted.append((-weight, place, language))
    return min(wanted)[2] if wanted else DEFAULT


# -- Finding ---------------------------------------------------------------------------------------------------------


def _find(language: str, *wanted: str) -> tuple[str, str] | None:
    """The first of these keys that the language knows, or if it knows none, that English knows; with its language."""
    for spoken in (language, DEFAULT):
        catalogue = _catalogues().get(spoken, {})
        for key in wanted:
            if key in catalogue:
                return catalogue[key], spoken
    return None


def _written(language: str, facts: Mapping[str, Any], *wanted: str) -> str:
    """The text found, its facts told in the same language: an English sentence gets English facts."""
    found = _find(language, *wanted)
    if found is None:
        return _printable(wanted[-1].rpartition(".")[2]).replace("_", " ")
    template, spoken = found
    return "".join(_pieces(template, {word: fact for word, fact in facts.items() if fact is not None}, spoken))


# -- Filling in the facts --------------------------------------------------------------------------------------------


def _pieces(template: str, facts: Mapping[str, Any], language: str) -> Iterator[str]:
    for place, passage in enumerate(_PASSAGE.split(template)):
        optional = place % 2
        if not (optional and any(word not in facts for word in _FACT.findall(passage))):
            for turn, piece in enumerate(_FACT.split(passage)):
                yield _told(piece, facts.get(piece), language) if turn % 2 else piece


def _told(word: str, fact: object, language: str, depth: int = 0) -> str:
    """A fact for people: known words translated, components named, cells as pairs, long lists cut."""
    if fact is None or depth > 2:
        return UNKNOWN
    if isinstance(fact, bool):
        return text("word.yes" if fact else "word.no", language)
    if isinstance(fact, list | tuple):
        if len(fact) == 2 and all(type(at) is int for at in fact):
            return f"({shown(fact[0])}, {shown(fact[1])})"
        told = [_told(word, entry, language, depth + 1) for entry in fact[:LIST_SHOWN]]
        return ", ".join([*told, UNKNOWN] if len(fact) > LIST_SHOWN else told) or UNKNOWN
    plain = _printable(shown(fact))
    if word in QUOTED:
        return plain
    found = _find(language, f"{MEANS.get(word, word)}.{plain}")
    if found is not None:
        return found[0]
    return name_of(plain, language) if isinstance(fact, str) else plain


def _part(word: str, head: str, language: str) -> str:
    """A further word of an id: a type, a currency, the seat of a market, or the sides of walls and arrows."""
    kinds = ("seat", "currency") if head == "personal" else ("type", "currency", "colour", "thing")
    found = _find(language, *(f"{kind}.{word}" for kind in kinds))
    if found is not None:
        return found[0]
    if re.fullmatch("[nesw]+|[NESW]+", word):
        return f"({', '.join(text(f'side.{letter}', language) for letter in word.upper())})"
    return word


def _printable(plain: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in plain[:TEXT_LIMIT])
