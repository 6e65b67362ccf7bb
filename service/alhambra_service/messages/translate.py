"""Translates between the rules and the contract: moves, violations, options, lists of moves. Pure functions.

A move that cannot be read is refused with every fault of form at once. Events are translated in `events.py`, views in
`views.py`, nouns in `nouns.py`.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from alhambra import BadOptions, IllegalMove, Move, Options, Violation, rules_for
from alhambra.moves import NOUNS, malformed, shown
from alhambra.options import CHOICES, TURN_LIMIT, preset_modules
from alhambra.payments import MIXED, Offer, Verdict
from alhambra.texts import explain
from alhambra_api.v1 import games_pb2, moves_pb2, nouns_pb2, reasons_pb2
from alhambra_api.values import from_value, set_value, to_value

from .. import limits
from .encoded_views import view_to
from .events import put_noun
from .nouns import nouns_in, number_of
from .views import timestamp

if TYPE_CHECKING:
    pass

__all__ = [
    "legal_move_to",
    "move_from",
    "move_to",
    "offer_to",
    "options_from",
    "timestamp",
    "value_from",
    "value_to",
    "verdict_to",
    "view_to",
    "violations_to",
]

UNREAD = "unread"
"""Used in place of a verb that cannot be read, so that the nouns can still be checked."""

value_to = to_value
value_from = from_value


# -- Moves -----------------------------------------------------------------------------------------------------------


def move_from(message: nouns_pb2.Move) -> Move:
    """Return the move of a message, with its multisets sorted. Raises IllegalMove with every fault of form."""
    nouns = nouns_in(message)
    data = {"verb": message.verb, **nouns} if message.verb else nouns
    faults: list[Violation] = []
    try:
        move = Move.read(data)
    except IllegalMove as refusal:
        faults.extend(refusal.violations)
        unread = {fault.noun for fault in faults}
        move = Move.read({"verb": UNREAD, **{noun: value for noun, value in data.items() if noun not in unread}})
    faults.extend(malformed(move))
    if faults:
        raise IllegalMove(faults)
    return move


def move_to(move: Move) -> nouns_pb2.Move:
    """Return a move as a message."""
    message = nouns_pb2.Move(verb=move.verb)
    for noun, value in zip(NOUNS, move[1:], strict=True):
        if value is not None and value != () and not put_noun(message, noun, value):
            raise ValueError(f"the noun {noun} cannot hold {value!r}")
    return message


# -- Violations ------------------------------------------------------------------------------------------------------


def violations_to(
    violations: Iterable[Violation], language: str = "en", names: Sequence[str] = ()
) -> list[reasons_pb2.Violation]:
    """Return violations with their facts and a sentence each, equal ones once. `names` are those of the players."""
    found = {violation_key(violation): violation for violation in violations}
    return [_violation_to(violation, language, same, names) for same, violation in found.items()]


def _violation_to(
    violation: Violation, language: str, same: ViolationKey, names: Sequence[str]
) -> reasons_pb2.Violation:
    """Return the message of a violation. Messages are cached, because the same violations recur and to write the
    sentence costs more than to find the violation."""
    key = (language, violation.module, *same, *names)
    message = _TOLD.get(key)
    if message is None:
        message = reasons_pb2.Violation(
            code=violation.code, noun=violation.noun or "", text=explain(violation, language, names)
        )
        for name, fact in violation.metadata.items():
            set_value(message.metadata[name], fact)
        if len(_TOLD) >= limits.VIOLATIONS_KEPT:
            _TOLD.clear()
        _TOLD[key] = message
    return message


ViolationKey: TypeAlias = tuple[str, str | None, bytes]


def violation_key(violation: Violation) -> ViolationKey:
    """Return a key that is the same for two violations exactly if they are equal. Facts are compared as bytes, which is
    the fastest way to compare lists and words."""
    facts: Any = violation.metadata
    return violation.code, violation.noun, marshal.dumps(facts, WITHOUT_REFERENCES)


WITHOUT_REFERENCES = 2
"""The version of `marshal` that writes equal facts as equal bytes; later versions depend on reference counts."""
_TOLD: dict[tuple[object, ...], reasons_pb2.Violation] = {}


# -- Creating a game -------------------------------------------------------------------------------------------------


def options_from(request: games_pb2.CreateGameRequest, seed: str) -> Options:
    """Return the options of a request, with this seed. Raises BadOptions, also if the modules cannot be combined."""
    rules: dict[str, Any] = {}
    for option in sorted(request.options):
        if option not in CHOICES:
            message = f"unknown option {shown(option)!r}"
            raise BadOptions("OPTION_INVALID", message, option=shown(option), known=list(CHOICES))
        rules[option] = from_value(request.options[option])
    seats = [
        {"name": seat.name, "colour": seat.colour, "age": seat.age if seat.HasField("age") else None}
        for seat in request.seats
    ]
    if request.edition:
        rules["edition"] = request.edition
    modules = list(request.modules)
    if request.preset:
        modules += [key for key in preset_modules(request.preset) if key not in modules]
    options = Options(
        seats,
        seed,
        modules=modules,
        variants=list(request.variants),
        turn_limit=request.turn_limit or TURN_LIMIT,
        **rules,
    )
    rules_for(options)
    return options


# -- Lists of moves --------------------------------------------------------------------------------------------------


def legal_move_to(
    move: Move, verdict: Verdict | None = None, amounts: tuple[int, int] | None = None
) -> moves_pb2.LegalMove:
    """Return a legal move. `verdict` adds what its payment is worth; `amounts` adds the lowest and the highest amount
    that are legal, of which the move has the lowest."""
    message = moves_pb2.LegalMove(move=move_to(move))
    if verdict is not None:
        message.price, message.paid, message.exact = verdict.due, verdict.paid, verdict.exact
        message.overpaid = overpaid(verdict)
    if amounts is not None:
        message.amount_min, message.amount_max = amounts
    return message


def overpaid(verdict: Verdict) -> int:
    """Return how much more a payment is worth than the price."""
    return 0 if verdict.exact else max(0, verdict.paid - verdict.due)


def verdict_to(
    violations: Iterable[Violation],
    payment: Verdict | None = None,
    language: str = "en",
    names: Sequence[str] = (),
) -> moves_pb2.Verdict:
    """Return the verdict on a move that is not made: whether it is legal and what it pays, never what would happen."""
    found = violations_to(violations, language, names)
    message = moves_pb2.Verdict(legal=not found, violations=found)
    if payment is not None:
        message.price, message.paid, message.exact = payment.due, payment.paid, payment.exact
    return message


def offer_to(offer: Offer, move: Move, *, affordable: bool, more_payments: bool = False) -> moves_pb2.Offer:
    """Return an offer: the move that takes it, without a payment, and its price."""
    return moves_pb2.Offer(
        move=move_to(move),
        price=offer.price,
        currency=number_of("currency", offer.currency),
        mixed=offer.currency == MIXED,
        exact_only=offer.exact,
        affordable=affordable,
        more_payments=more_payments,
        thing=offer.tile or offer.piece,
    )
