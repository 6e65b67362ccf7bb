"""13 The treasure chamber.

Three rooms hold four chests each, drawn from a bag. To buy all chests of a room is an action: it costs 8 or more in any
mixture of currencies, without change and without a further action. At the end of the turn the buyer must put the chests
into built buildings of their colours, one chest into each. What does not fit goes on to the left: each player may put
chests, and passes on the rest; of two players, Dirk comes first. Chests that nobody puts return to the bag, then the
room is filled again. If the bag holds too few for a room, no room is filled any more. A chest whose building leaves the
Alhambra returns to the bag. At each scoring the most chests score like a majority, whatever their colours.
"""

from __future__ import annotations

from ...declarations import PieceKind, Reason, outline_of
from ...module import Module, Stage, Step
from .buy_chests import BUY_CHESTS
from .chamber import (
    SLOTS,
    Chamber,
    census,
    give_chests_back,
    open_chamber,
    public_pieces,
    refill_rooms,
    score_chests,
    take_chest_out,
    view,
)
from .put_chest import PUT_CHEST, PUT_CHESTS, distribute, offer_chests, pass_on

__all__ = ["MODULE", "Chamber"]

MODULE = Module(
    number=13,
    key="treasure_chamber",
    events={
        "chests_bought": "A seat bought the chests of a room.",
        "chest_put": "A seat put a chest into a building, or Dirk did.",
        "chests_returned": "Chests went back into the bag.",
        "room_filled": "A room was filled with chests from the bag.",
        "refilling_stopped": "The bag held too few chests for a room: no room is filled any more.",
    },
    reasons=(
        Reason("NOT_ACCEPTED", "The card is no money that chests can be paid with.", ("chests",)),
        Reason("NOT_ELIGIBLE", "A tile that is no finished building holds no chest.", ("chest",)),
        Reason("TYPE_MISMATCH", "A chest stands only in a building of its colour."),
    ),
    scores={"chest_majority": "Most chests, or second or third most."},
    public_facts={"stopped": "Whether rooms are filled no more."},
    slots=SLOTS,
    choices=("bag", "bought"),
    piece_kinds=(
        PieceKind(
            "chest",
            "Chests of one colour: in a building, in a room, just bought or in the bag.",
            outline_of("chest"),
        ),
    ),
    state=Chamber,
    verbs=(BUY_CHESTS, PUT_CHEST),
    decisions=(PUT_CHESTS,),
    stages=(
        Stage("turn.chests", after="turn.late"),
        Stage("scoring.chests", after="scoring.majorities", score_stage="S3"),
    ),
    steps=(
        Step("setup.deal", open_chamber),
        Step("turn.chests", distribute),
        Step("scoring.chests", score_chests),
    ),
    agenda={"offer_chests": offer_chests, "pass_on": pass_on, "refill_rooms": refill_rooms},
    reactions={"unbuilt": take_chest_out, "resigned": give_chests_back},
    view=view,
    public_pieces=public_pieces,
    census=census,
)
