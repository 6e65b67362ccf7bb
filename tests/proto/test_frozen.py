"""Version 1 is frozen: additions are fine, whatever would break a client is found."""

from collections.abc import Callable
from typing import Any

import pytest
from google.api import annotations_pb2 as http_annotations
from google.api import field_behavior_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

from alhambra_api.v1 import annotations_pb2
from scripts.frozen import broken, contract, facts, frozen


def test_the_present_contract_keeps_every_promise_of_v1() -> None:
    assert broken(frozen(), facts(contract())) == []


def test_the_promises_are_facts_of_the_whole_contract() -> None:
    promised = frozen()
    assert len(promised) > 800
    assert len(set(promised)) == len(promised)
    assert "field View.version = 2 int32 version" in promised
    assert "http GameService.ApplyMove POST /v1/games/{game}/moves body=*" in promised


# -- What breaks a promise ---------------------------------------------------------------------------------------------


def part(files: FileDescriptorSet, kind: str, name: str) -> Any:
    """A message, an enum or a service of the contract, to be changed."""
    (found,) = (one for file in files.file for one in getattr(file, kind) if one.name == name)
    return found


def field(files: FileDescriptorSet, message: str, name: str) -> Any:
    (found,) = (one for one in part(files, "message_type", message).field if one.name == name)
    return found


def rpc(files: FileDescriptorSet, name: str) -> Any:
    (found,) = (one for one in part(files, "service", "GameService").method if one.name == name)
    return found


Change = Callable[[FileDescriptorSet], Any]
BREAKING: dict[str, Change] = {
    "a removed field": lambda files: part(files, "message_type", "View").field.pop(1),
    "a renumbered field": lambda files: setattr(field(files, "View", "version"), "number", 99),
    "a renamed field": lambda files: setattr(field(files, "View", "version"), "name", "revision"),
    "a retyped field": lambda files: setattr(field(files, "View", "version"), "type", FieldDescriptorProto.TYPE_INT64),
    "a list instead of one": lambda files: setattr(
        field(files, "View", "phase"), "label", FieldDescriptorProto.LABEL_REPEATED
    ),
    "another message": lambda files: setattr(field(files, "View", "turn"), "type_name", ".alhambra_api.v1.Decision"),
    "another name in JSON": lambda files: setattr(field(files, "Turn", "actions_left"), "json_name", "left"),
    "a field that must be sent now": lambda files: (
        field(files, "ListGamesRequest", "status")
        .options.Extensions[field_behavior_pb2.field_behavior]
        .append(field_behavior_pb2.REQUIRED)
    ),
    "a renamed enum value": lambda files: setattr(part(files, "enum_type", "GameStatus").value[1], "name", "OPEN"),
    "a renumbered enum value": lambda files: setattr(part(files, "enum_type", "GameStatus").value[1], "number", 9),
    "a removed message": lambda files: setattr(part(files, "message_type", "Turn"), "name", "Moment"),
    "a removed RPC": lambda files: part(files, "service", "GameService").method.remove(rpc(files, "Undo")),
    "another answer": lambda files: setattr(rpc(files, "Undo"), "output_type", ".alhambra_api.v1.View"),
    "a changed address": lambda files: setattr(
        rpc(files, "GetGame").options.Extensions[http_annotations.http], "get", "/v1/game/{game}"
    ),
    "a changed caller": lambda files: rpc(files, "GetGame").options.Extensions.__setitem__(
        annotations_pb2.caller, annotations_pb2.CALLER_SEAT
    ),
    "another status": lambda files: setattr(
        part(files, "enum_type", "Reason").value[1].options.Extensions[annotations_pb2.problem], "http_status", 418
    ),
}


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change in BREAKING.items()])
def test_a_change_that_breaks_clients_is_found(change: Change) -> None:
    files = contract()
    change(files)
    assert broken(facts(contract()), facts(files)) != []


def added(name: str) -> FieldDescriptorProto:
    return FieldDescriptorProto(
        name=name,
        json_name=name,
        number=900,
        type=FieldDescriptorProto.TYPE_STRING,
        label=FieldDescriptorProto.LABEL_OPTIONAL,
    )


def test_additions_are_allowed() -> None:
    files = contract()
    part(files, "message_type", "View").field.append(added("weather"))
    part(files, "enum_type", "GameStatus").value.add(name="GAME_STATUS_PAUSED", number=9)
    part(files, "service", "GameService").method.add(
        name="Wave", input_type=".alhambra_api.v1.View", output_type=".alhambra_api.v1.View"
    ).options.Extensions[http_annotations.http].post = "/v1/waves"
    assert len(facts(files)) == len(facts(contract())) + 5
    assert broken(facts(contract()), facts(files)) == []


def test_a_new_field_of_an_old_request_need_not_be_sent() -> None:
    files = contract()
    new = added("weather")
    new.options.Extensions[field_behavior_pb2.field_behavior].append(field_behavior_pb2.REQUIRED)
    part(files, "message_type", "CreateGameRequest").field.append(new)
    assert broken(facts(contract()), facts(files)) == ["field CreateGameRequest.weather = 900 string weather required"]
