"""When a call that failed is sent again.

A call is repeated if no answer came, or if the server says that it is busy (429, 502, 503, 504). Pauses double and are
drawn at random from their upper half, so that clients do not come back together; they are never shorter than the
server's `Retry-After`. Changes are repeated with their request id, so none is made twice.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from .errors import AlhambraError, OutcomeUnknown, Refused

BUSY = (429, 502, 503, 504)
HOPELESS = ("QUOTA_EXCEEDED",)
"""Reasons of busy servers that a pause does not cure."""


@dataclass(frozen=True)
class Retry:
    """For how long calls are repeated."""

    seconds: float = 60.0
    """No attempt begins later than this after the first one. 0 makes one attempt only."""
    first_pause: float = 0.25
    longest_pause: float = 8.0


class Attempts:
    """The attempts to make one call."""

    def __init__(
        self,
        retry: Retry,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._retry, self._clock, self._draw = retry, clock, draw
        self._end = clock() + retry.seconds
        self._pause = retry.first_pause
        self._unanswered: AlhambraError | None = None
        """The latest failure after which the change may have been made."""

    def pause_after(self, failure: AlhambraError) -> float:
        """Return how many seconds to wait before the next attempt.

        Raises the failure if another attempt is not worth it or comes too late, or OutcomeUnknown if an earlier attempt
        may have changed something."""
        if _is_outcome_unknown(failure):
            self._unanswered = failure
        asked = failure.retry_after if isinstance(failure, Refused) else 0.0
        pause = max(asked, self._draw(self._pause / 2, self._pause))
        if not _is_temporary(failure):
            raise failure
        if self._clock() + pause > self._end:
            raise self._final(failure)
        self._pause = min(2 * self._pause, self._retry.longest_pause)
        return pause

    def _final(self, failure: AlhambraError) -> AlhambraError:
        call = failure.call
        if self._unanswered is None or call is None or not call.changes or isinstance(failure, OutcomeUnknown):
            return failure
        unknown = OutcomeUnknown(f"It is not known whether {call.method} {call.path} was carried out: {failure}")
        unknown.call = call
        return unknown


def _is_temporary(failure: AlhambraError) -> bool:
    if isinstance(failure, Refused):
        return failure.status in BUSY and failure.reason not in HOPELESS
    return True


def _is_outcome_unknown(failure: AlhambraError) -> bool:
    if isinstance(failure, Refused):
        return failure.status in (502, 503, 504) and failure.reason in ("", "OUTCOME_UNKNOWN", "DEADLINE_PASSED")
    return isinstance(failure, OutcomeUnknown)
