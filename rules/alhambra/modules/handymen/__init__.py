"""40 Handymen.

Everybody has eight handymen. At the start of a turn a player may roll a die, and then only money may be taken as an
action. If the die shows the price of a building on the market, a handyman may be put to its space; if it shows the
price of a building of their own, built or reserved, that has no handyman, one may be put on it. Otherwise a second die
is rolled, and the sum and the difference of both count; then a third one, with all sums and differences of the three.
Three equal dice are a joker for any tile. Whoever buys from a space may use own handymen there, each of which raises or
lowers the price by 1 and leaves the game. If handymen are left there, their owners decide whether to take them back
before the next tile is laid. At each scoring the largest group of adjoining tiles with own handymen brings a point for
each of them.
"""

from __future__ import annotations

from ...declarations import PieceKind, Reason, outline_of
from ...module import Migration, Module, Stage, Step
from .crew import Crew, census, come_home, hire, leave_tile, leave_with_buyer, public_pieces, score_groups
from .market_side import (
    ITEMS,
    TAKE_BACK,
    TAKING_BACK,
    WORKERS,
    after_purchase,
    ask_owners,
    keep_for_the_purchase,
    offer_back,
    tenders,
)
from .roll_dice import DICE, PUT_HANDYMAN, ROLL_DICE, is_asked, only_money

__all__ = ["MODULE", "Crew"]

MODULE = Module(
    number=40,
    key="handymen",
    migrations=(Migration(),),
    events={
        "dice_rolled": "A seat rolled a die; `dice` are all that it has rolled in this turn.",
        "handyman_put": "A seat put a handyman to a market space or on a tile of its own.",
        "handymen_used": "A buyer used handymen, which changed the price and left the game.",
        "handymen_taken_back": "Handymen returned to their owner: from a market space, or from a tile that was lost.",
    },
    reasons=(
        Reason("FORCED_ACTION", "After rolling, only money is taken as an action."),
        Reason("USED_UP", "Dice are rolled once in a turn.", ("dice", "turn")),
        Reason("CONDITION_UNMET", "No handyman is left, or the dice do not show that price.", ("handymen", "price")),
        Reason("LIMIT_REACHED", "The seat has fewer handymen at that space.", ("handymen",)),
        Reason("NOT_ELIGIBLE", "No handyman works on a watchtower.", ("handyman",)),
    ),
    scores={"handymen": "A point for each handyman of the largest group of adjoining tiles."},
    piece_kinds=(
        PieceKind(
            "handyman",
            "Handymen of a seat: before it, at a market space, or one on a tile.",
            outline_of("handyman"),
        ),
    ),
    nouns={"items": ITEMS},
    effects={WORKERS: "Handymen change the price."},
    state=Crew,
    tenders=tenders,
    items={"handyman": keep_for_the_purchase},
    verbs=(ROLL_DICE, PUT_HANDYMAN, TAKE_BACK),
    decisions=(DICE, TAKING_BACK),
    stages=(Stage("space.take_back", before="space.source"),),
    steps=(
        Step("setup.deal", hire),
        Step("purchase.coins", after_purchase),
        Step("space.take_back", offer_back),
        Step("scoring.gains", score_groups),
    ),
    agenda={"ask_owners": ask_owners},
    asks={"start": is_asked},
    closes=only_money,
    closes_at=("action", "late"),
    reactions={"acquired": leave_with_buyer, "boxed": leave_tile, "resigned": come_home},
    public_pieces=public_pieces,
    census=census,
)
