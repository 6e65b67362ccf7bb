"""The players of one game."""

from __future__ import annotations

from collections.abc import Sequence

from ..game import Game
from ..rng import Rng
from .player import Action, Player, apply_action


class Table:
    """One player for each seat of a game."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = tuple(players)
        self._interrupting = [
            (seat, player) for seat, player in enumerate(self.players) if type(player).interrupt is not Player.interrupt
        ]

    @classmethod
    def of(cls, kinds: Sequence[type[Player]], seats: int) -> Table:
        """Return a table with a new player for each seat; if there are fewer kinds than seats, they repeat."""
        return cls([kinds[seat % len(kinds)]() for seat in range(seats)])

    def next(self, game: Game, rng: Rng) -> Action:
        """Return the next action: an interrupt if a player wants one, otherwise the answer of the seat to decide."""
        decision = game.decision
        assert decision is not None, "the game is over"
        for seat, player in self._interrupting:
            if not game.state.seats[seat].resigned:
                action = player.interrupt(game, seat, rng)
                if action is not None:
                    return action
        return self.players[decision.seat].answer(game, rng)

    def play(self, game: Game, rng: Rng) -> None:
        """Play the game to its end."""
        while not game.over:
            apply_action(game, self.next(game, rng))
