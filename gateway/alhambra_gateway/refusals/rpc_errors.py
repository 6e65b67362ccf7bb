"""Failed calls of the service as problems.

The service puts its reason into the status details. A call that failed without details did not reach the service, or
its connection broke.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from alhambra_api.v1 import reasons_pb2

from ..json_messages import writer
from .problem import KINDS, Problem

_UNDERSCORE = re.compile(r"_([a-z0-9])")
"""In the names of fields, which are written in lowerCamelCase in JSON."""
_write_violation = writer(reasons_pb2.Violation.DESCRIPTOR)
_WITHOUT_DETAILS: Mapping[grpc.StatusCode, tuple[str, str]] = {
    grpc.StatusCode.DEADLINE_EXCEEDED: ("DEADLINE_PASSED", "The service did not answer in time."),
    grpc.StatusCode.RESOURCE_EXHAUSTED: ("RATE_LIMITED", "The service has too much to do."),
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
"""HTTP status by gRPC code, for reasons that only a newer service knows."""


def from_rpc_error(error: grpc.RpcError, *, changes: bool = False) -> Problem:
    """Return the problem for a failed call. `changes` says whether the call could have changed something."""
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


def info_of(error: grpc.RpcError) -> error_details_pb2.ErrorInfo:
    """Return why the service refused a call; an empty message if it did not say."""
    call: Any = error
    status = rpc_status.from_call(call) if call.trailing_metadata() else None
    info = error_details_pb2.ErrorInfo()
    for detail in status.details if status is not None else ():
        if detail.Unpack(info):
            break
    return info


def no_service() -> Problem:
    """Return the problem of a call that could not be sent, because no service answers."""
    detail = "No service answers. Nothing was changed; try again."
    return Problem("STORE_UNAVAILABLE", detail, title="No service answers.", text_key="refusal_by_gateway.no_service")


def no_answer() -> Problem:
    """Return the problem of a change that was sent and not answered by any service."""
    detail = "The service went away before it answered. Repeat the call with the same request id to learn the outcome."
    return Problem("OUTCOME_UNKNOWN", detail, title="It is not known whether the change was made.")


def _without_details(code: grpc.StatusCode, changes: bool) -> Problem:
    # A client that disconnected gets no answer. So the service has cancelled the call, because the connection broke.
    if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
        return no_answer() if changes else no_service()
    if code in _WITHOUT_DETAILS:
        return Problem(*_WITHOUT_DETAILS[code])
    return Problem("INTERNAL_ERROR", "The service answered something that the gateway does not understand.")
