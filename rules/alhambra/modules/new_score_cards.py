"""17 The new score cards.

Before the game three of eighteen score cards are drawn at random and laid open, one for each scoring, from the last
scoring to the first. A score card puts the six building types into another order. In its scoring, majorities have the
place values of the base game, but which type has which values follows from that order: the first type has the lowest
ones, the last type the highest. What is printed elsewhere does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..components import module_data
from ..declarations import PieceKind, outline_of
from ..game import Game
from ..module import Layer, Modify, Module, Step

DATA = module_data("new_score_cards")
ORDERS: dict[str, tuple[str, ...]] = {card["id"]: tuple(card["order_low_to_high"]) for card in DATA["cards"]}
"""By score card: the building types from the lowest place values to the highest."""
SLOTS = tuple(f"scoring-{number}" for number in range(1, DATA["slots"] + 1))


@dataclass(slots=True)
class ScoreCards:
    """The score cards in use: of the first, the second and the third scoring."""

    cards: tuple[str, ...] = ()


def draw_cards(game: Game) -> None:
    """Draw a card for each scoring, the last scoring first; the others leave the game."""
    drawn = game.chance("new_score_cards/draw").shuffled(ORDERS)[: len(SLOTS)]
    kept = game.module_state(ScoreCards)
    kept.cards = tuple(reversed(drawn))
    game.emit("score_tiles_drawn", pieces=kept.cards)


def put_back(game: Game) -> None:
    """No score card is in use: the values are those of the base game."""
    game.module_state(ScoreCards).cards = ()


def row_of(game: Game, name: str, scoring: int) -> int | None:
    """Return which row of place values a type has in a scoring, 0 for the lowest; None if no card says so."""
    cards = game.module_state(ScoreCards).cards
    return ORDERS[cards[scoring - 1]].index(name) if cards else None


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return what the cards in use say."""
    return {"orders": [list(ORDERS[card]) for card in game.module_state(ScoreCards).cards]}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the cards in use, each in the slot of its scoring."""
    for slot, card in zip(SLOTS, game.module_state(ScoreCards).cards, strict=False):
        yield {"kind": "score_card", "slot": slot, "piece": card}


MODULE = Module(
    number=17,
    key="new_score_cards",
    events={"score_tiles_drawn": "The score cards of the three scorings were drawn, that of the first scoring first."},
    public_facts={"orders": "By scoring: the building types from the lowest place values to the highest."},
    slots=SLOTS,
    piece_kinds=(
        PieceKind(
            "score_card",
            "The score card of a scoring, in the slot of that scoring.",
            outline_of("score_card"),
            individual=True,
        ),
    ),
    state=ScoreCards,
    pieces=tuple(ORDERS),
    steps=(Step("setup.deal", draw_cards),),
    undrawn=put_back,
    modify=(Modify("majority_row", Layer.SET, row_of),),
    view=view,
    public_pieces=public_pieces,
)
