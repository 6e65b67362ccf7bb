"""JSON and messages: what is written can be read, what cannot be meant is refused, and the rules are the contract's."""

import gc
import json
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NoReturn

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alhambra_api.limits import limits_of
from alhambra_api.v1 import (
    annotations_pb2,
    boards_pb2,
    catalog_pb2,
    events_pb2,
    games_pb2,
    moves_pb2,
    nouns_pb2,
    reasons_pb2,
    values_pb2,
    views_pb2,
)
from alhambra_api.values import to_value
from alhambra_gateway import limits
from alhambra_gateway.json_messages import (
    Fault,
    TooMany,
    dumps,
    json_text,
    loads,
    query_reader,
    reader,
    word_of,
    words_of,
    writer,
)
from alhambra_gateway.refusals.problem import Problem
from alhambra_gateway.routing.routes import Route, compile_routes

from .messages import KINDS, PLAIN, messages


def written(message: Any) -> Any:
    return writer(message.DESCRIPTOR)(message)


def read(kind: type[Any], data: bytes) -> Any:
    message = kind()
    reader(kind.DESCRIPTOR)(message, loads(data))
    return message


def fault(kind: type[Any], data: bytes) -> Fault:
    with pytest.raises(Fault) as found:
        read(kind, data)
    return found.value


# -- There and back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_every_message_comes_back_as_it_was(name: str) -> None:
    kind = KINDS[name]
    cls = GetMessageClass(kind)

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(messages(kind))
    def there_and_back(message: Any) -> None:
        text = dumps(writer(kind)(message))
        assert read(cls, text) == message
        assert dumps(writer(kind)(read(cls, text))) == text

    there_and_back()


@settings(deadline=None)
@given(PLAIN)
def test_plain_data_is_written_as_it_is(data: object) -> None:
    assert json.loads(dumps(written(to_value(data)))) == data


def test_the_same_map_is_the_same_text_however_it_was_filled() -> None:
    one, other = nouns_pb2.Piece(), nouns_pb2.Piece()
    names = [f"fact_{number}" for number in range(40)]
    for name in names:
        one.facts[name].number = 1
    for name in reversed(names):
        other.facts[name].number = 1
    assert dumps(written(one)) == dumps(written(other))


# -- What is written ---------------------------------------------------------------------------------------------------


def test_a_sparse_message_says_what_it_has_to_say() -> None:
    assert written(nouns_pb2.Move(verb="pass")) == {"verb": "pass"}
    assert written(nouns_pb2.Move(verb="place", cell=nouns_pb2.Cell(y=1), seat=0, rotation=0)) == {
        "verb": "place",
        "cell": {"x": 0, "y": 1},
        "rotation": 0,
        "seat": 0,
    }
    violation = reasons_pb2.Violation(code="UNDERPAID", metadata={"due": to_value(9)})
    assert written(violation) == {"code": "UNDERPAID", "metadata": {"due": 9}}


def test_other_messages_say_everything_but_what_is_absent() -> None:
    assert written(boards_pb2.ValidatePlacementResponse()) == {"version": 0, "legal": False, "violations": []}
    assert written(moves_pb2.LegalMove()) == {"text": "", "group": ""}
    assert written(moves_pb2.Verdict(price=0, exact=False)) == {
        "legal": False,
        "violations": [],
        "price": 0,
        "exact": False,
    }


@pytest.mark.parametrize("sparse", [False, True])
def test_members_are_in_the_order_of_the_contract_whatever_their_numbers_are(sparse: bool) -> None:
    whole, optional = descriptor_pb2.FieldDescriptorProto.TYPE_INT32, descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL
    file = descriptor_pb2.FileDescriptorProto(name=f"order_{sparse}.proto", package=f"order_{sparse}", syntax="proto3")
    kind = file.message_type.add(name="Moved")
    for name, number in (("late", 3), ("early", 1), ("middle", 2)):
        kind.field.add(name=name, number=number, type=whole, label=optional)
    kind.field.add(name="all", number=4, type=whole, label=descriptor_pb2.FieldDescriptorProto.LABEL_REPEATED)
    kind.options.Extensions[annotations_pb2.sparse] = sparse
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    moved = GetMessageClass(pool.FindMessageTypeByName(f"order_{sparse}.Moved"))
    assert list(written(moved(early=1, middle=2, late=3, all=[4]))) == ["late", "early", "middle", "all"]


def test_enums_are_words_and_nothing_is_said_of_an_unspecified_one() -> None:
    assert written(moves_pb2.Offer(currency=nouns_pb2.CURRENCY_DENAR))["currency"] == "denar"
    assert "currency" not in written(moves_pb2.Offer())
    assert written(nouns_pb2.Edge(side=nouns_pb2.SIDE_NE)) == {"side": "NE"}
    assert words_of(nouns_pb2.BuildingType.DESCRIPTOR)["pavilion"] == nouns_pb2.BUILDING_TYPE_PAVILION
    assert set(word_of(views_pb2.GameStatus.DESCRIPTOR).values()) == {"waiting", "running", "over"}


def test_words_of_all_enums_are_told_apart_and_lose_their_prefix() -> None:
    for file in (boards_pb2, catalog_pb2, moves_pb2, nouns_pb2, views_pb2):
        for enum in file.DESCRIPTOR.enum_types_by_name.values():
            words = words_of(enum)
            assert len(words) == len(enum.values) - 1
            assert not any(word.lower().startswith(enum.name.lower()) for word in words)


def test_facts_keep_their_own_spelling() -> None:
    decision = views_pb2.Decision(kind="action", context={"actions_left": to_value(1)})
    assert written(decision)["context"] == {"actions_left": 1}
    assert "sinceVersion" in written(decision)


def test_a_stream_message_is_named_by_what_it_holds() -> None:
    message = events_pb2.WatchEventsResponse(keep_alive=events_pb2.KeepAlive(version=3))
    assert written(message) == {"keepAlive": {"version": 3}}


# -- What is refused ---------------------------------------------------------------------------------------------------

REFUSED = [
    (b"", "", "not JSON"),
    (b"{", "", "not JSON"),
    (b"{} {}", "", "not JSON"),
    (b"\xff", "", "not UTF-8"),
    (b"\xef\xbb\xbf{}", "", "not JSON"),
    (b"[]", "", "object"),
    (b"null", "", "object"),
    (b"NaN", "", "no JSON"),
    (b'{"version": Infinity}', "", "no JSON"),
    (b"[" * 16_000, "", "too deeply"),
    (b'{"a":' * 16_000, "", "too deeply"),
    (b"9" * 5_000, "", "too large"),
    (b'{"version": 1, "version": 1}', "version", "twice"),
    (b'{"move": {"verb": "pass", "verb": "buy"}, "version": 1}', "verb", "twice"),
    (b'{"unknown": 1}', "unknown", "no such member"),
    (b'{"validate_only": true}', "validate_only", "no such member"),
    (b'{"version": "1"}', "version", "whole number"),
    (b'{"version": 1.5}', "version", "whole number"),
    (b'{"version": true}', "version", "whole number"),
    (b'{"version": null}', "version", "whole number"),
    (b'{"version": 1e400}', "version", "whole number"),
    (b'{"version": 2147483648}', "version", "from -2147483648 to 2147483647"),
    (b'{"version": 1e30}', "version", "from -2147483648 to 2147483647"),
    (b'{"validateOnly": 1}', "validateOnly", "true or false"),
    (b'{"validateOnly": "true"}', "validateOnly", "true or false"),
    (b'{"requestId": 7}', "requestId", "text"),
    (b'{"requestId": "\\ud800"}', "requestId", "Unicode"),
    (b'{"move": []}', "move", "object"),
    (b'{"move": {"verb": "buy", "cards": "denar-4"}}', "move.cards", "list"),
    (b'{"move": {"verb": "buy", "cards": ["denar-4", 5]}}', "move.cards[1]", "text"),
    (b'{"move": {"verb": "buy", "currency": "CURRENCY_DENAR"}}', "move.currency", "one of"),
    (b'{"move": {"verb": "buy", "currency": "unspecified"}}', "move.currency", "one of"),
    (b'{"move": {"verb": "buy", "currency": 3}}', "move.currency", "one of"),
    (b'{"move": {"verb": "buy", "side": "ne"}}', "move.side", "one of"),
    (b'{"move": {"verb": "place", "cell": {"x": 0, "z": 1}}}', "move.cell.z", "no such member"),
    (b'{"move": {"verb": "pass"}, "game": "abcdefghijkl"}', "version", "missing"),
    (b'{"version": 1, "game": "abcdefghijkl"}', "move", "missing"),
    (b'{"move": {}, "version": 1, "game": "abcdefghijkl"}', "move.verb", "missing"),
]


@pytest.mark.parametrize(("data", "path", "words"), REFUSED, ids=[str(row[0][:40]) for row in REFUSED])
def test_what_cannot_be_meant_is_refused_and_the_place_is_named(data: bytes, path: str, words: str) -> None:
    found = fault(moves_pb2.ApplyMoveRequest, data)
    assert (found.path, words in found.message) == (path, True), found.message


def test_a_fault_inside_lists_objects_and_facts_is_found() -> None:
    start = b'{"seats": [{}, {}], "options": '
    assert fault(games_pb2.CreateGameRequest, start + b'{"undo": [1, {"a": 1.5}]}}').path == "options.undo[1].a"
    assert fault(games_pb2.CreateGameRequest, b'{"seats": [{}, {"age": ""}]}').path == "seats[1].age"


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_a_value_may_be_nested_only_so_deeply(opening: bytes, closing: bytes) -> None:
    deepest = opening * limits.VALUE_DEPTH + b"1" + closing * limits.VALUE_DEPTH
    message = read(values_pb2.Value, deepest)
    assert values_pb2.Value.FromString(message.SerializeToString()) == message
    assert "too deeply" in fault(values_pb2.Value, opening + deepest + closing).message


def test_of_two_members_that_exclude_each_other_the_second_is_refused() -> None:
    data = b'{"keepAlive": {"version": 1}, "resume": {"after": "1.0", "because": "stopping"}}'
    assert fault(events_pb2.WatchEventsResponse, data).path == "resume"


def test_a_whole_number_may_be_written_as_json_likes() -> None:
    for text in (b"17", b"17.0", b"1.7e1", b"170e-1"):
        assert read(events_pb2.KeepAlive, b'{"version": %s}' % text).version == 17


@settings(deadline=None)
@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_no_bytes_cause_anything_but_a_fault(data: bytes) -> None:
    try:
        read(games_pb2.CreateGameRequest, data)
    except Fault as found:
        assert found.message


# -- Queries -----------------------------------------------------------------------------------------------------------


def route(name: str) -> Route:
    (found,) = (route for route in compile_routes() if route.name.endswith("." + name))
    return found


def asked(name: str, query: str) -> Any:
    found = route(name)
    message = found.request()
    query_reader(found.query_fields)(message, query)
    return message


def test_a_query_is_read_like_a_body() -> None:
    moves = asked("ListLegalMoves", "minVersion=3&payments=all&slot=market-denar&pageSize=10")
    assert moves == moves_pb2.ListLegalMovesRequest(
        min_version=3, payments=moves_pb2.PAYMENTS_ALL, slot="market-denar", page_size=10
    )
    assert asked("ListVerbs", "modules=thieves&modules=change").modules == ["thieves", "change"]
    assert asked("WatchEvents", "pastOnly=true&fromVersion=0").HasField("from_version")
    assert asked("GetBoardPicture", "seat=0&theme=dark") == boards_pb2.GetBoardPictureRequest(
        seat=0, theme=boards_pb2.THEME_DARK
    )
    assert asked("ListLegalMoves", "verb=b%C3%BCy+x").verb == "büy x"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("payments=ALL", "payments"),
        ("payments=3", "payments"),
        ("minVersion=", "minVersion"),
        ("minVersion=1.0", "minVersion"),
        ("minVersion=+1", "minVersion"),
        ("minVersion=2147483648", "minVersion"),
        ("minVersion=\u0661", ""),
        ("minVersion=%D9%A1", "minVersion"),
        ("min_version=1", "min_version"),
        ("minVersion=1&minVersion=1", "minVersion"),
        ("verb=buy&game=abcdefghijkl", "game"),
        ("verb", ""),
        ("verb=%FF", ""),
        ("verb=\xfc", ""),
        ("&".join(["verb=buy"] * (limits.QUERY_PARAMETERS + 1)), ""),
    ],
)
def test_a_query_that_cannot_be_meant_is_refused(query: str, path: str) -> None:
    with pytest.raises(Fault) as found:
        asked("ListLegalMoves", query)
    assert found.value.path == path


def test_a_parameter_that_is_needed_is_asked_for() -> None:
    with pytest.raises(Fault, match="missing") as found:
        asked("ListLegalPlacements", "seat=0")
    assert found.value.path == "tile"
    assert asked("ListLegalPlacements", "tile=tower-13-e") is not None


# -- Reading takes little time -----------------------------------------------------------------------------------------


def seconds_to_read(data: bytes) -> float:
    """The CPU time that the best of five attempts takes, without that of collecting what other tests have left."""

    def once() -> float:
        began = time.thread_time()
        with suppress(Fault):
            loads(data)
        return time.thread_time() - began

    gc.disable()
    try:
        return min(once() for _ in range(5))
    finally:
        gc.enable()


def members(count: int, more: str = "") -> bytes:
    return ("{" + ",".join(f'"{number}":1' for number in range(count)) + more + "}").encode()


@pytest.mark.parametrize(
    "make",
    [
        lambda count: members(count - 2, ',"last":1,"last":1'),
        members,
        lambda count: ("[" + ",".join(["{}"] * (count // 2)) + "]").encode(),
        lambda count: b'"' + b"\\u0041" * count + b'"',
        lambda count: b"[" + b",".join([b"1e-300"] * count) + b"]",
    ],
    ids=["one member twice", "members", "objects", "escapes", "fractions"],
)
def test_reading_takes_time_in_proportion_to_the_bytes(make: Callable[[int], bytes]) -> None:
    many = limits.BODY_VALUES - 10
    assert seconds_to_read(make(many)) < 24 * seconds_to_read(make(many // 8)), "64 times as long would be quadratic"


@pytest.mark.parametrize(
    "data",
    [
        members(limits.BODY_VALUES + 1),
        b'{"boards":[' + b"{}," * 340_000 + b"{}]}",
        b"[" * (limits.BODY_VALUES + 1),
        b"[" + b"1," * limits.BODY_VALUES + b"1]",
    ],
    ids=["members", "empty objects", "brackets", "numbers"],
)
def test_a_text_with_too_many_values_is_not_even_parsed(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(text: str) -> NoReturn:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(json_text, "_decode_long", parsed)
    with pytest.raises(TooMany) as found:
        loads(data)
    problem = Problem.from_fault(found.value)
    assert (problem.status, problem.reason) == (400, "LIMIT_EXCEEDED")
    assert problem.metadata == {"what": "values", "limit": str(limits.BODY_VALUES)}


def test_as_many_values_as_allowed_are_read() -> None:
    assert len(loads(b"[" + b"1," * (limits.BODY_VALUES - 2) + b"1]")) == limits.BODY_VALUES - 1


@pytest.mark.parametrize("blanks", [b"", b" " * limits.BODY_VALUES], ids=["short", "long"])
def test_a_number_of_many_digits_is_not_converted_in_a_long_text(blanks: bytes) -> None:
    with pytest.raises(Fault, match="too large"):
        loads(b"9" * 5_000 + blanks)
    assert loads(b"9" * limits.NUMBER_DIGITS + blanks) == int("9" * limits.NUMBER_DIGITS)


def test_a_long_name_that_comes_twice_is_told_in_short() -> None:
    name = b"n" * 100_000
    found = fault(moves_pb2.ApplyMoveRequest, b'{"%s":1,"%s":1}' % (name, name))
    assert len(found.path) == limits.FACT_CHARS


@pytest.mark.parametrize(
    ("kind", "data", "what", "limit"),
    [
        (boards_pb2.BatchValidatePlacementsRequest, b'{"placements":[%s]}', "placements", 500),
        (nouns_pb2.Move, b'{"cards":[%s]}', "cards", 128),
        (boards_pb2.Placement, b'{"items":[%s]}', "items", limits.LIST_ENTRIES),
    ],
    ids=["messages", "words", "a list without a limit of its own"],
)
def test_no_entry_of_a_list_that_is_too_long_is_read(kind: type[Any], data: bytes, what: str, limit: int) -> None:
    found = fault(kind, data % b",".join([b"0"] * (limits.LIST_ENTRIES + 1)))
    assert isinstance(found, TooMany)
    assert (found.what, found.limit) == (what, limit)


def test_lists_that_the_contract_limits_are_left_to_the_service_when_they_are_only_a_little_too_long() -> None:
    limited = [
        limits_of(field).max_items
        for route in compile_routes()
        for message in messages_within(route.descriptor.input_type)
        for field in message.fields
        if field.is_repeated
    ]
    assert 500 in limited
    assert 2 * max(limited) < limits.LIST_ENTRIES < limits.BODY_VALUES


def messages_within(kind: Any, found: dict[str, Any] | None = None) -> Iterable[Any]:
    """The kind of message itself, and all that it holds."""
    found = {} if found is None else found
    if kind.full_name not in found:
        found[kind.full_name] = kind
        for field in kind.fields:
            if field.message_type is not None:
                messages_within(field.message_type, found)
    return found.values()
