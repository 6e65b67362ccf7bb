"""Which moves are legal, for the seat that is asked: offers first, then moves, in an order that is always the same.

Payments are the one thing of which there may be hundreds of thousands. A verb that pays (it has `brief`) is listed in
two levels: each offer with its price, and of each offer no payments, a few, or all of them lazily. Nothing here walks
further than it must.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import NamedTuple

from alhambra import Decision, Game, Move
from alhambra.base.offers import ANY_ONE, Offer, Verdict
from alhambra.base.payment import judge, payment_of
from alhambra.base.purchase import find_offer, offers_at
from alhambra.base.ways_to_pay import payments
from alhambra.module import Verb
from alhambra_api.v1 import moves_pb2

from . import limits
from .players import legal_moves
from .translate import legal_move_to, offer_to

NONE, BRIEF, ALL = moves_pb2.PAYMENTS_OFFERS, moves_pb2.PAYMENTS_BRIEF, moves_pb2.PAYMENTS_ALL


class Wanted(NamedTuple):
    """What a list is asked for: only moves with these nouns."""

    verb: str = ""
    slot: str = ""
    tile: str = ""
    piece: str = ""

    def fits(self, move: Move) -> bool:
        """Whether a move has all of them."""
        found = (move.verb, move.slot, move.tile, move.piece)
        return all(not wanted or wanted == has for wanted, has in zip(self, found, strict=True))


Listed = Callable[[], moves_pb2.LegalMove]
"""A legal move that is written down, and its payment added up, when somebody wants to see it."""


@dataclass
class Listing:
    """Offers, and moves of which the list may be long."""

    offers: list[moves_pb2.Offer] = field(default_factory=list)
    moves: Iterator[Listed] = field(default_factory=lambda: iter(()))
    total: int | None = 0
    """How many moves there are; None if nobody has counted."""

    def page(self, skip: int, size: int) -> list[moves_pb2.LegalMove]:
        """The moves after those that were skipped."""
        return [told() for told in islice(self.moves, skip, skip + size)]


def listing(game: Game, wanted: Wanted, mode: int) -> Listing:
    """The legal moves of the seat that is asked."""
    decision = game.decision
    if decision is None:
        return Listing()
    verbs = [verb for verb in game.offered_verbs(decision) if wanted.verb in ("", verb.name)]
    lots = {verb.name: _lots(game, decision, verb, wanted) for verb in verbs if verb.brief is not None}
    offers = [_offer(game, lot, mode) for found in lots.values() for lot in found]
    moves = _moves(game, verbs, lots, wanted, mode)
    if mode == ALL:
        return Listing(offers, moves, None)
    listed = list(moves)
    return Listing(offers, iter(listed), len(listed))


def verdict(game: Game, move: Move) -> Verdict | None:
    """What the payment of a move of the asked seat comes to; None if it pays nothing, or nobody can tell."""
    decision = game.decision
    verb = game.ruleset.verbs.get(move.verb)
    if decision is None or verb is None or verb.brief is None or verb not in game.offered_verbs(decision):
        return None
    if verb.name == "buy":
        offer = find_offer(game, decision, move)
        return None if offer is None else judge(game, decision.seat, offer, payment_of(move))
    return None if game.verify(move) else _priced(game, verb, move, _price(game, decision, verb, _bare(move)))


# -- Offers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Lot:
    """Something to be paid for: the offer, and every legal way to pay it, briefly or completely."""

    verb: str
    offer: Offer
    moves: Callable[[bool], Iterator[Move]]
    verdict: Callable[[Move], Verdict]


def _lots(game: Game, decision: Decision, verb: Verb, wanted: Wanted) -> list[_Lot]:
    if verb.name == "buy":
        fitting = (offer for offer in offers_at(game, decision) if wanted.fits(_purchase(offer)))
        return [_purchase_lot(game, decision, verb, offer) for offer in fitting]
    bare = dict.fromkeys(_bare(move) for move in islice(legal_moves(game, verb), limits.MOVES_LISTED))
    return [_other_lot(game, decision, verb, move) for move in bare if wanted.fits(move)]


def _purchase(offer: Offer) -> Move:
    """The move without its payment."""
    tile = offer.tile if offer.named and offer.tile else None
    return Move("buy", tile, offer.piece or None, slot=offer.slot, choice=offer.choice or None)


def _purchase_lot(game: Game, decision: Decision, verb: Verb, offer: Offer) -> _Lot:
    bare, seat = _purchase(offer), decision.seat
    vetoes = game.ruleset.vetoes.get(verb.name, ())

    def moves(complete: bool) -> Iterator[Move]:
        for payment in payments(game, seat, offer, brief=not complete):
            move = bare._replace(**payment._asdict())
            if not any(True for veto in vetoes for _ in veto(game, decision, move)):
                yield move

    return _Lot(verb.name, offer, moves, lambda move: judge(game, seat, offer, payment_of(move)))


def _other_lot(game: Game, decision: Decision, verb: Verb, bare: Move) -> _Lot:
    price = _price(game, decision, verb, bare)
    offer = Offer(bare.slot or "", price, ANY_ONE, tile=bare.tile or "", piece=bare.piece or "", named=True)

    def moves(complete: bool) -> Iterator[Move]:
        return (move for move in legal_moves(game, verb, complete=complete) if _bare(move) == bare)

    return _Lot(verb.name, offer, moves, lambda move: _priced(game, verb, move, price))


def _bare(move: Move) -> Move:
    return move._replace(cards=(), display=(), items=())


def _price(game: Game, decision: Decision, verb: Verb, bare: Move) -> int:
    """What is to be paid at least: what the rules say is missing if nothing is paid."""
    for violation in verb.verify(game, decision, bare):
        for name in ("due", "minimum"):
            if name in violation.metadata:
                return int(violation.metadata[name])
    return 0


def _priced(game: Game, verb: Verb, move: Move, price: int) -> Verdict:
    """What a legal payment comes to. Cards are worth what they show; anything else is worth what the rules say when it
    is paid, on a copy of the game of which nothing else is looked at."""
    if not move.display and not move.items:
        paid = sum(game.ruleset.cards[card].value for card in move.cards)
        return Verdict([], price, paid, paid == price)
    for event in game.clone().apply(move):
        if event.kind == "paid":
            return Verdict([], event.public["due"], event.public["paid"], event.public["exact"])
        if "sum" in event.public:
            return Verdict([], price, event.public["sum"], event.public["sum"] == price)
    return Verdict([], price, price, True)


def _offer(game: Game, lot: _Lot, mode: int) -> moves_pb2.Offer:
    affordable = next(lot.moves(False), None) is not None
    if mode == ALL:
        more = False
    elif mode == NONE:
        more = affordable
    else:
        shown = sum(1 for _ in islice(lot.moves(False), limits.PAYMENTS_SHOWN))
        more = sum(1 for _ in islice(lot.moves(True), shown + 1)) > shown
    return offer_to(lot.offer, verb=lot.verb, affordable=affordable, more_payments=more)


# -- Moves -----------------------------------------------------------------------------------------------------------


def _moves(game: Game, verbs: list[Verb], lots: dict[str, list[_Lot]], wanted: Wanted, mode: int) -> Iterator[Listed]:
    for verb in verbs:
        if verb.brief is not None:
            for lot in lots[verb.name] if mode != NONE else ():
                found = lot.moves(mode == ALL)
                for move in found if mode == ALL else islice(found, limits.PAYMENTS_SHOWN):
                    yield partial(_paid, lot, move)
        elif verb.nouns == "amount":
            yield from _range(game, verb, wanted)
        else:
            for move in islice(legal_moves(game, verb), limits.MOVES_LISTED):
                if wanted.fits(move):
                    yield partial(legal_move_to, move)


def _paid(lot: _Lot, move: Move) -> moves_pb2.LegalMove:
    return legal_move_to(move, lot.verdict(move))


def _range(game: Game, verb: Verb, wanted: Wanted) -> Iterator[Listed]:
    """A verb that names nothing but an amount: all its moves as one, from the lowest to the highest."""
    amounts = [move.amount for move in legal_moves(game, verb) if move.amount is not None]
    if amounts and wanted.fits(Move(verb.name)):
        yield partial(legal_move_to, Move(verb.name), None, (min(amounts), max(amounts)))
