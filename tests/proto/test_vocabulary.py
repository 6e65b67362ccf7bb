"""The contract speaks the rules' own words: nouns, words of enums, codes of violations."""

import pytest
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.rpc import code_pb2

from alhambra.components import CURRENCIES, TYPES
from alhambra.moves import NOUNS, POINTS, Move
from alhambra.violations import CODES
from alhambra_api.contract import comments
from alhambra_api.v1 import annotations_pb2, boards_pb2, events_pb2, games_pb2, nouns_pb2, reasons_pb2, service_pb2

RULES = ("form", "moment", "things", "money", "board", "creation", "value")
SERVERS = ("service", "gateway")
CARRIERS = (nouns_pb2.Move, nouns_pb2.Piece, events_pb2.Event, events_pb2.EventPart)


def words(enum: EnumDescriptor) -> tuple[str, ...]:
    """The words of an enum as JSON has them."""
    prefix = enum.values[0].name.removesuffix("UNSPECIFIED")
    found = tuple(value.name.removeprefix(prefix) for value in enum.values[1:])
    upper = enum.GetOptions().Extensions[annotations_pb2.upper_words]
    return found if upper else tuple(word.lower() for word in found)


def problems() -> dict[str, annotations_pb2.Problem]:
    return {
        value.name.removeprefix("REASON_"): value.GetOptions().Extensions[annotations_pb2.problem]
        for value in reasons_pb2.Reason.DESCRIPTOR.values[1:]
    }


def test_a_move_has_a_verb_and_exactly_the_nouns_of_the_rules() -> None:
    numbered = {field.number: field.name for field in nouns_pb2.Move.DESCRIPTOR.fields}
    assert tuple(numbered[number] for number in sorted(numbered)) == Move._fields
    assert sorted(numbered) == list(range(1, len(Move._fields) + 1))


@pytest.mark.parametrize("carrier", CARRIERS)
def test_everything_that_carries_nouns_carries_the_same_ones(carrier: type) -> None:
    descriptor: Descriptor = carrier.DESCRIPTOR  # type: ignore[attr-defined]
    for noun in NOUNS:
        here, there = descriptor.fields_by_name[noun], nouns_pb2.Move.DESCRIPTOR.fields_by_name[noun]
        assert (here.number, here.type, here.is_repeated) == (there.number, there.type, there.is_repeated)
        assert here.has_presence == there.has_presence
    assert descriptor.GetOptions().Extensions[annotations_pb2.sparse]


def test_numbers_among_the_nouns_tell_absent_from_zero() -> None:
    fields = nouns_pb2.Move.DESCRIPTOR.fields
    numbers = [field for field in fields if field.type == FieldDescriptor.TYPE_INT32]
    assert [field.name for field in numbers] == ["rotation", "seat", "amount"]
    assert all(field.has_presence for field in numbers)


def test_a_seat_is_never_zero_by_mistake_in_a_request() -> None:
    files = (boards_pb2.DESCRIPTOR, games_pb2.DESCRIPTOR)
    requests = [found for file in files for found in file.message_types_by_name.values()]
    seats = {found.name: found.fields_by_name["seat"] for found in requests if "seat" in found.fields_by_name}
    assert {name: seat.has_presence for name, seat in seats.items() if name.endswith("Request")} == {
        "ValidatePlacementRequest": True,
        "BatchValidatePlacementsRequest": True,
        "ListLegalPlacementsRequest": True,
        "GetBoardPictureRequest": True,
        "ClaimSeatRequest": True,
        "UndoRequest": True,
        "LeaveSeatRequest": True,
    }


def test_sides_currencies_and_types_are_the_words_of_the_rules() -> None:
    assert words(nouns_pb2.Side.DESCRIPTOR) == POINTS
    assert words(nouns_pb2.Currency.DESCRIPTOR) == (*CURRENCIES, "diamond")
    assert words(nouns_pb2.BuildingType.DESCRIPTOR) == TYPES


SHARED = {"ENGINE_TOO_OLD"}
"""Codes of the rules that stand among the reasons of the service."""


def test_the_codes_of_violations_are_those_of_the_rules_in_their_order() -> None:
    told = [code for code, problem in problems().items() if problem.group in RULES]
    assert told == [code for code in CODES if code not in SHARED]
    assert set(CODES) >= SHARED


def test_every_reason_has_a_group_and_a_status() -> None:
    for code, problem in problems().items():
        assert problem.group in (*RULES, *SERVERS), code
        assert problem.code != code_pb2.OK, code
        assert 400 <= problem.http_status < 600, code


def test_groups_of_reasons_stand_together_in_order() -> None:
    groups = [problem.group for problem in problems().values()]
    assert list(dict.fromkeys(groups)) == [*RULES, *SERVERS]
    assert groups == sorted(groups, key=(*RULES, *SERVERS).index)


def test_an_illegal_move_is_422_and_an_unreadable_one_400() -> None:
    by_group = {group: set[tuple[int, int]]() for group in RULES}
    for problem in problems().values():
        if problem.group in by_group:
            by_group[problem.group].add((problem.code, problem.http_status))
    illegal, unreadable = (code_pb2.FAILED_PRECONDITION, 422), (code_pb2.INVALID_ARGUMENT, 400)
    assert all(by_group[group] == {illegal} for group in ("moment", "things", "money", "board"))
    assert all(by_group[group] == {unreadable} for group in ("form", "creation"))


def test_the_grpc_stubs_know_every_rpc() -> None:
    from alhambra_api.v1 import service_pb2_grpc

    for service in service_pb2.DESCRIPTOR.services_by_name.values():
        servicer = getattr(service_pb2_grpc, f"{service.name}Servicer")
        assert all(callable(getattr(servicer, rpc.name)) for rpc in service.methods)


def test_comments_are_found_by_full_name() -> None:
    assert comments()["alhambra_api.v1.Move.verb"] == 'What is done: "take_money", "buy", "place".'
