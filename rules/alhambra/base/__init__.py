"""The base game, written as a module: the first record of every ruleset.

    supply.py    deck, display, discard, tower         taking.py    taking money
    setup.py     from the empty table to the first turn payment.py   judging and making a payment
    seating.py   who comes after whom                   purchase.py  buying
    turn.py      actions, passing, interrupts           dirk.py      the third player of a game for two
    market.py    the four spaces, and beside them       building.py  laying and lifting tiles
    scoring.py   walls, majorities                      placing.py   pending tiles, the reserve, gifts to Dirk
    ending.py    leftovers, the last scoring, result    redesign.py  add, remove, swap
    choosing.py  one of a few words                     auction.py   bidding for what was turned up
    sums.py      which money makes up a price           walking.py   figures step through an Alhambra
    words.py     events, reasons, score lines           swapping.py  two market spaces change places
    relocating.py  a tile moves inside its Alhambra     sole_action.py  actions that stand alone in their turn
    resigning.py   a seat leaves the game                looking.py   a seat knows what is drawn next
    offers.py    offers, tenders, payments, purchases   paying.py    verbs that pay
    ways_to_pay.py      lists of payments               any_payment.py  whether one can pay; a payment drawn
    payment_helpers.py  what helpers do in a payment

What a hook looks like in use can be seen here first.
"""

from __future__ import annotations

from ..components import BASE_TILES, MONEY_CARDS, SCORING_CARDS
from ..module import Migration, Module, Step
from . import (
    auction,
    choosing,
    dirk,
    ending,
    market,
    placing,
    purchase,
    redesign,
    relocating,
    resigning,
    scoring,
    setup,
    swapping,
    taking,
    turn,
    walking,
    words,
)
from .building import lock_start
from .supply import SLOTS, fill_display, hold_scoring_card

BASE = Module(
    number=0,
    key="base",
    version=2,
    migrations=(Migration(change=resigning.leave_empty_handed),),
    events=words.EVENTS,
    details=words.DETAILS,
    reasons=words.REASONS,
    scores=words.SCORES,
    effects=purchase.EFFECTS,
    slots=(*SLOTS, *map(market.beside_space, range(len(SLOTS)))),
    choices=words.CHOICES,
    tiles=tuple(BASE_TILES.values()),
    kinds=(purchase.STANDARD, purchase.START),
    cards=(*MONEY_CARDS.values(), *SCORING_CARDS.values()),
    routes={"scoring": hold_scoring_card},
    offers={"action": purchase.market_offers},
    verbs=(
        *(*taking.VERBS, purchase.BUY, *redesign.VERBS, *placing.VERBS, *turn.VERBS),
        *(choosing.CHOOSE, walking.STEP_VERB, *swapping.VERBS, *relocating.VERBS, *auction.VERBS),
    ),
    decisions=(*turn.DECISIONS, *placing.DECISIONS, *swapping.DECISIONS, *auction.DECISIONS),
    steps=(
        Step("setup.market", setup.build_tower),
        Step("setup.dirk", dirk.start_dirk),
        Step("setup.money", setup.deal_money),
        *market.STEPS,
        *turn.STEPS,
        *purchase.STEPS,
        *scoring.STEPS,
        *ending.STEPS,
    ),
    agenda={
        **{**turn.AGENDA, **scoring.AGENDA, **ending.AGENDA, **auction.AGENDA, **walking.AGENDA, **swapping.AGENDA},
        **{**relocating.AGENDA, **market.AGENDA, "fill_display": fill_display, "place_now": placing.place_now},
    },
    licences=redesign.by_action,
    locks=lock_start,
    reserve=placing.RESERVE_BOARD,
    resigned=auction.leave_auction,
    census=auction.census,
)
