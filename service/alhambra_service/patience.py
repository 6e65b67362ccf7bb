"""Whether the caller of the current call still waits for its answer.

A caller can hang up, cancel, or let its deadline pass while its call is being answered. Work that takes longer than a
few milliseconds asks between two steps and stops when nobody waits for it any more:

    for move in moves:
        patience.check()
        ...

The answer belongs to the thread that answers the call. In any other thread, and outside of calls, somebody always
waits. One question costs less than a microsecond.
"""

from __future__ import annotations

from . import logs
from .messages.refusals import Refusal


def gone() -> bool:
    """Return whether the caller of the call that this thread answers has hung up, cancelled or run out of time."""
    context = logs.current_call()
    return context is not None and not context.is_active()


def check() -> None:
    """Raise Refusal CALL_CANCELLED if the caller is gone; the call ends there, and no answer is sent."""
    if gone():
        raise Refusal("CALL_CANCELLED", "The caller went away before the answer.")
