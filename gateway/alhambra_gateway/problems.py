"""Problems: every failure is a problem document (RFC 9457) with a reason of the contract and its status.

    Problem("BODY_TOO_LARGE", "The body may have 1,048,576 bytes.", {"limit": 1_048_576})

`type` is the address of a page that explains the reason, written as `/problems/UNDERPAID`: a reference relative to the
address that was asked, so that it is right under whatever name clients reach the gateway. `title` says what the reason
means, `detail` is about this one case; both are in the language of the request. The service words its refusals itself.
What the gateway refuses is worded here: in English with a sentence about the case, in other languages with what the
reason means. A failed call of the service has its reason in the status details; one without details never reached it,
or broke on the way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from flask import Response
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from alhambra.texts import DEFAULT, choose_language, has_text, text
from alhambra_api import contract
from alhambra_api.v1 import annotations_pb2, reasons_pb2

from . import limits
from .wire import Fault, dumps, writer

MEDIA_TYPE = "application/problem+json"
TYPE_BASE = "/problems/"
PREFIX = "REASON_"
_METADATA_NOTE = " Metadata:"
_UNDERSCORE = re.compile(r"_([a-z0-9])")
"""In the names of fields, which are written in lowerCamelCase here."""
_write_violation = writer(reasons_pb2.Violation.DESCRIPTOR)


@dataclass(frozen=True)
class Kind:
    """What holds for every problem with the same reason."""

    reason: str
    status: int
    title: str
    """What the contract says about it, in one sentence or two."""
    group: str


def _kinds() -> dict[str, Kind]:
    found = {}
    said = contract.comments()
    for value in reasons_pb2.Reason.DESCRIPTOR.values:
        if value.number:
            reason = value.name.removeprefix(PREFIX)
            problem = value.GetOptions().Extensions[annotations_pb2.problem]
            comment = " ".join(said[f"{reasons_pb2.Reason.DESCRIPTOR.full_name}.{value.name}"].split())
            title = comment.partition(_METADATA_NOTE)[0]
            found[reason] = Kind(reason, problem.http_status, title, problem.group)
    return found


KINDS: Mapping[str, Kind] = _kinds()
"""Every reason of the contract."""


class Problem(Exception):
    """A request that fails, and why."""

    def __init__(
        self,
        reason: str,
        detail: str,
        metadata: Mapping[str, object] | None = None,
        *,
        violations: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        status: int = 0,
        title: str = "",
        worded: bool = False,
    ) -> None:
        """`worded`: title and detail are in the language of the request already."""
        super().__init__(f"{reason}: {detail}")
        kind = KINDS.get(reason)
        self.reason = reason
        self.status = status or (kind.status if kind else 500)
        self.title = title or (kind.title if kind else reason)
        self.detail = detail
        self.worded = worded
        self.metadata = {name: str(value) for name, value in (metadata or {}).items()}
        self.violations = violations
        self.headers = dict(headers or {})

    @classmethod
    def malformed(cls, field: str, detail: str) -> Problem:
        """Something that was sent cannot be read."""
        return cls("REQUEST_MALFORMED", detail, {"field": field})

    @classmethod
    def from_fault(cls, fault: Fault) -> Problem:
        """JSON or a query that cannot be read. A name in the path may be anything, even what is not Unicode."""
        path = fault.path.encode(errors="replace").decode()
        return cls.malformed(path, f"{path}: {fault.message}" if path else fault.message)

    def about(self, request_id: str) -> Problem:
        """The same; a defect says by which id it can be found in the logs."""
        if self.reason == "INTERNAL_ERROR":
            self.metadata.setdefault("request", request_id)
        return self

    def document(self, language: str = DEFAULT) -> dict[str, Any]:
        """The problem document."""
        title, detail = self.title, self.detail
        if language != DEFAULT and not self.worded and has_text(key := f"refusal.{self.reason}", language):
            title = detail = text(key, language)
        found: dict[str, Any] = {
            "type": TYPE_BASE + self.reason,
            "title": title,
            "status": self.status,
            "detail": detail,
            "reason": self.reason,
            "metadata": self.metadata,
        }
        if self.violations:
            found["violations"] = list(self.violations)
        return found


def response(problem: Problem, environ: Mapping[str, Any] | None = None) -> Response:
    """The answer that tells of the problem, in the language of the request; in English if the request was not read."""
    language = choose_language((environ or {}).get("HTTP_ACCEPT_LANGUAGE"))
    answer = Response(dumps(problem.document(language)), problem.status, content_type=MEDIA_TYPE)
    answer.headers["Cache-Control"] = "no-store"
    if problem.status in (429, 503):
        asked = problem.metadata.get("retry_after", "")
        answer.headers["Retry-After"] = asked if asked.isdecimal() else str(limits.RETRY_SECONDS)
    elif problem.status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    answer.headers.update(problem.headers)
    return answer


# -- Failed calls of the service ---------------------------------------------------------------------------------------

_AWAY = ("STORE_UNAVAILABLE", "The service cannot be reached. Nothing was changed; try again.")
_BROKEN = ("OUTCOME_UNKNOWN", "The service went away. Repeat the call with the same request id to learn the outcome.")
_WITHOUT_DETAILS: Mapping[grpc.StatusCode, tuple[str, str]] = {
    grpc.StatusCode.UNAVAILABLE: _AWAY,
    grpc.StatusCode.DEADLINE_EXCEEDED: ("DEADLINE_PASSED", "The service did not answer in time."),
    grpc.StatusCode.RESOURCE_EXHAUSTED: ("RATE_LIMITED", "The service has too much to do."),
    grpc.StatusCode.CANCELLED: ("CALL_CANCELLED", "The call was given up."),
    grpc.StatusCode.UNIMPLEMENTED: ("NOT_SUPPORTED", "The service does not offer this call."),
}
_STATUS = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.FAILED_PRECONDITION: 422,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
}
"""For reasons that only a newer service knows."""


def from_rpc_error(error: grpc.RpcError, *, changes: bool = False) -> Problem:
    """The problem that a failed call stands for; `changes` if it could have changed something."""
    call: Any = error
    code: grpc.StatusCode = call.code()
    status = rpc_status.from_call(call) if call.trailing_metadata() else None
    if status is None:
        return _without_details(code, changes)
    info, refusal = error_details_pb2.ErrorInfo(), reasons_pb2.Refusal()
    title = error_details_pb2.LocalizedMessage()
    for detail in status.details:
        detail.Unpack(info)
        detail.Unpack(title)
        detail.Unpack(refusal)
    if not info.reason:
        return _without_details(code, changes)
    metadata = {name: info.metadata[name] for name in sorted(info.metadata)}
    if "field" in metadata:
        metadata["field"] = _UNDERSCORE.sub(lambda found: found.group(1).upper(), metadata["field"])
    return Problem(
        info.reason,
        status.message,
        metadata,
        violations=[_write_violation(violation) for violation in refusal.violations],
        status=0 if info.reason in KINDS else _STATUS.get(code, 500),
        title=title.message,
        worded=True,
    )


def _without_details(code: grpc.StatusCode, changes: bool) -> Problem:
    if code == grpc.StatusCode.UNAVAILABLE and changes:
        return Problem(*_BROKEN)
    if code in _WITHOUT_DETAILS:
        return Problem(*_WITHOUT_DETAILS[code])
    return Problem("INTERNAL_ERROR", "The service answered something that the gateway does not understand.")


# -- Refused before any call -------------------------------------------------------------------------------------------


def from_http_error(error: HTTPException) -> Problem:
    """What Flask itself refuses, as a problem."""
    if isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        return Problem(
            "METHOD_NOT_ALLOWED", f"This address knows: {allowed}.", {"allowed": allowed}, headers={"Allow": allowed}
        )
    if isinstance(error, RequestEntityTooLarge):
        return Problem("BODY_TOO_LARGE", "The body of the request is too large.")
    if error.code == 404:
        return Problem("ROUTE_NOT_FOUND", "There is no such address. /openapi.json lists those there are.")
    if error.code is not None and error.code < 500:
        return Problem("REQUEST_MALFORMED", error.description or "The request cannot be read.", {"field": ""})
    return Problem("INTERNAL_ERROR", "The gateway made a mistake.")
