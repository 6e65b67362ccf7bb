"""38 Buildings of power.

Twelve special tiles take the place of base tiles of the same type, price and walls, and count like these. Whoever
acquires one has its function once. Architecture, at the end of the turn: roll the red die, look at as many tiles of the
tower, hide one under a tile of the market and lay the others back in any order; it is turned up when the tile above it
is sold. Wisdom, at the end of the turn: roll the red die, look at as many cards of the money deck, keep one and lay the
others back in any order; a scoring card may be played at once. Strength, at once: roll a black die and put it on the
tile; at each scoring the second longest wall scores, too, up to the sum of their own black dice. Wealth, at once: roll
a white die and put it on the tile; once in a turn one white die makes a building cheaper by 1 and is turned down by 1.
If a tile is hidden under a leftover tile at the end, the player with the most money chooses one of them, and the one
with the second most gets the other.
"""

from __future__ import annotations

from ...declarations import PieceKind, Reason, outline_of
from ...module import Module, Stage, Step
from .architecture import (
    ARCHITECTURE_KIND,
    CHOOSE_LEFTOVER,
    CHOOSE_TILE,
    HIDE_TILE,
    RETURN_TILE,
    show_leftover,
    turn_up,
)
from .dice import ITEMS, WHITE, score_second_walls, tenders, use_die
from .powers import (
    BUILDINGS,
    KEY,
    Powers,
    after_purchase,
    census,
    change_hands,
    die_to_supply,
    lapse_unused,
    leave,
    mix_in,
    private_pieces,
    public_pieces,
    secrets,
    view,
)
from .use_function import USE_FUNCTION, is_asked
from .wisdom import KEEP_CARD, PLAY_SCORING, RETURN_CARD, WISDOM_KIND, ask_wisdom

__all__ = ["MODULE", "Powers"]

MODULE = Module(
    number=38,
    key=KEY,
    events={
        "die_rolled": "A seat rolled a die of the module: black, white or red.",
        "die_placed": "The die that a seat rolled was put on its building.",
        "die_used": "A white die lowered a price and was turned down; with `value` 0 it left the game.",
        "die_returned": "The die of a building went back to the supply, because its owner does not have it any more.",
        "tiles_looked": "A seat looked at the next tiles of the tower.",
        "tile_hidden": "A seat hid one of these tiles under a tile of the market.",
        "tiles_returned": "A seat laid the other tiles back, in any order.",
        "cards_looked": "A seat looked at the next cards of the deck.",
        "card_kept": "A seat took one of these cards into its hand.",
        "cards_returned": "A seat laid the other cards back, in any order.",
        "hidden_tile_turned": "A hidden tile was turned up.",
    },
    reasons=(
        Reason("NOT_THERE", "The card or tile is not among those that the seat looks at.", ("looked_at",)),
        Reason("CONDITION_UNMET", "There is nothing to look at.", ("tower", "deck")),
        Reason("NOT_ELIGIBLE", "The card cannot be kept, or not be returned yet.", ("keeping", "returning")),
    ),
    scores={"wall_second": "The second longest wall, up to the sum of the black dice."},
    public_facts={
        "functions": "The functions that wait to be used, each with its seat and its building.",
        "known": "What the viewer knows of the next tiles and cards: how many are drawn before, and what it is.",
    },
    piece_kinds=(
        PieceKind(
            "black_die", "A black die on a building of strength; `sum` is what it shows.", outline_of("black_die")
        ),
        PieceKind(WHITE, "A white die on a building of wealth; `sum` is what it shows.", outline_of(WHITE)),
        PieceKind(
            "hidden_tile",
            "A tile hidden under the market tile of a space; only the seat that hid it sees which.",
            outline_of("hidden_tile"),
        ),
    ),
    usable=tuple(ITEMS),
    effects={WHITE: "A white die lowers the price."},
    state=Powers,
    tiles=tuple(BUILDINGS.values()),
    tower=mix_in,
    tenders=tenders,
    items={WHITE: use_die},
    verbs=(USE_FUNCTION, HIDE_TILE, RETURN_TILE, KEEP_CARD, PLAY_SCORING, RETURN_CARD, CHOOSE_TILE),
    decisions=(ARCHITECTURE_KIND, WISDOM_KIND, CHOOSE_LEFTOVER),
    stages=(
        Stage("purchase.die", after="purchase.building"),
        Stage("leftover.hidden", before="leftover.award"),
    ),
    steps=(
        Step("purchase.die", after_purchase),
        Step("space.source", turn_up),
        Step("turn.after", lapse_unused),
        Step("scoring.walls", score_second_walls),
        Step("leftover.hidden", show_leftover),
    ),
    agenda={"ask_wisdom": ask_wisdom},
    asks={"after": is_asked},
    reactions={"acquired": change_hands, "boxed": die_to_supply, "given": die_to_supply, "resigned": leave},
    view=view,
    secrets=secrets,
    public_pieces=public_pieces,
    private_pieces=private_pieces,
    census=census,
)
