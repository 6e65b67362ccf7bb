"""Matches between players: one challenger against a field of others, over seeds and seats, with confidence intervals.

The challenger plays each seed once from every seat, so neither the deal nor the order of play favours a side. A game
counts as won only if the challenger alone has the first place. The result of a game depends only on the seed and the
number of the game, not on the number of processes. Games whose results are in a file are not played again.
"""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from alhambra import Game, Options
from alhambra.options import PRESETS, preset_modules
from alhambra.players import PLAYERS, Table

from .bad_input import BadInput
from .process_pool import process_pool

CONFIDENT = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations of its mean."""


class Match(NamedTuple):
    """The players and the options of a match."""

    challenger: str
    field: str
    """The player that has all other seats."""
    seats: int = 3
    modules: tuple[str, ...] = ()
    seed: str = "arena"

    @property
    def rules(self) -> str:
        """The modules as a text: "base" for none, the name of a preset, or their keys separated by commas."""
        named = (preset for preset in PRESETS if set(preset_modules(preset)) == set(self.modules))
        return next(named, ",".join(self.modules)) or "base"

    @property
    def name(self) -> str:
        """The match in one line. Results in a file are found by it."""
        return f"{self.challenger} vs {self.field}, {self.seats} seats, {self.rules}, {self.seed}"


class Result(NamedTuple):
    """The result of one game for the challenger."""

    number: int
    won: bool
    score: int
    best_other: int


def wilson(won: int, played: int) -> tuple[float, float]:
    """Return the bounds between which the true share of wins lies with 95 % confidence (Wilson's interval)."""
    if not played:
        return 0.0, 1.0
    square = CONFIDENT * CONFIDENT
    centre = won + square / 2
    spread = CONFIDENT * math.sqrt(won * (played - won) / played + square / 4)
    low, high = ((centre + side * spread) / (played + square) for side in (-1, 1))
    return max(0.0, low), min(1.0, high)


def play_game(match: Match, number: int) -> Result:
    """Play the game with this number and return its result. Each seed is used for one game with the challenger on each
    seat."""
    deal, seat = divmod(number, match.seats)
    options = Options(match.seats, f"{match.seed}/{deal}", modules=match.modules)
    players = [PLAYERS[match.challenger if own == seat else match.field]() for own in range(match.seats)]
    game = Game.new(options, quiet=not any(player.undoes for player in players))
    Table(players).play(game, Random(f"{match.seed}/{number}"))
    scores = game.scores[: match.seats]
    best_other = max(score for own, score in enumerate(scores) if own != seat)
    return Result(number, game.winners == (seat,), scores[seat], best_other)


def _play_task(task: tuple[Match, int]) -> Result:
    return play_game(*task)


def play_games(match: Match, numbers: Iterable[int], workers: int) -> Iterator[Result]:
    """Play the games with these numbers and yield their results in the order in which the games end."""
    tasks = [(match, number) for number in numbers]
    with process_pool(min(workers, len(tasks)), ordered=False) as share:
        yield from share(_play_task, tasks)


@dataclass
class Standing:
    """The results of a match so far."""

    match: Match
    results: dict[int, Result] = field(default_factory=dict)

    def add(self, result: Result) -> None:
        """Count one more game."""
        self.results[result.number] = result

    def row(self) -> dict[str, Any]:
        """Return the figures: games, wins, the share of wins with its bounds, mean scores."""
        results = self.results.values()
        played, won = len(results), sum(result.won for result in results)
        low, high = wilson(won, played)
        return {
            "challenger": self.match.challenger,
            "field": self.match.field,
            "seats": self.match.seats,
            "rules": self.match.rules,
            "games": played,
            "wins": won,
            "share": won / played if played else 0.0,
            "low": low,
            "high": high,
            "score": fmean([result.score for result in results]) if results else 0.0,
            "best_other": fmean([result.best_other for result in results]) if results else 0.0,
        }


class ResultsFile:
    """Results in a file, one line of JSON for each game. An interrupted match is continued from it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def known(self, match: Match, games: int) -> Standing:
        """Return the results that the file has for the first `games` games of a match."""
        standing = Standing(match)
        name_of_match = match.name
        for line in self._lines():
            if line["match"] == name_of_match and line["number"] < games:
                standing.add(Result(**{name: line[name] for name in Result._fields}))
        return standing

    def append(self, match: Match, result: Result) -> None:
        """Append the result of one game to the file. Do nothing without a file."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"match": match.name, **result._asdict()}) + "\n")

    def _lines(self) -> list[dict[str, Any]]:
        if self._path is None or not self._path.exists():
            return []
        try:
            return [json.loads(line) for line in self._path.read_text(encoding="utf-8").splitlines()]
        except ValueError:
            raise BadInput(f"{self._path} is not a file of arena results.") from None
