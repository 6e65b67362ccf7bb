"""Resigning: a seat leaves a game that has been dealt, and the others play on.

The rules decide what happens to the tiles and cards of the seat, and when too few seats are left to continue
(`Game.resign`). The service commits the resignation like a move. From then on the rules skip the seat, its standing
orders answer nothing, and an undo does not wait for its consent (`undo.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game_change import GameChange
from ..game_commands import ChangeResult, GameCommands, running

if TYPE_CHECKING:
    from ...store import Request
    from ..loaded_game import LoadedGame


def resign(commands: GameCommands, game: str, seat: int, request: Request | None = None) -> ChangeResult:
    """Commit that the seat leaves the game, with every decision after it that needs no person. Raises Refusal if seats
    are still open, if the seat has left already, or if the game is over."""

    def prepare(loaded: LoadedGame) -> GameChange:
        running(loaded)
        change = GameChange(loaded, commands.now())
        change.resign(seat)
        return change

    return commands.change(game, prepare, request)
