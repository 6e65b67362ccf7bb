"""The contract by its descriptors: every RPC has its address, everything a comment, names follow the rules."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

import pytest
from google.api import field_behavior_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
    OneofDescriptorProto,
    ServiceDescriptorProto,
)

from alhambra_api.contract import PACKAGE, Route, comments, contract_files, descriptor_set, elements, routes
from alhambra_api.v1 import annotations_pb2
from scripts import proto

T = TypeVar("T")
FILES = contract_files()
ELEMENTS = {name: found for file in FILES for _, name, found in elements(file)}
ROUTES = {route.rpc.name: route for route in routes()}
HTTP_BODY = ".google.api.HttpBody"
RAW = {"ExportGame", "GetBoardPicture", "GetTablePicture", "GetComponentPicture"}
"""RPCs that answer with a document or a picture as it is. The naming rule for responses cannot hold for them."""

PROMISED = """
POST   /v1/games                                 CreateGame
GET    /v1/games/{game}                          GetGame
GET    /v1/games                                 ListGames
DELETE /v1/games/{game}                          DeleteGame
GET    /v1/games/{game}/moves                    ListLegalMoves
POST   /v1/games/{game}/moves                    ApplyMove
POST   /v1/games/{game}:undo                     Undo
POST   /v1/games/{game}:resign                   Resign
POST   /v1/games/{game}:claimSeat                ClaimSeat
POST   /v1/games/{game}:revealEntropy            RevealEntropy
POST   /v1/games/{game}:setOrders                SetOrders
GET    /v1/games/{game}/events                   WatchEvents
POST   /v1/games/{game}/events:ticket            CreateEventTicket
GET    /v1/notices                               WatchNotices
POST   /v1/notices:ticket                        CreateNoticeTicket
GET    /v1/games/{game}/replay                   ExportGame
GET    /v1/games/{game}/board.svg                GetBoardPicture
GET    /v1/games/{game}/table.svg                GetTablePicture
POST   /v1/games/{game}/placements:validate      ValidatePlacement
POST   /v1/games/{game}/placements:batchValidate BatchValidatePlacements
GET    /v1/games/{game}/placements               ListLegalPlacements
GET    /v1/audit                                 ListAuditEntries
POST   /v1/games:leaseBotDecision               LeaseBotDecision
POST   /v1/games/{game}:leaveSeat                LeaveSeat
POST   /v1/games/{game}:cancel                   CancelGame
POST   /v1/webhooks                              CreateWebhook
GET    /v1/webhooks                              ListWebhooks
GET    /v1/webhooks/{webhook}                    GetWebhook
POST   /v1/webhooks/{webhook}:update             UpdateWebhook
DELETE /v1/webhooks/{webhook}                    DeleteWebhook
POST   /v1/webhooks/{webhook}:rotateSecret       RotateWebhookSecret
POST   /v1/webhooks/{webhook}:test               TestWebhook
GET    /v1/webhooks/{webhook}/deliveries         ListDeliveries
POST   /v1/webhooks/{webhook}/deliveries:replay  ReplayDeliveries
POST   /v1/boards:validatePlacement              ValidateBoardPlacement
POST   /v1/boards:score                          ScoreBoard
GET    /v1/catalog/modules                       ListModules
GET    /v1/catalog/components                    ListComponents
GET    /v1/catalog/components/{kind}/{id}        GetComponentPicture
GET    /v1/catalog/tiles                         ListTiles
GET    /v1/catalog/editions                      ListEditions
GET    /v1/catalog/verbs                         ListVerbs
GET    /v1/catalog/violations                    ListViolations
POST   /v1/games/{game}:suggestMoves             SuggestMoves
GET    /v1/games/{game}/review                   GetReview
POST   /v1/games/{game}:react                    React
"""


def of_kind(kind: type[T]) -> dict[str, T]:
    return {name: found for name, found in ELEMENTS.items() if isinstance(found, kind)}


PRESENCE = {
    f"{name}.{found.oneof_decl[field.oneof_index].name}"
    for name, found in of_kind(DescriptorProto).items()
    for field in found.field
    if field.proto3_optional
}
"""The compiler's own oneofs, one for each `optional` field."""


def message(type_name: str) -> DescriptorProto:
    found = ELEMENTS[type_name.removeprefix(".")]
    assert isinstance(found, DescriptorProto)
    return found


def is_required(field: FieldDescriptorProto) -> bool:
    return field_behavior_pb2.REQUIRED in field.options.Extensions[field_behavior_pb2.field_behavior]


route = pytest.mark.parametrize("route", [pytest.param(route, id=name) for name, route in ROUTES.items()])
file = pytest.mark.parametrize("file", [pytest.param(file, id=file.name.rpartition("/")[2]) for file in FILES])


# -- Addresses -------------------------------------------------------------------------------------------------------


def test_the_addresses_are_the_promised_ones() -> None:
    assert [(found.method, found.path, name) for name, found in ROUTES.items()] == [
        tuple(line.split()) for line in PROMISED.strip().splitlines()
    ]


def test_every_rpc_has_one_address_of_its_own() -> None:
    assert set(ROUTES) == {rpc.name for rpc in of_kind(MethodDescriptorProto).values()}
    taken = Counter((found.method, re.sub(r"\{.*?\}", "{}", found.path)) for found in ROUTES.values())
    assert [address for address, times in taken.items() if times > 1] == []


@route
def test_an_address_names_required_text_fields_of_its_request(route: Route) -> None:
    fields = {field.name: field for field in message(route.rpc.input_type).field}
    for name in re.findall(r"\{(.*?)\}", route.path):
        assert fields[name].type == FieldDescriptorProto.TYPE_STRING
        assert is_required(fields[name])


@route
def test_only_a_post_has_a_body_and_it_takes_every_field(route: Route) -> None:
    assert route.body == ("*" if route.method == "POST" else "")


@route
def test_what_is_asked_in_a_query_is_flat(route: Route) -> None:
    if route.body:
        return
    for field in message(route.rpc.input_type).field:
        assert field.type != FieldDescriptorProto.TYPE_MESSAGE, field.name


@route
def test_every_rpc_says_who_may_call_it(route: Route) -> None:
    options = route.rpc.options.Extensions
    caller = options[annotations_pb2.caller]
    assert caller != annotations_pb2.CALLER_UNSPECIFIED
    assert bool(options[annotations_pb2.scope]) == (caller == annotations_pb2.CALLER_HOST)


# -- Comments --------------------------------------------------------------------------------------------------------


def test_everything_has_a_comment() -> None:
    described = comments()
    assert [name for name in ELEMENTS if name not in PRESENCE and not described[name]] == []
    assert [file.name for file in FILES if not described[file.name]] == []


def test_a_comment_is_a_sentence() -> None:
    sentence = re.compile(r"[A-Z`].*[.:!?}]", re.DOTALL)
    assert [name for name, text in comments().items() if text and not sentence.fullmatch(text)] == []


def test_the_descriptors_stand_by_themselves() -> None:
    there = {file.name for file in descriptor_set().file}
    assert {name for file in descriptor_set().file for name in file.dependency} <= there


# -- Names: the STANDARD rules of buf ----------------------------------------------------------------------------------

PASCAL = re.compile(r"([A-Z][a-z0-9]+)+")
LOWER_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
UPPER_SNAKE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


def upper_snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


@file
def test_a_file_has_the_package_of_its_folder_with_a_version(file: FileDescriptorProto) -> None:
    folder, _, name = file.name.rpartition("/")
    assert file.package == PACKAGE == folder.replace("/", ".")
    assert re.fullmatch(r"[a-z_]+\.v[1-9]\d*", PACKAGE)
    assert LOWER_SNAKE.fullmatch(name.removesuffix(".proto"))
    assert file.syntax == "proto3"


MOVED_FROM = {"alhambra_api/v1/moves.proto": ["alhambra_api/v1/legal_moves.proto"]}
"""By file: the files to which messages were moved that were released in it. What imports it still finds them."""


@file
def test_imports_are_plain(file: FileDescriptorProto) -> None:
    public = [file.dependency[number] for number in file.public_dependency]
    assert public == MOVED_FROM.get(file.name, [])
    assert not file.weak_dependency


def test_messages_enums_and_services_are_named_in_pascal_case() -> None:
    kinds = DescriptorProto | EnumDescriptorProto | ServiceDescriptorProto | MethodDescriptorProto
    names = [found.name for found in ELEMENTS.values() if isinstance(found, kinds)]
    assert [name for name in names if not PASCAL.fullmatch(name)] == []


def test_fields_and_oneofs_are_named_in_lower_snake_case() -> None:
    kinds = FieldDescriptorProto | OneofDescriptorProto
    names = {found.name for name, found in ELEMENTS.items() if isinstance(found, kinds) and name not in PRESENCE}
    assert [name for name in names if not LOWER_SNAKE.fullmatch(name)] == []


def test_values_of_an_enum_have_its_prefix_and_begin_with_unspecified() -> None:
    for name, enum in of_kind(EnumDescriptorProto).items():
        prefix = f"{upper_snake(enum.name)}_"
        assert (enum.value[0].name, enum.value[0].number) == (f"{prefix}UNSPECIFIED", 0), name
        assert not enum.options.allow_alias
        for value in enum.value:
            assert value.name.startswith(prefix), value.name
            assert UPPER_SNAKE.fullmatch(value.name)


def test_a_service_is_called_so() -> None:
    names = [found.name for found in of_kind(ServiceDescriptorProto).values()]
    assert [name for name in names if not name.endswith("Service")] == []


def test_requests_and_responses_are_named_after_their_rpc_and_belong_to_it_alone() -> None:
    for name, found in ROUTES.items():
        assert found.rpc.input_type == f".{PACKAGE}.{name}Request"
        assert found.rpc.output_type == (HTTP_BODY if name in RAW else f".{PACKAGE}.{name}Response")
    used = Counter(name for found in ROUTES.values() for name in (found.rpc.input_type, found.rpc.output_type))
    assert {name for name, times in used.items() if times > 1} == {HTTP_BODY}


def test_only_events_and_notices_are_streamed_and_only_to_the_client() -> None:
    assert [name for name, found in ROUTES.items() if found.rpc.server_streaming] == ["WatchEvents", "WatchNotices"]
    assert [name for name, found in ROUTES.items() if found.rpc.client_streaming] == []


# -- Shapes ----------------------------------------------------------------------------------------------------------


def fields() -> Iterator[tuple[str, FieldDescriptorProto]]:
    return iter(of_kind(FieldDescriptorProto).items())


def test_every_number_is_a_number_in_json() -> None:
    """64-bit integers would become texts, doubles lose the difference of 1 and 1.0, bytes would become base64."""
    good = {
        FieldDescriptorProto.TYPE_INT32,
        FieldDescriptorProto.TYPE_SINT32,
        FieldDescriptorProto.TYPE_BOOL,
        FieldDescriptorProto.TYPE_STRING,
        FieldDescriptorProto.TYPE_ENUM,
        FieldDescriptorProto.TYPE_MESSAGE,
    }
    assert [name for name, field in fields() if field.type not in good] == []


def test_secrets_are_kept_out_of_logs() -> None:
    secret = {name for name, field in fields() if field.name in {"token", "invitation", "ticket"}}
    assert {name for name, field in fields() if field.options.debug_redact} == {
        *secret,
        f"{PACKAGE}.CreateGameRequest.seed",
        f"{PACKAGE}.BotDecision.twin",
        f"{PACKAGE}.CreateWebhookResponse.secret",
        f"{PACKAGE}.RotateWebhookSecretResponse.secret",
    }


@route
def test_every_answer_about_a_game_names_its_version(route: Route) -> None:
    if "{game}" not in route.path or route.rpc.name in {
        *RAW,
        "WatchEvents",
        "CreateEventTicket",
        "CancelGame",
        "DeleteGame",
    }:
        return
    names = {field.name for field in message(route.rpc.output_type).field}
    assert names & {"version", "view"}


@route
def test_every_change_can_be_repeated_safely(route: Route) -> None:
    changes = {
        *("CreateGame", "ApplyMove", "Undo", "Resign", "ClaimSeat", "RevealEntropy", "SetOrders", "CreateWebhook"),
        *("LeaveSeat", "UpdateWebhook", "RotateWebhookSecret", "TestWebhook", "ReplayDeliveries"),
    }
    names = {field.name for field in message(route.rpc.input_type).field}
    assert ("request_id" in names) == (route.rpc.name in changes)


@route
def test_every_read_of_a_game_takes_a_least_version(route: Route) -> None:
    seats = {"ApplyMove", "Undo", "Resign", "ClaimSeat", "RevealEntropy", "SetOrders", "LeaveSeat", "React"}
    writes = {*seats, "CancelGame", "DeleteGame", "CreateEventTicket", "WatchEvents"}
    names = {field.name for field in message(route.rpc.input_type).field}
    assert ("min_version" in names) == ("{game}" in route.path and route.rpc.name not in writes)


def test_every_list_that_can_be_long_has_pages() -> None:
    for name in ("ListGames", "ListAuditEntries", "ListLegalMoves", "ListTiles"):
        asked = {field.name for field in message(f"{PACKAGE}.{name}Request").field}
        given = {field.name for field in message(f"{PACKAGE}.{name}Response").field}
        assert {"page_size", "page_token"} <= asked
        assert "next_page_token" in given


def test_every_message_is_used() -> None:
    used = {field.type_name for _, field in fields()}
    used |= {name for found in ROUTES.values() for name in (found.rpc.input_type, found.rpc.output_type)}
    maps = {  # the types of map values hide in the compiler's own entry messages
        field.type_name
        for found in of_kind(DescriptorProto).values()
        for entry in found.nested_type
        for field in entry.field
    }
    everything = {f".{name}" for name in (*of_kind(DescriptorProto), *of_kind(EnumDescriptorProto))}
    beside = ("EventPage", "NoticePage", "Refusal", "Reason")  # pages of REST, details of a status, constants
    assert everything - used - maps == {f".{PACKAGE}.{name}" for name in beside}


def test_what_is_compiled_is_up_to_date() -> None:
    assert proto.stale() == []
