"""Handymen at the market: they change the price of a purchase; what is left there may be taken back before a refill."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.payment.offers import Offer, Purchase, Tender
from ...base.supply import SLOTS
from ...base.turn_order import seats_from
from ...declarations import StandingOrder
from ...game import Game
from ...module import DecisionKind, Verb
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .crew import PER_PLAYER, Crew, add_to_space, add_to_supply, handyman_of

ITEM = "handyman"
WORKERS = "workers"
"""The effect of offers that lets handymen change the price."""
ITEMS = tuple(f"{ITEM}:{sign}{count}" for count in range(1, PER_PLAYER + 1) for sign in "-+")
"""What a payment can name: how many handymen lower or raise the price, all of them in the same way."""


# -- Changing a price --------------------------------------------------------------------------------------------------


def tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield any number of the seat's handymen at the space of an offer. A price is not lowered below 0 (40.35)."""
    if WORKERS in offer.effects and offer.slot in SLOTS:
        for count in range(1, game.module_state(Crew).at_spaces[SLOTS.index(offer.slot)][seat] + 1):
            if count <= offer.price:
                yield Tender("items", f"{ITEM}:-{count}", delta=-count, group=ITEM)
            yield Tender("items", f"{ITEM}:+{count}", delta=count, group=ITEM)


def keep_for_the_purchase(_game: Game, _seat: int, _item: str, _stage: str, _payee: int | None) -> None:
    """Handymen in a payment stay where they are until the purchase tells at which space they were used."""


def after_purchase(game: Game, purchase: Purchase) -> None:
    """Handymen that were used leave the game. The space whose tile was bought is noted: those that are left there may
    be taken back before it is filled."""
    if purchase.slot not in SLOTS:
        return
    place, state = SLOTS.index(purchase.slot), game.state
    game.module_state(Crew).sold = (*game.module_state(Crew).sold, place)
    for item in purchase.payment.items:
        word, _, change = item.partition(":")
        if word == ITEM:
            used = abs(int(change))
            add_to_space(game, place, purchase.seat, -used)
            state.box = (*state.box, *[handyman_of(purchase.seat)] * used)
            game.emit("handymen_used", seat=purchase.seat, slot=purchase.slot, amount=used)


# -- Taking back -------------------------------------------------------------------------------------------------------


def offer_back(game: Game, place: int) -> None:
    """Before a space is filled whose tile was bought, everybody with handymen there decides, from the start player on.
    If another tile was swapped to a space that was sold, nothing is taken back there."""
    crew, market = game.module_state(Crew), game.state.market
    if not crew.sold:
        return
    sold = place in crew.sold
    crew.sold = tuple(other for other in crew.sold if other != place and not market[other])
    if sold:
        counts = crew.at_spaces[place]
        ask_owners(game, place, tuple(seat for seat in seats_from(game, game.state.first) if counts[seat]))


def ask_owners(game: Game, place: int, seats: tuple[int, ...]) -> None:
    """Ask these seats one after the other."""
    if seats:
        if seats[1:]:
            game.push(ask_owners, place, seats[1:])
        game.ask("take_back", seats[0], slot=SLOTS[place], amount=game.module_state(Crew).at_spaces[place][seats[0]])


def _own_there(game: Game, decision: Decision) -> int:
    return game.module_state(Crew).at_spaces[SLOTS.index(decision.context["slot"])][decision.seat]


def verify_take_back(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Any number of their own handymen at the space that is asked about, none included."""
    if move.slot != decision.context["slot"]:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    own = _own_there(game, decision)
    if not 0 <= need(move.amount) <= own:
        yield Violation("LIMIT_REACHED", "amount", what="handymen", limit=own)


def take_back(game: Game, decision: Decision, move: Move) -> None:
    """They lie before their owner again."""
    slot = need(move.slot)
    if move.amount:
        add_to_space(game, SLOTS.index(slot), decision.seat, -move.amount)
        add_to_supply(game, decision.seat, move.amount)
    game.emit("handymen_taken_back", seat=decision.seat, slot=slot, amount=move.amount)


def takings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every number, none first."""
    for amount in range(_own_there(game, decision) + 1):
        yield Move("take_back", slot=decision.context["slot"], amount=amount)


def _all(game: Game, decision: Decision) -> Iterator[Move]:
    yield Move("take_back", slot=decision.context["slot"], amount=_own_there(game, decision))


def _none(_game: Game, decision: Decision) -> Iterator[Move]:
    yield Move("take_back", slot=decision.context["slot"], amount=0)


TAKE_BACK = Verb("take_back", "slot amount", verify_take_back, take_back, takings)
TAKING_BACK = DecisionKind(
    "take_back",
    verbs=("take_back",),
    concerns_others=True,
    orders=(StandingOrder("all", "Take all back.", _all), StandingOrder("none", "Leave all there.", _none)),
)
