"""Whether answers are as the API document says: every answer of a test can be held against it.

The document leaves answers open, so that a client bears members it does not know. Here they are closed: a member that
the document does not name is as wrong as one that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any
from urllib.parse import quote

from jsonschema_rs import Draft202012Validator, Registry

from alhambra_gateway.openapi import document
from alhambra_gateway.openapi.headers import SOMETIMES
from alhambra_gateway.routing.routes import GAME_ID

from .http import Answer

ROOT = "urn:alhambra"
JSON_TYPES = ("application/json", "application/problem+json")


def closed(found: dict[str, Any]) -> dict[str, Any]:
    """The document with every object closed that says which members it has."""
    strict = deepcopy(found)
    for schema in strict["components"]["schemas"].values():
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return strict


@cache
def strict_document() -> dict[str, Any]:
    return closed(document())


@cache
def _registry() -> Registry:
    return Registry([(ROOT, strict_document())])


@cache
def _validator(pointer: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"{ROOT}#{pointer}"}, registry=_registry(), validate_formats=True)


def faults_of(data: Any, *pointer: str) -> list[str]:
    """What is wrong with data under the schema that stands at this place of the document."""
    path = "".join("/" + quote(step.replace("~", "~0").replace("/", "~1"), safe="") for step in pointer)
    return [f"{error.instance_path}: {error.message[:300]}" for error in _validator(path).iter_errors(data)]


def template_of(path: str) -> str:
    """The address of the document that a path belongs to."""
    bare = path.partition("?")[0]
    for template in document()["paths"]:
        if re.fullmatch(re.escape(template).replace(re.escape("{game}"), GAME_ID), bare):
            return str(template)
    raise AssertionError(f"{bare} is no address of the document")


def check(method: str, path: str, answer: Answer) -> None:
    """Fails unless the answer is one that the document describes for the call."""
    faults = list(answer_faults(method, template_of(path), answer))
    assert faults == [], f"{method} {path}: {answer.status}\n" + "\n".join(faults)


def answer_faults(method: str, template: str, answer: Answer) -> Iterator[str]:
    """What the document does not say about the answer to a call of this address of the document."""
    status = str(answer.status)
    place: tuple[str, ...] = ("paths", template, method.lower(), "responses", status)
    described = document()["paths"][template][method.lower()]["responses"].get(status)
    if described is None:
        yield f"the status {status} is not described"
        return
    if "$ref" in described:
        place = ("components", "responses", described["$ref"].rpartition("/")[2])
        described = document()["components"]["responses"][place[-1]]
    for name in described.get("headers", {}):
        if name not in answer.headers and name not in SOMETIMES:
            yield f"the header {name} is missing"
    if not described.get("content"):
        if answer.body:
            yield "there is a body"
        return
    media_type = answer.headers.get_content_type()
    if media_type not in described["content"]:
        yield f"the media type {media_type} is not described"
    elif media_type in JSON_TYPES:
        yield from faults_of(answer.json(), *place, "content", media_type, "schema")
