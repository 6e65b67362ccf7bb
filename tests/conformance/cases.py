"""The list of games that the conformance suite plays: every case is named, seeded, and independent of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from alhambra import EDITIONS, Options, known_modules
from alhambra.players import PLAYERS, RandomPlayer
from tests.conformance.covering import BLOCK, blocks
from tests.conformance.invariants import PROBES, Watch
from tests.conformance.resigning import Departures
from tests.conformance.results import number_of

SEATS = (2, 3, 4, 5, 6)
MORE_PROBES = 6
HABITS_EVERY = 25
"""Games of players with habits are checked after every so many moves, and after every undo and resignation."""
HABIT_PROBES = 3
SUBSET = (3, 20)
"""Fewest and most modules of a random subset."""
HABITS = tuple(name for name, kind in PLAYERS.items() if not kind.is_slow)
"""The players whose habits are tried."""
BUILDERS = 0.5
"""In games with all checks after every move, this part of the seats buys and builds: such games come to their end."""
RESIGNED = "resigned"
"""The group of games in which every seat resigns at every kind of question."""
QUESTIONS = 3
"""Questions of each kind at which every seat of such a game resigns."""
PLAYED_ON = 60
"""Moves that are made after each resignation. With one module the games are short and played to their end."""
CONSENT = 4
"""One game of this many has undo without consent: no move can be taken back across another seat's decision."""


class Case(NamedTuple):
    """One game to be played with all invariants."""

    group: str
    seats: int
    number: int
    modules: tuple[str, ...] = ()
    edition: str = "de_revised_2019"
    players: tuple[str, ...] = ()
    """By seat, the habit of its player; none: all play at random."""
    consent: bool = False
    """Whether moves may be taken back across another seat's decision."""

    @property
    def name(self) -> str:
        """Return a readable, unique name. It is also the seed of the game."""
        what = "+".join(sorted(map(number_of, self.modules))) or self.edition
        who = "+".join(self.players) if self.group == "habits" else self.seats
        return f"{self.group}/{what}/{who}/{self.number}"

    def with_habits(self) -> Case:
        """Return the same game with a habit drawn for each seat; in most of these games moves can be taken back
        across another seat's decision."""
        rng = Random(f"habits of {self.name}")
        players = tuple("peer" if rng.random() < BUILDERS else rng.choice(HABITS) for _ in range(self.seats))
        return self._replace(players=players, consent=rng.randrange(CONSENT) != 0)

    def options(self) -> Options:
        """Return the options of its game."""
        rules: dict[str, Any] = {"undo": "by_consent"} if self.consent else {}
        if self.group == RESIGNED:
            rules["confirm_turn"] = True  # then the end of a turn is a question, too
        return Options(seats=self.seats, seed=self.name, modules=self.modules, edition=self.edition, **rules)

    def departures(self, questions: int = QUESTIONS, moves: int | None = PLAYED_ON) -> Departures:
        """Return its game with seats that resign at the first questions of each kind, and moves made after that."""
        return Departures(self.options(), self.number, questions=questions, moves=moves)

    def watch(self, every: int = 1) -> Watch:
        """Return its game with all checks. Modules add verbs and are played in fewer games: there a state is probed
        more. The games of the group `habits` are many and long: they are checked less often."""
        kinds = tuple(PLAYERS[name] for name in self.players) or (RandomPlayer,)
        probes = MORE_PROBES if self.modules else PROBES
        if self.group == "habits":
            every, probes = max(every, HABITS_EVERY), HABIT_PROBES
        return Watch(self.options(), self.number, every=every, probes=probes, players=kinds)


def base_games(games: int) -> Iterator[Case]:
    """The base game: every number of players, every edition, one game of each before the next of any."""
    for number in range(games):
        for seats in SEATS:
            for edition in EDITIONS:
                yield Case("base", seats, number, edition=edition)


def single_modules(games: int) -> Iterator[Case]:
    """Every module by itself."""
    for number in range(games):
        for key in known_modules():
            for seats in SEATS:
                yield Case("single", seats, number, (key,)).with_habits()


def pairs(games: int) -> Iterator[Case]:
    """Every pair of modules by itself."""
    for number in range(games):
        for pair in combinations(known_modules(), 2):
            for seats in SEATS:
                yield Case("pair", seats, number, pair).with_habits()


def covering(size: int = BLOCK) -> Iterator[Case]:
    """Every pair of modules, many in one game: each block of so many modules with two of the seat counts."""
    for place, block in enumerate(blocks(tuple(known_modules()), size)):
        for seats in (SEATS[place % 5], SEATS[(place + 2) % 5]):
            yield Case("cover", seats, 0, block).with_habits()


def subsets(games: int) -> Iterator[Case]:
    """From three to twenty modules, drawn at random."""
    known = known_modules()
    for number in range(games):
        rng = Random(f"subset {number}")
        size = min(rng.randint(*SUBSET), len(known))
        yield Case("subset", SEATS[number % len(SEATS)], number, tuple(sorted(rng.sample(known, size)))).with_habits()


def everything(games: int, seats: tuple[int, ...] = SEATS) -> Iterator[Case]:
    """All modules at once."""
    for number in range(games):
        for count in seats:
            yield Case("all", count, number, tuple(known_modules())).with_habits()


def departures(games: int) -> Iterator[Case]:
    """Games in which every seat resigns at every kind of question: each module alone, random subsets, all at once."""
    for key in known_modules():
        yield Case(RESIGNED, 3, 0, (key,))
    for case in subsets(games):
        yield Case(RESIGNED, max(case.seats, 3), case.number, case.modules)
    for number in range(max(1, games // 5)):
        yield Case(RESIGNED, SEATS[1:][number % 4], number, tuple(known_modules()))


def single_habits(games: int) -> Iterator[Case]:
    """Three players with the same habit, with all modules at once."""
    for number in range(games):
        for name in HABITS:
            yield Case("habits", 3, number, tuple(known_modules()), players=(name,) * 3, consent=True)


def habits_with_each_module(names: Iterable[str]) -> Iterator[Case]:
    """Two players with the same habit, with every module alone."""
    for name in names:
        for key in known_modules():
            yield Case("habits", 2, 0, (key,), players=(name,) * 2, consent=True)


def mixed_habits(games: int) -> Iterator[Case]:
    """From no module to all of them, drawn at random, and for each seat a habit drawn at random."""
    known, names = known_modules(), sorted(HABITS)
    for number in range(games):
        rng = Random(f"habits {number}")
        seats = SEATS[number % len(SEATS)]
        modules = tuple(sorted(rng.sample(known, rng.randint(0, len(known)))))
        players = tuple(rng.choice(names) for _ in range(seats))
        edition = rng.choice(list(EDITIONS))
        yield Case("habits", seats, number, modules, edition, players, consent=number % CONSENT != 0)
