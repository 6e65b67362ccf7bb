"""Turns each exception of a handler into the status of its call.

A handler raises a Refusal, an error of the rules or an error of the store; each of them has a reason of the contract
(`messages/refusals.py`). Anything else is a defect: the caller gets INTERNAL_ERROR and an id, and the log gets the
traceback under that id.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import grpc
from grpc_status import rpc_status

from alhambra.texts import DEFAULT

from .. import limits
from ..current_call import language_of, request_id
from ..messages.refusals import Refusal, from_error, status_of
from .wrappers import STREAM_MARKS, Behavior, Handler, Wrapper

_log = logging.getLogger(__name__)


def abort(context: grpc.ServicerContext, refusal: Refusal, language: str = DEFAULT) -> NoReturn:
    """End the call with a refusal. Trailers that were set before are kept."""
    status: Any = rpc_status.to_status(status_of(refusal, language))
    if kept := context.trailing_metadata():
        status = status._replace(trailing_metadata=(*kept, *status.trailing_metadata))
    context.abort_with_status(status)
    raise AssertionError("abort returns")  # pragma: no cover


class FailedCalls(Wrapper):
    """Turns exceptions of a handler into a status. It must be outside every wrapper that may raise."""

    def __init__(self, refused: Callable[[str, str], None] | None = None) -> None:
        super().__init__()
        self._refused = refused
        """Called with the method and the reason of each refusal."""

    def around(self, method: str, handler: Handler, behavior: Behavior) -> Behavior:
        """Return the behavior with its exceptions caught."""

        def answer(request: object, context: grpc.ServicerContext, *more: object) -> object:
            try:
                return behavior(request, context, *more)
            except Exception as error:
                self.refuse(method, context, error)

        def stream(request: object, context: grpc.ServicerContext) -> Iterator[object]:
            try:
                yield from behavior(request, context)
            except Exception as error:
                self.refuse(method, context, error)

        waits = handler.response_streaming and not getattr(behavior, STREAM_MARKS[0], False)
        return stream if waits else answer

    def refuse(self, method: str, context: grpc.ServicerContext, error: Exception) -> NoReturn:
        """End the call that raised the error."""
        if _aborted(context):
            raise error
        try:
            refusal = from_error(error)
        except (TypeError, AssertionError):
            refusal = _defect(method, error)
        if self._refused is not None:
            self._refused(method, refusal.reason)
        abort(context, refusal, language_of(context))


def _aborted(context: grpc.ServicerContext) -> bool:
    """Return whether the call has been ended. Aborting a call raises, too."""
    code = getattr(context, "code", None)
    return callable(code) and code() is not None


def _defect(method: str, error: Exception) -> Refusal:
    request = request_id() or secrets.token_hex(limits.DEFECT_ID_BYTES)
    _log.error("Unexpected error in %s, request %s.", method, request, exc_info=error, extra={"request": request})
    return Refusal("INTERNAL_ERROR", "Internal error. Nothing was changed.", {"request": request})
