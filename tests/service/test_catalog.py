"""The catalogue lists everything that the rules and the contract know, in the language that was asked for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from alhambra import EDITIONS, known_modules, load_module
from alhambra.base import BASE
from alhambra.components import COLOURS, SIDES, START_TILES, WALL
from alhambra.modules.caliphs_guidelines import TASKS
from alhambra.moves import NOUNS, noun_form
from alhambra.options import CHOICES, PRESETS, preset_modules
from alhambra.ruleset import compile_ruleset
from alhambra.texts import keys, languages, text
from alhambra_api.v1 import catalog_pb2, reasons_pb2, service_pb2_grpc
from alhambra_api.values import from_value
from alhambra_service.games.create_game import SERVER_PLAYERS
from alhambra_service.messages.catalogue.components import is_reconstructed
from alhambra_service.messages.nouns import word_of
from tests.service.doors import ask, stateless_server
from tests.service.playing import failure, refused
from tests.service.random_games import games

Stub = service_pb2_grpc.CatalogServiceStub
RECORDS = [BASE, *map(load_module, known_modules())]
LANGUAGES = ("en", "de", "hu", "pt", "sr")
FOR_PEOPLE = ("name", "text", "rule", "example")
"""Fields of the catalogue that a person reads."""


@pytest.fixture(scope="module")
def catalog() -> Iterator[Stub]:
    with stateless_server() as channel:
        yield service_pb2_grpc.CatalogServiceStub(channel)


def modules(catalog: Stub, language: str | None = None) -> catalog_pb2.ListModulesResponse:
    answer: catalog_pb2.ListModulesResponse = ask(catalog.ListModules, catalog_pb2.ListModulesRequest(), language)
    return answer


def tiles(catalog: Stub, language: str | None = None, **fields: Any) -> catalog_pb2.ListTilesResponse:
    answer: catalog_pb2.ListTilesResponse = ask(catalog.ListTiles, catalog_pb2.ListTilesRequest(**fields), language)
    return answer


def verbs(catalog: Stub, *wanted: str, language: str | None = None) -> catalog_pb2.ListVerbsResponse:
    request = catalog_pb2.ListVerbsRequest(modules=wanted)
    answer: catalog_pb2.ListVerbsResponse = ask(catalog.ListVerbs, request, language)
    return answer


# -- Modules -----------------------------------------------------------------------------------------------------------


def test_every_module_is_listed_by_its_number(catalog: Stub) -> None:
    answer = modules(catalog)
    assert sorted(module.key for module in answer.modules) == known_modules()
    numbers = [module.number for module in answer.modules]
    assert numbers == sorted(numbers)
    for module in answer.modules:
        record = load_module(module.key)
        assert module.number == record.number
        assert list(module.verbs) == [verb.name for verb in record.verbs]
        assert list(module.decisions) == [kind.name for kind in record.decisions]
        assert [word.key for word in module.variants] == [f"{record.key}.{variant}" for variant in record.variants]
        assert module.name and module.text


def test_a_module_lists_the_names_of_what_it_shows(catalog: Stub) -> None:
    listed = {module.key: {word.key for word in module.facts} for module in modules(catalog).modules}
    for recorded in games():
        for game, _ in recorded[::40]:
            for viewer in (None, 0):
                for key, shown in game.view(viewer)["slices"].items():
                    assert set(shown) <= listed[key]


def test_a_module_lists_everything_that_it_declares_with_a_meaning(catalog: Stub) -> None:
    for module in modules(catalog).modules:
        record = load_module(module.key)
        assert [word.key for word in module.events] == list(record.events)
        assert [word.key for word in module.score_reasons] == list(record.scores)
        assert [word.key for word in module.facts] == list(record.public_facts)
        assert [(kind.key, kind.outline) for kind in module.pieces] == [(k.name, k.outline) for k in record.piece_kinds]
        assert [reason.code for reason in module.reasons] == [reason.code for reason in record.reasons]
        for words in (module.events, module.score_reasons, module.facts, module.pieces, module.reasons):
            assert all(word.text for word in words)


@pytest.mark.parametrize("language", languages())
def test_the_catalogue_speaks_the_language_of_the_call(catalog: Stub, language: str) -> None:
    answers = [
        modules(catalog, language),
        tiles(catalog, language),
        verbs(catalog, language=language),
        ask(catalog.ListEditions, catalog_pb2.ListEditionsRequest(), language),
        ask(catalog.ListViolations, catalog_pb2.ListViolationsRequest(), language),
    ]
    assert {answer.language for answer in answers} == {language}


def test_german_texts_are_not_the_english_ones_and_keys_are_the_same(catalog: Stub) -> None:
    english, german = modules(catalog, "en"), modules(catalog, "de-AT, en;q=0.5")
    assert german.language == "de"
    assert [module.key for module in english.modules] == [module.key for module in german.modules]
    assert sum(one.text == other.text for one, other in zip(english.modules, german.modules, strict=True)) == 0


@pytest.mark.parametrize("header", ["", "xx", "tlh, xx;q=0.3", "de;q=0", "{}", "a" * 2_000])
def test_an_unknown_language_is_answered_in_english(catalog: Stub, header: str) -> None:
    assert modules(catalog, header or None).language == "en"


def empty_texts(message: Message, path: str = "") -> Iterator[str]:
    """Where a name, a text, a rule or an example is missing, in a message and everything in it."""
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.name in FOR_PEOPLE and not value:
            yield f"{path}{field.name}"
        elif field.message_type is not None and field.is_repeated and not field.message_type.GetOptions().map_entry:
            for part in value:
                own = getattr(part, "key", "") or getattr(part, "id", "") or getattr(part, "code", "")
                yield from empty_texts(part, f"{path}{field.name} {own} ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_in_the_catalogue_is_without_a_text(catalog: Stub, language: str) -> None:
    found = verbs(catalog, language=language)
    components = ask(catalog.ListComponents, catalog_pb2.ListComponentsRequest(), language)
    violations = ask(catalog.ListViolations, catalog_pb2.ListViolationsRequest(), language)
    assert len(components.components) > len(tiles(catalog).tiles)
    editions = ask(catalog.ListEditions, catalog_pb2.ListEditionsRequest(), language)
    answers = (modules(catalog, language), components, found, violations, editions)
    assert [path for answer in answers for path in empty_texts(answer)] == []
    named = [*found.phases, *violations.words, *found.events, *found.decisions, *found.verbs, *found.score_reasons]
    assert [word.key for word in named if not word.name or "_" in word.name] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_examples_and_names_are_those_of_the_texts(catalog: Stub, language: str) -> None:
    for module in modules(catalog, language).modules:
        assert module.rule == text(f"module.{module.key}.rule", language)
        assert module.example == text(f"module.{module.key}.example", language)
        for event in module.events:
            assert event.name == text(f"event.{event.key}.name", language)
        for fact in module.facts:
            assert fact.text == text(f"fact.{module.key}.{fact.key}.text", language)
    for kind in verbs(catalog, language=language).decisions:
        assert kind.name == text(f"decision.{kind.key}.name", language)
        for order in kind.orders:
            assert order.name == text(f"order.{order.key}", language)
            assert order.text == text(f"order.{kind.key}.{order.key}", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_choices_have_no_text_of_their_own(catalog: Stub, language: str) -> None:
    answer = ask(catalog.ListComponents, catalog_pb2.ListComponentsRequest(), language)
    generic = {text(f"component.{kind}", language) for kind in ("slot", "item", "piece", "piece_kind", "tile", "card")}
    assert [found.id for found in answer.components if found.text in generic] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wish_of_the_caliph_has_a_text_of_its_own(catalog: Stub, language: str) -> None:
    request = catalog_pb2.ListComponentsRequest(page_size=1_000)
    answer = ask(catalog.ListComponents, request, language)
    wishes = {found.id: found.text for found in answer.components if found.kind == "piece" and found.id in TASKS}
    assert wishes == {task: text(f"thing.{task}.text", language) for task in TASKS}
    assert len(set(wishes.values())) == len(TASKS)


# -- Tiles -------------------------------------------------------------------------------------------------------------


def test_every_tile_is_listed_with_all_that_is_needed_to_draw_it(catalog: Stub) -> None:
    expected = {tile.id: (tile, "") for tile in (*START_TILES, *BASE.tiles)}
    expected.update({tile.id: (tile, record.key) for record in RECORDS[1:] for tile in record.tiles})
    found = tiles(catalog)
    assert not found.next_page_token
    assert {tile.id for tile in found.tiles} == set(expected)
    assert len(found.tiles) == len(expected)
    for message in found.tiles:
        tile, module = expected[message.id]
        assert (message.kind, message.module) == (tile.kind, module)
        assert (message.rotatable, message.walkable) == (tile.rotatable, tile.walkable)
        assert message.HasField("price") == (tile.price is not None)
        assert message.price == (tile.price or 0)
        assert message.name
        assert [(part.offset.x, part.offset.y) for part in message.parts] == [(part.dx, part.dy) for part in tile.parts]
        for part, printed in zip(message.parts, tile.parts, strict=True):
            assert word_of("type", part.type) == printed.type
            walls = [side for side, edge in zip(SIDES, part.edges, strict=True) if edge == "wall"]
            assert walls == [side for side, edge in zip(SIDES, printed.edges, strict=True) if edge == WALL]


def test_tiles_say_whether_something_on_them_is_a_reconstruction(catalog: Stub) -> None:
    found = {tile.id: tile.reconstructed for tile in tiles(catalog).tiles}
    assert not any(found[tile.id] for tile in (*START_TILES, *BASE.tiles))
    assert (found["square_pavilion_1"], found["square_pavilion_2"]) == (False, True)
    assert (found["camp_NE"], found["camp_N"]) == (False, True)
    assert found["project_garden_tower"]
    assert not any(marked for tile, marked in found.items() if tile.startswith("watchtower"))


def test_where_a_component_says_nothing_its_list_does() -> None:
    assert is_reconstructed("gates_without_end", "key_1")
    assert not is_reconstructed("medina", "medina_2")
    assert not is_reconstructed("", "pavilion-2-new")


def test_tiles_of_the_base_game_come_first(catalog: Stub) -> None:
    owners = [tile.module for tile in tiles(catalog).tiles]
    assert owners[: len(START_TILES) + len(BASE.tiles)] == [""] * (len(START_TILES) + len(BASE.tiles))
    assert "" not in owners[len(START_TILES) + len(BASE.tiles) :]


def test_tiles_are_filtered_by_module_and_by_kind(catalog: Stub) -> None:
    assert {tile.kind for tile in tiles(catalog, module="base").tiles} == {"start", "standard"}
    camps = tiles(catalog, module="military_camps").tiles
    assert len(camps) == len(load_module("military_camps").tiles)
    assert [tile.id for tile in tiles(catalog, kind="camp").tiles] == [tile.id for tile in camps]
    assert not tiles(catalog, module="military_camps", kind="start").tiles
    assert {word_of("type", part.type) for tile in camps for part in tile.parts} == {""}
    assert {edge for tile in camps for part in tile.parts for edge in part.edges} == {"bastion", "green"}
    assert refused(partial(tiles, catalog, module="none")) == "MODULE_UNKNOWN"


def test_pages_of_tiles_are_the_whole_list_once(catalog: Stub) -> None:
    whole = [tile.id for tile in tiles(catalog).tiles]
    found: list[str] = []
    token = ""
    for _ in range(len(whole)):
        page = tiles(catalog, page_size=50, page_token=token)
        found += [tile.id for tile in page.tiles]
        token = page.next_page_token
        if not token:
            break
    assert found == whole


def test_a_page_token_belongs_to_its_list(catalog: Stub) -> None:
    token = tiles(catalog, page_size=5).next_page_token
    assert tiles(catalog, page_size=7, page_token=token).tiles
    for fields in (
        {"page_token": token, "kind": "camp"},
        {"page_token": token[:-1]},
        {"page_token": "5"},
        {"page_token": "-1"},
        {"page_token": "9" * 30},
        {"page_token": "٣-"},
        {"page_token": "nonsense"},
    ):
        assert refused(partial(tiles, catalog, **fields)) == "PAGE_TOKEN_INVALID"


def test_the_size_of_a_page_is_limited(catalog: Stub) -> None:
    assert refused(partial(tiles, catalog, page_size=1_001)) == "LIMIT_EXCEEDED"
    assert refused(partial(tiles, catalog, page_size=-1)) == "REQUEST_MALFORMED"
    assert failure(partial(tiles, catalog, page_size=-1)).code == grpc.StatusCode.INVALID_ARGUMENT


# -- Editions ----------------------------------------------------------------------------------------------------------


def test_editions_options_colours_and_players_are_those_of_the_rules(catalog: Stub) -> None:
    answer: catalog_pb2.ListEditionsResponse = ask(catalog.ListEditions, catalog_pb2.ListEditionsRequest())
    assert [edition.key for edition in answer.editions] == list(EDITIONS)
    for edition in answer.editions:
        options = {option: from_value(value) for option, value in edition.options.items()}
        assert options == {option: EDITIONS[edition.key].get(option, known[0]) for option, known in CHOICES.items()}
        assert edition.name
    assert {
        option.key: tuple(from_value(known.value) for known in option.values) for option in answer.options
    } == CHOICES
    assert all(option.name and all(known.name for known in option.values) for option in answer.options)
    assert [word.key for word in answer.colours] == list(COLOURS)
    assert [word.key for word in answer.server_players] == list(SERVER_PLAYERS)
    assert all(f"player.{player}" in keys() and f"player.{player}.text" in keys() for player in SERVER_PLAYERS)


def test_presets_are_listed_with_their_modules(catalog: Stub) -> None:
    answer: catalog_pb2.ListEditionsResponse = ask(catalog.ListEditions, catalog_pb2.ListEditionsRequest())
    assert {one.key: tuple(one.modules) for one in answer.presets} == {key: preset_modules(key) for key in PRESETS}
    assert all(one.name and one.text for one in answer.presets)


# -- Verbs -------------------------------------------------------------------------------------------------------------


def test_every_verb_is_listed_with_its_nouns_and_the_decisions_it_answers(catalog: Stub) -> None:
    answer = verbs(catalog)
    ruleset = compile_ruleset(3, "de_revised_2019", tuple(known_modules()))
    assert {verb.key for verb in answer.verbs} == set(ruleset.verbs)
    for message in answer.verbs:
        verb = ruleset.verbs[message.key]
        required, allowed = noun_form(verb.nouns)
        assert set(message.required_nouns) == required
        assert set(message.optional_nouns) == allowed - required
        assert set(message.required_nouns) | set(message.optional_nouns) <= set(NOUNS)
        answered = {kind for kind, question in ruleset.questions.items() if verb in question.verbs}
        assert set(message.decisions) == ({"*"} if "*" in verb.at else answered)
        assert (message.action, bool(message.name)) == (verb.action, True)
    owners = {verb.name: record.key for record in RECORDS[1:] for verb in record.verbs}
    assert {message.key: message.module for message in answer.verbs if message.module} == owners


def test_every_decision_is_listed_with_the_verbs_that_answer_it(catalog: Stub) -> None:
    ruleset = compile_ruleset(3, "de_revised_2019", tuple(known_modules()))
    decisions = {kind.key: kind for kind in verbs(catalog).decisions}
    assert set(decisions) == set(ruleset.questions)
    for key, kind in decisions.items():
        assert set(kind.verbs) == {verb.name for verb in ruleset.questions[key].verbs}
        assert [word.key for word in kind.orders] == [order.answer for order in ruleset.questions[key].kind.orders]
        assert all(word.text for word in kind.orders)
        assert kind.name and kind.text


def test_words_of_modules_that_were_not_asked_for_are_left_out(catalog: Stub) -> None:
    base = verbs(catalog, "base")
    assert {verb.key for verb in base.verbs} == {verb.name for verb in BASE.verbs}
    assert not any(word.module for words in (base.events, base.score_reasons) for word in words)
    assert not any(kind.module for kind in base.decisions)
    thieves = verbs(catalog, "thieves")
    assert {verb.key for verb in thieves.verbs} - {verb.key for verb in base.verbs} == {"play_thief"}
    assert {word.key for word in thieves.events} - {word.key for word in base.events} == {
        "thieves_dealt",
        "thief_played",
    }
    assert refused(partial(verbs, catalog, "none")) == "MODULE_UNKNOWN"
    assert refused(partial(verbs, catalog, *["thieves"] * 100)) == "LIMIT_EXCEEDED"


def test_whatever_happens_in_games_is_listed_with_the_module_it_comes_from(catalog: Stub) -> None:
    answer = verbs(catalog)
    events = {word.key: word for word in answer.events}
    reasons = {word.key for word in answer.score_reasons}
    phases = {word.key for word in answer.phases}
    base = {word.key for word in answer.events if not word.module}
    for recorded in games():
        modules_on = set(recorded[0][0].options.modules)
        for game, told in recorded:
            assert game.state.phase in phases
            for event in told:
                assert events[event.kind].text
                assert event.kind in base or events[event.kind].module in modules_on
                assert event.kind != "scored" or event.public["reason"] in reasons
    assert {"game_created", "decision_opened", "undone", "resigned", "placed", "scored", "game_ended"} <= base
    assert events["gate_set"].module == "city_gates"
    assert events["vizier_slept"].module == events["vizier_woke"].module == "viziers_favour"
    assert events["watchtower_placed"].module == "watchtowers"


# -- Reasons -----------------------------------------------------------------------------------------------------------


def test_there_is_a_text_for_every_reason_of_the_contract(catalog: Stub) -> None:
    answer: catalog_pb2.ListViolationsResponse = ask(catalog.ListViolations, catalog_pb2.ListViolationsRequest())
    names = [value.name.removeprefix("REASON_") for value in reasons_pb2.Reason.DESCRIPTOR.values if value.number]
    assert [violation.code for violation in answer.violations] == names
    for violation in answer.violations:
        assert violation.text.strip()
        assert "Metadata" not in violation.text
        assert violation.grpc_status in {code.name for code in grpc.StatusCode}
        assert 400 <= violation.http_status < 600
        assert violation.group
    found = {violation.code: violation for violation in answer.violations}
    assert (found["HOLE"].grpc_status, found["HOLE"].http_status) == ("FAILED_PRECONDITION", 422)
    assert found["VERSION_STALE"].group == "service"
    servers = [violation.code for violation in answer.violations if violation.group in ("service", "gateway")]
    assert [key.partition(".")[2] for key in keys() if key.startswith("refusal.")] == servers
    assert found["GAME_WAITING"].text == text("refusal.GAME_WAITING")
    assert found["HOLE"].page == "/problems/HOLE"


def test_the_words_of_facts_are_listed_with_what_they_are_about(catalog: Stub) -> None:
    answer: catalog_pb2.ListViolationsResponse = ask(catalog.ListViolations, catalog_pb2.ListViolationsRequest(), "de")
    words = {word.key: word.name for word in answer.words}
    assert {"because.covered", "by.start", "for.dirk", "place.hand", "what.wooden_walls", "per.turn"} <= set(words)
    assert {"because.limit", "because.no_proposal", "because.imagined"} <= set(words)
    assert all(words.values())


def test_no_call_has_to_load_the_modules_first() -> None:
    program = (
        "import sys\n"
        "from alhambra_api.v1 import catalog_pb2\n"
        "from alhambra_service.rpc.services.catalog_service import CatalogServicer\n"
        "class Call:\n"
        "    def invocation_metadata(self): return ()\n"
        "catalog = CatalogServicer()\n"
        "before = set(sys.modules)\n"
        "assert catalog.ListModules(catalog_pb2.ListModulesRequest(), Call()).modules\n"
        "print(sorted(set(sys.modules) - before))\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


# -- Components --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_component_has_a_name_a_text_and_a_picture(catalog: Stub, language: str) -> None:
    answer = ask(catalog.ListComponents, catalog_pb2.ListComponentsRequest(page_size=1_000), language)
    assert not answer.next_page_token
    assert all(component.name and component.text and component.picture for component in answer.components)
    ids = [(component.kind, component.id) for component in answer.components]
    assert len(set(ids)) == len(ids)
    assert {kind for kind, _ in ids} >= {"tile", "card", "piece", "piece_kind", "slot", "type", "currency"}


@pytest.mark.parametrize(("kind", "thing"), [("tile", "garden-9-e"), ("card", "denar-5"), ("currency", "dukat")])
def test_a_component_has_a_picture(catalog: Stub, kind: str, thing: str) -> None:
    answer = ask(catalog.GetComponentPicture, catalog_pb2.GetComponentPictureRequest(kind=kind, id=thing), "en")
    assert answer.content_type == "image/svg+xml"
    assert answer.data.startswith(b"<svg ")


@pytest.mark.parametrize(("kind", "thing"), [("tile", "denar-5"), ("nonsense", "denar-5"), ("card", "no_such_card")])
def test_a_component_that_does_not_exist_is_refused_by_its_kind_and_id(catalog: Stub, kind: str, thing: str) -> None:
    asked = catalog_pb2.GetComponentPictureRequest(kind=kind, id=thing)
    assert refused(partial(ask, catalog.GetComponentPicture, asked)) == "COMPONENT_NOT_FOUND"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_module_says_in_the_language_of_the_call_when_it_refuses(catalog: Stub, language: str) -> None:
    english = {module.key: module for module in modules(catalog, "en").modules}
    for module in modules(catalog, language).modules:
        same = [
            reason.code
            for reason, known in zip(module.reasons, english[module.key].reasons, strict=True)
            if reason.text == known.text
        ]
        assert same == ([] if language != "en" else [reason.code for reason in module.reasons]), module.key
