"""Games told in five languages: no id, no number of a copy and no word of another language in any text.

Random games are played with all modules together and with each module alone. Everything that is told of them is read:
what happened, score lines, questions, moves, refusals and the names of components. Names of players and numbers aside,
every word of it must be a word of the texts in that language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from alhambra import Game, Options, known_modules
from alhambra.texts import DEFAULT, explain, languages, name_of, tell_decision, tell_event, tell_move
from alhambra.texts.catalogues import catalogues
from alhambra.texts.messages import Choice, Message, Passage, parsed
from scripts.module_files import module_files
from tests.conformance.dice import Dice
from tests.conformance.near_misses import Nouns, near_miss

NAMES = ("Ada", "Béla", "Caio")
WORD = re.compile(r"[^\W\d_]{3,}")
ID = re.compile(r"_|[{}\[\]]|(?<!, )…|[^\W\d]+-\d|\b[a-z]+-(denar|dirham|dukat|gulden)\b")
"""What only ids and templates have: `rich_patron`, `garden-8-ne`, `market-denar`, `{tile}`; and the gap of a fact.
At the end of a long list a gap says that there is more."""
COPY = re.compile(r"\d \d|\) \d")
"""A number behind a number or behind a bracket: "wishing well 3 2", "square (chambers) 4"."""
TOGETHER = 160
"""How many moves a game of all modules has."""
ALONE = 36
SAMPLED = 8
"""Every so many moves the question, the moves and refusals are read."""
SHOWN = 30
PROBES = 6
MOST = 600
"""How many moves the games of `make check` have."""


def words_of(parts: Message) -> Iterator[str]:
    for part in parts:
        if isinstance(part, str):
            yield from WORD.findall(part)
        elif isinstance(part, Passage):
            yield from words_of(part.parts)
        elif isinstance(part, Choice):
            for form in part.forms.values():
                yield from words_of(form)


@cache
def vocabulary(language: str) -> frozenset[str]:
    """The words of all texts in a language."""
    return frozenset(word for template in catalogues()[language].values() for word in words_of(parsed(template)))


def wrong_with(told: str, language: str) -> str | None:
    """What should not stand in a text; None if nothing."""
    found = ID.search(told) or COPY.search(told)
    if found is not None:
        return found[0]
    known = vocabulary(language)
    return next((word for word in WORD.findall(told) if word not in known and word not in NAMES), None)


def told(modules: tuple[str, ...], seed: str, most: int) -> Iterator[tuple[str, str, str]]:
    """Everything that is told of a random game: in which language, what it is about, and the text."""
    game = Game.new(Options([{"name": name} for name in NAMES], seed, modules=modules))
    rng, dice, nouns = Random(seed), Dice(1), Nouns()
    events = list(game.events)
    for number in range(most):
        for event in events:
            about = f"event {event.kind} {event.public.get('reason', '')}"
            yield from ((one, about, tell_event(event.kind, event.public, one, NAMES)) for one in languages())
        if game.decision is None:
            return
        if number % SAMPLED == 0:
            yield from told_now(game, dice, nouns)
        events = list(game.apply(game.random_move(rng)))


def told_now(game: Game, dice: Dice, nouns: Nouns) -> Iterator[tuple[str, str, str]]:
    """The question that is open, some moves, and why others are refused."""
    decision = game.decision
    assert decision is not None
    moves = list(islice(game.moves(), SHOWN))
    nouns.learn(moves)
    misses = [near_miss(game, dice.choice(moves), nouns, dice) for _ in range(PROBES)]
    faults = [fault for move in misses for fault in game.verify(move) if not fault.code.startswith(("NOUN_", "ID_"))]
    for one in languages():
        yield one, f"decision {decision.kind}", tell_decision(decision.kind, decision.context, one, NAMES)
        yield from ((one, f"move {move.verb}", tell_move(move, one, NAMES)) for move in moves)
        yield from ((one, f"refusal {fault}", explain(fault, one, NAMES)) for fault in faults)


def faults_in(texts: Iterator[tuple[str, str, str]]) -> set[tuple[str, str, str, str]]:
    found = {(one, about, text) for one, about, text in texts}
    assert {about.partition(" ")[0] for _, about, _ in found} >= {"event", "decision", "move"}
    return {(one, about, text, wrong) for one, about, text in found if (wrong := wrong_with(text, one)) is not None}


def test_a_game_of_all_modules_is_told_without_ids_copies_and_foreign_words() -> None:
    assert faults_in(told(tuple(known_modules()), "told", TOGETHER)) == set()


@pytest.mark.parametrize("module", sorted(module_files()))
def test_a_game_of_each_module_is_told_without_ids_copies_and_foreign_words(module: str) -> None:
    assert faults_in(told((module,), "told", ALONE)) == set()


@pytest.mark.check_only
@pytest.mark.parametrize("seed", ["one", "two", "three", "four"])
def test_long_games_of_all_modules_are_told_without_ids_copies_and_foreign_words(seed: str) -> None:
    assert faults_in(told(tuple(known_modules()), seed, MOST)) == set()


@pytest.mark.check_only
@pytest.mark.parametrize("module", sorted(module_files()))
def test_whole_games_of_each_module_are_told_without_ids_copies_and_foreign_words(module: str) -> None:
    assert faults_in(told((module,), "whole", MOST)) == set()


@pytest.mark.parametrize("language", languages())
def test_no_name_of_a_component_has_ids_copies_and_foreign_words(language: str) -> None:
    game = Game.new(Options(3, "names", modules=tuple(known_modules())))
    rules = game.ruleset
    modules = [record for record in rules.modules if record.key in ("base", *module_files())]
    parts = [part for record in modules for part in (*record.slots, *record.items, *record.usable)]
    parts += [kind.name for record in modules for kind in record.piece_kinds]
    names = {thing: name_of(thing, language, NAMES) for thing in (*rules.tiles, *rules.cards, *rules.pieces, *parts)}
    assert {thing: name for thing, name in names.items() if wrong_with(name, language) is not None} == {}


@pytest.mark.parametrize("language", [language for language in languages() if language != DEFAULT])
def test_no_sentence_is_the_same_in_english(language: str) -> None:
    english = catalogues()[DEFAULT]
    same = {key for key, template in catalogues()[language].items() if english[key] == template}
    assert {
        key for key in same if len(list(words_of(parsed(english[key])))) > 1 and key not in NAMES_IN_ENGLISH
    } == set()


NAMES_IN_ENGLISH = {"preset.box_designers"}
"""Names of boxes that were sold under an English name."""


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "Baue Gebäude der Macht wisdom Pavillon 8"),
        ("hu", "Vásárlás: tower 9"),
        ("en", "Buy wishing well 3 2"),
        ("en", "Take square (chambers) 4"),
        ("en", "Build garden-8-ne"),
        ("pt", "Comprar market-denar"),
        ("sr", "Uzmi: rich_patron"),
        ("de", "Ada nimmt …"),
    ],
)
def test_a_wrong_text_is_noticed(language: str, told: str) -> None:
    assert wrong_with(told, language)
