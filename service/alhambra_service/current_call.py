"""The call that the current thread answers: its id, its language, and whether its caller still waits.

A caller can disconnect, cancel, or let its deadline pass while its call is being answered. Work that takes longer than
a few milliseconds checks this between two steps and stops when the caller has gone:

    for move in moves:
        current_call.require_caller()
        ...

A thread that answers no call is never stopped. One check costs less than a microsecond.
"""

from __future__ import annotations

import secrets
import threading
from typing import Any

import grpc

from alhambra.texts import DEFAULT, choose_language
from alhambra_runtime.log_lines import REQUEST_ID, is_request_id

LANGUAGE = "accept-language"
REPLAYED = "idempotency-replayed"
"""The trailer of an answer that repeats the first one to the same request id."""


class CallerGone(Exception):
    """The caller of the current call no longer waits for its answer."""


class _ThreadState(threading.local):
    """What the current thread works on."""

    call: Any = None
    """The context of the call that it answers; None outside of calls. Log lines get the id of this call."""


THREAD = _ThreadState()
_ID = "alhambra_request_id"
"""The attribute of a call's context that holds its id, once the id has been read."""


def current_call() -> grpc.ServicerContext | None:
    """Return the context of the call that this thread answers; None outside of calls."""
    found: grpc.ServicerContext | None = THREAD.call
    return found


def request_id() -> str:
    """Return the id of the call that this thread answers: the one that its caller sent, or a new one. Return an empty
    text outside of calls."""
    context = THREAD.call
    if context is None:
        return ""
    found: str = getattr(context, _ID, "")
    if not found:
        found = _given(context) or secrets.token_hex(8)
        setattr(context, _ID, found)
    return found


def _given(context: grpc.ServicerContext) -> str:
    for name, value in context.invocation_metadata() or ():
        if name == REQUEST_ID and isinstance(value, str) and is_request_id(value):
            return str(value)
    return ""


# -- Whether the caller still waits --------------------------------------------------------------------------------


def caller_has_gone() -> bool:
    """Return whether the caller of the call that this thread answers has disconnected, cancelled or run out of time."""
    context = current_call()
    return context is not None and not context.is_active()


def require_caller() -> None:
    """Raise CallerGone if the caller has gone. The call ends, and no answer is sent."""
    if caller_has_gone():
        raise CallerGone


# -- Whether it was answered before --------------------------------------------------------------------------------


def mark_replayed(context: grpc.ServicerContext) -> None:
    """Tell the caller that this is the first answer to its request id again: nothing was done now."""
    context.set_trailing_metadata((*(context.trailing_metadata() or ()), (REPLAYED, "true")))


# -- Its language --------------------------------------------------------------------------------------------------


def asked_language(context: grpc.ServicerContext) -> str | None:
    """Return the language that the call asks for; None if it asks for none."""
    for name, value in context.invocation_metadata() or ():
        if name == LANGUAGE and isinstance(value, str):
            return choose_language(value)
    return None


def language_of(context: grpc.ServicerContext) -> str:
    """Return the language to answer in: English if the call asks for none."""
    return asked_language(context) or DEFAULT
