"""36 The menagerie.

Twenty-four animals, three of each of eight species; two of them return to the box unseen. Whenever a garden comes to
the market, two animals are drawn and lie open on it. They are bought with the garden and stay on it. At the end of the
own turn a player with animals in the Alhambra may hand in one money card: its value is the number of steps that the
animals may walk together, from tile to tile and never across a wall. In each scoring a garden with animals of a single
species brings a point for each of them. Animals on a garden that is given to Dirk leave the game.
"""

from __future__ import annotations

from ...declarations import PieceKind, Reason, outline_of
from ...module import Module, Step
from .animals import (
    KEY,
    SPECIES,
    Menagerie,
    census,
    come_to_market,
    leave_game,
    public_pieces,
    put_back,
    return_to_supply,
    score_animals,
    secrets,
    set_out,
)
from .lead_animals import ANIMAL_WALK, LEAD_ANIMALS, is_asked

__all__ = ["MODULE", "SPECIES", "Menagerie"]

MODULE = Module(
    number=36,
    key=KEY,
    events={
        "animals_drawn": "Animals were drawn and lie on a garden of the market.",
        "animals_led": "A seat handed in a money card to lead animals; its value is the number of steps.",
        "animal_moved": "An animal took a step.",
        "animals_boxed": "Animals left the game, with their tile or because Dirk got it.",
        "animals_returned": "Animals went back into the supply, because their garden went back into the tower.",
    },
    reasons=(
        Reason("USED_UP", "Animals are led once in a turn.", ("animals", "turn")),
        Reason("NOT_ELIGIBLE", "Animals are led for a money card only.", ("animals",)),
    ),
    scores={"animals": "Animals of a single species in a garden."},
    piece_kinds=(
        PieceKind(
            "animal",
            "An animal, named by `piece`: on a cell of an Alhambra, on another tile, or those still face down.",
            outline_of("animal"),
            individual=True,
        ),
    ),
    state=Menagerie,
    pieces=SPECIES,
    verbs=(LEAD_ANIMALS,),
    decisions=(ANIMAL_WALK,),
    steps=(Step("setup.deal", set_out), Step("scoring.gains", score_animals)),
    undrawn=put_back,
    asks={"late": is_asked},
    reactions={"laid": come_to_market, "sunk": return_to_supply, "boxed": leave_game, "given": leave_game},
    public_pieces=public_pieces,
    secrets=secrets,
    census=census,
)
