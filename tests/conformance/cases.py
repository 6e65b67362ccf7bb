"""The list of games that the conformance suite plays: every case is named, seeded, and independent of the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from alhambra import EDITIONS, Options, known_modules
from tests.conformance.invariants import PROBES, Watch

SEATS = (2, 3, 4, 6)
BASE_SEATS = (2, 3, 4, 5, 6)
MORE_PROBES = 6


class Case(NamedTuple):
    """One game to be played with all invariants."""

    group: str
    seats: int
    number: int
    modules: tuple[str, ...] = ()
    edition: str = "de_revised_2019"

    @property
    def name(self) -> str:
        """Readable and unique: also the seed of the game."""
        what = "+".join(self.modules) or self.edition
        return f"{self.group}/{what}/{self.seats}/{self.number}"

    def options(self) -> Options:
        """The options of its game."""
        return Options(seats=self.seats, seed=self.name, modules=self.modules, edition=self.edition)

    def watch(self, every: int = 1) -> Watch:
        """Its game with all checks. Modules add verbs and are played in fewer games: there a state is probed more."""
        return Watch(self.options(), self.number, every=every, probes=MORE_PROBES if self.modules else PROBES)


def base_games(games: int) -> Iterator[Case]:
    """The base game: every number of players, every edition, one game of each before the next of any."""
    for number in range(games):
        for seats in BASE_SEATS:
            for edition in EDITIONS:
                yield Case("base", seats, number, edition=edition)


def single_modules(games: int) -> Iterator[Case]:
    """Every module by itself."""
    for number in range(games):
        for key in known_modules():
            for seats in SEATS:
                yield Case("single", seats, number, (key,))


def pairs(games: int, *, spread: bool = False) -> Iterator[Case]:
    """Every pair of modules; `spread` gives each pair one of the seat counts instead of all."""
    for number in range(games):
        for place, pair in enumerate(combinations(known_modules(), 2)):
            for seats in (SEATS[place % len(SEATS)],) if spread else SEATS:
                yield Case("pair", seats, number, pair)


def everything(games: int, seats: tuple[int, ...] = SEATS) -> Iterator[Case]:
    """All modules at once."""
    for number in range(games):
        for count in seats:
            yield Case("all", count, number, tuple(known_modules()))
