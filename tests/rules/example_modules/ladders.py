"""Ladders: a tile behind walls may be built for the lowest card of the hand."""

from __future__ import annotations

from collections.abc import Iterator

from alhambra import Game, Module, Tile, Violation
from alhambra.base.supply import discard, lose
from alhambra.components import SIDES, Cell
from alhambra.module import Permit
from alhambra.placement.contacts import Contact, edge_between


def verify_ladder(game: Game, seat: int, _tile: Tile, _cell: Cell, _rotation: int) -> Iterator[Violation]:
    """There must be a card to pay it with."""
    if not game.state.seats[seat].hand:
        yield Violation("CONDITION_UNMET", "choice", what="ladder", need=1, have=0)


def set_ladder(game: Game, seat: int, _tile: Tile, cell: Cell, _rotation: int) -> None:
    """The lowest card is discarded, and every wall that the tile leans on can be climbed from now on."""
    owner = game.state.seats[seat]
    card = min(owner.hand, key=lambda held: (game.ruleset.cards[held].value, held))
    lose(game, seat, (card,))
    discard(game, (card,))
    for side in SIDES:
        if owner.board.relation(*cell, side) is Contact.MEET:
            owner.board.add_passage(*cell, side)
    game.emit("ladder_set", seat=seat, cell=cell, card=card)


def lock_ladder(game: Game, seat: int, tile: str) -> str | None:
    """A tile that a ladder leans on stays, or the way over it would be gone."""
    board = game.state.seats[seat].board
    edges = {edge_between(*cell, side) for cell in board.cells_of(tile) for side in SIDES}
    return "ladder" if edges & board.passages else None


LADDERS = Module(
    number=902,
    key="example_ladders",
    permits=(Permit("ladder", "NOT_REACHABLE", verify_ladder, set_ladder),),
    locks=lock_ladder,
)
