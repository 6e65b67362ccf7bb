"""What requests must look like, before anything is done with them: ids, counts, words. What is not good is refused with
the name of its field.
"""

from __future__ import annotations

from typing import Any

from alhambra_api.v1 import views_pb2

from .. import limits
from ..games.automatic.orders import REVOKED, Order
from ..store import Request, is_game
from .nouns import word_of
from .refusals import Refusal

_UNTIL = {number: name.removeprefix("ORDER_UNTIL_").lower() for name, number in views_pb2.OrderUntil.items()}


def order_from(order: views_pb2.Order) -> Order:
    """A standing order as it was sent; whether it can be given is judged later."""
    until = _UNTIL.get(order.until, str(order.until))
    return Order(
        order.decision,
        order.answer,
        tuple(word_of("type", word) for word in order.unless_types),
        tuple(word_of("currency", word) for word in order.unless_currencies),
        tuple(order.unless_slots),
        REVOKED if until == "unspecified" else until,
    )


def remembered(method: str, message: Any, seat: int) -> Request | None:
    """What the call is remembered by: its id within game and seat, and its content."""
    if not message.request_id:
        return None
    content = method.encode() + b"\0" + message.SerializeToString(deterministic=True)
    return Request.of(f"seat {seat}", message.request_id, content)


def check_game(game: str) -> None:
    """Refuses what cannot be the id of a game."""
    if not is_game(game):
        raise Refusal.malformed("game", "The id of a game is 12 to 32 lower-case letters and digits.")


def check_request_id(text: str) -> None:
    """Refuses what cannot be the name of an attempt; none at all is good."""
    if len(text) > limits.REQUEST_NAME_CHARS or not text.isprintable():
        raise Refusal.malformed("request_id", f"It has 1 to {limits.REQUEST_NAME_CHARS} printable characters.")


def check_count(number: int, field: str) -> None:
    """Refuses less than nothing."""
    if number < 0:
        raise Refusal.malformed(field, "It is not negative.")


def check_most(number: int, most: int, field: str) -> None:
    """Refuses more than the server allows."""
    check_count(number, field)
    if number > most:
        raise Refusal.limit(field, most)
