"""Verbs that pay: a module says what can be paid for and what happens then, `paying_verb` makes the verb of it.

    paying_verb(
        *("buy_chests", "slot [cards items]"),
        offers=rooms_for_sale,     # (game, decision): every offer, whether or not the seat has the money
        paid=take_chests,          # (game, decision, offer, payment): a legal payment; call `pay` or `lay_down` here
        unoffered=why_no_room,     # (game, decision, move): the reasons to refuse a move that means none of the offers
        at=("action",),
        action=True,
    )

The nouns say how a move names its offer: slot, tile, piece and choice are those of the offer, the rest is the payment.
The verb lists its payments, draws one and judges one like every other payment, and the service lists its offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ...fast_tuple import new_tuple
from ...module import Paying, RandBelow, Verb
from ...moves import Move, noun_form
from ...state import Decision
from ...violations import Violation
from .listing import listed_for_each, listed_payments, payments
from .offers import Offer, Payment
from .rules import judge, payment_of
from .sampling import sample_payment

if TYPE_CHECKING:
    from ...game import Game

Offers = Callable[["Game", Decision], Iterable[Offer]]
Names = tuple[str | None, str | None, str | None, str | None]


def paying_verb(
    name: str,
    nouns: str,
    *,
    offers: Offers,
    paid: Callable[[Game, Decision, Offer, Payment], None],
    unoffered: Callable[[Game, Decision, Move], Iterable[Violation]],
    reworded: Callable[[Offer, Violation], Violation] | None = None,
    move: Callable[[Offer, Payment], Move] | None = None,
    at: tuple[str, ...] = (),
    action: bool = False,
) -> Verb:
    """A verb with which offers are paid. `reworded` says in other words why a payment is refused; `move` writes a move
    for an offer and its payment, if there is a quicker way than reading the nouns."""
    written = move or _writer(name, nouns)
    named = _namer(nouns)

    def find(game: Game, decision: Decision, answer: Move) -> Offer | None:
        wanted = (answer.slot, answer.tile, answer.piece, answer.choice)
        for offer in offers(game, decision):
            if named(offer) == wanted:
                return offer
        return None

    def verify(game: Game, decision: Decision, answer: Move) -> Iterable[Violation]:
        """What the move means must be on offer, and the payment must be good."""
        offer = find(game, decision, answer)
        if offer is None:
            return unoffered(game, decision, answer)
        faults = judge(game, decision.seat, offer, payment_of(answer)).violations
        return faults if reworded is None else [reworded(offer, fault) for fault in faults]

    def apply(game: Game, decision: Decision, answer: Move) -> None:
        """Pays, with all that follows."""
        offer = find(game, decision, answer)
        assert offer is not None
        paid(game, decision, offer, payment_of(answer))

    def every(game: Game, decision: Decision) -> Iterator[Move]:
        """Every offer with every payment."""
        for offer in offers(game, decision):
            for payment in payments(game, decision.seat, offer):
                yield written(offer, payment)

    def brief(game: Game, decision: Decision) -> Iterator[Move]:
        """Every offer with some payments from which nothing can be left out, each helper in one of them."""
        shown: set[str] = set()
        listed = list(offers(game, decision))
        most = listed_for_each(len(listed))
        for offer in listed:
            for payment in listed_payments(game, decision.seat, offer, shown, most):
                yield written(offer, payment)

    def sample(game: Game, decision: Decision, randbelow: RandBelow) -> Move | None:
        """A random offer, paid at random."""
        left = list(offers(game, decision))
        while left:
            offer = left.pop(randbelow(len(left)))
            payment = sample_payment(game, decision.seat, offer, randbelow)
            if payment is not None:
                return written(offer, payment)
        return None

    def on_offer(game: Game, decision: Decision) -> bool:
        """Whether there is anything to pay for, whatever money the seat has."""
        return any(True for _ in offers(game, decision))

    return Verb(
        *(name, nouns, verify, apply, every),
        at=at,
        action=action,
        possible=on_offer,
        sample=sample,
        brief=brief,
        pays=Paying(offers, written),
    )


def _namer(nouns: str) -> Callable[[Offer], Names]:
    """How a move with these nouns spells slot, tile, piece and choice of an offer. A tile that the nouns do not require
    is spelled only if the offer must be told from others of its slot."""
    required, allowed = noun_form(nouns)
    slot, tile, piece, choice = (noun in allowed for noun in ("slot", "tile", "piece", "choice"))
    always = "tile" in required

    def named(offer: Offer) -> Names:
        return (
            offer.slot if slot else None,
            (offer.tile or None) if tile and (always or offer.named) else None,
            (offer.piece or None) if piece else None,
            (offer.choice or None) if choice else None,
        )

    return named


def _writer(name: str, nouns: str) -> Callable[[Offer, Payment], Move]:
    """How a move with these nouns is written for an offer and its payment."""
    named = _namer(nouns)

    def written(offer: Offer, payment: Payment) -> Move:
        slot, tile, piece, choice = named(offer)
        return new_tuple(Move, (name, tile, piece, None, None, None, slot, *payment, None, None, None, None, choice))

    return written
