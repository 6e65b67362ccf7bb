"""The form of a text: plain words with places for facts.

    {tile}                                          a fact
    [ with {cards}]                                 a passage that is left out if one of its facts is not known
    {count, plural, one {# card} other {# cards}}   one of several forms, by number; # is the number itself
    {exact, select, yes {exactly} other {}}         one of several forms, by word

The last two are those of ICU MessageFormat, with the plural categories that the languages of this library need. A form
that is missing falls back to `other`, which every choice must have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

FACT = re.compile(r"[a-z][a-z_]*")
CHOICES = ("plural", "select")


class Fact(NamedTuple):
    """A place for a fact."""

    name: str


class Choice(NamedTuple):
    """A place for one of several forms, by the number or the word of a fact."""

    name: str
    how: str
    forms: Mapping[str, Message]


class Passage(NamedTuple):
    """A part that is left out if one of its facts is not known."""

    parts: Message
    asked: tuple[str, ...]
    """The names of its facts."""


class Number(NamedTuple):
    """The place in a form of a plural where the number stands."""


Message: TypeAlias = "tuple[str | Fact | Choice | Passage | Number, ...]"
FactWriter: TypeAlias = Callable[[str, Any], str]
"""How a fact is told: gets its name and value."""


class MalformedText(ValueError):
    """A text that is not written in the form above."""


@cache
def parsed(text: str) -> Message:
    """The parts of a text. Raises MalformedText."""
    parts, at = _parts(text, 0, "")
    assert at == len(text)
    return parts


def _parts(text: str, at: int, end: str, *, counted: bool = False) -> tuple[Message, int]:
    """The parts from a place up to a closing bracket, and the place where that stands."""
    found: list[str | Fact | Choice | Passage | Number] = []
    plain = ""
    while at < len(text) and text[at] != end:
        letter = text[at]
        if letter in "{[" or (counted and letter == "#"):
            if plain:
                found.append(plain)
                plain = ""
            part, at = _place(text, at, counted=counted)
            found.append(part)
        elif letter in "}]":
            raise MalformedText(f"{letter!r} closes nothing: {text!r}")
        else:
            plain += letter
            at += 1
    if end and at >= len(text):
        raise MalformedText(f"{end!r} is missing: {text!r}")
    if plain:
        found.append(plain)
    return tuple(found), at


def _place(text: str, at: int, *, counted: bool) -> tuple[Fact | Choice | Passage | Number, int]:
    if text[at] == "#":
        return Number(), at + 1
    if text[at] == "[":
        parts, at = _parts(text, at + 1, "]", counted=counted)
        if next(iter(facts_of(parts)), None) is None:
            raise MalformedText(f"a passage without a fact is never left out: {text!r}")
        return Passage(parts, tuple(facts_of(parts))), at + 1
    name = FACT.match(text, at + 1)
    if name is None:
        raise MalformedText(f"a fact has no name: {text!r}")
    at = name.end()
    if text[at : at + 1] == "}":
        return Fact(name[0]), at + 1
    head = re.compile(r",\s*(\w+)\s*,").match(text, at)
    if head is None or head[1] not in CHOICES:
        raise MalformedText(f"{name[0]!r} is followed by no choice: {text!r}")
    forms, at = _forms(text, head.end(), counted=head[1] == "plural")
    return Choice(name[0], head[1], forms), at


def _forms(text: str, at: int, *, counted: bool) -> tuple[dict[str, Message], int]:
    forms: dict[str, Message] = {}
    while (head := re.compile(r"\s*(\w+)\s*\{").match(text, at)) is not None:
        if head[1] in forms:
            raise MalformedText(f"the form {head[1]!r} is there twice: {text!r}")
        forms[head[1]], at = _parts(text, head.end(), "}", counted=counted)
        at += 1
    end = re.compile(r"\s*\}").match(text, at)
    if end is None or "other" not in forms:
        raise MalformedText(f"a choice needs the form 'other' and a closing bracket: {text!r}")
    return forms, end.end()


def facts_of(parts: Message) -> Iterator[str]:
    """The names of all facts that a text asks for."""
    for part in parts:
        if isinstance(part, Fact):
            yield part.name
        elif isinstance(part, Passage):
            yield from part.asked
        elif isinstance(part, Choice):
            yield part.name
            for form in part.forms.values():
                yield from facts_of(form)


def written(parts: Message, facts: Mapping[str, Any], language: str, write_fact: FactWriter, number: str = "") -> str:
    """The text with its facts; `write_fact` words each of them. A fact that is not known is told as None."""
    found = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
        elif isinstance(part, Fact):
            found.append(write_fact(part.name, facts.get(part.name)))
        elif isinstance(part, Number):
            found.append(number)
        elif isinstance(part, Passage):
            if all(facts.get(name) is not None for name in part.asked):
                found.append(written(part.parts, facts, language, write_fact, number))
        else:
            fact = facts.get(part.name)
            form = part.forms.get(_form(part.how, fact, language), part.forms["other"])
            found.append(written(form, facts, language, write_fact, write_fact(part.name, fact)))
    return "".join(found)


class PreparedText:
    """A text that is written many times with facts that recur: each of its parts is kept by its own facts."""

    def __init__(self, text: str, language: str, write_fact: FactWriter) -> None:
        self._language, self._write_fact = language, write_fact
        self._parts = [(part, names, dict[Any, str]()) for part, names in _parts_with_facts(text)]

    def write(self, facts: Mapping[str, Any]) -> str:
        """Return the text with these facts, which must be hashable."""
        found = []
        for part, names, known in self._parts:
            key = facts.get(names[0]) if len(names) == 1 else tuple([facts.get(name) for name in names])
            plain = known.get(key)
            if plain is None:
                plain = known[key] = written((part,), facts, self._language, self._write_fact)
            found.append(plain)
        return "".join(found)


@cache
def _parts_with_facts(text: str) -> tuple[tuple[str | Fact | Choice | Passage | Number, tuple[str, ...]], ...]:
    """The parts of a text, each with the names of all facts that it depends on."""
    return tuple((part, tuple(dict.fromkeys(facts_of((part,))))) for part in parsed(text))


def _form(how: str, fact: Any, language: str) -> str:
    """The name of the form that fits a fact: a plural category, or the word itself."""
    if how == "plural":
        return plural(language, fact) if type(fact) is int else "other"
    return ("yes" if fact else "no") if isinstance(fact, bool) else str(fact)


def plural(language: str, number: int) -> str:
    """The category of a number: one, few or other. Serbian counts by the last digits, the others know one and many."""
    number = abs(number)
    if language == "sr":
        last, teens = number % 10, 10 < number % 100 < 20
        if last == 1 and not teens:
            return "one"
        return "few" if last in (2, 3, 4) and not teens else "other"
    return "one" if number == 1 else "other"
