"""An auction: something is turned up, and whoever bids most for it gets it.

The player whose turn comes next is the auctioneer and bids first. Clockwise everybody raises or is out for good. A bid
is an amount that its owner can pay in one currency. The highest bidder pays at least that much, which never grants an
action but may give change, and gets the piece. Only one piece is under the hammer at a time.

A module says what is auctioned, and which of its steps see to what becomes of it:

    begin_auction(game, piece, won=gain_piece, unsold=box_piece)     # in a step or route
    agenda={"gain_piece": gain_piece, "box_piece": box_piece}        # in the definition: (seat, piece) and (piece)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..codec import storable
from ..declarations import PASS
from ..module import Agenda, DecisionKind, Verb, freely
from ..moves import Move
from ..state import Decision
from ..violations import RulesDefect, Violation
from .payment.offers import ANY_ONE, Offer, Payment, Purchase
from .payment.rules import pay, tenders
from .payment.sampling import affordable, most_payable
from .payment.verb import paying_verb
from .turn_order import seats_after, seats_from, soonest

if TYPE_CHECKING:
    from ..game import Game


@storable
class Auction(NamedTuple):
    """The piece under the hammer, the names of the steps that follow, and how the bidding stands."""

    piece: str
    won: str
    unsold: str
    bids: tuple[tuple[int, int], ...] = ()
    """Seats and amounts, the highest last."""
    out: tuple[int, ...] = ()
    paid: bool = False

    @property
    def leader(self) -> int | None:
        """The highest bidder."""
        return self.bids[-1][0] if self.bids else None

    @property
    def amount(self) -> int:
        """The highest bid."""
        return self.bids[-1][1] if self.bids else 0


def _running(game: Game) -> Auction:
    auction = game.state.auction
    assert auction is not None, "no auction is running"
    return auction


def _lot(game: Game, price: int = 0) -> Offer:
    """The piece at that price, payable in one currency; overpaying may give change, exactness nothing."""
    return Offer("auction", price, ANY_ONE, ("coins",), piece=_running(game).piece, purpose="bid")


# -- Going round ---------------------------------------------------------------------------------------------------


def begin_auction(
    game: Game, piece: str, *, won: Callable[[Game, int, str], None], unsold: Callable[[Game, str], None]
) -> None:
    """The player due next is the auctioneer and bids first. Both steps must stand in a definition's `agenda`."""
    if game.state.auction is not None:
        raise RulesDefect(f"a rule begins an auction of {piece!r} while another one is running")
    names = game.ruleset.step_names
    game.state.auction = Auction(piece, names[won], names[unsold])
    auctioneer = soonest(game)[0]
    game.emit("auction_began", piece=piece, auctioneer=auctioneer)
    game.push(ask_bidder, auctioneer)


def _has_nothing(game: Game, seat: int) -> bool:
    """Neither cards nor any other money: everybody can see that."""
    return not game.state.seats[seat].hand and not tenders(game, seat, _lot(game))


def _is_out(game: Game, seat: int) -> None:
    auction = _running(game)
    game.state.auction = auction._replace(out=(*auction.out, seat))


def ask_bidder(game: Game, seat: int) -> None:
    """Asks the next player from this seat on who is still in; if nobody is left to raise, the bidding is over."""
    auction = _running(game)
    for bidder in seats_from(game, seat):
        if bidder in auction.out or bidder == auction.leader:
            continue
        if _has_nothing(game, bidder):
            _is_out(game, bidder)
            game.emit("passed", seat=bidder, decision="auction", forced=True)
            continue
        game.push(after_bid, bidder)
        game.ask("auction", bidder, piece=auction.piece, minimum=auction.amount + 1)
        return
    game.push(close_auction)
    if auction.leader is not None:
        facts = {"piece": auction.piece, "amount": auction.amount}
        game.emit("auction_won", seat=auction.leader, **facts)
        game.ask("pay_bid", auction.leader, **facts)


def after_bid(game: Game, seat: int) -> None:
    """Whoever did not raise is out."""
    if _running(game).leader != seat:
        _is_out(game, seat)
    ask_bidder(game, seats_after(game, seat)[0])


def close_auction(game: Game) -> None:
    """The piece goes to whoever paid for it. If nobody bid, or the bid was not paid, its module sees to it."""
    auction = _running(game)
    game.state.auction = None
    if auction.paid:
        game.push(game.ruleset.steps[auction.won], auction.leader, auction.piece)
    else:
        game.emit("auction_void", piece=auction.piece)
        game.push(game.ruleset.steps[auction.unsold], auction.piece)


def leave_auction(game: Game, seat: int) -> None:
    """The bids of a player who leaves do not count, and the others go on bidding; a winner who leaves gets nothing."""
    state, decision = game.state, game.state.decision
    if decision is None or state.auction is None:
        return
    if decision.kind == "auction":
        state.auction = state.auction._replace(bids=tuple(made for made in state.auction.bids if made[0] != seat))
        state.decision = None
        state.agenda.pop()  # what would have followed the answer to this question
        game.push(ask_bidder, decision.seat)
    elif state.auction.leader == seat:
        state.auction = state.auction._replace(paid=False)


# -- Bidding -------------------------------------------------------------------------------------------------------


def verify_bid(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """More than the highest bid, and payable in one currency."""
    assert move.amount is not None
    minimum = _running(game).amount + 1
    if move.amount < minimum:
        yield Violation("BID_TOO_LOW", "amount", minimum=minimum)
    if move.amount > most_payable(game, decision.seat, _lot(game)):
        yield Violation("BID_NOT_COVERED", "amount", amount=move.amount)


def bid(game: Game, decision: Decision, move: Move) -> None:
    """The highest bid so far."""
    assert move.amount is not None
    auction = _running(game)
    game.state.auction = auction._replace(bids=(*auction.bids, (decision.seat, move.amount)))
    game.emit("bid_made", seat=decision.seat, piece=auction.piece, amount=move.amount)


def bids(game: Game, decision: Decision) -> Iterator[Move]:
    """Every amount from the lowest to the highest that can be paid."""
    for amount in range(_running(game).amount + 1, most_payable(game, decision.seat, _lot(game)) + 1):
        yield Move("bid", amount=amount)


# -- Paying --------------------------------------------------------------------------------------------------------


def _due(game: Game) -> Offer:
    return _lot(game, _running(game).amount)


def due_now(game: Game, _decision: Decision) -> tuple[Offer]:
    """The piece, for the amount that was bid."""
    return (_due(game),)


def pay_bid(game: Game, decision: Decision, offer: Offer, payment: Payment) -> None:
    """The winner pays; what overpaying gives comes before the piece."""
    verdict = pay(game, decision.seat, offer, payment)
    game.state.auction = _running(game)._replace(paid=True)
    purchase = Purchase.of(decision.seat, offer, verdict, decision.kind, payment)
    game.enter("purchase", purchase)


def always_offered(_game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """Nothing else can be paid for."""
    yield from ()


def cannot_pay(game: Game, decision: Decision) -> Iterator[Violation]:
    """A bid must be paid. It always can be, except where a bot imagines other cards in the bidder's hand."""
    if affordable(game, decision.seat, _due(game)):
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)


# -- Looking -------------------------------------------------------------------------------------------------------


def auction_view(game: Game, viewer: int | None) -> dict[str, Any] | None:
    """Bids are public; what one could bid at most only the seat itself knows."""
    auction = game.state.auction
    if auction is None:
        return None
    found: dict[str, Any] = {
        "piece": auction.piece,
        "bids": [list(made) for made in auction.bids],
        "out": list(auction.out),
    }
    if viewer is not None:
        found["most_payable"] = most_payable(game, viewer, _lot(game))
    return found


def census(game: Game) -> Iterator[str]:
    """The piece under the hammer."""
    if game.state.auction is not None:
        yield game.state.auction.piece


VERBS = (
    Verb("bid", "amount", verify_bid, bid, bids, at=("auction",)),
    paying_verb("pay", "[cards items]", offers=due_now, paid=pay_bid, unoffered=always_offered, at=("pay_bid",)),
)
DECISIONS = (
    DecisionKind("auction", passing=freely, orders=(PASS,), concerns_others=True),
    DecisionKind("pay_bid", passing=cannot_pay, concerns_others=True),
)
AGENDA: Agenda = {"ask_bidder": ask_bidder, "after_bid": after_bid, "close_auction": close_auction}
