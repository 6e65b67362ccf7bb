"""12 The street trader.

Everybody has a trader's disc with three residents of different colours, picked in secret, and lays it on a free cell
beside their own Alhambra. When a tile is built on that cell the disc is set aside. If the building's colour stands on
the disc, one such resident may move in, and another one comes onto the disc from the general supply; if not, one
resident of the disc may be exchanged with the supply. At the end of the turn the disc is laid out again; after a
placement out of turn, at once; when the game ends, no more. At each scoring the residents in the buildings form sets of
different colours. A resident whose building is taken out returns to the supply.
"""

from __future__ import annotations

from ...declarations import PieceKind, Reason, outline_of
from ...module import DecisionKind, Module, Stage, Step, freely
from .disc import LAY_DISC, return_disc, return_disc_now
from .move_in import MOVE_IN, SWAP_RESIDENT, TAKE_RESIDENT, make_way, meet_trader, move_out, replace_resident
from .pick_residents import PICK_RESIDENT, choose, deal_discs
from .residents import Residents, census
from .sets import score_residents
from .views import private_pieces, public_pieces, secrets

__all__ = ["MODULE", "Residents"]

MODULE = Module(
    number=12,
    key="street_trader",
    events={
        "residents_picked": "A seat picked residents for its disc.",
        "disc_laid": "A seat laid its disc beside its Alhambra.",
        "resident_moved_in": "A resident moved into a building.",
        "resident_changed": "A resident came onto a disc from the supply.",
        "resident_left": "A resident went back to the supply, because its building was taken out.",
    },
    reasons=(
        Reason("LIMIT_REACHED", "There are as many residents on the disc as there may be.", ("residents",)),
        Reason("TYPE_MISMATCH", "No resident of this colour can be named or moved in here."),
        Reason(
            "CONDITION_UNMET",
            "The exchange needs residents, and a supply, and nobody who could move in.",
            ("residents", "matching_resident", "supply"),
        ),
        Reason("NOT_ELIGIBLE", "Nobody moves into a tile that is no building.", ("resident",)),
    ),
    scores={
        "residents": "A set of residents of different colours.",
    },
    piece_kinds=(
        PieceKind(
            "disc",
            "A seat's disc with the residents on it, on its cell or set aside.",
            outline_of("disc"),
            carries="residents",
            in_text=True,
        ),
        PieceKind(
            "resident",
            "A resident in a building, or residents in the supply.",
            outline_of("resident"),
            in_text=True,
        ),
    ),
    state=Residents,
    verbs=(PICK_RESIDENT, LAY_DISC, MOVE_IN, SWAP_RESIDENT, TAKE_RESIDENT),
    decisions=(
        DecisionKind("pick_residents"),
        DecisionKind("resident", passing=freely),
        DecisionKind("take_resident"),
        DecisionKind("lay_disc"),
    ),
    stages=(
        Stage("turn.disc", before="turn.confirm"),
        Stage("placed_now.disc", after="placed_now.lapse"),
    ),
    steps=(
        Step("setup.deal", deal_discs),
        Step("setup.choices", choose),
        Step("turn.disc", return_disc),
        Step("placed_now.disc", return_disc_now),
        Step("scoring.gains", score_residents),
    ),
    agenda={"choose": choose, "meet_trader": meet_trader, "replace_resident": replace_resident},
    reactions={"built": make_way, "unbuilt": move_out},
    public_pieces=public_pieces,
    private_pieces=private_pieces,
    secrets=secrets,
    census=census,
)
