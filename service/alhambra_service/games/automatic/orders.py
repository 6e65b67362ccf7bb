"""Standing orders: a seat says in advance how the service answers a kind of decision for it.

Orders are stored beside the game. If an order matches, the service makes an ordinary move at once, so a game can be
replayed without its orders. Each kind of decision declares the answers that orders can give (`DecisionKind.orders`).
Orders test only public facts (`about`), because a quick answer must not reveal a hand. If the rules refuse the answer
of an order, the order does nothing and the seat decides.

Public events end orders (ENDED_BY): the beginning of the seat's turn, of a scoring, or of the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from alhambra import CURRENCIES, TYPES, Decision, Event, Game, Move, Ruleset
from alhambra_api.v1 import games_pb2, views_pb2

from ...messages.field_checks import LimitedField
from ...messages.nouns import word_of
from ...messages.refusals import Refusal

ORDERS = LimitedField(games_pb2.SetOrdersRequest, "orders")
BAD_SLOT = "A slot is named as in moves, market-denar for example."
SLOTS = LimitedField(views_pb2.Order, "unless_slots", BAD_SLOT, called="orders.unless_slots")
REVOKED = "revoked"
UNTIL = (REVOKED, "my_turn", "scoring", "end")
ENDED_BY = {"turn_began": "my_turn", "scoring_began": "scoring", "end_began": "end"}
"""By kind of event: the orders that end with it. A turn ends those of its own seat."""


@dataclass(frozen=True, slots=True)
class Order:
    """One standing order of a seat."""

    decision: str
    answer: str
    unless_types: tuple[str, ...] = ()
    unless_currencies: tuple[str, ...] = ()
    unless_slots: tuple[str, ...] = ()
    until: str = REVOKED

    def as_dict(self) -> dict[str, Any]:
        """Return the order as JSON-ready data for `read`."""
        return {name: value for name, value in asdict(self).items() if value and value != REVOKED}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Order:
        """Read an order that `as_dict` wrote."""
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        return cls(**fields)


Orders = tuple[tuple[Order, ...], ...]
"""The orders of every seat, in seat order."""


# -- Giving orders -------------------------------------------------------------------------------------------------


_UNTIL = {number: name.removeprefix("ORDER_UNTIL_").lower() for name, number in views_pb2.OrderUntil.items()}


def order_from(order: views_pb2.Order) -> Order:
    """Return the standing order in a message. It must be checked with `checked`."""
    until = _UNTIL.get(order.until, str(order.until))
    return Order(
        order.decision,
        order.answer,
        tuple(word_of("type", word) for word in order.unless_types),
        tuple(word_of("currency", word) for word in order.unless_currencies),
        tuple(order.unless_slots),
        REVOKED if until == "unspecified" else until,
    )


def checked(orders: Sequence[Order], ruleset: Ruleset) -> tuple[Order, ...]:
    """Return the orders. Raises Refusal if one of them cannot be given in this game."""
    ORDERS.check(orders)
    if len({order.decision for order in orders}) != len(orders):
        raise Refusal.malformed("orders", "There is at most one order for each kind of decision.")
    for order in orders:
        _check(order, ruleset)
    return tuple(orders)


def _check(order: Order, ruleset: Ruleset) -> None:
    question = ruleset.questions.get(order.decision)
    known = {} if question is None else {given.answer: given for given in question.kind.orders}
    if not known:
        raise Refusal.malformed("orders.decision", "Decisions of this kind take no orders in this game.")
    if order.answer not in known:
        raise Refusal.malformed("orders.answer", f"Such a decision is answered with {' or '.join(known)}.")
    if order.until not in UNTIL:
        raise Refusal.malformed("orders.until", f"An order holds until {', '.join(UNTIL)}.")
    if not set(order.unless_types) <= set(TYPES):
        raise Refusal.malformed("orders.unless_types", f"The building types are {', '.join(TYPES)}.")
    if not set(order.unless_currencies) <= set(CURRENCIES):
        raise Refusal.malformed("orders.unless_currencies", f"The currencies are {', '.join(CURRENCIES)}.")
    SLOTS.check(order.unless_slots)
    if not all(slot and slot.isprintable() for slot in order.unless_slots):
        raise Refusal.malformed("orders.unless_slots", BAD_SLOT)


# -- Following orders ----------------------------------------------------------------------------------------------


def answer(game: Game, orders: Orders) -> Move | None:
    """Return the move with which a standing order answers the open decision; None if the seat has to decide."""
    decision = game.decision
    if decision is None or not orders[decision.seat]:
        return None
    for order in orders[decision.seat]:
        if order.decision == decision.kind and not _excepted(order, game, decision):
            declared = (known for known in game.question().kind.orders if known.answer == order.answer)
            for move in (move for known in declared for move in known.moves(game, decision)):
                if not game.verify(move):
                    return move
    return None


def in_force(orders: Orders, events: Iterable[Event]) -> Orders:
    """Return the orders that are still in force after these events."""
    for event in events:
        until = ENDED_BY.get(event.kind)
        if until is None:
            continue
        whose = event.public["seat"] if until == "my_turn" else None
        orders = tuple(
            tuple(order for order in given if order.until != until) if whose in (None, seat) else given
            for seat, given in enumerate(orders)
        )
    return orders


def _excepted(order: Order, game: Game, decision: Decision) -> bool:
    """Return whether the order makes an exception for this decision, so that the seat has to decide."""
    excepted = {*order.unless_types, *order.unless_currencies, *order.unless_slots}
    return bool(excepted) and not excepted.isdisjoint(about(game, decision))


def about(game: Game, decision: Decision) -> Iterator[str]:
    """Generate the types, currencies and slots that a decision is about, by what its kind declares
    (`DecisionKind.about`)."""
    for name in game.question().kind.about(game, decision):
        yield name
        if name in game.ruleset.tiles:
            yield from (part.type for part in game.ruleset.tiles[name].parts if part.type)
        elif name in game.ruleset.cards:
            yield game.ruleset.cards[name].currency
