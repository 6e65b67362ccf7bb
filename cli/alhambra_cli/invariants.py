"""What `simulate --check` looks at after every move: a simple set, for any game with any modules."""

from collections.abc import Iterable
from itertools import islice
from random import Random

from alhambra import Board, Event, Game
from alhambra.construction import standing

WALKED = 100
"""Moves of the enumeration that are drawn from."""
TRIED = 5
"""How many of them are verified."""


class Broken(Exception):
    """Something that must always hold does not."""


class Checks:
    """Follows one game: its score lines, its bytes, its boards, its moves."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.game = game
        self.rng = rng
        self.lines = [0] * (len(game.state.seats) + 1)
        self.sound: dict[int, Board] = {}
        """The boards that were found sound last: a board inside a game is never changed, only replaced."""
        self.follow(game.events)

    def follow(self, events: Iterable[Event]) -> None:
        """Takes note of what a move caused, and checks the state after it."""
        for event in events:
            if event.kind == "scored":
                self.lines[event.public["seat"]] += event.public["points"]
        self._bytes()
        self._scores()
        self._boards()
        self._moves()

    def _bytes(self) -> None:
        data = self.game.state_bytes()
        if self.game.restored(data).state_bytes() != data:
            raise Broken("the trip through bytes changes the state")
        if self.game.over and Game.from_bytes(self.game.to_bytes()) != self.game:
            raise Broken("the trip through bytes changes the game")

    def _scores(self) -> None:
        scores = list(self.game.scores)
        if scores != self.lines[: len(scores)]:
            raise Broken(f"the scores are {scores}, the score lines say {self.lines[: len(scores)]}")

    def _boards(self) -> None:
        for number, seat in enumerate(self.game.state.seats):
            if seat.board is self.sound.get(number):
                continue
            faults = list(standing(seat.board))
            if faults:
                raise Broken(f"the Alhambra of seat {number} does not stand: {faults[0]}")
            self.sound[number] = seat.board

    def _moves(self) -> None:
        walked = list(islice(self.game.moves(), WALKED))
        if not walked and not self.game.over:
            raise Broken("a decision without a legal move")
        for move in self.rng.sample(walked, min(TRIED, len(walked))):
            violations = self.game.verify(move)
            if violations:
                raise Broken(f"a listed move is refused: {move} {violations[0]}")
