"""The frozen contract: every promise of `v1` as a line of `proto/frozen/v1.txt`, and what would break one.

    python -m scripts.proto --freeze    adds what is new in the contract to the promises

A line is one fact about the contract that clients rely on. A fact that is missing in the present contract is a broken
promise. New facts are fine, with one exception: a request that exists already may not gain a field that must be sent.
docs/versioning.md says it in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from google.api import annotations_pb2 as http_annotations
from google.api import field_behavior_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)
from google.rpc import code_pb2

from alhambra_api.v1 import annotations_pb2

PROTO = Path(__file__).resolve().parents[1] / "proto"
FROZEN = PROTO / "frozen" / "v1.txt"
DESCRIPTORS = PROTO / "alhambra_api" / "v1" / "descriptors.binpb"
PACKAGE = "alhambra_api.v1"
REQUIRED = " required"
HEADING = """\
# What version 1 of the contract promises: one line for each fact that clients rely on. Lines are added by
# `python -m scripts.proto --freeze` and never changed or removed. See docs/versioning.md.
"""


def contract() -> FileDescriptorSet:
    """The present contract, as it was compiled."""
    found = FileDescriptorSet()
    found.ParseFromString(DESCRIPTORS.read_bytes())
    return found


def facts(files: FileDescriptorSet) -> list[str]:
    """Every fact about a contract, in its order."""
    found: list[str] = []
    for file in files.file:
        if file.package == PACKAGE:
            for message in file.message_type:
                found += _message(message.name, message)
            for enum in file.enum_type:
                found += _enum(enum)
            for service in file.service:
                found += _service(service)
    return found


def frozen() -> list[str]:
    """The promises, as they are stored."""
    lines = FROZEN.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def broken(promised: Iterable[str], present: Iterable[str]) -> list[str]:
    """The promises that the present contract breaks, and new fields that must be sent in requests of old clients."""
    promised, present = list(promised), list(present)
    kept, old = set(present), set(promised)
    known = {line.split()[1] for line in promised if line.startswith("message ")}
    demanded = [
        line
        for line in present
        if line not in old and line.endswith(REQUIRED) and line.split()[1].rpartition(".")[0] in known
    ]
    return [line for line in promised if line not in kept] + demanded


def freeze() -> int:
    """Stores the facts of the present contract as promises; the number of new ones. Raises ValueError if it breaks an
    old one."""
    present = facts(contract())
    promised = frozen() if FROZEN.exists() else []
    faults = broken(promised, present)
    if faults:
        raise ValueError("The contract breaks promises of v1:\n" + "\n".join(faults))
    FROZEN.parent.mkdir(exist_ok=True)
    FROZEN.write_text(HEADING + "".join(f"{line}\n" for line in present), encoding="utf-8")
    return len(present) - len(promised)


# -- Facts -------------------------------------------------------------------------------------------------------------


def _message(name: str, message: DescriptorProto) -> Iterator[str]:
    options = message.options.Extensions
    forms = [form for form in ("sparse", "plain") if options[getattr(annotations_pb2, form)]]
    yield " ".join(["message", name, *forms])
    entries = {entry.name: entry for entry in message.nested_type if entry.options.map_entry}
    for field in message.field:
        yield _field(name, message, field, entries)
    for reserved in message.reserved_range:
        for number in range(reserved.start, reserved.end):
            yield f"reserved {name} = {number}"
    for nested in message.nested_type:
        if not nested.options.map_entry:
            yield from _message(f"{name}.{nested.name}", nested)


def _field(
    name: str, message: DescriptorProto, field: FieldDescriptorProto, entries: dict[str, DescriptorProto]
) -> str:
    entry = entries.get(field.type_name.rpartition(".")[2])
    if entry is not None:
        kind = f"map<{_type(entry.field[0])}, {_type(entry.field[1])}>"
    elif field.label == FieldDescriptorProto.LABEL_REPEATED:
        kind = f"repeated {_type(field)}"
    elif field.proto3_optional:
        kind = f"optional {_type(field)}"
    elif field.HasField("oneof_index"):
        kind = f"oneof {message.oneof_decl[field.oneof_index].name} {_type(field)}"
    else:
        kind = _type(field)
    behaviour = field.options.Extensions[field_behavior_pb2.field_behavior]
    needed = REQUIRED if field_behavior_pb2.REQUIRED in behaviour else ""
    return f"field {name}.{field.name} = {field.number} {kind} {field.json_name}{needed}"


def _type(field: FieldDescriptorProto) -> str:
    scalar = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    return field.type_name.removeprefix(f".{PACKAGE}.").lstrip(".") or scalar


def _enum(enum: EnumDescriptorProto) -> Iterator[str]:
    words = " upper_words" if enum.options.Extensions[annotations_pb2.upper_words] else ""
    yield f"enum {enum.name}{words}"
    for value in enum.value:
        problem = value.options.Extensions[annotations_pb2.problem]
        status = f" {problem.group} {code_pb2.Code.Name(problem.code)} {problem.http_status}" if problem.group else ""
        yield f"value {enum.name}.{value.name} = {value.number}{status}"


def _service(service: ServiceDescriptorProto) -> Iterator[str]:
    for method in service.method:
        options = method.options.Extensions
        http = options[http_annotations.http]
        verb = http.WhichOneof("pattern")
        streams = "stream " if method.server_streaming else ""
        request, answer = (
            name.removeprefix(f".{PACKAGE}.").lstrip(".") for name in (method.input_type, method.output_type)
        )
        yield f"rpc {service.name}.{method.name} ({request}) returns ({streams}{answer})"
        yield f"http {service.name}.{method.name} {verb.upper()} {getattr(http, verb)} body={http.body or '-'}"
        caller = annotations_pb2.Caller.Name(options[annotations_pb2.caller])
        yield f"caller {service.name}.{method.name} {caller} {options[annotations_pb2.scope] or '-'}"
