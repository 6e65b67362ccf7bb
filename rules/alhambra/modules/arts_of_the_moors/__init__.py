"""20 The arts of the Moors.

Culture tiles lie in open stacks, one for each price from 6 on; 12 and 13 are one price. Whoever has two base buildings
of a price, in the Alhambra and the reserve together, may take one tile of it at the end of their own turn, but only one
of each price. Of its six sections the one worth 0 points to the gem; a marker shows how far it may be turned, by the
number of buildings of its price, and never moves back. To develop the culture is an action: every own tile is turned on
by one section, except those whose marked section points to the gem. In each scoring a tile brings what points to the
gem.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...base.scoring import score
from ...declarations import PieceKind, Reason, outline_of
from ...game import Game
from ...module import Migration, Module, Stage, Step
from .culture import SECTION_DEGREES, SORTS, Culture, dials, lay_out, points_at
from .develop_culture import DEVELOP
from .take_culture import CULTURE, TAKE, ask_culture, at_end_of_turn, out_of_turn, remember

__all__ = ["MODULE", "Culture"]


def score_culture(game: Game, number: int) -> None:
    """Every tile brings what points to the gem."""
    for seat in range(len(game.state.seats)):
        for name, dial in dials(game, seat).items():
            points = points_at(name, dial.turned)
            if points:
                score(game, seat, points, "culture", scoring=number, piece=name)


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return what the culture tiles of each seat bring now."""
    own = (dials(game, seat) for seat in range(len(game.state.seats)))
    return {"points": [sum(points_at(name, dial.turned) for name, dial in found.items()) for found in own]}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the stacks, and the tiles of each seat with their markers."""
    for name in SORTS:
        amount = game.module_state(Culture).stacks[name]
        if amount:
            yield {"kind": "culture_stack", "piece": name, "amount": amount}
    for seat in range(len(game.state.seats)):
        for name, dial in dials(game, seat).items():
            yield {"kind": "culture", "seat": seat, "piece": name, "rotation": SECTION_DEGREES * dial.turned}
            yield {"kind": "culture_marker", "seat": seat, "piece": name, "rotation": SECTION_DEGREES * dial.marked}


def census(game: Game) -> Iterator[str]:
    """Yield all culture tiles, by their sorts."""
    culture = game.module_state(Culture)
    yield from (name for name, amount in culture.stacks.items() for _ in range(amount))
    yield from (name for own in culture.owned for name in own)


MODULE = Module(
    number=20,
    key="arts_of_the_moors",
    migrations=(Migration(),),
    events={
        "culture_taken": "A seat took a culture tile.",
        "culture_marked": "The marker of a culture tile lies on a section; `amount` is what that section is worth.",
        "culture_turned": "A seat turned its culture tiles on by one section.",
    },
    reasons=(
        Reason("LIMIT_REACHED", "Nobody has two culture tiles of one price.", ("culture",)),
        Reason("CONDITION_UNMET", "The seat has too few buildings of this price.", ("equal_prices",)),
        Reason("NOT_ELIGIBLE", "Out of turn, only the price of a building just received counts.", ("culture_now",)),
        Reason("NO_EFFECT", "No culture tile can be turned."),
    ),
    scores={"culture": "What points to the gem on a culture tile."},
    scores_before_seats=("culture",),
    public_facts={"points": "By seat: what its culture tiles bring in a scoring as they lie now."},
    piece_kinds=(
        PieceKind(
            "culture_stack", "A stack of culture tiles of one price; `amount` counts them.", outline_of("culture_stack")
        ),
        PieceKind(
            "culture",
            "A culture tile before its owner; `rotation` says how far it was turned, 60 degrees for each section.",
            outline_of("culture"),
            individual=True,
        ),
        PieceKind(
            "culture_marker",
            "The marker of a culture tile; `rotation` says how far the tile can be turned in all.",
            outline_of("culture_marker"),
        ),
    ),
    state=Culture,
    pieces=tuple(SORTS),
    verbs=(TAKE, DEVELOP),
    decisions=(CULTURE,),
    stages=(
        Stage("turn.culture", before="turn.confirm"),
        Stage("placed_now.culture", after="placed_now.lapse"),
    ),
    steps=(
        Step("setup.deal", lay_out),
        Step("turn.culture", at_end_of_turn),
        Step("placed_now.culture", out_of_turn),
        Step("scoring.gains", score_culture),
    ),
    agenda={"ask_culture": ask_culture},
    reactions={"acquired": remember},
    view=view,
    public_pieces=public_pieces,
    census=census,
)
