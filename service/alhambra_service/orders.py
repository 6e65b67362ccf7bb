"""Standing orders: how a seat wants a kind of decision answered without being asked.

Orders live outside the game. A matching order makes the service submit an ordinary move at once; a game replays without
them. What they test is public (`about`): their quick answers must not describe a hand. An order whose answer the rules
refuse does nothing, and the seat is asked.

An order ends with what everybody sees happen (ENDED_BY): the seat's turn begins, a scoring begins, the end begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from alhambra import CURRENCIES, TYPES, Decision, Event, Game, Move, Ruleset
from alhambra.moves import TEXT_LIMIT

from . import limits
from .refusals import Refusal

PASS = "pass"
ANSWERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("start", "save_certificate", "fresh_choice", "staff_walk", "late", "auction"), (PASS,)),
    **dict.fromkeys(("claim", "after", "key_bonus", "window"), (PASS,)),
    "remark": ("keep",),
    "reveals": (PASS, "reveal_all"),
    "culture": (PASS, "take_all"),
    "put_chests": (PASS, "place_all"),
    "take_back": ("all", "none"),
}
"""By kind of decision: the answers that an order can give. Kinds that are not here take no orders."""

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
        """The order as JSON-ready data; `read` takes it back."""
        return {name: value for name, value in asdict(self).items() if value and value != REVOKED}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Order:
        """The order that `as_dict` wrote."""
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        return cls(**fields)


Orders = tuple[tuple[Order, ...], ...]
"""The orders of every seat, in seat order."""


# -- Giving orders -------------------------------------------------------------------------------------------------


def checked(orders: Sequence[Order], ruleset: Ruleset) -> tuple[Order, ...]:
    """The orders as they can be kept; raises Refusal if one of them cannot be given in this game."""
    if len(orders) > limits.ORDERS_PER_SEAT:
        raise Refusal.limit("orders", limits.ORDERS_PER_SEAT)
    if len({order.decision for order in orders}) != len(orders):
        raise Refusal.malformed("orders", "There is at most one order for each kind of decision.")
    for order in orders:
        _check(order, ruleset)
    return tuple(orders)


def _check(order: Order, ruleset: Ruleset) -> None:
    known = ANSWERS.get(order.decision, ())
    if order.decision not in ruleset.questions or not known:
        raise Refusal.malformed("orders.decision", "Decisions of this kind take no orders in this game.")
    if order.answer not in known:
        raise Refusal.malformed("orders.answer", f"Such a decision is answered with {' or '.join(known)}.")
    if order.until not in UNTIL:
        raise Refusal.malformed("orders.until", f"An order holds until {', '.join(UNTIL)}.")
    if not set(order.unless_types) <= set(TYPES):
        raise Refusal.malformed("orders.unless_types", f"The building types are {', '.join(TYPES)}.")
    if not set(order.unless_currencies) <= set(CURRENCIES):
        raise Refusal.malformed("orders.unless_currencies", f"The currencies are {', '.join(CURRENCIES)}.")
    if len(order.unless_slots) > limits.ORDER_SLOTS:
        raise Refusal.limit("orders.unless_slots", limits.ORDER_SLOTS)
    if not all(0 < len(slot) <= TEXT_LIMIT and slot.isprintable() for slot in order.unless_slots):
        raise Refusal.malformed("orders.unless_slots", "A slot is named as in moves, market-denar for example.")


# -- Following orders ----------------------------------------------------------------------------------------------


def answer(game: Game, orders: Orders) -> Move | None:
    """The move with which a standing order answers the open decision; None if the seat must be asked."""
    decision = game.decision
    if decision is None or not orders[decision.seat]:
        return None
    for order in orders[decision.seat]:
        if order.decision == decision.kind and not _excepted(order, game, decision):
            for move in _WORDS[order.answer](game, decision):
                if not game.verify(move):
                    return move
    return None


def in_force(orders: Orders, events: Iterable[Event]) -> Orders:
    """The orders that are left after what happened."""
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
    """Whether the decision is about something that the seat wants to be asked for."""
    excepted = {*order.unless_types, *order.unless_currencies, *order.unless_slots}
    return bool(excepted) and not excepted.isdisjoint(about(game, decision))


def about(game: Game, decision: Decision) -> Iterator[str]:
    """Types, currencies and slots that a decision is about: what its public context names. In a window between turns
    everything on the market and every open card can be had, so it is about those."""
    names = _names(decision.context)
    if decision.kind == "window":
        market = zip(CURRENCIES, game.state.market, strict=True)
        yield from (f"market-{currency}" for currency, tile in market if tile)
        names = (*game.state.market, *game.state.display)
    for name in names:
        yield name
        if name in game.ruleset.tiles:
            yield from (part.type for part in game.ruleset.tiles[name].parts if part.type)
        elif name in game.ruleset.cards:
            yield game.ruleset.cards[name].currency


def _names(value: object) -> tuple[str, ...]:
    """Every text in a public context, however deep."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Mapping):
        return tuple(name for entry in value.values() for name in _names(entry))
    if isinstance(value, list | tuple):
        return tuple(name for entry in value for name in _names(entry))
    return ()


# -- The words of orders -------------------------------------------------------------------------------------------


def _pass(_game: Game, _decision: Decision) -> Iterator[Move]:
    yield Move(PASS)


def _keep(_game: Game, _decision: Decision) -> Iterator[Move]:
    yield Move("choose", choice="keep")


def _listed(verb: str) -> Callable[[Game, Decision], Iterator[Move]]:
    """One after the other as they are listed, the lowest ids first; then pass."""

    def moves(game: Game, decision: Decision) -> Iterator[Move]:
        offered = game.ruleset.verbs.get(verb)
        if offered is not None and offered in game.offered_verbs(decision):
            yield from offered.moves(game, decision)
        yield Move(PASS)

    return moves


def _amount(*, most: bool) -> Callable[[Game, Decision], Iterator[Move]]:
    def moves(game: Game, decision: Decision) -> Iterator[Move]:
        offered = game.ruleset.verbs.get("take_back")
        if offered is not None and offered in game.offered_verbs(decision):
            found = sorted(offered.moves(game, decision), key=lambda move: move.amount or 0, reverse=most)
            yield from found[:1]

    return moves


_WORDS: Mapping[str, Callable[[Game, Decision], Iterator[Move]]] = {
    PASS: _pass,
    "keep": _keep,
    "reveal_all": _listed("reveal_bonus"),
    "take_all": _listed("take_culture"),
    "place_all": _listed("put_chest"),
    "all": _amount(most=True),
    "none": _amount(most=False),
}
"""What each answer means, as moves to be tried in order."""
