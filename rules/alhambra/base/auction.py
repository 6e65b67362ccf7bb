"""Auctions: a piece is turned up, and the highest bidder gets it.

The player whose turn comes next is the auctioneer and bids first. Clockwise, each player raises or drops out for good.
A bid is an amount that the bidder can pay in one currency. The winner pays at least the bid, which never grants an
action but may give change, and gets the piece. There is only one auction at a time.

A module names the piece, and the steps for its outcome:

    begin_auction(game, piece, won=gain_piece, unsold=box_piece)     # in a step or route
    agenda={"gain_piece": gain_piece, "box_piece": box_piece}        # in the definition: (seat, piece) and (piece)
    answers={"auction": ("bid",)}                                    # so that tables offer standing orders for it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..codec import storable
from ..declarations import PASS
from ..module import Agenda, DecisionKind, Verb, freely
from ..moves import Move, need
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
    """A running auction: the piece, the names of the steps that follow, and the bids."""

    piece: str
    won: str
    unsold: str
    bids: tuple[tuple[int, int], ...] = ()
    """(seat, amount) pairs, highest last."""
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


def _auction_offer(game: Game, price: int = 0) -> Offer:
    """Return the offer of the piece at this price in one currency. Overpaying may give change; an exact payment gives
    nothing."""
    return Offer("auction", price, ANY_ONE, ("coins",), piece=_running(game).piece, purpose="bid")


# -- Going round ---------------------------------------------------------------------------------------------------


def begin_auction(
    game: Game, piece: str, *, won: Callable[[Game, int, str], None], unsold: Callable[[Game, str], None]
) -> None:
    """Start an auction. The player whose turn comes next bids first. Both steps must be in the `agenda` of a
    definition."""
    if game.state.auction is not None:
        raise RulesDefect(f"a rule starts an auction of {piece!r} while another one is running")
    names = game.ruleset.step_names
    game.state.auction = Auction(piece, names[won], names[unsold])
    auctioneer = soonest(game)[0]
    game.emit("auction_began", piece=piece, auctioneer=auctioneer)
    game.push(ask_bidder, auctioneer)


def _has_nothing(game: Game, seat: int) -> bool:
    """Return whether a seat visibly has no money: neither cards nor other tenders."""
    return not game.state.seats[seat].hand and not tenders(game, seat, _auction_offer(game))


def _is_out(game: Game, seat: int) -> None:
    auction = _running(game)
    game.state.auction = auction._replace(out=(*auction.out, seat))


def ask_bidder(game: Game, seat: int) -> None:
    """Ask the next player, starting with this seat, who is still bidding. If no one is left to raise, close the
    auction."""
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
    """Drop the seat out if it did not raise."""
    if _running(game).leader != seat:
        _is_out(game, seat)
    ask_bidder(game, seats_after(game, seat)[0])


def close_auction(game: Game) -> None:
    """Give the piece to the winner who paid. Without a paid bid, run the module's step for unsold pieces."""
    auction = _running(game)
    game.state.auction = None
    if auction.paid:
        game.push(game.ruleset.steps[auction.won], auction.leader, auction.piece)
    else:
        game.emit("auction_void", piece=auction.piece)
        game.push(game.ruleset.steps[auction.unsold], auction.piece)


def leave_auction(game: Game, seat: int) -> None:
    """Cancel the bids of a resigning seat. The others continue; a winner who resigns gets nothing."""
    state, decision = game.state, game.state.decision
    if decision is None or state.auction is None:
        return
    if decision.kind == "auction":
        state.auction = state.auction._replace(bids=tuple(made for made in state.auction.bids if made[0] != seat))
        state.decision = None
        state.agenda.pop()  # the step that would have followed the answer
        game.push(ask_bidder, decision.seat)
    elif state.auction.leader == seat:
        state.auction = state.auction._replace(paid=False)


# -- Bidding -------------------------------------------------------------------------------------------------------


def verify_bid(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield why the bid is refused: it must exceed the highest bid and be payable in one currency."""
    amount = need(move.amount)
    minimum = _running(game).amount + 1
    if amount < minimum:
        yield Violation("BID_TOO_LOW", "amount", minimum=minimum)
    if amount > most_payable(game, decision.seat, _auction_offer(game)):
        yield Violation("BID_NOT_COVERED", "amount", amount=amount)


def bid(game: Game, decision: Decision, move: Move) -> None:
    """Record the bid as the highest."""
    amount = need(move.amount)
    auction = _running(game)
    game.state.auction = auction._replace(bids=(*auction.bids, (decision.seat, amount)))
    game.emit("bid_made", seat=decision.seat, piece=auction.piece, amount=amount)


def bids(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield a bid for every amount from the lowest to the highest that the seat can pay."""
    for amount in range(_running(game).amount + 1, most_payable(game, decision.seat, _auction_offer(game)) + 1):
        yield Move("bid", amount=amount)


# -- Paying --------------------------------------------------------------------------------------------------------


def _due(game: Game) -> Offer:
    return _auction_offer(game, _running(game).amount)


def due_now(game: Game, _decision: Decision) -> tuple[Offer]:
    """Return the piece as an offer at the winning bid."""
    return (_due(game),)


def pay_bid(game: Game, decision: Decision, offer: Offer, payment: Payment) -> None:
    """Pay the winning bid. Change for overpaying comes before the piece."""
    verdict = pay(game, decision.seat, offer, payment)
    game.state.auction = _running(game)._replace(paid=True)
    purchase = Purchase.of(decision.seat, offer, verdict, decision.kind, payment)
    game.push_procedure("purchase", purchase)


def always_offered(_game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """Yield nothing: there is only one offer."""
    yield from ()


def cannot_pay(game: Game, decision: Decision) -> Iterator[Violation]:
    """Yield a violation if the winner passes although the bid can be paid. It cannot be paid only in a determinization
    with other cards in the bidder's hand."""
    if affordable(game, decision.seat, _due(game)):
        yield Violation("PASS_REFUSED", "verb", decision=decision.kind)


# -- Looking -------------------------------------------------------------------------------------------------------


def auction_view(game: Game, viewer: int | None) -> dict[str, Any] | None:
    """Return the auction for a view. Bids are public; only a seat itself sees its highest possible bid."""
    auction = game.state.auction
    if auction is None:
        return None
    found: dict[str, Any] = {
        "piece": auction.piece,
        "bids": [list(made) for made in auction.bids],
        "out": list(auction.out),
    }
    if viewer is not None:
        found["most_payable"] = most_payable(game, viewer, _auction_offer(game))
    return found


def census(game: Game) -> Iterator[str]:
    """Yield the piece being auctioned, for the census."""
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
