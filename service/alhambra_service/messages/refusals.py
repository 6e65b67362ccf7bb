"""Refusals: every failed call has a reason of the contract, and the status that the contract gives to it.

    Refusal("VERSION_STALE", "The game has moved on.", {"version": 17})

A handler raises a Refusal, an error of the rules or an error of the store. `status_of` makes the status of the call
from it, with a google.rpc.ErrorInfo and, for a refused move or board, with every violation; `rpc/failed_calls.py` ends
the call with this status. Errors of the store have fixed sentences, so that callers learn nothing about the internals
of the service.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2

from alhambra import AlhambraError, IllegalMove, Violation
from alhambra.moves import shown
from alhambra.texts import DEFAULT, explain, has_text, text
from alhambra_api.v1 import annotations_pb2, reasons_pb2

from .. import limits
from ..current_call import CallerGone
from ..store import errors as store_errors
from .translate import violations_to

DOMAIN = "alhambra"
PREFIX = "REASON_"


def _codes() -> dict[str, int]:
    found = {}
    for value in reasons_pb2.Reason.DESCRIPTOR.values:
        if value.number:
            problem = value.GetOptions().Extensions[annotations_pb2.problem]
            found[value.name.removeprefix(PREFIX)] = int(problem.code)
    return found


CODES: Mapping[str, int] = _codes()
"""By reason: the number of its gRPC status."""
STATUS_CODES = {code.value[0]: code for code in grpc.StatusCode}


class Refusal(Exception):
    """Ends a call with a reason. Nothing was changed; only with OUTCOME_UNKNOWN it may have been."""

    def __init__(
        self,
        reason: str,
        message: str,
        metadata: Mapping[str, object] | None = None,
        *,
        violations: Sequence[Violation] = (),
        at_version: int = 0,
        names: Sequence[str] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        assert reason in CODES, reason
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.violations = tuple(violations)
        self.at_version = at_version
        self.names = tuple(names)
        """The names of the players, for texts about seats."""
        self.facts = facts
        """The facts of an error of the rules; None if the refusal does not come from the rules."""
        self.metadata = {name: as_text(value) for name, value in (metadata or {}).items() if value is not None}

    @property
    def code(self) -> grpc.StatusCode:
        """The status of the call."""
        return STATUS_CODES[CODES[self.reason]]

    @classmethod
    def malformed(cls, field: str, message: str) -> Refusal:
        """Return the refusal of a request with a field that cannot be used."""
        return cls("REQUEST_MALFORMED", message, {"field": field})

    @classmethod
    def limit(cls, what: str, limit: int) -> Refusal:
        """Return the refusal of a request with more entries than a limit allows."""
        return cls("LIMIT_EXCEEDED", f"There are at most {limit} {what}.", {"what": what, "limit": limit})

    @classmethod
    def too_large(cls, field: str, limit: int) -> Refusal:
        """Return the refusal of a request with a number above its maximum."""
        return cls("LIMIT_EXCEEDED", f"{field} can be at most {limit}.", {"what": field, "limit": limit})

    @classmethod
    def stale(cls, version: int) -> Refusal:
        """Return the refusal of a request about another version than the game has; `version` is the game's."""
        message = f"The game is at version {version}: read it again and decide anew."
        return cls("VERSION_STALE", message, {"version": version}, at_version=version)


def as_text(value: object) -> str:
    """Return a fact as a text of at most limits.FACT_CHARS characters, for an ErrorInfo."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value[: limits.FACT_CHARS]
    if isinstance(value, list | tuple):
        return ", ".join(map(as_text, value))[: limits.FACT_CHARS]
    return str(value)[: limits.FACT_CHARS] if isinstance(value, int) else shown(value)


# -- Errors of others --------------------------------------------------------------------------------------------------

_STORE: Mapping[type[store_errors.StoreError], tuple[str, str]] = {
    store_errors.OutcomeUnknown: (
        "OUTCOME_UNKNOWN",
        "It is not known whether the change was made. Repeat the call with the same request id.",
    ),
    store_errors.GameNotFound: ("GAME_NOT_FOUND", "There is no such game."),
    store_errors.GameExists: ("REQUEST_ID_REUSED", "The request id has already been used with different content."),
    store_errors.RequestReused: ("REQUEST_ID_REUSED", "The request id has already been used with different content."),
    store_errors.NewerGame: (
        "ENGINE_TOO_OLD",
        "The game was written by a newer version than this server has: update the server, or ask another one.",
    ),
    store_errors.WrittenElsewhere: (
        "RULES_CHANGED",
        "The game was written under rules that this server does not have any more: ask the server that wrote it.",
    ),
    store_errors.TooEarly: ("VERSION_STALE", "The time of the decision is not up yet: read the game again."),
    store_errors.DamagedGame: ("STATE_MALFORMED", "The stored game cannot be read."),
    store_errors.StoreMisconfigured: ("STORE_UNAVAILABLE", "The store is not as promised. Nothing was changed."),
}


_TROUBLES: Mapping[store_errors.Trouble, tuple[str, str]] = {
    store_errors.Trouble.UNREACHABLE: ("STORE_UNAVAILABLE", "The store cannot be reached. Nothing was changed."),
    store_errors.Trouble.CROWDED: (
        "STORE_UNAVAILABLE",
        "No more connections to the store can be opened. Nothing was changed.",
    ),
    store_errors.Trouble.SLOW: ("STORE_SLOW", "The store did not answer in time. Nothing was changed."),
    store_errors.Trouble.FULL: ("STORE_FULL", "The store is full. Nothing was changed; games can still be read."),
    store_errors.Trouble.READ_ONLY: (
        "STORE_READ_ONLY",
        "The store takes no writes: it is a replica, or cannot write to its disk. Nothing was changed.",
    ),
    store_errors.Trouble.REPLICAS_MISSING: (
        "STORE_REPLICAS_MISSING",
        "The store takes no writes: too few of its replicas are connected. Nothing was changed.",
    ),
}
"""By trouble of the store: the reason and the sentence for callers."""


FACT_TITLES = {"written_by": "Written by", "known": "Known here"}


def from_error(error: Exception, version: int = 0, names: Sequence[str] = ()) -> Refusal:
    """Return the refusal for an error of the rules or of the store. `names` are those of the players. Raises TypeError
    for any other error."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, CallerGone):
        return Refusal("CALL_CANCELLED", "The caller went away before the answer.")
    if isinstance(error, IllegalMove):
        first = error.violations[0]
        facts = {"noun": first.noun, **first.metadata}
        message = explain(IllegalMove(error.violations[: limits.VIOLATIONS_SHOWN]), names=names)
        return Refusal(first.code, message, facts, violations=error.violations, at_version=version, names=names)
    if isinstance(error, AlhambraError):
        return Refusal(error.code, explain(error), error.metadata, at_version=version, facts=error.metadata)
    if isinstance(error, store_errors.Stale | store_errors.VersionAhead):
        return Refusal.stale(error.version)
    if isinstance(error, store_errors.StoreUnavailable):
        return Refusal(*_TROUBLES[error.trouble])
    if isinstance(error, store_errors.QuotaExceeded):
        return _over_quota(error)
    if isinstance(error, store_errors.StoreError):
        for kind, (reason, message) in _STORE.items():
            if isinstance(error, kind):
                facts = error.facts if isinstance(error, store_errors.WrittenElsewhere) else {}
                more = "".join(f" {FACT_TITLES[name]}: {value}." for name, value in facts.items())
                return Refusal(reason, message + more, facts)
    raise TypeError(f"not an error of the rules or of the store: {type(error).__name__}")


def _over_quota(error: store_errors.QuotaExceeded) -> Refusal:
    what = {
        "running_games": "running games",
        "stored_bytes": "bytes of stored games",
        "open_games": "open games that wait for players",
        "webhooks": "webhooks",
    }[error.quota]
    message = f"The quota is {error.limit} {what}, and {error.used} are used: end or delete games first."
    return Refusal("QUOTA_EXCEEDED", message, {"quota": error.quota, "limit": error.limit, "used": error.used})


# -- As a status -------------------------------------------------------------------------------------------------------


def status_of(refusal: Refusal, language: str = DEFAULT) -> status_pb2.Status:
    """Return the status of a refused call, with its details. Its message says what happened in this case, its
    google.rpc.LocalizedMessage what the reason means, both in this language. The last violations are left out if the
    status would be longer than limits.STATUS_BYTES, because it must fit into the trailers of a call."""
    info = error_details_pb2.ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=refusal.metadata)
    title = error_details_pb2.LocalizedMessage(locale=language, message=title_of(refusal.reason, language))
    status = status_pb2.Status(code=CODES[refusal.reason], message=_message(refusal, language)[: limits.MESSAGE_CHARS])
    status.details.extend((_any(info), _any(title)))
    shown_violations = violations_to(refusal.violations[: limits.VIOLATIONS_SHOWN], language, refusal.names)
    while shown_violations:
        details = _any(reasons_pb2.Refusal(violations=shown_violations, version=refusal.at_version))
        if status.ByteSize() + details.ByteSize() <= limits.STATUS_BYTES:
            status.details.append(details)
            break
        shown_violations.pop()
    return status


def _message(refusal: Refusal, language: str) -> str:
    """Return what happened in this case: one sentence for each violation, or the message of the refusal."""
    if refusal.violations:  # more sentences than are shown would not fit into the message
        return explain(IllegalMove(refusal.violations[: limits.VIOLATIONS_SHOWN]), language, refusal.names)
    if language == DEFAULT:
        return refusal.message
    return text(_key_of(refusal.reason), language, **(refusal.metadata if refusal.facts is None else refusal.facts))


def title_of(reason: str, language: str = DEFAULT) -> str:
    """Return what a reason means in general, in a sentence or two."""
    return text(_key_of(reason), language)


@cache
def _key_of(reason: str) -> str:
    """Return the key of the text for a reason."""
    return f"refusal.{reason}" if has_text(f"refusal.{reason}") else f"violation.{reason}"


def _any(message: Any) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
