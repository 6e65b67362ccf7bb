"""24 The exchange certificates.

Everybody has a certificate with the amounts 1 to 6, and a pool holds stones of each currency. Whoever overpays a
purchase by 1 to 6 may take any stone of the pool and put it on exactly that amount, if their own certificate is empty:
the amount is saved in the currency of the stone. It is spent as a whole, like one money card of that currency and
value, for any purchase but for no bid; the stone returns to the pool before anything is saved anew. The saved amount
does not count when leftover tiles are given out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.payment.offers import Offer, Purchase, Tender
from ..components import CURRENCIES, module_data
from ..declarations import PASS, PieceKind, outline_of
from ..game import Game
from ..module import DecisionKind, Module, Stage, Step, Verb, freely, those_that_verify
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation

_DATA = module_data("exchange_certificates")
STONES: dict[str, int] = _DATA["tokens_in_play_per_currency"]
MOST_SAVED: int = _DATA["max_stored"]
CERTIFICATE = "certificate"


@dataclass(slots=True)
class Certificates:
    """The currencies of the stones in the pool, and by seat the currency and the amount that it has saved: an empty
    text and 0 if it has saved nothing."""

    pool: tuple[str, ...] = ()
    saved: tuple[tuple[str, int], ...] = ()


def lay_out(game: Game) -> None:
    """The pool has as many stones of each currency as the number of players says; all certificates are empty."""
    certificates, seats = game.module_state(Certificates), len(game.state.seats)
    certificates.pool = tuple(currency for currency in CURRENCIES for _ in range(STONES[str(seats)]))
    certificates.saved = (("", 0),) * seats


def _write(game: Game, seat: int, currency: str, amount: int) -> None:
    certificates = game.module_state(Certificates)
    certificates.saved = (*certificates.saved[:seat], (currency, amount), *certificates.saved[seat + 1 :])


# -- Spending --------------------------------------------------------------------------------------------------------


def tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield the saved amount, for purchases. An auction or a standing bid is none."""
    currency, amount = game.module_state(Certificates).saved[seat]
    if amount and offer.purpose != "bid" and not offer.deposited:
        yield Tender("items", CERTIFICATE, 1, currency, amount)


def spend(game: Game, seat: int, _item: str, stage: str, _payee: int | None) -> None:
    """The stone returns to the pool; a seat that is paid does not get it."""
    if stage == "spent":
        return_stone(game, seat)


def return_stone(game: Game, seat: int) -> None:
    """The certificate of a seat is empty: its amount was spent, or its owner leaves the table."""
    certificates = game.module_state(Certificates)
    currency, _ = certificates.saved[seat]
    if currency:
        certificates.pool = tuple(sorted((*certificates.pool, currency), key=CURRENCIES.index))
        _write(game, seat, "", 0)
        game.emit("stone_returned", seat=seat, currency=currency)


# -- Saving ----------------------------------------------------------------------------------------------------------


def ask_to_save(game: Game, purchase: Purchase) -> None:
    """Ask the buyer who overpaid by no more than a certificate can hold, if theirs is empty and the pool is not."""
    certificates = game.module_state(Certificates)
    fits = "certificate" in purchase.effects and 0 < purchase.over <= MOST_SAVED
    if fits and certificates.pool and not certificates.saved[purchase.seat][0]:
        game.ask("save_certificate", purchase.seat, amount=purchase.over)


def verify_save(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """A stone of that currency must be in the pool."""
    if move.currency not in game.module_state(Certificates).pool:
        yield Violation("NOT_THERE", "currency", id=move.currency, place="supply")


def save(game: Game, decision: Decision, move: Move) -> None:
    """A stone of the pool marks what was overpaid."""
    currency = need(move.currency)
    certificates, amount = game.module_state(Certificates), decision.context["amount"]
    place = certificates.pool.index(currency)
    certificates.pool = certificates.pool[:place] + certificates.pool[place + 1 :]
    _write(game, decision.seat, currency, amount)
    game.emit("saved", seat=decision.seat, currency=currency, amount=amount)


def savings(_game: Game, _decision: Decision) -> Iterator[Move]:
    """Yield a move for each currency, whether or not a stone of it is there."""
    for currency in CURRENCIES:
        yield Move("save", currency=currency)


# -- What can be seen ------------------------------------------------------------------------------------------------


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the stones in the pool, and the certificates on which something is saved."""
    certificates = game.module_state(Certificates)
    for currency in dict.fromkeys(certificates.pool):
        yield {"kind": "stone", "currency": currency, "amount": certificates.pool.count(currency)}
    for seat, (currency, amount) in enumerate(certificates.saved):
        if currency:
            yield {"kind": CERTIFICATE, "seat": seat, "currency": currency, "sum": amount}


def census(game: Game) -> Iterator[str]:
    """Yield the stones, in the pool and on certificates."""
    certificates = game.module_state(Certificates)
    for currency in (*certificates.pool, *(currency for currency, _ in certificates.saved if currency)):
        yield f"stone-{currency}"


MODULE = Module(
    number=24,
    key="exchange_certificates",
    events={
        "saved": "A seat saved what it had overpaid, in a currency of its choice.",
        "stone_returned": "The stone of a seat went back into the pool.",
    },
    piece_kinds=(
        PieceKind("stone", "Stones of one currency in the pool; `amount` counts them.", outline_of("stone")),
        PieceKind(
            CERTIFICATE,
            "A certificate with what its owner has saved: `sum` of a currency.",
            outline_of(CERTIFICATE),
        ),
    ),
    effects={"certificate": "Overpaying can be saved on a certificate."},
    state=Certificates,
    tenders=tenders,
    usable=(CERTIFICATE,),
    items={CERTIFICATE: spend},
    verbs=(
        Verb(
            "save",
            "currency",
            verify_save,
            save,
            those_that_verify(verify_save, savings),
            at=("save_certificate",),
        ),
    ),
    decisions=(DecisionKind("save_certificate", passing=freely, orders=(PASS,)),),
    stages=(Stage("purchase.certificate", after="purchase.coins"),),
    steps=(Step("setup.deal", lay_out), Step("purchase.certificate", ask_to_save)),
    reactions={"resigned": return_stone},
    public_pieces=public_pieces,
    census=census,
)
