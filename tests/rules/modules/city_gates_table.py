"""A table with city gates: what the tests of the module begin with."""

from __future__ import annotations

from alhambra import Game
from alhambra.modules.city_gates import Gates
from tests.rules.situations import alhambra, discard, hand, reserve, table

EAST_WALL = {(1, 0): "arcades-8-e"}
"""One tile beside the fountain, with a wall to the east."""
BEHIND = "tower-10-w"
"""A tile with a wall to the west: at @2,0 nobody can walk to it."""


def gates(seats: int = 3, *modules: str, turn_of: int = 0, cards: str = "gate") -> Game:
    """Seat 0 has an Alhambra with a wall to the east, a tile in reserve that fits behind it, and gate cards."""
    game = table(seats, turn_of=turn_of, modules=["city_gates", *modules])
    alhambra(game, 0, EAST_WALL)
    reserve(game, 0, BEHIND)
    hand(game, 0, cards)
    return game


def gated(seats: int = 3, *modules: str) -> Game:
    """The same with the tile laid behind the wall, through a gate; it is still seat 0's turn."""
    game = gates(seats, *modules)
    board = game.state.seats[0].board
    board.put(game.ruleset.tiles[BEHIND], 2, 0)
    board.add_passage(1, 0, "E")
    game.state.seats[0].reserve = game.state.seats[0].hand = ()
    game.state.box = (*game.state.box, "gate")
    return game


def lie_open(game: Game) -> None:
    """A gate card lies open beside the gates."""
    discard(game, "gate")
    game.state.discard, game.module_state(Gates).open = (), True


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def two_walls(game: Game) -> None:
    """At @2,0 a tile with walls to the north and west touches two double walls, and nothing else."""
    alhambra(game, 0, {(1, 0): "arcades-8-e", (0, -1): "arcades-9", (1, -1): "arcades-10", (2, -1): "garden-12-s"})
    reserve(game, 0, "tower-9-nw")
