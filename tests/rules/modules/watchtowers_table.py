"""A table with watchtowers: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Game
from alhambra.components import TYPES, Cell
from alhambra.modules.watchtowers import TURNS, WATCHTOWERS, Watchtowers
from tests.rules.situations import alhambra, display, pieces, play, table

GARDEN = {(1, 0): "garden-10"}
"""An open garden beside the fountain."""


def watched(seats: int = 3, *others: str, **options: Any) -> Game:
    return table(seats, modules=["watchtowers", *others], **options)


def stand(game: Game, seat: int, name: str, cell: Cell, side: str) -> str:
    """A watchtower of the supply stands in an Alhambra, by the rules of construction."""
    kept = game.module_state(Watchtowers)
    found = next(tower for tower in kept.supply if WATCHTOWERS[tower].type == name)
    kept.supply = tuple(tower for tower in kept.supply if tower != found)
    board = game.state.seats[seat].board
    board.place(WATCHTOWERS[found], *cell, TURNS[side])
    return found


def bought(game: Game, seat: int, *names: str) -> None:
    """Watchtowers that a seat has still to place."""
    kept, owner = game.module_state(Watchtowers), game.state.seats[seat]
    for name in names:
        found = next(tower for tower in kept.supply if WATCHTOWERS[tower].type == name)
        kept.supply = tuple(tower for tower in kept.supply if tower != found)
        owner.pending = (*owner.pending, found)


def placing(tiles: dict[Cell, str], *names: str, others: tuple[str, ...] = (), seats: int = 3) -> Game:
    """Seat 0 has built these tiles, has taken money and is about to place watchtowers."""
    game = watched(seats, *others)
    alhambra(game, 0, tiles)
    bought(game, 0, *names)
    display(game, "gulden-1")
    play(game, "take_money gulden-1")
    return game


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def supply(game: Game) -> dict[str, int]:
    """By type: how many watchtowers everybody sees in the supply."""
    return dict.fromkeys(TYPES, 0) | {
        piece["type"]: piece.get("amount", 1) for piece in pieces(game, "watchtowers", seat=None)
    }
