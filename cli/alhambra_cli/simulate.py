"""Many games in several processes. A game depends only on the seed and its number, not on the number of processes."""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from alhambra import AlhambraError, Game, Options
from alhambra.invariants import Invariants
from alhambra.players import PLAYERS, Player, Table, apply_action

from .process_pool import process_pool

CHUNK = 8
"""Games that a worker takes at a time."""
LEAKS_EVERY = 10
"""With `--check`, the view of one seat is searched for hidden facts once in this number of moves. That costs as much as
all other checks."""


class Plan(NamedTuple):
    """The games of a simulation: their number and their options."""

    games: int
    seats: int
    modules: tuple[str, ...] = ()
    edition: str = "de_revised_2019"
    policy: str = "random"
    """The names of players, separated by commas; the seats get them in turn."""
    seed: str = "alhambra"
    check: bool = False

    def players(self) -> list[type[Player]]:
        """Return the kinds of players at the table."""
        return [PLAYERS[name] for name in self.policy.split(",")]

    def options(self, number: int) -> Options:
        """Return the options of one of the games, with the rules that its players wish for."""
        rules: dict[str, Any] = {
            name: value for kind in self.players() for name, value in kind.required_options.items()
        }
        return Options(self.seats, f"{self.seed}/{number}", edition=self.edition, modules=self.modules, **rules)


class Outcome(NamedTuple):
    """The outcome of one game. `broken` names the invariant that did not hold; empty if all did."""

    number: int
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    turns: int = 0
    moves: int = 0
    broken: str = ""


def play(plan: Plan, number: int) -> Outcome:
    """Play one game to its end and return its outcome."""
    rng = Random(f"{plan.seed}/{number}")
    quiet = not plan.check and not any(kind.undoes for kind in plan.players())
    game = Game.new(plan.options(number), quiet=quiet)
    table = Table.of(plan.players(), plan.seats)
    try:
        if plan.check:
            _play_and_check(table, game, rng, Random(f"{plan.seed}/{number} checked"))
        else:
            table.play(game, rng)
    except (AlhambraError, AssertionError) as fault:
        return Outcome(number, broken=f"after {game.version} moves: {str(fault) or type(fault).__name__}")
    return Outcome(number, game.scores, game.winners, game.state.turn, game.version)


def _play_and_check(table: Table, game: Game, rng: Random, probing: Random) -> None:
    """Play a game to its end and check it after every move. The checks have their own source of randomness, so they do
    not change the game."""
    invariants = Invariants(game, probing, leaks_every=LEAKS_EVERY)
    invariants.check()
    while not game.over:
        apply_action(game, table.next(game, rng))
        invariants.follow(game.events)
        invariants.check()


def _play_chunk(task: tuple[Plan, int, int]) -> list[Outcome]:
    plan, first, last = task
    return [play(plan, number) for number in range(first, last)]


def outcomes(plan: Plan, workers: int, begin: int = 0) -> Iterator[list[Outcome]]:
    """Play all games from number `begin` on and yield their outcomes in chunks, in the order of their numbers."""
    tasks = [(plan, first, min(first + CHUNK, plan.games)) for first in range(begin, plan.games, CHUNK)]
    with process_pool(min(workers, len(tasks))) as share:
        yield from share(_play_chunk, tasks)


@dataclass
class Tally:
    """What has come out of a simulation so far. Scores are counted, not kept, so a million games need little memory."""

    plan: Plan
    workers: int
    began: float = field(default_factory=time.perf_counter)
    done: int = 0
    """The number of games, broken ones included."""
    broken: list[Outcome] = field(default_factory=list)
    """The games in which an invariant did not hold."""
    seconds: float = 0.0
    _scores: list[Counter[int]] = field(default_factory=list)
    """By seat: how often each score was reached."""
    _wins: Counter[int] = field(default_factory=Counter)
    _shared: int = 0
    _unranked: int = 0
    _turns: int = 0
    _moves: int = 0
    _played_before: int = 0
    """The number of games that an earlier run has played."""

    def add(self, found: list[Outcome], *, played_before: bool = False) -> None:
        """Add the outcomes of finished games. Those of an earlier run do not count for the speed."""
        for outcome in found:
            self.done += 1
            self._played_before += played_before
            if outcome.broken:
                self.broken.append(outcome)
            else:
                self._count(outcome)
        if not played_before:
            self.seconds = time.perf_counter() - self.began

    def _count(self, outcome: Outcome) -> None:
        if not self._scores:
            self._scores = [Counter() for _ in outcome.scores]
        for scores, score in zip(self._scores, outcome.scores, strict=True):
            scores[score] += 1
        if len(outcome.winners) == 1:
            self._wins[outcome.winners[0]] += 1
        self._shared += len(outcome.winners) > 1
        self._unranked += not outcome.winners
        self._turns += outcome.turns
        self._moves += outcome.moves

    def results(self) -> dict[str, Any]:
        """Return the statistics as data for JSON."""
        plan, good = self.plan, self.done - len(self.broken)
        places = len(self._scores) or plan.seats
        scores = self._scores or [Counter() for _ in range(places)]
        played_now = max(0, good - self._played_before)
        return {
            **{name: list(value) if isinstance(value, tuple) else value for name, value in plan._asdict().items()},
            "played": good,
            "scores": [{"mean": _mean(own), "median": _median(own)} for own in scores],
            "wins": [self._wins[seat] for seat in range(places)],
            "shared_wins": self._shared,
            "unranked": self._unranked,
            "turns": round(self._turns / good, 2) if good else 0.0,
            "moves": round(self._moves / good, 2) if good else 0.0,
            "workers": self.workers,
            "seconds": round(self.seconds, 3),
            "games_per_second": round(played_now / self.seconds, 1) if self.seconds else 0.0,
            "broken": [{"number": outcome.number, "what": outcome.broken} for outcome in self.broken],
        }


def _mean(counts: Counter[int]) -> float:
    return round(sum(score * count for score, count in counts.items()) / counts.total(), 2) if counts else 0.0


def _median(counts: Counter[int]) -> float:
    """Return the median of counted numbers: the mean of the two in the middle if their number is even."""
    total, seen = counts.total(), 0
    middle: list[int] = []
    for score in sorted(counts):
        seen += counts[score]
        while len(middle) < 2 and seen > (total - 1 + len(middle)) // 2:
            middle.append(score)
    return sum(middle) / 2 if middle else 0.0
