"""The contract, the routes of the gateway and the API document name the same things; whatever only one of them names is
found. The contract is read from its descriptor set here, not from the code that the document is made with.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from google.api import annotations_pb2 as http_annotations
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
)
from werkzeug.routing import Map

from alhambra_api.contract import PACKAGE, contract_files
from alhambra_api.v1 import annotations_pb2
from alhambra_gateway.config import Settings
from alhambra_gateway.openapi import document
from alhambra_gateway.process.app import create_app

Document = dict[str, Any]
NOT_IN_JSON = {"Limits", "Problem", "Refusal", "ValueList", "ValueObject"}
"""Two options, a detail of gRPC statuses, and two that are written as what they stand for."""
NOT_A_WORD = {"Caller", "Form", "Reason"}
"""Two options; and constants for texts, which are looked for among the problems."""


# -- What the contract names -------------------------------------------------------------------------------------------


def rpcs(files: list[FileDescriptorProto]) -> Iterator[tuple[str, str, str, MethodDescriptorProto]]:
    """Every RPC: service, HTTP method, address, descriptor."""
    for file in files:
        for service in file.service:
            for rpc in service.method:
                rule = rpc.options.Extensions[http_annotations.http]
                method = rule.WhichOneof("pattern") or ""
                yield service.name, method, getattr(rule, method, "") if method else "", rpc


def messages(files: list[FileDescriptorProto]) -> dict[str, DescriptorProto]:
    return {message.name: message for file in files for message in file.message_type}


def enums(files: list[FileDescriptorProto]) -> dict[str, EnumDescriptorProto]:
    return {enum.name: enum for file in files for enum in file.enum_type}


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def named_by_contract(files: list[FileDescriptorProto]) -> set[str]:
    """Operations, parameters, members, words and reasons, each as one text."""
    known = messages(files)
    found: set[str] = set()
    requests = set()
    for _, method, path, rpc in rpcs(files):
        asked = known[rpc.input_type.rpartition(".")[2]]
        requests.add(asked.name)
        found.add(f"operation {method} {path} {rpc.name[0].lower()}{rpc.name[1:]}")
        for field in asked.field:
            in_path = f"{{{field.name}}}" in path
            place = "path" if in_path else "body" if method == "post" else "query"
            found.add(f"{place} {rpc.name}.{camel(field.name)}")
    for name, message in known.items():
        plain = message.options.Extensions[annotations_pb2.plain]
        if name not in NOT_IN_JSON | requests and not plain:
            found |= {f"member {name}.{camel(field.name)}" for field in message.field}
    for name, enum in enums(files).items():
        prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper() + "_"
        upper = enum.options.Extensions[annotations_pb2.upper_words]
        for value in enum.value:
            word = value.name.removeprefix(prefix)
            if name == "Reason" and value.number:
                status = value.options.Extensions[annotations_pb2.problem].http_status
                found.add(f"reason {status} {word}")
            elif name not in NOT_A_WORD and value.number:
                found.add(f"word {name}.{word if upper else word.lower()}")
    return found


# -- What the document names -------------------------------------------------------------------------------------------


def named_by_document(found: Document) -> set[str]:
    names: set[str] = set()
    schemas = found["components"]["schemas"]
    bodies = set()
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            rpc = operation["operationId"][0].upper() + operation["operationId"][1:]
            names.add(f"operation {method} {path} {operation['operationId']}")
            for parameter in operation["parameters"]:
                if "$ref" not in parameter:
                    names.add(f"{parameter['in']} {rpc}.{parameter['name']}")
            if "requestBody" in operation:
                (content,) = operation["requestBody"]["content"].values()
                body = content["schema"]["$ref"].rpartition("/")[2]
                bodies.add(body)
                names |= {f"body {rpc}.{member}" for member in schemas[body].get("properties", {})}
    for name, schema in schemas.items():
        if name not in bodies | {"Problem"}:
            names |= {f"member {name}.{member}" for member in schema.get("properties", {})}
        if name != "Problem":
            names |= {f"word {name}.{word}" for word in schema.get("enum", ())}
    for name, response in found["components"]["responses"].items():
        listed = re.findall(r"^- `(\w+)`:", response["description"], re.MULTILINE)
        names |= {f"reason {name.removeprefix('Problem')} {reason}" for reason in listed}
    return names


OF_NO_OPERATION = ("reason 405 ", "reason 499 ")
"""An unknown method has no operation; a caller that has gone is told nothing."""


def drift(files: list[FileDescriptorProto], found: Document) -> list[str]:
    """What only one of contract and document names."""
    differing = sorted(named_by_contract(files) ^ named_by_document(found))
    return [name for name in differing if not name.startswith(OF_NO_OPERATION)]


def route_drift(files: list[FileDescriptorProto], addresses: Map) -> list[str]:
    """What only one of contract and routes names."""
    promised = {
        (f"{service}.{rpc.name}", method.upper(), re.sub(r"{(\w+)}", r"<\1:\1>", path))
        for service, method, path, rpc in rpcs(files)
    }
    served = {
        (rule.endpoint, method, rule.rule)
        for rule in addresses.iter_rules()
        if rule.rule.startswith("/v1")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    return sorted(map(str, promised ^ served))


# -- They agree --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def addresses() -> Map:
    return create_app(Settings()).url_map


def test_every_rpc_has_its_route_and_every_route_its_rpc(addresses: Map) -> None:
    assert route_drift(contract_files(), addresses) == []


def test_the_document_names_every_operation_field_word_and_reason_and_nothing_else() -> None:
    assert drift(contract_files(), document()) == []


def test_every_reason_stands_in_the_problem_document() -> None:
    reasons = {name.split()[2] for name in named_by_contract(contract_files()) if name.startswith("reason ")}
    described = document()["components"]["schemas"]["Problem"]["properties"]["reason"]["description"]
    assert set(re.findall(r"`(\w+)`", described)) == reasons


def test_every_problem_that_an_operation_refers_to_is_there_and_every_one_is_referred_to() -> None:
    found = document()
    referred = {
        answer["$ref"].rpartition("/")[2]
        for methods in found["paths"].values()
        for operation in methods.values()
        for answer in operation["responses"].values()
        if "$ref" in answer
    }
    assert set(found["components"]["responses"]) == referred


# -- Drift fails -------------------------------------------------------------------------------------------------------


def copied() -> list[FileDescriptorProto]:
    return [FileDescriptorProto.FromString(file.SerializeToString()) for file in contract_files()]


def service_file(files: list[FileDescriptorProto]) -> FileDescriptorProto:
    return next(file for file in files if file.service)


def test_a_new_field_is_missed() -> None:
    files = copied()
    kind = FieldDescriptorProto.TYPE_STRING
    messages(files)["Move"].field.add(name="bird_call", number=99, type=kind)
    messages(files)["UndoRequest"].field.add(name="with_regret", number=99, type=kind)
    messages(files)["ListGamesRequest"].field.add(name="order_by", number=99, type=kind)
    assert drift(files, document()) == ["body Undo.withRegret", "member Move.birdCall", "query ListGames.orderBy"]


def test_a_removed_field_is_noticed() -> None:
    files = copied()
    del messages(files)["Move"].field[1]
    assert drift(files, document()) == ["member Move.tile"]


def test_a_new_word_and_a_new_reason_are_missed() -> None:
    files = copied()
    enums(files)["Currency"].value.add(name="CURRENCY_MARAVEDI", number=9)
    reason = enums(files)["Reason"].value.add(name="REASON_TOO_LATE", number=999)
    reason.options.Extensions[annotations_pb2.problem].http_status = 422
    assert drift(files, document()) == ["reason 422 TOO_LATE", "word Currency.maravedi"]


def test_a_new_rpc_is_missed_by_document_and_routes(addresses: Map) -> None:
    files = copied()
    rpc = (
        service_file(files)
        .service[0]
        .method.add(name="Applaud", input_type=f".{PACKAGE}.ResignRequest", output_type=f".{PACKAGE}.ResignResponse")
    )
    rpc.options.Extensions[http_annotations.http].post = "/v1/games/{game}:applaud"
    assert "operation post /v1/games/{game}:applaud applaud" in drift(files, document())
    assert [found for found in route_drift(files, addresses) if "applaud" in found] != []


def test_a_removed_rpc_is_noticed_in_document_and_routes(addresses: Map) -> None:
    files = copied()
    methods = service_file(files).service[0].method
    del methods[[rpc.name for rpc in methods].index("Resign")]
    assert "operation post /v1/games/{game}:resign resign" in drift(files, document())
    assert len(route_drift(files, addresses)) == 1


@pytest.mark.parametrize(
    "forgotten",
    [
        ("paths", "/v1/games/{game}:undo"),
        ("paths", "/v1/games", "get", "parameters", 0),
        ("components", "schemas", "View", "properties", "canUndo"),
        ("components", "schemas", "OrderUntil", "enum", 0),
        ("components", "responses", "Problem422"),
    ],
    ids=str,
)
def test_what_is_taken_out_of_the_document_is_noticed(forgotten: tuple[str | int, ...]) -> None:
    found = deepcopy(document())
    place: Any = found
    for step in forgotten[:-1]:
        place = place[step]
    del place[forgotten[-1]]
    assert drift(contract_files(), found) != []
