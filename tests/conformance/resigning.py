"""Games in which every seat resigns at every kind of question, each time in a copy of the game.

One game is played to its end. Whenever it comes to a kind of question for the first time, or for the first few times,
each of its seats resigns in a copy of its own: the seat that is asked, and the others, whose pieces the question may be
about. The copies are played on, and everything is checked after each of their moves.
"""

from __future__ import annotations

from collections import Counter

from alhambra import Game, Options
from alhambra.invariants import Invariants
from alhambra.players import NoveltySeeker, Table, apply_action
from tests.conformance.dice import Dice
from tests.conformance.invariants import resign
from tests.conformance.stuck import Patience

PROBES = 1
"""Enumerated moves of a state that are verified."""


class Departures:
    """Plays a game, and lets the seats of copies of it resign."""

    def __init__(self, options: Options, seed: int, *, questions: int, moves: int | None) -> None:
        self.game = Game.new(options)
        self.dice = Dice(seed)
        self.table = Table.of((NoveltySeeker,), len(options.seats))
        self.questions = questions
        """How many questions of each kind the seats resign at."""
        self.most = moves
        """How many moves each copy is played on; None: to its end."""
        self.moves = self.resignations = self.undos = 0
        self.decisions: Counter[str] = Counter()
        """By kind: the questions at which every seat has resigned."""

    def play(self) -> Game:
        """Play the game to its end, and copies of it from the questions at which their seats resign."""
        game = self.game
        with Patience() as patience:
            while (decision := game.decision) is not None:
                patience.renew()
                if self.decisions[decision.kind] < self.questions:
                    self.leave_at(game)
                apply_action(game, self.table.next(game, self.dice))
                self.moves += 1
        return game

    def leave_at(self, game: Game) -> None:
        """Let each seat resign at the open question, in a copy that is played on."""
        assert game.decision is not None
        self.decisions[game.decision.kind] += 1
        for seat, owner in enumerate(game.state.seats):
            if not owner.resigned:
                self._play_on(game.clone(), seat)

    def _play_on(self, game: Game, seat: int) -> None:
        kind = game.decision and game.decision.kind
        invariants = Invariants(game, self.dice, probes=PROBES)
        invariants.check_pieces()
        try:
            resign(game, seat)
            self.resignations += 1
            check(invariants)
            left = self.most
            while not game.over and left != 0:
                game.play(game.random_move(self.dice))
                check(invariants)
                self.moves += 1
                left = left and left - 1
            invariants.check_bytes()
        except Exception as fault:
            fault.add_note(f"seat {seat} resigned at {kind}, version {self.game.version} of {self.game.options.seed}")
            raise


def check(invariants: Invariants) -> None:
    """Check what one state of a game shows, but for the sums of score lines: the first ones were not followed."""
    invariants.follow(invariants.game.events)
    invariants.check_pieces()
    invariants.check_boards()
    invariants.check_moves()
    invariants.check_options()
    invariants.check_resigned()
