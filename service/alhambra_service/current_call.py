"""The call that the current thread answers: its id, its language, and whether its caller still waits.

A caller can hang up, cancel, or let its deadline pass while its call is being answered. Work that takes longer than a
few milliseconds asks between two steps and stops when the caller has gone:

    for move in moves:
        current_call.require_caller()
        ...

A thread that answers no call is never stopped. One question costs less than a microsecond.
"""

from __future__ import annotations

import secrets
import threading
from typing import Any

import grpc

from alhambra.texts import DEFAULT, choose_language
from alhambra_runtime.log_lines import REQUEST_ID, is_request_id

LANGUAGE = "accept-language"


class CallerGone(Exception):
    """The caller of the current call does not wait for its answer any more."""


class _Here(threading.local):
    """What the current thread is busy with."""

    call: Any = None
    """The context of the call that it answers."""


_here = _Here()
_ID = "alhambra_request_id"
"""The attribute of a call's context that holds its id, once the id has been read."""


def begin_call(context: grpc.ServicerContext) -> None:
    """Remember that this thread answers this call; its log lines get the id of the call."""
    _here.call = context


def end_call() -> None:
    """Forget the call, so that this thread does not keep it alive."""
    _here.call = None


def current_call() -> grpc.ServicerContext | None:
    """The context of the call that this thread answers; None outside of calls."""
    found: grpc.ServicerContext | None = _here.call
    return found


def request_id() -> str:
    """The id of the call that is being answered: the one that its caller gave, or a fresh one. Empty outside of any."""
    context = _here.call
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
    """Return whether the caller of the call that this thread answers has hung up, cancelled or run out of time."""
    context = current_call()
    return context is not None and not context.is_active()


def require_caller() -> None:
    """Raise CallerGone if the caller has gone; the call ends there, and no answer is sent."""
    if caller_has_gone():
        raise CallerGone


# -- Its language --------------------------------------------------------------------------------------------------


def asked_language(context: grpc.ServicerContext) -> str | None:
    """The language that the call names; None if it names none."""
    for name, value in context.invocation_metadata() or ():
        if name == LANGUAGE and isinstance(value, str):
            return choose_language(value)
    return None


def language_of(context: grpc.ServicerContext) -> str:
    """The language to answer in: English if the call names none."""
    return asked_language(context) or DEFAULT
