"""03 The bonus cards.

Everybody is dealt bonus cards face down; each shows one of the ten base buildings that have no wall. At any time, also
during a scoring, a player whose Alhambra holds exactly the building shown may turn the card up: it counts as one more
building of that type in majorities. If the building leaves the Alhambra, the card returns to the hand at once, and may
be turned up again when it is rebuilt. In the last scoring all cards that can be turned up are. How many cards somebody
holds is public, which ones is not.
"""

from __future__ import annotations

from ...declarations import PieceKind, Reason, outline_of
from ...game import Game
from ...module import Layer, Modify, Module, Step
from .cards import SHOWN, BonusCards, census, deal_cards, private_pieces, public_pieces, secrets
from .reveal_bonus import REVEAL, REVEALS, ask_reveals, lay_down, open_reveals, take_back

__all__ = ["MODULE", "BonusCards"]


def cards_counted(game: Game, seat: int, name: str) -> int | None:
    """Return what the cards of a seat add to its buildings of a type, in half buildings. Dirk has none."""
    if seat == len(game.state.seats):
        return None
    return 2 * sum(SHOWN[card][0] == name for card in game.module_state(BonusCards).revealed[seat])


MODULE = Module(
    number=3,
    key="bonus_cards",
    after=("characters",),
    events={
        "bonus_dealt": "A seat was dealt bonus cards, face down.",
        "bonus_revealed": "A seat turned a bonus card up.",
        "bonus_returned": "A bonus card returned to the hand, because its building left the Alhambra.",
    },
    reasons=(Reason("CONDITION_UNMET", "The Alhambra does not hold the building shown.", ("shown_building",)),),
    piece_kinds=(
        PieceKind(
            "bonus",
            "Bonus cards: face down before a seat, which alone sees what they show, or turned up.",
            outline_of("bonus"),
        ),
    ),
    state=BonusCards,
    pieces=tuple(SHOWN),
    verbs=(REVEAL,),
    decisions=(REVEALS,),
    steps=(Step("setup.deal", deal_cards), Step("scoring.declare", open_reveals)),
    agenda={"ask_reveals": ask_reveals},
    modify=(Modify("majority_count", Layer.ADD, cards_counted),),
    reactions={"unbuilt": take_back, "resigned": lay_down},
    public_pieces=public_pieces,
    private_pieces=private_pieces,
    secrets=secrets,
    census=census,
)
