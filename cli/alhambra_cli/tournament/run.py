"""A whole tournament: plays the games that the file of results lacks, round by round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..bad_input import BadInput
from .entrants import Entrant
from .play import Terms
from .ratings import meetings, points
from .results import Played, TournamentFile
from .schedule import MATCH, SWISS, Fixture, fixtures, swiss_fixtures, swiss_round
from .workers import play_all


class Tournament(NamedTuple):
    """The bots of a tournament, who meets whom, and under which rules."""

    entrants: tuple[Entrant, ...]
    terms: Terms
    schedule: str
    games: int
    """Games of a match or a round robin."""
    rounds: int = 5
    """Rounds of a Swiss tournament."""
    deals: int = 1
    """Deals of each table in a Swiss round."""

    @property
    def bots(self) -> list[str]:
        """The names of the bots."""
        return [entrant.name for entrant in self.entrants]

    def check(self) -> None:
        """Raise BadInput if the bots do not fit the schedule."""
        if self.schedule == MATCH and len(self.entrants) != 2:
            raise BadInput("A match is between two bots; use --schedule round-robin or swiss for more.")
        if self.schedule != MATCH and len(self.entrants) < self.terms.seats:
            raise BadInput(f"{self.terms.seats} seats need at least as many bots; {len(self.entrants)} were given.")

    def size(self) -> int:
        """Return the number of games."""
        if self.schedule != SWISS:
            return self.games
        return self.rounds * (len(self.entrants) // self.terms.seats) * self.deals * self.terms.seats

    def play(self, file: TournamentFile, jobs: int) -> Iterator[Played]:
        """Play all missing games and yield their results as the games end. Each is in the file when it is yielded."""
        for planned in self._rounds(file):
            missing = [fixture for fixture in planned if fixture.number not in file.games]
            for result in play_all(self.terms, self.entrants, missing, jobs):
                file.append(result)
                yield result

    def _rounds(self, file: TournamentFile) -> Iterator[Sequence[Fixture]]:
        """Yield the games, a round at a time. A Swiss round is paired when the games of the one before are over."""
        if self.schedule != SWISS:
            yield fixtures(self.schedule, self.bots, self.terms.seats, self.games)
            return
        byes: list[str] = []
        first = 0
        for number in range(self.rounds):
            before = [game for game in file.games.values() if game.number < first]
            tables, out = swiss_round(self.bots, self.terms.seats, points(before), meetings(before), byes)
            byes += out
            planned = swiss_fixtures(tables, range(number * self.deals, (number + 1) * self.deals), first)
            first += len(planned)
            yield planned
