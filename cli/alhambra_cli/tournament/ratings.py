"""Ratings of the bots of a tournament, with confidence intervals.

A game of several bots counts as a result between each pair of them: the better place wins, equal places are half a win
for both. A Bradley-Terry model is fitted to these results: the chance that one bot beats another depends only on the
difference of their ratings. Ratings are on the Elo scale (400 points are odds of 10 to 1), with a mean of 0.

Games of one deal are not independent, because they share its luck. So the intervals come from a bootstrap over deals:
the deals are drawn again with replacement, the model is fitted to each drawing, and 95 % of the ratings lie within the
bounds. Each bot also has one drawn game against each other one, which keeps ratings finite without changing the order.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from ..arena import wilson
from .results import Played

ELO = 400.0 / math.log(10.0)
ROUNDS = 200
"""Iterations of the fit; it converges much sooner."""
PRECISE = 1e-9
DRAWINGS = 200
"""Drawings of the bootstrap."""
CONFIDENCE = 0.95

Pair = tuple[str, str]
Wins = dict[Pair, float]
"""How often the first bot of a pair beat the second; a tie is half a win for both."""


class Rating(NamedTuple):
    """A rating on the Elo scale with the bounds of its interval."""

    elo: float
    low: float
    high: float


def pair_results(game: Played) -> Wins:
    """Return the results between each pair of bots in one game. A bot does not play against itself."""
    found: Wins = defaultdict(float)
    for one, other in combinations(range(len(game.bots)), 2):
        mine, theirs = game.bots[one], game.bots[other]
        if mine != theirs:
            lead = game.places[other] - game.places[one]
            won = 0.5 if lead == 0 else float(lead > 0)
            found[mine, theirs] += won
            found[theirs, mine] += 1.0 - won
    return dict(found)


def add_up(results: Iterable[Mapping[Pair, float]]) -> Wins:
    """Return the sum of results."""
    total: Wins = defaultdict(float)
    for wins in results:
        for pair, share in wins.items():
            total[pair] += share
    return dict(total)


def fit(bots: Sequence[str], wins: Mapping[Pair, float]) -> dict[str, float]:
    """Return the rating of each bot under the Bradley-Terry model, on the Elo scale, with a mean of 0."""
    scores = {(one, other): wins.get((one, other), 0.0) + 0.5 for one in bots for other in bots if one != other}
    total = {bot: sum(scores[bot, other] for other in bots if other != bot) for bot in bots}
    strength = dict.fromkeys(bots, 1.0)
    for _ in range(ROUNDS):
        found = {
            bot: total[bot]
            / sum(
                (scores[bot, other] + scores[other, bot]) / (strength[bot] + strength[other])
                for other in bots
                if other != bot
            )
            for bot in bots
        }
        mean = math.exp(sum(map(math.log, found.values())) / len(bots))
        found = {bot: value / mean for bot, value in found.items()}
        moved = max(abs(math.log(found[bot] / strength[bot])) for bot in bots)
        strength = found
        if moved < PRECISE:
            break
    return {bot: ELO * math.log(strength[bot]) for bot in bots}


def ratings(bots: Sequence[str], games: Sequence[Played]) -> dict[str, Rating]:
    """Return the rating of each bot with its interval. The same games always give the same bounds."""
    deals: dict[int, list[Wins]] = defaultdict(list)
    for game in games:
        deals[game.deal].append(pair_results(game))
    clusters = [add_up(deals[deal]) for deal in sorted(deals)]
    best = fit(bots, add_up(clusters))
    rng = Random("bootstrap")
    drawn: dict[str, list[float]] = {bot: [] for bot in bots}
    for _ in range(DRAWINGS if len(clusters) > 1 else 0):
        for bot, elo in fit(bots, add_up(rng.choices(clusters, k=len(clusters)))).items():
            drawn[bot].append(elo)
    return {bot: Rating(best[bot], *_bounds(drawn[bot])) for bot in bots}


def _bounds(values: list[float]) -> tuple[float, float]:
    """Return the bounds between which the middle 95 % of the values lie; without values, no bounds."""
    if not values:
        return -math.inf, math.inf
    order = sorted(values)
    cut = int(len(order) * (1.0 - CONFIDENCE) / 2)
    return order[cut], order[-1 - cut]


# -- The table ---------------------------------------------------------------------------------------------------------


def standings(bots: Sequence[str], games: Iterable[Played]) -> list[dict[str, Any]]:
    """Return a row for each bot, best rating first: games, rating, wins alone with their interval, points, faults."""
    played = sorted(games, key=lambda game: game.number)
    rated = ratings(bots, played)
    rows = []
    for bot in bots:
        seats = [(game, seat) for game in played for seat, name in enumerate(game.bots) if name == bot]
        own = {game.number for game, _ in seats}
        won = sum(game.places[seat] == 1 and game.places.count(1) == 1 for game, seat in seats)
        low, high = wilson(won, len(seats))
        faults = Counter(fault.reason for game, seat in seats for fault in game.faults if fault.seat == seat)
        rows.append(
            {
                "bot": bot,
                "games": len(own),
                "elo": round(rated[bot].elo, 1),
                "elo_low": _finite(rated[bot].low),
                "elo_high": _finite(rated[bot].high),
                "won_alone": won / len(seats) if seats else 0.0,
                "low": low,
                "high": high,
                "points": sum(game.scores[seat] for game, seat in seats) / len(seats) if seats else 0.0,
                "seconds": sum(game.seconds[seat] for game, seat in seats) / len(seats) if seats else 0.0,
                "faults": dict(sorted(faults.items())),
            }
        )
    return sorted(rows, key=lambda row: -float(str(row["elo"])))


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None


def points(games: Iterable[Played]) -> dict[str, float]:
    """Return the sum of each bot's results between pairs, by which Swiss rounds are paired."""
    total: dict[str, float] = defaultdict(float)
    for game in games:
        for (bot, _), share in pair_results(game).items():
            total[bot] += share
    return dict(total)


def meetings(games: Iterable[Played]) -> Counter[frozenset[str]]:
    """Return how many games each pair of bots has played at the same table."""
    met: Counter[frozenset[str]] = Counter()
    for game in games:
        met.update(frozenset(pair) for pair in combinations(sorted(set(game.bots)), 2))
    return met
