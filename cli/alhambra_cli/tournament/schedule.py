"""Which bots meet, on which deal and in which seats.

Luck cancels as far as it can: a table plays every deal once from each rotation of its seats, so that each bot has had
each hand and each place in the turn order. A schedule is a fixed list of games, so that an interrupted tournament goes
on where it stopped. Only Swiss rounds depend on results, those of the rounds before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, count, islice
from typing import NamedTuple

MATCH, ROUND_ROBIN, SWISS = "match", "round-robin", "swiss"
SCHEDULES = (MATCH, ROUND_ROBIN, SWISS)


class Fixture(NamedTuple):
    """One game of a schedule."""

    number: int
    deal: int
    bots: tuple[str, ...]
    """The bot of each seat."""


def rotations(table: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the seatings of a table in which every bot has every seat once."""
    for first in range(len(table)):
        yield tuple(table[(first + seat) % len(table)] for seat in range(len(table)))


def tables_of(schedule: str, bots: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Return the tables that play each deal. A match has one: the first bot, and the second one on all other seats."""
    if schedule == MATCH:
        return [(bots[0], *[bots[1]] * (seats - 1))]
    return list(combinations(bots, seats))


def fixtures(schedule: str, bots: Sequence[str], seats: int, games: int) -> list[Fixture]:
    """Return the first games of a match or a round robin: every table plays a deal before the next deal begins."""
    return list(islice(_endless(schedule, bots, seats), games))


def games_of_a_deal(schedule: str, bots: Sequence[str], seats: int) -> int:
    """Return the number of games after which every table has played a deal from all seats."""
    return len(tables_of(schedule, bots, seats)) * seats


def _endless(schedule: str, bots: Sequence[str], seats: int) -> Iterator[Fixture]:
    numbers = count()
    tables = tables_of(schedule, bots, seats)
    for deal in count():
        for table in tables:
            for seating in rotations(table):
                yield Fixture(next(numbers), deal, seating)


# -- Swiss -------------------------------------------------------------------------------------------------------------


class SwissRound(NamedTuple):
    """The tables of one round, and the bots that have to sit out."""

    tables: list[tuple[str, ...]]
    byes: tuple[str, ...]


def swiss_round(
    bots: Sequence[str], seats: int, points: Mapping[str, float], met: Mapping[frozenset[str], int], byes: Sequence[str]
) -> SwissRound:
    """Return the next round: bots with similar points meet, those that have met least often first. If the bots do not
    fill all tables, the lowest ones that sat out least often sit out."""
    order = sorted(bots, key=lambda bot: (-points.get(bot, 0.0), bots.index(bot)))
    out = sorted(order, key=lambda bot: (byes.count(bot), -order.index(bot)))[: len(bots) % seats]
    left = [bot for bot in order if bot not in out]
    tables = []
    while left:
        table = [left.pop(0)]
        while len(table) < seats:
            again = [sum(met.get(frozenset((bot, other)), 0) for other in table) for bot in left]
            table.append(left.pop(again.index(min(again))))
        tables.append(tuple(table))
    return SwissRound(tables, tuple(out))


def swiss_fixtures(tables: Sequence[tuple[str, ...]], deals: range, first: int) -> list[Fixture]:
    """Return the games of a Swiss round: every table plays these deals. `first` is the number of the first game."""
    numbers = count(first)
    return [Fixture(next(numbers), deal, seating) for table in tables for deal in deals for seating in rotations(table)]
