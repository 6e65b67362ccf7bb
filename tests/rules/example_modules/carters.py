"""Carters: six times a game a cart entitles to a free redesign or a relocation.

A cat lies on a tile of every Alhambra. When that tile is lifted, its owner says where the cat lies from then on. A tile
that is built beside the cat brings a point, and the cat lies down on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Decision, Game, Module
from alhambra.base.choice import Choice
from alhambra.base.scoring import score
from alhambra.module import Licence, Step


@dataclass(slots=True)
class Carters:
    """Carts left, and the tile that the cat lies on, by seat."""

    carts: tuple[int, ...] = ()
    cats: tuple[str, ...] = ()


def begin(game: Game) -> None:
    """Six carts each; the cats lie on the fountains."""
    kept = game.module_state(Carters)
    kept.carts = (6,) * len(game.state.seats)
    kept.cats = tuple(seat.board.start.id for seat in game.state.seats)


def spend(game: Game, seat: int) -> None:
    """A cart is used up."""
    kept = game.module_state(Carters)
    kept.carts = (*kept.carts[:seat], kept.carts[seat] - 1, *kept.carts[seat + 1 :])


def licences(game: Game, decision: Decision) -> Iterator[Licence]:
    """At the action, as long as a cart is left."""
    if decision.kind == "action" and game.module_state(Carters).carts[decision.seat]:
        yield Licence(items=("cart",), spend=spend, relocates=True)


def lay_cat(game: Game, seat: int, tile: str) -> None:
    """The cat lies there from now on."""
    kept = game.module_state(Carters)
    kept.cats = (*kept.cats[:seat], tile, *kept.cats[seat + 1 :])


def wake_cat(game: Game, seat: int, tile: str, _how: str) -> None:
    """Its tile was lifted."""
    if game.module_state(Carters).cats[seat] == tile:
        game.push(ask_cat, seat)


def ask_cat(game: Game, seat: int) -> None:
    """Any tile of the Alhambra will do."""
    game.ask("cat", seat, choices=tuple(game.state.seats[seat].board.placed))


def chosen(game: Game, decision: Decision, choice: str) -> None:
    """There it lies."""
    lay_cat(game, decision.seat, choice)


def stroke_cat(game: Game, seat: int, tile: str, _how: str) -> None:
    """A point for a tile beside the cat, which lies down on it."""
    board = game.state.seats[seat].board
    near = {part.tile.id for cell in board.cells_of(tile) for _, part in board.neighbours(*cell) if part is not None}
    if game.module_state(Carters).cats[seat] in near:
        score(game, seat, 1, "cat")
        lay_cat(game, seat, tile)


CARTERS = Module(
    number=921,
    key="example_carters",
    state=Carters,
    decisions=(Choice("cat", chosen=chosen),),
    answers={"action": ("move_tile",)},
    steps=(Step("setup.deal", begin),),
    agenda={"ask_cat": ask_cat},
    licences=licences,
    reactions={"built": stroke_cat, "unbuilt": wake_cat},
)
