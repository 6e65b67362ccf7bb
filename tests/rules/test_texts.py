"""Texts for people: every word of the rules has one in every language, and no text asks for a fact that is missing."""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import alhambra
from alhambra import Module, Options, compile_ruleset
from alhambra.base import BASE
from alhambra.components import COLOURS, CURRENCIES, SIDES, TYPES, component_data
from alhambra.moves import NOUNS
from alhambra.options import CHOICES, EDITIONS
from alhambra.procedures import PHASES
from alhambra.ruleset import Ruleset
from alhambra.texts import (
    keys,
    languages,
    missing,
    reason_key,
    reasons_without_text,
    texts_needed,
    things_without_name,
    words_without_text,
)
from alhambra.texts.messages import MalformedText, facts_of, parsed
from alhambra.texts.sentences import CLOSED
from alhambra.violations import CODES
from scripts.module_files import module_files

SOURCES = Path(alhambra.__file__).parent
LANGUAGES = ("en", "de", "hu", "pt", "sr")
CLOSED_WORDS = (*CLOSED, "per", "purchase")
FACTS_WITH_WORDS = [fact for fact in CLOSED_WORDS if fact != "decision"]
COLOURED = {"type": "colour", "types": "colour_list"}
"""Facts that are told with another one: the colours of building types."""
PARTS_OF_NAMES = {"name", "number", "value", "row", "notes", "type", "others", "colour_list", "seat", "argument"}


# -- What the rules say: the compiled ruleset, and calls in the sources ----------------------------------------------


@cache
def everything() -> Ruleset:
    """The rules with every module that stands in the library; those that other tests register do not count."""
    return compile_ruleset(3, "de_revised_2019", tuple(module_files()))


@cache
def calls() -> list[tuple[str, ast.Call]]:
    """Every call in the rules, with the last word of what is called."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCES.rglob("*.py"))]
    found = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [(called(node), node) for node in found]


def called(node: ast.Call) -> str:
    """The last word of what is called; "" if it is no name."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def words(node: ast.expr | None) -> Iterator[str]:
    """The texts that an argument can be: itself, or both branches of a condition."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from words(node.body)
        yield from words(node.orelse)


def keywords(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Named arguments, those given as a dictionary included; `for_` stands for `for`."""
    for keyword in node.keywords:
        if keyword.arg is not None:
            yield keyword.arg.rstrip("_"), keyword.value
        elif isinstance(keyword.value, ast.Dict):
            for key, value in zip(keyword.value.keys, keyword.value.values, strict=True):
                yield from ((word, value) for word in words(key))


def argument(node: ast.Call, place: int, name: str) -> ast.expr | None:
    named = dict(keywords(node)).get(name)
    return node.args[place] if len(node.args) > place else named


@cache
def facts_of_codes() -> dict[str, set[str]]:
    """By code: the metadata that some violation or error of that code carries."""
    found = defaultdict[str, set[str]](set)
    for name, node in calls():
        for code in words(node.args[0] if node.args else None):
            if code in CODES:
                found[code].update(word for word, _ in keywords(node))
                if len(node.args) > 1 and name.endswith("Violation"):
                    found[code].add("noun")
    return found


@cache
def facts_of_events() -> dict[str, set[str]]:
    """By kind of event: the facts that it is told with, "*" if others can come. Laying a tile and adding
    wooden walls name their event."""
    found = defaultdict[str, set[str]](set, placed={"seat", "tile", "cell", "rotation"})
    for name, node in calls():
        if name == "emit":
            for kind in words(node.args[0] if node.args else None):
                found[kind].update(word for word, _ in keywords(node))
                found[kind].update("*" for keyword in node.keywords if keyword.arg is None)
        elif name == "lay_tile":
            for kind in words(dict(keywords(node)).get("event")):
                found[kind].update(found["placed"], (word for word, _ in keywords(node)))
        elif name == "add_wooden_walls":
            for kind in words(dict(keywords(node)).get("event")):
                found[kind].update({"seat", "tile", "sides"}, (word for word, _ in keywords(node)))
    return found


@cache
def closed_words() -> set[str]:
    """Keys of the words that violations carry under because, by, for, what and the like, and that locks answer with."""
    found = set()
    for name, node in calls():
        if name == "Violation":
            for word, value in keywords(node):
                if word in CLOSED_WORDS:
                    found |= {f"{word}.{said}" for said in words(value)}
        elif name == "Offer":
            found |= {f"purchase.{said}" for said in words(dict(keywords(node)).get("purpose"))}
        elif name in ("end_game", "declare_result"):
            found |= {f"because.{said}" for said in words(argument(node, 1, "because"))}
        elif name == "acquire":
            found |= {f"how.{said}" for said in words(argument(node, 3, "how"))}
        elif name == "ask":
            choices = dict(keywords(node)).get("choices")
            if isinstance(choices, ast.Tuple):
                found |= {f"choice.{said}" for entry in choices.elts for said in words(entry)}
        elif name == "emit":
            found |= {f"to.{said}" for said in words(dict(keywords(node)).get("to"))}
    return found | {"by.start", "by.gate", "by.watchtower", "purchase.buy"}


def reasons() -> set[str]:
    return {said for name, node in calls() if name == "score" for said in words(argument(node, 3, "reason"))}


def wanted() -> dict[str, list[str]]:
    """Every key that has to have a text, by what it is."""
    rules = everything()
    values = [f"option.{option}.{str(value).lower()}" for option, known in CHOICES.items() for value in known]
    variants = [f"variant.{module.key}.{name}" for module in rules.modules for name in module.variants]
    printed = [f"module.{key}" for key in ("base", *component_data()["modules"])]
    phases = ("SETUP", *dict.fromkeys(PHASES.values()), "END")
    own_options = [field for field in Options.__dataclass_fields__ if field not in ("rules", "_written")]
    return {
        "codes": [f"violation.{code}" for code in CODES],
        "verbs": [f"verb.{verb}" for verb in rules.verbs],
        "decisions": [f"decision.{kind}" for kind in rules.questions],
        "modules": [*printed, *(f"{key}.text" for key in printed), *(f"module.{key}" for key in rules.keys)],
        "variants": variants,
        "options": [*(f"option.{option}" for option in (*CHOICES, *own_options)), *values],
        "what options decide": [f"option.{option}.text" for option in CHOICES],
        "editions": [f"edition.{edition}{text}" for edition in EDITIONS for text in ("", ".text")],
        "phases": [f"phase.{phase}{text}" for phase in phases for text in ("", ".text")],
        "facts with a list of words": [f"metadata.{fact}" for fact in FACTS_WITH_WORDS],
        "reasons": [f"reason.{reason}" for reason in sorted(reasons())],
        "events": [f"event.{kind}" for kind in sorted(facts_of_events())],
        "closed words": sorted(closed_words()),
        "kinds of tiles": [f"tile.{kind}" for kind in rules.kinds],
        "components": [*(f"type.{name}" for name in TYPES), *(f"currency.{name}" for name in (*CURRENCIES, "diamond"))],
        "seats": [*(f"seat.{seat}" for seat in range(6)), *(f"colour.{colour}" for colour in COLOURS)],
        "nouns": [*(f"noun.{noun}" for noun in ("verb", *NOUNS)), *(f"side.{side}" for side in SIDES)],
    }


def placeholders(template: str) -> set[str]:
    return set(facts_of(parsed(template)))


def raw(key: str, language: str) -> str:
    """The template as it stands in the file."""
    return catalogue(language)[key]


@cache
def files_of(language: str) -> dict[str, dict[str, str]]:
    """A language's files as they stand, by their names."""
    folder = SOURCES / "data" / "texts" / language
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


@cache
def catalogue(language: str) -> dict[str, str]:
    """All texts of a language."""
    return {key: found for texts in files_of(language).values() for key, found in texts.items()}


def own_modules() -> list[Module]:
    """The base game and the modules of this library."""
    return [module for module in everything().modules if module is BASE or module.key in files_of("en")]


# -- Completeness ----------------------------------------------------------------------------------------------------


def test_the_walk_through_the_sources_finds_what_is_known_to_be_there() -> None:
    assert {"wall", "majority", "camp", "attack"} <= reasons()
    assert {"placed", "swapped", "scored", "thief_played", "watchtower_placed"} <= set(facts_of_events())
    assert {"place.hand", "for.dirk", "what.vizier", "choice.reroll", "purchase.project"} <= closed_words()
    assert facts_of_codes()["EDGE_MISMATCH"] == {"noun", "cell", "side", "neighbour"}
    assert {"option", "known"} <= facts_of_codes()["OPTION_INVALID"]
    assert len(everything().verbs) > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_rules_has_a_text(language: str) -> None:
    known = set(catalogue(language))
    assert {what: set(found) - known for what, found in wanted().items() if not known.issuperset(found)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("module", own_modules(), ids=lambda module: module.key)
def test_everything_that_a_module_declares_has_a_text(module: Module, language: str) -> None:
    assert [key for key in texts_needed(module) if key not in catalogue(language)] == []
    assert words_without_text(module, language) == []
    assert things_without_name(module, language) == []
    assert module is BASE or reasons_without_text(module, language) == []


def test_all_languages_have_the_same_texts_in_the_same_files() -> None:
    assert languages() == LANGUAGES
    english = {name: list(texts) for name, texts in files_of("en").items()}
    for language in LANGUAGES:
        assert missing(language) == []
        assert {name: list(texts) for name, texts in files_of(language).items()} == english, language


def test_no_key_stands_in_two_files() -> None:
    assert sum(map(len, files_of("en").values())) == len(catalogue("en"))


@pytest.mark.parametrize("module", own_modules(), ids=lambda module: module.key)
def test_no_text_of_a_module_is_unused(module: Module) -> None:
    """A text is needed by the record, names a component of it, or words a fact of one of its violations or events."""
    known = set(texts_needed(module))
    refused = {reason_key(module.key, reason) for reason in module.reasons}
    words = {word for reason in module.reasons for word in reason.words}
    ids = [*(tile.id for tile in module.tiles), *(card.id for card in module.cards)]
    ids += [*module.items, *(word for noun in ("piece", "slot", "items") for word in module.words(noun))]
    for key in files_of("en").get(module.key, {}) if module is not BASE else ():
        head, _, word = key.partition(".")
        first = word.partition(".")[0]
        if (
            key in known
            or key.rpartition(".")[0] in known
            or head in ("why", "to", "how")
            or (head == "pieces" and word in module.words("piece"))
            or (head == "called" and any(one.replace("-", "_").startswith(f"{word}_") for one in ids))
            or key in refused
            or (head in CLOSED_WORDS and word in words)
        ):
            continue
        if head == "violation" and word.rpartition(".")[2] in words | {module.key}:
            continue
        named = any(re.match(rf"{first}(?![a-z])", one.replace("-", "_")) or one.startswith(first) for one in ids)
        inside = any(first in re.split("[-_]", one) for one in ids)
        assert head in ("thing", "type", "tile") and (named or inside or f"thing.{first}" in known), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_well_formed(language: str) -> None:
    for key, found in catalogue(language).items():
        assert found.strip() == found, key
        assert found, key
        parsed(found)


@pytest.mark.parametrize("broken", ["{", "{tile", "a]", "[no fact]", "{n, plural, one {x}}", "{n, list, other {x}}"])
def test_a_malformed_text_is_noticed(broken: str) -> None:
    with pytest.raises(MalformedText):
        parsed(broken)


def test_keys_of_violations_are_codes_and_modules_are_those_of_the_components() -> None:
    assert {key.split(".")[1] for key in keys() if key.startswith("violation.")} == set(CODES)
    assert {key.split(".")[1] for key in keys() if key.startswith("module.")} == {"base", *component_data()["modules"]}
    assert {key.split(".")[1] for key in keys() if key.startswith("edition.")} == set(EDITIONS)


def test_sentences_for_single_words_belong_to_words_that_have_a_text_themselves() -> None:
    special = [key.split(".")[2] for key in keys() if key.startswith("violation.") and key.count(".") == 2]
    assert special
    for word in special:
        assert any(f"{kind}.{word}" in keys() for kind in CLOSED), word


# -- Placeholders ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_uses_no_other_facts_than_the_english_text(language: str) -> None:
    for key in catalogue(language):
        assert placeholders(raw(key, language)) <= placeholders(raw(key, "en")), key


def test_a_violation_asks_only_for_facts_that_some_violation_of_its_code_carries() -> None:
    for key in keys():
        if key.startswith(("violation.", "refused.")):
            code = key.split(".")[1 if key.startswith("violation.") else 2]
            assert placeholders(raw(key, "en")) <= facts_of_codes()[code], key


def test_an_event_asks_only_for_facts_that_it_is_told_with() -> None:
    for key in keys():
        if key.startswith("event."):
            told = facts_of_events().get(key.removeprefix("event."), {"seat"})
            told = told | {colours for types, colours in COLOURED.items() if types in told}
            assert "*" in told or placeholders(raw(key, "en")) <= told, key


def test_a_name_is_made_of_what_ids_say() -> None:
    for key in keys():
        if key.startswith("called."):
            assert all(placeholders(raw(key, language)) <= PARTS_OF_NAMES for language in LANGUAGES), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_sentences_have_places_for_facts(language: str) -> None:
    for key in catalogue(language):
        sentence = key.startswith(("violation.", "event.", "move.", "scored.", "decision.")) and not key.endswith(
            ".name"
        )
        named = key.startswith("called.")
        refused = key.startswith("refused.")
        assert sentence or named or refused or not placeholders(raw(key, language)), key
