"""Bots for the tests of tournaments: some that play, and some for each way to fail."""

from __future__ import annotations

import os
import time
from typing import Any, ClassVar

from alhambra import Game, Move
from alhambra.players import Player, Resign, peer_move


def plays(game: Game, rng: Any) -> Move:
    """A function that plays."""
    return peer_move(game, rng)


class Plays:
    """A class that plays, without the interface of the library."""

    def answer(self, game: Game, rng: Any) -> Move:
        """Return the first legal move."""
        return game.legal_moves()[0]


class Peeks(Player):
    """A player that notes the order of the tower, which is not the real one."""

    name, about = "peeks", "looks at the tower"
    seen: ClassVar[list[tuple[str, ...]]] = []

    def answer(self, game: Game, rng: Any) -> Move:
        """Return any move."""
        self.seen.append(game.state.tower)
        return game.random_move(rng)


def fails(game: Game, rng: Any) -> Move:
    """A function that raises an error."""
    raise ValueError("lost the plot")


def cheats(game: Game, rng: Any) -> Move:
    """A function that makes an illegal move."""
    return Move("take_money", display=("denar-9",) * 3)


def waits(game: Game, rng: Any) -> Move:
    """A function that takes longer than any test allows."""
    end = time.monotonic() + 600
    while time.monotonic() < end:
        pass
    return game.random_move(rng)


def resigns(game: Game, rng: Any) -> Resign:
    """A function that gives up."""
    assert game.decision is not None
    return Resign(game.decision.seat)


def talks(game: Game, rng: Any) -> Move:
    """A function that prints, which must not disturb the arena."""
    print('{"number": 0}', flush=True)
    return game.random_move(rng)


def dies(game: Game, rng: Any) -> Move:
    """A function that ends its process."""
    os._exit(3)
