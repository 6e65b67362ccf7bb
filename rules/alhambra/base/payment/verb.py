"""Verbs that pay: a module says what is for sale and what a purchase does, `paying_verb` builds the verb.

    paying_verb(
        "buy_chests",
        "slot [cards items]",
        offers=rooms_for_sale,     # (game, decision): every offer, whether or not the seat has the money
        paid=take_chests,          # (game, decision, offer, payment): call `pay` or `set_payment_aside` here
        unoffered=why_no_room,     # (game, decision, move): why a move matches no offer
        at=("action",),
        action=True,
    )

The nouns say how a move names its offer: slot, tile, piece and choice belong to the offer, the rest to the payment. The
verb lists, samples and judges its payments like any other, and the service lists its offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ...module import Paying, RandBelow, Verb
from ...moves import Move, noun_form, paying_move
from ...state import Decision
from ...violations import Violation
from .listing import OfferPayments, SharedLists, listed_for_each, payments
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
    """Return a verb that pays for offers. `reworded` rephrases why a payment is refused; `move` builds the move for an
    offer and payment, if there is a faster way than from the nouns."""
    written = move or _writer(name, nouns)
    named = _namer(nouns)

    def find(game: Game, decision: Decision, answer: Move) -> Offer | None:
        wanted = (answer.slot, answer.tile, answer.piece, answer.choice)
        for offer in offers(game, decision):
            if named(offer) == wanted:
                return offer
        return None

    def verify(game: Game, decision: Decision, answer: Move) -> Iterable[Violation]:
        """Yield violations: the move must match an offer, and the payment must be legal."""
        offer = find(game, decision, answer)
        if offer is None:
            return unoffered(game, decision, answer)
        faults = judge(game, decision.seat, offer, payment_of(answer)).violations
        return faults if reworded is None else [reworded(offer, fault) for fault in faults]

    def apply(game: Game, decision: Decision, answer: Move) -> None:
        """Pay and run the consequences."""
        offer = find(game, decision, answer)
        assert offer is not None
        paid(game, decision, offer, payment_of(answer))

    def every(game: Game, decision: Decision) -> Iterator[Move]:
        """Yield every offer with every payment."""
        for offer in offers(game, decision):
            for payment in payments(game, decision.seat, offer):
                yield written(offer, payment)

    def brief(game: Game, decision: Decision) -> Iterator[Move]:
        """Yield every offer with some undominated payments; each helper is in one of them."""
        shown: set[str] = set()
        shared = SharedLists()
        listed = list(offers(game, decision))
        most = listed_for_each(len(listed))
        for offer in listed:
            for payment in OfferPayments(game, decision.seat, offer, shared).listed(shown, most):
                yield written(offer, payment)

    def sample(game: Game, decision: Decision, randbelow: RandBelow) -> Move | None:
        """Return a random offer with a random payment; None if there is none."""
        left = list(offers(game, decision))
        while left:
            offer = left.pop(randbelow(len(left)))
            payment = sample_payment(game, decision.seat, offer, randbelow)
            if payment is not None:
                return written(offer, payment)
        return None

    def on_offer(game: Game, decision: Decision) -> bool:
        """Return whether there is an offer, regardless of money."""
        return next(iter(offers(game, decision)), None) is not None

    return Verb(
        name,
        nouns,
        verify,
        apply,
        every,
        at=at,
        action=action,
        possible=on_offer,
        sample=sample,
        brief=brief,
        pays=Paying(offers, written),
    )


def _namer(nouns: str) -> Callable[[Offer], Names]:
    """Return a function: slot, tile, piece and choice of an offer as moves with these nouns name them. An optional tile
    is named only if the slot has several offers."""
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
    """Return a function that builds the move with these nouns for an offer and a payment."""
    named = _namer(nouns)

    def written(offer: Offer, payment: Payment) -> Move:
        slot, tile, piece, choice = named(offer)
        return paying_move(name, tile, piece, slot, payment, choice)

    return written
