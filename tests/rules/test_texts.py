"""Texts for people: everything that the rules say has one in every language, and no text asks for a fact in vain."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import alhambra
from alhambra import BASE, BadOptions, IllegalMove, Module, Move, Options, Violation, load_module
from alhambra.components import COLOURS, CURRENCIES, SIDES, TYPES, component_data
from alhambra.frames import PHASES
from alhambra.moves import NOUNS
from alhambra.options import CHOICES, EDITIONS
from alhambra.texts import (
    choose_language,
    explain,
    keys,
    languages,
    name_of,
    tell_event,
    tell_move,
    text,
    texts_needed,
    things_without_name,
    words_without_text,
)
from alhambra.texts.messages import MalformedText, facts_of, parsed
from alhambra.violations import CODES
from scripts.module_files import module_files

FILES = Path(alhambra.__file__).parent / "data" / "texts"
TRANSLATED = ("en", "de")
"""The languages that are complete. To be extended when a translation is."""
RECORDS = [BASE, *map(load_module, module_files())]
WITH_PLACES = ("violation", "event", "scored", "move", "decision", "refusal")
"""The kinds of texts that may have places for facts."""
bounded = settings(max_examples=120, derandomize=True, deadline=None)


@cache
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language as they stand in its files."""
    found: dict[str, str] = {}
    for path in sorted((FILES / language).glob("*.json")):
        found.update(json.loads(path.read_text(encoding="utf-8")))
    return found


def places(template: str) -> set[str]:
    """The facts that a text asks for."""
    return set(facts_of(parsed(template)))


def wanted_of_all() -> list[str]:
    """The keys that belong to no record: options, editions, phases, reasons, nouns and names."""
    values = [f"option.{option}.{str(value).lower()}" for option, known in CHOICES.items() for value in known]
    printed = [f"module.{key}" for key in ("base", *component_data()["modules"])]
    return [
        *(f"violation.{code}" for code in CODES),
        *(key for name in printed for key in (name, f"{name}.text")),
        *(f"option.{option}" for option in CHOICES),
        *values,
        *(f"edition.{edition}" for edition in EDITIONS),
        *(f"phase.{phase}" for phase in ("SETUP", *dict.fromkeys(PHASES.values()), "END")),
        *(f"type.{name}" for name in TYPES),
        *(f"currency.{name}" for name in (*CURRENCIES, "diamond")),
        *(f"seat.{seat}" for seat in range(6)),
        *(f"colour.{colour}" for colour in COLOURS),
        *(f"noun.{noun}" for noun in ("verb", *NOUNS)),
        *(f"side.{side}" for side in SIDES),
    ]


# -- Completeness ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.key)
def test_every_word_of_a_module_has_a_text(record: Module, language: str) -> None:
    known = catalogue(language)
    assert [key for key in texts_needed(record) if not known.get(key)] == []
    assert words_without_text(record, language) == []
    assert things_without_name(record, language) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_other_word_of_the_rules_has_a_text(language: str) -> None:
    assert [key for key in wanted_of_all() if not catalogue(language).get(key)] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_keys_of_the_english_texts_and_no_others(language: str) -> None:
    assert set(catalogue(language)) == set(catalogue("en")) == set(keys())


def test_there_are_texts_in_five_languages_english_first() -> None:
    assert languages()[0] == "en"
    assert set(languages()) == {"en", "de", "hu", "sr", "pt"}


@pytest.mark.parametrize("language", languages())
def test_no_key_stands_in_two_files_and_files_are_those_of_the_english_texts(language: str) -> None:
    paths = sorted((FILES / language).glob("*.json"))
    found = Counter(key for path in paths for key in json.loads(path.read_text(encoding="utf-8")))
    assert [key for key, count in found.items() if count > 1] == []
    assert {path.name for path in paths} <= {path.name for path in (FILES / "en").glob("*.json")}
    assert set(found) <= set(keys())


# -- Form ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", languages())
def test_every_text_is_well_formed_and_uses_no_other_facts_than_the_english_one(language: str) -> None:
    for key, template in catalogue(language).items():
        assert template.strip() == template and template, key
        assert places(template) <= places(catalogue("en")[key]), key


@pytest.mark.parametrize("key", [key for key in keys() if key.partition(".")[0] not in WITH_PLACES])
def test_names_and_explanations_have_no_places_for_facts(key: str) -> None:
    assert not places(catalogue("en")[key])


@pytest.mark.parametrize("template", ["{", "}", "[no fact]", "{a, plural, one {x}}", "{A}", "{a, sum, other {}}"])
def test_a_malformed_text_is_noticed(template: str) -> None:
    with pytest.raises(MalformedText):
        parsed(template)


# -- Explaining ------------------------------------------------------------------------------------------------------


def test_a_violation_is_explained_with_its_facts() -> None:
    fault = Violation("EDGE_MISMATCH", "cell", cell=[1, -2], side="N", neighbour="garden-10-n")
    assert explain(fault) == (
        "A wall would meet an open side to the north of (1, -2), beside garden 10 (north). "
        "Either both sides have a wall, or neither."
    )
    assert explain(fault, "de").startswith("Eine Mauer träfe auf eine offene Seite im Norden von (1, -2)")


def test_without_its_facts_a_violation_is_explained_all_the_same() -> None:
    for code in CODES:
        for language in languages():
            told = explain(Violation(code), language)
            assert told.endswith((".", "?")), told
            assert not set(told) & set("{}[]…"), told


def test_a_word_can_have_its_own_sentence() -> None:
    assert "fountain stays" in explain(Violation("LOCKED", "tile", tile="start-0", by="start"))
    assert "major-domo" in explain(Violation("LOCKED", "tile", tile="garden-9-s", by="major_domo"))


def test_an_illegal_move_is_explained_sentence_by_sentence() -> None:
    first, second = Violation("UNDERPAID", due=9, paid=5), Violation("HOLE", "cell", cells=[[0, 1]])
    assert explain(IllegalMove([second, first])) == f"{explain(first)} {explain(second)}"


def test_errors_of_the_library_are_explained_too() -> None:
    with pytest.raises(BadOptions) as caught:
        Options(seats=3, seed="s", undo="always")
    assert explain(caught.value) == (
        "This option or its value is not possible: Taking moves back. Possible: free_moves, none, by_consent."
    )


def test_events_are_told_with_the_names_of_the_players() -> None:
    assert tell_event("turn_began", {"seat": 0, "turn": 1}) == "It is the turn of Player 1."
    assert tell_event("turn_began", {"seat": 1, "turn": 2}, "de", ["Ada", "Béla"]) == "Béla ist am Zug."


def test_a_move_is_told_with_what_it_pays() -> None:
    move = Move("buy", slot="market-denar", cards=("denar-4", "denar-5"))
    assert tell_move(move, thing="garden-9-e", price=9) == "Buy garden 9 (east) for 9: pay denar 4, denar 5"


def test_an_unknown_key_answers_with_its_last_word() -> None:
    assert text("verb.juggle_oranges", "de") == "juggle oranges"
    assert text("") == ""


@pytest.mark.parametrize(
    ("thing", "english", "german"),
    [
        ("tower-9-nw", "tower 9 (north, west)", "Turm 9 (Norden, Westen)"),
        ("garden-11", "garden 11", "Garten 11"),
        ("dukat-5", "ducat 5", "Dukaten 5"),
        ("start-2", "fountain", "Brunnen"),
        ("camp_NE", "camp (north, east)", "Feldlager (Norden, Osten)"),
        ("market-denar", "market space denar", "Bauhof-Feld Denar"),
        ("personal-1-denar", "personal market of Player 2 denar", "persönlicher Marktplatz von Platz 2 Denar"),
        ("carpenter_2:1", "carpenter 2: 1", "Schreiner 2: 1"),
        ("handyman:-2", "handyman: -2", "Arbeiter: -2"),
        ("rich_patron", "the Rich Patron", "der reiche Gönner"),
        ("no_such_thing", "no_such_thing", "no_such_thing"),
        ("", "", ""),
    ],
)
def test_components_have_names(thing: str, english: str, german: str) -> None:
    assert name_of(thing) == english
    assert name_of(thing, "de") == german


# -- Whatever strangers send -----------------------------------------------------------------------------------------

huge = st.just(5_000).map(lambda digits: 10**digits)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=80) | huge
surrogates = st.text(st.characters(categories=["Cs", "Cc"]), max_size=4)
closed = st.sampled_from([key.partition(".")[2] for key in keys()])
values = st.recursive(
    scalars | surrogates | closed | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=10) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)
known_facts = sorted({fact for key in keys() if key.startswith("violation.") for fact in places(catalogue("en")[key])})
metadata_of_strangers = st.dictionaries(st.sampled_from(known_facts) | st.text(max_size=9), values, max_size=6)
nouns = st.none() | st.text(max_size=80) | surrogates


@bounded
@given(st.sampled_from(list(CODES)), nouns, metadata_of_strangers, st.sampled_from(languages()) | st.text(max_size=3))
def test_explaining_never_fails(code: str, noun: str | None, metadata: dict[str, Any], language: str) -> None:
    told = explain(Violation(code, noun, **metadata), language)
    assert told.isprintable()
    assert len(told) < 10_000


@bounded
@given(st.text() | closed, metadata_of_strangers)
def test_a_text_never_fails(key: str, facts: dict[str, Any]) -> None:
    facts.pop("language", None)
    assert text(key, "de", **facts).isprintable()
    assert name_of(key).isprintable()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "de"),
        ("de-AT, en;q=0.5", "de"),
        ("fr-CH, fr;q=0.9, hu;q=0.7, *;q=0.5", "hu"),
        ("en;q=0.2, PT-br;q=0.3", "pt"),
        ("sr-Latn-RS", "sr"),
        ("de;q=0, en;q=0.1", "en"),
        ("*", "en"),
        ("ja", "en"),
        ("hu;q=nonsense, sr;q=0.1", "sr"),
        ("", "en"),
        ("," * 5_000, "en"),
        (None, "en"),
        (b"de", "en"),
    ],
)
def test_the_language_is_the_best_one_that_the_header_accepts(header: object, language: str) -> None:
    assert choose_language(header) == language


scraps = st.sampled_from(["de", "hu", "*", "pt-BR", ";q=", "0.5", "1.0001", ",", "-", " ", "q=2", "é"])


@bounded
@given(st.text() | st.lists(scraps).map("".join) | values)
def test_choosing_a_language_never_fails(header: object) -> None:
    assert choose_language(header) in languages()
