"""What a failed call of the service means: whether its answer was lost, or another service may answer it."""

from __future__ import annotations

from typing import Any

import grpc

from ..refusals.rpc_errors import info_of

_DETAILS = "grpc-status-details-bin"
_LOST = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,
    }
)


def is_lost(error: Any) -> bool:
    """Return whether a call ended without an answer: its connection broke, or it was cancelled. Refusals of the service
    itself have details."""
    return error.code() in _LOST and not any(name == _DETAILS for name, _ in error.trailing_metadata() or ())


def was_left_undone(error: Any) -> bool:
    """Return whether the service refused because of its own state, has changed nothing, and another service may answer:
    its version is not that of the game, or it is stopping."""
    return is_stopping(error) or (
        error.code() is grpc.StatusCode.UNAVAILABLE and info_of(error).reason in ("ENGINE_TOO_OLD", "RULES_CHANGED")
    )


def is_stopping(error: Any) -> bool:
    """Return whether the service refused because it is stopping."""
    return error.code() is grpc.StatusCode.UNAVAILABLE and info_of(error).metadata.get("because") == "stopping"
