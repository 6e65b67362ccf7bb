"""Texts for people: every word of the rules has one in every language, and no text asks for a fact that is missing."""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import alhambra
from alhambra import BadOptions, Game, IllegalMove, Module, Move, Options, Violation, compile_ruleset, load_module
from alhambra.base import BASE
from alhambra.components import COLOURS, CURRENCIES, SIDES, TYPES, component_data
from alhambra.module import Reason
from alhambra.moves import NOUNS
from alhambra.options import CHOICES, EDITIONS
from alhambra.procedures import PHASES
from alhambra.ruleset import Ruleset
from alhambra.texts import (
    choose_language,
    explain,
    keys,
    languages,
    missing,
    name_of,
    reason_key,
    reasons_without_text,
    tell_event,
    tell_move,
    tell_reason,
    text,
    texts_needed,
    things_without_name,
    words_without_text,
)
from alhambra.texts.messages import MalformedText, facts_of, parsed, plural
from alhambra.texts.sentences import CLOSED
from alhambra.violations import CODES, PLACES
from scripts.module_files import module_files

SOURCES = Path(alhambra.__file__).parent
LANGUAGES = ("en", "de", "hu", "pt", "sr")
CLOSED_WORDS = (*CLOSED, "per", "purchase")
FACTS_WITH_WORDS = [fact for fact in CLOSED_WORDS if fact != "decision"]
COLOURED = {"type": "colour", "types": "colour_list"}
"""Facts that are told with another one: the colours of building types."""
PARTS_OF_NAMES = {"name", "number", "value", "row", "notes", "type", "others", "colour_list", "seat", "argument"}
bounded = settings(max_examples=120, derandomize=True, deadline=None)


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
    return [(ast.unparse(node.func).rpartition(".")[2], node) for node in found]


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
    for _, node in calls():
        for code in words(node.args[0] if node.args else None):
            if code in CODES:
                found[code].update(name for name, _ in keywords(node))
                if len(node.args) > 1 and ast.unparse(node.func).endswith("Violation"):
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


@pytest.mark.parametrize("key", [key for key in keys() if key.startswith(("violation.", "refused."))])
def test_a_violation_asks_only_for_facts_that_some_violation_of_its_code_carries(key: str) -> None:
    code = key.split(".")[1 if key.startswith("violation.") else 2]
    assert placeholders(raw(key, "en")) <= facts_of_codes()[code]


@pytest.mark.parametrize("key", [key for key in keys() if key.startswith("event.")])
def test_an_event_asks_only_for_facts_that_it_is_told_with(key: str) -> None:
    told = facts_of_events().get(key.removeprefix("event."), {"seat"})
    told = told | {colours for types, colours in COLOURED.items() if types in told}
    assert "*" in told or placeholders(raw(key, "en")) <= told


@pytest.mark.parametrize("key", [key for key in keys() if key.startswith("called.")])
def test_a_name_is_made_of_what_ids_say(key: str) -> None:
    for language in LANGUAGES:
        assert placeholders(raw(key, language)) <= PARTS_OF_NAMES


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_sentences_have_places_for_facts(language: str) -> None:
    for key in catalogue(language):
        sentence = key.startswith(("violation.", "event.", "move.", "scored.", "decision.")) and not key.endswith(
            ".name"
        )
        named = key.startswith("called.")
        refused = key.startswith("refused.")
        assert sentence or named or refused or not placeholders(raw(key, language)), key


# -- Forms by number and word ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "number", "form"),
    [
        *(("en", 1, "one"), ("en", 0, "other"), ("de", -1, "one"), ("hu", 2, "other"), ("pt", 1, "one")),
        *(("sr", 1, "one"), ("sr", 21, "one"), ("sr", 11, "other"), ("sr", 3, "few"), ("sr", 24, "few")),
    ],
)
def test_languages_count_in_their_own_way(language: str, number: int, form: str) -> None:
    assert plural(language, number) == form


def test_points_are_told_with_their_reason_and_place() -> None:
    facts = {
        "seat": 1,
        "points": 1,
        "reason": "majority",
        "type": "garden",
        "count": 5,
        "parts": (),
        "place": 2,
        "shared": 1,
    }
    told = tell_event("scored", facts, "en", ["Ada", "Béla"])
    assert told == "Béla: 1 point for the second most garden buildings (2½)."


def test_a_move_is_told_with_everything_that_it_names() -> None:
    move = Move("buy", slot="market-denar", cards=("denar-4", "denar-4"))
    assert tell_move(move, thing="garden-8-ne", price=8) == "Buy garden 8 (north, east) for 8: pay 2 × denar 4"
    assert tell_move(Move("pass"), "de") == "Passe"
    assert tell_move(Move("juggle_oranges", amount=3), "de") == "juggle oranges: 3"


def test_a_payment_is_told_in_full_and_other_long_lists_are_cut() -> None:
    cards = (*(f"denar-{value}" for value in range(1, 10)), "dukat-1", "dukat-1")
    assert tell_move(Move("pay", cards=cards)).endswith("denar 8, denar 9, 2 × ducat 1")
    assert explain(Violation("NOT_REACHABLE", tiles=["tower-12"] * 9)).endswith("tower 12, ….")
    assert explain(Violation("NOT_REACHABLE", tiles=["tower-12"] * 8)).endswith("tower 12.")


def test_a_choice_that_is_not_offered_is_named() -> None:
    assert explain(Violation("NOT_THERE", "choice", id="reroll", place="slot"), "de").endswith("neu würfeln.")


# -- Explaining ------------------------------------------------------------------------------------------------------


def test_a_violation_is_explained_with_its_facts() -> None:
    fault = Violation("EDGE_MISMATCH", "cell", cell=[1, -2], side="N", neighbour="garden-10-n")
    assert explain(fault) == "Walls must meet walls: the north side of (1, -2) would not match garden 10 (north)."
    assert explain(fault, "de").startswith("Mauern müssen auf Mauern treffen: (1, -2), Seite Norden")


def test_without_its_facts_a_violation_is_explained_all_the_same() -> None:
    for code in CODES:
        for language in languages():
            told = explain(Violation(code), language)
            assert told.endswith((".", "?")), told
            assert not set(told) & set("{}[]…"), told


def test_a_word_can_have_its_own_sentence() -> None:
    assert "fountain stays" in explain(Violation("LOCKED", "tile", tile="start-0", by="start"))
    assert "major-domo" in explain(Violation("LOCKED", "tile", tile="garden-9-s", by="major_domo"))


@pytest.mark.parametrize(
    ("fault", "english"),
    [
        (Violation("CONDITION_UNMET", what="handymen", need=1, have=0), "You have no handyman left."),
        (Violation("LIMIT_REACHED", what="squares", limit=3), "Nobody may own more than three squares."),
        (Violation("TYPE_MISMATCH", "type", expected=["garden"], got="tower"), None),
        (
            Violation("TYPE_MISMATCH", "type").of_module("treasure_chamber"),
            "A chest can only go into a building of its colour.",
        ),
        (Violation("NOT_THERE", "type", place="supply", id="garden"), None),
        (
            Violation("NOT_THERE", "type", place="supply", id="garden").of_module("new_building_grounds"),
            "There is no building of that type in the column of the ground.",
        ),
        (Violation("WALL_REFUSED", "tile", because="faces_tile").of_module("city_walls"), None),
    ],
)
def test_a_module_explains_its_refusals_in_its_own_words(fault: Violation, english: str | None) -> None:
    """None: another module, or the base game, can refuse for that reason, or the general sentence is more exact."""
    own = {text(key) for key in keys() if key.startswith("refused.")}
    assert explain(fault) == english if english is not None else explain(fault) not in own


def test_a_refused_move_names_the_module_of_its_verb() -> None:
    game = Game.new(Options(seats=2, seed="s", modules=("squares", "arts_of_the_moors")))
    (fault,) = game.verify(Move("develop_culture"))
    assert (fault.code, fault.module) == ("NO_EFFECT", "arts_of_the_moors")
    assert explain(fault) == text("refused.arts_of_the_moors.NO_EFFECT")
    assert fault == Violation("NO_EFFECT", "verb")
    assert all(fault.module is None for fault in game.verify(Move("pass")))


def test_an_illegal_move_is_explained_sentence_by_sentence() -> None:
    first, second = Violation("UNDERPAID", due=9, paid=5), Violation("HOLE", "cell", cells=[[0, 1]])
    assert explain(IllegalMove([second, first])) == f"{explain(first)} {explain(second)}"


def test_a_module_says_when_it_refuses_in_its_own_words_or_in_those_of_the_violation() -> None:
    told = {reason.code: tell_reason("squares", reason, "de") for reason in load_module("squares").reasons}
    assert told["LIMIT_REACHED"] == "Du darfst höchstens drei Plätze besitzen."
    (asleep,) = load_module("viziers_favour").reasons
    assert tell_reason("viziers_favour", asleep, "en") == text("violation.CONDITION_UNMET.vizier")
    foreign = Reason("CONDITION_UNMET", "A camel must rest.", ("camel",))
    assert tell_reason("camels", foreign, "hu") == "A camel must rest."


def test_errors_of_the_library_are_explained_too() -> None:
    with pytest.raises(BadOptions) as caught:
        Options(seats=3, seed="s", undo="always")
    assert explain(caught.value) == (
        "This option or its value is not possible: Taking moves back. Possible: free_moves, none, by_consent."
    )


def test_a_number_of_players_is_not_the_name_of_one() -> None:
    with pytest.raises(BadOptions) as caught:
        Options(seats=1, seed="s")
    assert explain(caught.value) == "Alhambra is a game for 2 to 6 players, not for 1."


def test_events_are_told_with_names_or_seats() -> None:
    assert text("event.turn_began", seat=0, turn=1) == "Player 1 to play."
    assert text("event.turn_began", "de", seat="Ada", turn=1) == "Ada ist am Zug."
    assert text("event.leftover_awarded", tile="garden-8-ne", seat=None).endswith("(north, east).")


def test_residents_servants_and_chests_are_told_by_their_colours() -> None:
    bought = {"seat": 0, "types": ("seraglio", "pavilion", "seraglio")}
    assert tell_event("chests_bought", bought, "en", ["Ada"]) == "Ada buys chests: 2 × red, blue."
    assert tell_event("resident_changed", {"seat": 0, "type": "tower"}, "de", ["Ada"]).endswith("Lila.")
    assert tell_move(Move("take_resident", type="garden"), "en") == "Take a resident: green"
    assert tell_event("half_taken", {"seat": 0, "type": "tower"}, "en", ["Ada"]).endswith("tower.")


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
        ("market-denar", "market space (denar)", "Bauhof-Feld (Denar)"),
        ("personal-1-denar", "personal market of Player 2 (denar)", "persönlicher Marktplatz von Spieler 2 (Denar)"),
        ("carpenter_2:1", "carpenter: −1", "Schreiner: −1"),
        ("handyman:-2", "handyman: -2", "Arbeiter: -2"),
        ("rich_patron", "the Rich Patron", "der reiche Gönner"),
        ("well_3_2", "wishing well 3", "Wunschbrunnen 3"),
        ("square_chambers_4", "square (chambers, north, east)", "Platz (Gemächer, Norden, Osten)"),
        ("square-chambers", "square (chambers)", "Platz (Gemächer)"),
        ("watchtower_tower_2", "watchtower (purple)", "Wachturm (Lila)"),
        ("bonus_garden-10", "bonus card (garden 10)", "Bonuskarte (Garten 10)"),
        ("bazaar_3", "bazaar no. 3", "Bazar Nr. 3"),
        ("bazaar", "bazaar", "Bazar"),
        ("falcon_black_arcades_tower", "black falcon (brown, purple)", "schwarzer Falke (Braun, Lila)"),
        ("power_wisdom_pavilion-8", "pavilion 8 (wisdom)", "Pavillon 8 (Weisheit)"),
        ("power_wealth_garden-12-s", "garden 12 (wealth, south)", "Garten 12 (Wohlstand, Süden)"),
        ("white_die:power_wealth_seraglio-9", "white die: seraglio 9 (wealth)", "weißer Würfel: Serail 9 (Wohlstand)"),
        ("extension-2-3", "extension (column 2, row 3)", "Ausbau (Spalte 2, Reihe 3)"),
        ("fresh-stack", "top of the stack", "oberstes vom Stapel"),
        ("no_such_thing", "no_such_thing", "no_such_thing"),
        ("", "", ""),
    ],
)
def test_components_have_names(thing: str, english: str, german: str) -> None:
    assert name_of(thing) == english
    assert name_of(thing, "de") == german


COPIES = re.compile(r"(?<=[a-z0-9])_[0-9]+$")
"""What tells the copies of a component apart in their ids."""


def test_every_tile_card_and_piece_of_the_rules_has_a_name_of_its_own_except_for_copies() -> None:
    rules = everything()
    for things in (set(rules.tiles) - {f"start-{seat}" for seat in range(6)}, rules.cards, rules.pieces):
        for language in LANGUAGES:
            kinds = defaultdict[str, set[str]](set)
            for thing in things:
                kinds[name_of(thing, language)].add(COPIES.sub("", thing))
            assert {name: found for name, found in kinds.items() if len(found) > 1} == {}
            assert not [name for name in kinds if "_" in name]


def test_components_that_differ_have_names_that_differ() -> None:
    """A number is left out only where nothing but the id tells two components apart, or nobody needs to."""
    for prefix in (
        "bazaar_",
        "bathhouse_",
        "caravanserai_",
        "score_card_",
        "fruit_board_",
        "key_",
        "medina_",
        "culture_",
        "fresh_",
        "square_",
    ):
        things = [thing for thing in (*everything().tiles, *everything().pieces) if thing.startswith(prefix)]
        assert len({name_of(thing) for thing in things}) == len(set(things)) > 1


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
known_facts = sorted(set[str]().union(*facts_of_codes().values()))
metadata_of_strangers = st.dictionaries(st.sampled_from(known_facts) | st.text(max_size=9), values, max_size=6)
nouns = st.none() | st.text(max_size=80) | surrogates


@bounded
@given(st.sampled_from(list(CODES)), nouns, metadata_of_strangers, st.sampled_from(languages()) | st.text(max_size=3))
def test_explaining_never_fails(code: str, noun: str | None, metadata: dict[str, Any], language: str) -> None:
    if code == "NOT_THERE" and "place" in metadata and metadata["place"] not in PLACES:
        metadata["place"] = PLACES[0]  # a violation is made by the rules, which know its places
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
