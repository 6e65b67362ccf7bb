"""The base game, written as a module: the first one of every ruleset.

    setup.py         from the empty table to the first turn
    turn.py          actions, passing, interrupts
    turn_order.py    order of the seats, without resigned ones
    supply.py        deck, display, discard, tower
    market.py        the four spaces, and the slots beside them
    take_money.py    taking money
    purchase.py      buying
    payment/         offers and payments
    place_tiles.py   pending tiles, the reserve, gifts to Dirk
    build.py         laying and lifting tiles
    redesign.py      add, remove, swap
    relocation.py    moving a tile inside its Alhambra
    scoring.py       walls, majorities
    game_end.py      leftovers, the last scoring, the result
    resignation.py   a seat leaves the game
    dirk.py          the third player of a game for two
    vocabulary.py    events, reasons and score lines of the base game

For modules only; the base game itself does not use them:

    auction.py       bidding for a piece
    choice.py        decisions answered with one of a few words
    walk.py          figures step through an Alhambra
    market_swap.py   swapping two market spaces
    peek.py          looking at the next tiles or cards
    open_tiles.py    open tiles of one kind
    sole_action.py   actions that must be the only one of their turn

These files are also examples of how to use each hook.
"""

from __future__ import annotations

from ..components import BASE_TILES, MONEY_CARDS, SCORING_CARDS
from ..module import Migration, Module, Step
from . import (
    auction,
    choice,
    dirk,
    game_end,
    market,
    market_swap,
    place_tiles,
    purchase,
    redesign,
    relocation,
    resignation,
    scoring,
    setup,
    take_money,
    turn,
    vocabulary,
    walk,
)
from .build import lock_start
from .supply import SLOTS, fill_display, hold_scoring_card

BASE = Module(
    number=0,
    key="base",
    migrations=(Migration(change=resignation.leave_empty_handed),),
    events=vocabulary.EVENTS,
    details=vocabulary.DETAILS,
    reasons=vocabulary.REASONS,
    scores=vocabulary.SCORES,
    effects=purchase.EFFECTS,
    slots=(*SLOTS, *map(market.beside_space, range(len(SLOTS)))),
    choices=vocabulary.CHOICES,
    tiles=tuple(BASE_TILES.values()),
    kinds=(purchase.STANDARD, purchase.START),
    cards=(*MONEY_CARDS.values(), *SCORING_CARDS.values()),
    routes={"scoring": hold_scoring_card},
    offers={"action": purchase.market_offers},
    verbs=(
        *(*take_money.VERBS, purchase.BUY, *redesign.VERBS, *place_tiles.VERBS, *turn.VERBS),
        *(choice.CHOOSE, walk.STEP_VERB, *market_swap.VERBS, *relocation.VERBS, *auction.VERBS),
    ),
    decisions=(*turn.DECISIONS, *place_tiles.DECISIONS, *market_swap.DECISIONS, *auction.DECISIONS),
    steps=(
        Step("setup.market", setup.build_tower),
        Step("setup.dirk", dirk.start_dirk),
        Step("setup.money", setup.deal_money),
        *market.STEPS,
        *turn.STEPS,
        *purchase.STEPS,
        *scoring.STEPS,
        *game_end.STEPS,
    ),
    agenda={
        **{**turn.AGENDA, **scoring.AGENDA, **game_end.AGENDA, **auction.AGENDA, **walk.AGENDA, **market_swap.AGENDA},
        **{**relocation.AGENDA, **market.AGENDA, "fill_display": fill_display, "place_now": place_tiles.place_now},
    },
    licences=redesign.by_action,
    locks=lock_start,
    reserve=place_tiles.RESERVE_BOARD,
    reactions={"resigned": auction.leave_auction},
    census=auction.census,
)
