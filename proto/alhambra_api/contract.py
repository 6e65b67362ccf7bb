"""What the contract says about itself: its files, its comments, its routes.

Generated code has no comments; the descriptor set that is kept beside it has. Routes, documentation and tests are
derived from here, so that nothing about the contract is written down twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeAlias

from google.api import annotations_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

from .v1 import service_pb2  # the options of the contract are known once its files are

PACKAGE = service_pb2.DESCRIPTOR.package
METHODS = ("get", "post", "put", "patch", "delete")

# How descriptors of one kind list those inside them: the field's number in the path of a comment, and its name.
_FILE = {4: "message_type", 5: "enum_type", 6: "service", 7: "extension"}
_MESSAGE = {2: "field", 3: "nested_type", 4: "enum_type", 6: "extension", 8: "oneof_decl"}
_INSIDE: dict[type, Mapping[int, str]] = {
    FileDescriptorProto: _FILE,
    DescriptorProto: _MESSAGE,
    EnumDescriptorProto: {2: "value"},
    ServiceDescriptorProto: {2: "method"},
}
_SYNTAX = (12,)
"""The path of the comment that opens a file."""

Named: TypeAlias = Any
"""A descriptor of any kind: it has a name."""


class Route(NamedTuple):
    """The HTTP address of an RPC."""

    service: str
    rpc: MethodDescriptorProto
    method: str
    path: str
    body: str


@cache
def descriptor_set() -> FileDescriptorSet:
    """The files of the contract and all that they import; those of the contract with their comments."""
    return FileDescriptorSet.FromString(files(__package__).joinpath("v1/descriptors.binpb").read_bytes())


def contract_files() -> list[FileDescriptorProto]:
    """The files of the contract alone."""
    return [file for file in descriptor_set().file if file.package == PACKAGE]


def elements(file: FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str, Named]]:
    """Everything in a file that has a name: its path, its full name, its descriptor. Map entries are no elements."""
    return _elements(file, (), file.package)


def _elements(parent: Named, path: tuple[int, ...], prefix: str) -> Iterator[tuple[tuple[int, ...], str, Named]]:
    for number, listing in _INSIDE.get(type(parent), {}).items():
        for place, found in enumerate(getattr(parent, listing)):
            if isinstance(found, DescriptorProto) and found.options.map_entry:
                continue
            where, name = (*path, number, place), f"{prefix}.{found.name}"
            yield where, name, found
            yield from _elements(found, where, name)


@cache
def comments() -> Mapping[str, str]:
    """By full name (`alhambra_api.v1.Move.verb`), or by file for the opening comment: what the contract says of it."""
    found: dict[str, str] = {}
    for file in contract_files():
        said = {tuple(place.path): _text(place.leading_comments) for place in file.source_code_info.location}
        found[file.name] = said.get(_SYNTAX, "")
        found.update({name: said.get(path, "") for path, name, _ in elements(file)})
    return found


def _text(comment: str) -> str:
    lines: Sequence[str] = [line.removeprefix(" ").rstrip() for line in comment.splitlines()]
    return "\n".join(lines).strip()


def routes() -> list[Route]:
    """Every RPC with its HTTP address, in the order of the contract; RPCs without one are left out."""
    found = []
    for file in contract_files():
        for service in file.service:
            for rpc in service.method:
                rule = rpc.options.Extensions[annotations_pb2.http]
                method = rule.WhichOneof("pattern")
                if method in METHODS:
                    path = getattr(rule, method)
                    found.append(Route(f"{PACKAGE}.{service.name}", rpc, method.upper(), path, rule.body))
    return found
