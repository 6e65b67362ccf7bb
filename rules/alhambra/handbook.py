"""Rules pages for players, as data: the base game and each module, in every language.

    page = module_page("squares", "de")
    page.rule; page.example; [section.title for section in page.sections]

    [lesson.title for lesson in lessons("de")]      how the base game is played, in the order in which one learns it

A page has a short rule, the components, and everything that the module declares: moves, decisions, pieces, facts,
events, score lines, reasons of refusals. It is generated from the module's definition and the texts, so third-party
modules have pages, too. The gateway renders pages as HTML, `scripts/docs.py` as Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .base import BASE
from .components import CURRENCIES, MAJORITY_VALUES, START_TILES, TYPES
from .module import Module, Verb
from .moves import NOUNS, noun_form
from .registry import known_modules, load_module
from .svg.component import component_name
from .texts import DEFAULT, has_text, name_of, sentence_form, tell_reason, text

__all__ = [
    "LESSONS",
    "Entry",
    "Lesson",
    "ModulePage",
    "Section",
    "all_pages",
    "lessons",
    "majority_table",
    "module_page",
]

LESSONS = ("goal", "turn", "money", "buying", "exact", "placing", "redesign", "scoring", "walls", "end", "dirk")
"""What a new player learns, in this order."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One component or term: its key, name, meaning and notes."""

    key: str
    name: str
    text: str = ""
    notes: tuple[str, ...] = ()
    component: str = ""
    """The kind of component (tile, card, piece, piece_kind …) if there is a picture of it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page. With `gallery`, its entries are pictures with names instead of rows of a table."""

    key: str
    title: str
    entries: tuple[Entry, ...]
    gallery: bool = False


@dataclass(frozen=True, slots=True)
class ModulePage:
    """The page of a module in one language."""

    key: str
    number: int
    language: str
    name: str
    about: str
    rule: str
    example: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One part of how the base game is played, in one language."""

    key: str
    title: str
    text: str
    first: str
    """What to tell a player who meets this part for the first time."""


def lessons(language: str = DEFAULT) -> list[Lesson]:
    """Return how the base game is played, part by part."""
    return [
        Lesson(key, *(text(f"lesson.{key}{form}", language) for form in ("", ".text", ".first"))) for key in LESSONS
    ]


def majority_table() -> dict[str, tuple[tuple[int, ...], ...]]:
    """Return the points for the most buildings: for each type the place values of the three scorings."""
    return {name: tuple(MAJORITY_VALUES[name][number] for number in (1, 2, 3)) for name in TYPES}


def all_pages(language: str = DEFAULT) -> list[ModulePage]:
    """Return the page of the base game, then those of all modules by number, third-party modules last."""
    modules = sorted(map(load_module, known_modules()), key=lambda module: (module.number or 1_000, module.key))
    return [_page(module, language) for module in (BASE, *modules)]


def module_page(key: str, language: str = DEFAULT) -> ModulePage:
    """Return the page of a module; `base` is the base game. Raise BadOptions if there is no such module."""
    return _page(BASE if key == BASE.key else load_module(key), language)


def _page(module: Module, language: str) -> ModulePage:
    key = f"module.{module.key}"
    found = (
        Section(name, text(f"handbook.{name}", language), tuple(entries), gallery=name == "components")
        for name, entries in (
            ("components", _components(module, language)),
            ("variants", _variants(module, language)),
            ("moves", _moves(module, language)),
            ("decisions", _decisions(module, language)),
            ("pieces", _pieces(module, language)),
            ("facts", _facts(module, language)),
            ("events", _events(module, language)),
            ("scores", _scores(module, language)),
            ("refusals", _refusals(module, language)),
            ("words", _words(module, language)),
        )
    )
    return ModulePage(
        key=module.key,
        number=module.number,
        language=language,
        name=text(key, language),
        about=_text(f"{key}.text", language),
        rule=_text(f"{key}.rule", language),
        example=_text(f"{key}.example", language),
        sections=tuple(section for section in found if section.entries),
    )


def _text(key: str, language: str, otherwise: str = "") -> str:
    return text(key, language) if has_text(key, language) else otherwise


def _components(module: Module, language: str) -> Iterator[Entry]:
    """Yield the printed components without figures and markers. Copies with the same name are listed once."""
    tiles = (START_TILES[0], *module.tiles) if module is BASE else module.tiles
    named: list[tuple[str, Iterable[str]]] = [
        ("type", TYPES if module is BASE else ()),
        ("currency", CURRENCIES if module is BASE else ()),
        ("tile", (tile.id for tile in tiles)),
        ("card", (card.id for card in module.cards)),
        ("piece", (piece for piece in module.words("piece") if piece not in {card.id for card in module.cards})),
    ]
    seen = set()
    for kind, things in named:
        for thing in things:
            name = component_name(kind, thing, language)
            if (kind, name) not in seen:
                seen.add((kind, name))
                yield Entry(thing, name, component=kind)


def _variants(module: Module, language: str) -> Iterator[Entry]:
    for name in module.variants:
        key = f"variant.{module.key}.{name}"
        yield Entry(f"{module.key}.{name}", text(key, language), _text(f"{key}.text", language))


def _moves(module: Module, language: str) -> Iterator[Entry]:
    for verb in module.verbs:
        name, about = text(f"verb.{verb.name}", language), _text(f"verb.{verb.name}.text", language)
        yield Entry(verb.name, name, about, tuple(_about_verb(verb, language)))


def _about_verb(verb: Verb, language: str) -> Iterator[str]:
    """Yield the nouns of a verb, the decisions it answers, and whether it takes an action."""
    required, allowed = noun_form(verb.nouns)
    for title, nouns in (("needs", required), ("may_have", allowed - required)):
        if nouns:
            named = ", ".join(f"`{noun}`" for noun in NOUNS if noun in nouns)
            yield f"{text(f'handbook.{title}', language)}: {named}"
    answered = [_text(f"decision.{kind}.name", language, kind) for kind in verb.at if kind != "*"]
    if answered:
        yield f"{text('handbook.answers', language)}: {', '.join(answered)}"
    if verb.action:
        yield text("handbook.takes_action", language)


def _decisions(module: Module, language: str) -> Iterator[Entry]:
    for kind in module.decisions:
        orders = ", ".join(f"`{order.answer}`" for order in kind.orders)
        notes = (f"{text('handbook.orders', language)}: {orders}",) if orders else ()
        name = _text(f"decision.{kind.name}.name", language, kind.name)
        yield Entry(kind.name, name, sentence_form(f"decision.{kind.name}", language), notes)


def _pieces(module: Module, language: str) -> Iterator[Entry]:
    for kind in module.piece_kinds:
        about = _text(f"thing.{kind.name}.text", language, kind.meaning)
        yield Entry(kind.name, name_of(kind.name, language), about, component="piece_kind")
    for piece in module.words("piece"):  # pieces that differ are described one by one
        about = _text(f"thing.{piece}.text", language)
        if about:
            yield Entry(piece, component_name("piece", piece, language), about, component="piece")


def _facts(module: Module, language: str) -> Iterator[Entry]:
    for fact, meaning in module.public_facts.items():
        key = f"fact.{module.key}.{fact}"
        yield Entry(fact, text(key, language), _text(f"{key}.text", language, meaning))


def _events(module: Module, language: str) -> Iterator[Entry]:
    for event, meaning in module.events.items():
        name = _text(f"event.{event}.name", language, event)
        yield Entry(event, name, sentence_form(f"event.{event}", language) or meaning)


def _scores(module: Module, language: str) -> Iterator[Entry]:
    for word, meaning in module.scores.items():
        yield Entry(word, text(f"reason.{word}", language), sentence_form(f"scored.{word}", language) or meaning)


def _refusals(module: Module, language: str) -> Iterator[Entry]:
    for reason in module.reasons:
        yield Entry(reason.code, reason.code, tell_reason(module.key, reason, language))


def _words(module: Module, language: str) -> Iterator[Entry]:
    """Yield the terms used in `slot`, `choice` and `items` of moves."""
    for noun, kind in (("slot", "slot"), ("choice", "choice"), ("items", "item")):
        for word in module.words(noun):
            yield Entry(word, component_name(kind, word, language), "", (f"`{noun}`",), kind)
