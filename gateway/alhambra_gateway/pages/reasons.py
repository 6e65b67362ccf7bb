"""What is known about each reason of the contract: what it means, a worked example, and how to fix it.

The contract says what a reason is, its status and the names of its metadata. The meaning comes from the text catalogue,
the example from `refusals/example_problems.json`, and the fix from `fixes.json`, which is written by hand.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from google.rpc import code_pb2

from alhambra.texts import has_text, text
from alhambra_api import contract
from alhambra_api.v1 import annotations_pb2, reasons_pb2

from ..refusals.problem import KINDS, PREFIX, example_problems

FOLDER = files(__package__)
LANGUAGES = ("en", "de")
"""Languages of the examples. In other languages they are shown in the first one."""
SAMPLE_GAME = "k3v9x0d2m7qa"
"""The id of the game in examples."""
SAMPLE_TOKEN = "$TOKEN"
_METADATA = re.compile(r"Metadata: (.*)", re.DOTALL)
_WORD = re.compile(r"[a-z_]+")


@dataclass(frozen=True)
class Reason:
    """A reason of the contract in one language."""

    reason: str
    group: str
    status: int
    code: str
    """The status of the gRPC call."""
    comment: str
    """The comment of the contract."""
    metadata: tuple[str, ...]
    """The names of its metadata."""
    meaning: str
    fix: str
    request: dict[str, Any]
    """Method, path, headers and body of a request that is refused with this reason."""
    problem: dict[str, Any]
    """The problem document that answers the request."""

    def as_dict(self) -> dict[str, Any]:
        """Return the reason as plain data."""
        return {
            "reason": self.reason,
            "group": self.group,
            "status": self.status,
            "code": self.code,
            "title": KINDS[self.reason].title,
            "comment": self.comment,
            "metadata": list(self.metadata),
            "meaning": self.meaning,
            "fix": self.fix,
            "example": {"request": self.request, "problem": self.problem},
        }


@cache
def reasons(language: str) -> dict[str, Reason]:
    """Return every reason by its name, in the order of the contract."""
    return {reason: _reason(reason, example_problems()[reason], language) for reason in KINDS}


def _reason(reason: str, example: dict[str, Any], language: str) -> Reason:
    value = reasons_pb2.Reason.DESCRIPTOR.values_by_name[PREFIX + reason]
    problem = value.GetOptions().Extensions[annotations_pb2.problem]
    comment = " ".join(contract.comments()[f"{reasons_pb2.Reason.DESCRIPTOR.full_name}.{value.name}"].split())
    told_in = language if language in LANGUAGES else LANGUAGES[0]
    meaning = f"violation.{reason}" if has_text(f"violation.{reason}") else f"refusal.{reason}"
    return Reason(
        reason=reason,
        group=problem.group,
        status=problem.http_status,
        code=code_pb2.Code.Name(problem.code),
        comment=comment,
        metadata=facts_named(comment),
        meaning=text(meaning, language),
        fix=_read("fixes.json")[reason][language],
        request=shown_request(example["request"], example[told_in]),
        problem=example[told_in],
    )


def facts_named(comment: str) -> tuple[str, ...]:
    """Return the names of metadata in a comment of the contract ("Metadata: due, paid."), without explanations."""
    found = _METADATA.search(comment)
    if found is None:
        return ()
    listed = found[1].partition(", an id")[0].partition(", in ")[0]
    return tuple(word for word in _WORD.findall(listed) if word != "or")


def shown_request(asked: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return the request as a reader would send it."""
    headers = dict(asked["headers"])
    if "seat" in asked:
        headers.setdefault("Authorization", f"Bearer {SAMPLE_TOKEN}")
    if asked["body"] is not None:
        headers.setdefault("Content-Type", "application/json")
    found = {"method": asked["method"], "path": asked["path"].replace("{game}", SAMPLE_GAME), "headers": headers}
    if asked["body"] is None:
        return found
    body = json.loads(json.dumps(asked["body"]))
    if str(body.get("move", {}).get("tile", "")).startswith("@"):  # drawn by chance: the answer names it
        body["move"]["tile"] = document["metadata"]["tile"]
    return {**found, "body": body}


@cache
def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FOLDER.joinpath(name).read_text(encoding="utf-8"))
    return found
