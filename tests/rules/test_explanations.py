"""Texts for people, with their facts: moves, events, violations and names of components are told in sentences."""

import re
from collections import defaultdict
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alhambra import BadOptions, Game, IllegalMove, Move, Options, Violation, known_modules, load_module
from alhambra.module import Reason
from alhambra.texts import (
    MoveTexts,
    choose_language,
    explain,
    keys,
    languages,
    name_of,
    tell_event,
    tell_move,
    tell_reason,
    text,
)
from alhambra.texts.messages import plural
from alhambra.violations import CODES, PLACES
from tests.rules.test_texts import LANGUAGES, everything, facts_of_codes

bounded = settings(max_examples=60, derandomize=True, deadline=None)


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_told_together_read_as_they_do_alone(language: str) -> None:
    game, rng = Game.new(Options(seats=3, seed="together", modules=known_modules())), Random(1)
    texts, seen = MoveTexts(language, ["Ada"]), set[str]()
    for _ in range(60):
        for price, move in enumerate(game.legal_moves()):
            facts = {"price": price % 3, "over": price % 2 or None, "thing": "garden-8-ne" if price % 5 else None}
            alone = tell_move(move, language, ["Ada"], **facts)
            assert texts.tell(move, **facts) == alone
            seen.add(alone)
        game.apply(game.random_move(rng))
    assert len(seen) > 200


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
known_facts = st.deferred(lambda: st.sampled_from(sorted(set[str]().union(*facts_of_codes().values()))))
metadata_of_strangers = st.dictionaries(known_facts | st.text(max_size=9), values, max_size=6)
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
