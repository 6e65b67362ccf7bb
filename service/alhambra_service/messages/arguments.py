"""Checks of the fields of requests: ids, counts, sizes. A bad field is refused with its name, before anything is
done."""

from __future__ import annotations

from typing import Any

from .. import limits
from ..store import Request, is_game
from .refusals import Refusal


def remembered(method: str, message: Any, seat: int) -> Request | None:
    """What the call is remembered by: its id within game and seat, and its content."""
    if not message.request_id:
        return None
    content = method.encode() + b"\0" + message.SerializeToString(deterministic=True)
    return Request.of(f"seat {seat}", message.request_id, content)


def check_game(game: str) -> None:
    """Refuse a text that cannot be the id of a game."""
    if not is_game(game):
        raise Refusal.malformed("game", "The id of a game is 12 to 32 lower-case letters and digits.")


def check_request_id(text: str) -> None:
    """Refuse a text that cannot be a request id; empty is good."""
    if len(text) > limits.REQUEST_NAME_CHARS or not text.isprintable():
        raise Refusal.malformed("request_id", f"It has 1 to {limits.REQUEST_NAME_CHARS} printable characters.")


def check_count(number: int, field: str) -> None:
    """Refuse a negative number."""
    if number < 0:
        raise Refusal.malformed(field, "It is not negative.")


def check_most(number: int, most: int, field: str) -> None:
    """Refuse a negative number, and one above the limit."""
    check_count(number, field)
    if number > most:
        raise Refusal.limit(field, most)
