"""Why a call failed.

    AlhambraError
    ├── Unreachable           the server could not be reached, or did not answer a call without a request id
    ├── OutcomeUnknown        the last answer was lost; `Client.repeat` finds out what became of the change
    ├── UnexpectedAnswer      what answered is not this service
    ├── CommitmentsChanged    the server changed what the deal depends on after this seat had revealed its part
    └── Refused               the server refused the call; nothing was changed
        ├── IllegalMove       the rules refuse the move or the undo: `violations` says why
        ├── InvalidSetup      a game cannot be created like this
        ├── InvalidRequest    the request cannot be read, or asks for too much
        ├── AccessDenied      the token or the API key is missing, wrong or not sufficient
        ├── NotFound          there is no such game or component
        ├── Stale             the game has moved on or is over: read it again
        ├── Conflict          the call contradicts an earlier one, or a seat cannot be left
        ├── NotReady          the game has not been dealt yet, or does not accept this entropy
        ├── TooManyCalls      a limit is reached: `retry_after` says how many seconds to wait
        ├── Unavailable       the server cannot answer at the moment
        └── ServerFault       a defect of the server

A reason that this version of the library does not know has the class of its HTTP status.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from .contract import REASONS, Violation

if TYPE_CHECKING:
    from .calls import Call


class AlhambraError(Exception):
    """The base of all errors of this library."""

    call: Call[Any] | None = None
    """The call that failed; None if the error is not about one."""


class Unreachable(AlhambraError):
    """The server could not be reached, or a call without a request id was not answered.

    No game was changed. Exceptions are `cancel`, `update_webhook`, `rotate_webhook_secret`, `test_webhook` and
    `replay_deliveries`, which have no request id: they may have been carried out, and can be called again (see the
    contract for what that does)."""


class OutcomeUnknown(AlhambraError):
    """A change was sent, and no answer came. Pass the error to `Client.repeat`: the change is not made twice."""


class UnexpectedAnswer(AlhambraError):
    """The answer is not one of this service, for example the page of a proxy."""


class CommitmentsChanged(AlhambraError):
    """The commitments of a game changed after this seat had revealed its entropy: someone may be choosing the deal."""


class Refused(AlhambraError):
    """The server refused the call with a problem document (RFC 9457)."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float = 0.0) -> None:
        self.status = status
        self.reason: str = problem.get("reason") or ""
        """One word that never changes, `UNDERPAID` for example; empty if a proxy refused the call."""
        self.title: str = problem.get("title") or ""
        self.detail: str = problem.get("detail") or self.title
        """A sentence for people, in the language of the client."""
        self.type: str = problem.get("type") or ""
        """The address of the page that explains the reason."""
        self.facts: dict[str, str] = dict(problem.get("metadata") or {})
        """The facts of the case: which card, what was due, which version is current."""
        self.violations = tuple(Violation.from_json(each) for each in problem.get("violations") or ())
        """Every rule that the move breaks, each with its facts and a text."""
        self.retry_after = retry_after
        """How many seconds the server asks to wait before the next attempt; 0 if it does not say."""
        super().__init__(f"{self.reason or status}: {self.detail}")


class IllegalMove(Refused):
    """The rules refuse the move or the undo."""


class InvalidSetup(Refused):
    """A game cannot be created like this."""


class InvalidRequest(Refused):
    """The request cannot be read, or asks for more than the server allows."""


class AccessDenied(Refused):
    """The token or the API key is missing, wrong or not sufficient."""


class NotFound(Refused):
    """There is no such game or component."""


class Stale(Refused):
    """The game has moved on or is over: read it again."""


class Conflict(Refused):
    """The call contradicts an earlier one, for example with the same request id."""


class NotReady(Refused):
    """The game has not been dealt yet, or does not accept this entropy."""


class TooManyCalls(Refused):
    """A limit of the server is reached."""


class Unavailable(Refused):
    """The server cannot answer at the moment."""


class ServerFault(Refused):
    """A defect of the server."""


_RULES = dict.fromkeys(("form", "moment", "things", "money", "board"), IllegalMove)
_BY_GROUP: Mapping[str, type[Refused]] = {**_RULES, "creation": InvalidSetup}
_BY_REASON: Mapping[str, type[Refused]] = {
    "VERSION_STALE": Stale,
    "PRECONDITION_FAILED": Stale,
    "GAME_OVER": Stale,
    "GAME_WAITING": NotReady,
    "ENTROPY_REFUSED": NotReady,
    "SEAT_REFUSED": Conflict,
}
_BY_STATUS: Mapping[int, type[Refused]] = {
    401: AccessDenied,
    403: AccessDenied,
    404: NotFound,
    409: Conflict,
    422: IllegalMove,
    429: TooManyCalls,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> Refused:
    """Return the error that an HTTP answer stands for. `headers` finds names in any case."""
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {"detail": body[:200].decode(errors="replace")}
    reason = problem.get("reason") or ""
    group, _ = REASONS.get(reason, ("", 0))
    by_status = _BY_STATUS.get(status) or (InvalidRequest if status < 500 else ServerFault)
    kind = _BY_REASON.get(reason) or _BY_GROUP.get(group) or by_status
    return kind(status, problem, _seconds(headers.get("retry-after", "")))


def _seconds(retry_after: str) -> float:
    """Return the header Retry-After, a number of seconds or a date, as seconds from now."""
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 0.0
