"""Features of a position for one seat, as numbers: what the learned player estimates the final score from.

They are facts of the base game: walls, majorities, money, what the hand can buy, reserve, room to build. If the ruleset
scores anything else at a scoring, one feature counts those points, so that no feature is specific to a module.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ..base.scoring import STEPS as BASE_STEPS
from ..base.scoring import count_buildings, score_boards, split_places, steps_of_boards
from ..components import CURRENCIES, MAJORITY_VALUES, OPEN, TYPES, Part, Tile
from ..game import Game
from ..placement.outline import longest_wall
from ..placement.rules import legal_cells
from ..ruleset import Ruleset
from .projection import LAST_SCORING, next_scoring

STAGES = 3
"""Stages of a game: before the first, the second and the last scoring."""
DECK_UNIT, TOWER_UNIT = 40.0, 27.0
"""Cards before a scoring card, and tiles of the tower before the end, that count as one unit of time."""
LEAD = 2
"""A lead in a majority counts up to this many buildings."""
ROOM = 10
"""Places to build count up to this number."""
SAVED, RICH = 12, 25
"""Money up to the first bound is counted once more, money above the second bound as well."""
_PROBE = Tile("probe", "standard", (Part(0, 0, OPEN * 4),))
"""A tile without walls, to count the places where one can build."""

NAMES = (
    "constant",
    "points",
    "points_last",
    "points_of_modules",
    "wall",
    *(f"count_{name}" for name in TYPES),
    *(f"lead_{name}" for name in TYPES),
    *("money", "money_saved", "money_rich", "cards", "best_currency"),
    *("exact", "affordable", "exact_on_turn", "affordable_on_turn"),
    *("reserve", "reserve_fits", "actions", "room", "distance"),
)
"""The names of the features, in their order."""


class Clock(NamedTuple):
    """How far a game is."""

    stage: int
    """Scorings held, at most 2."""
    time: float
    """Time until the next scoring, from 0 to about 1.5: cards of the deck, or tiles of the tower before the last."""


def clock_of(game: Game) -> Clock:
    """Return how far the game is. A scoring card counts as lying in the middle of its pile, because that is public."""
    state = game.state
    stage = min(len(state.held), STAGES - 1)
    if stage == STAGES - 1:
        return Clock(stage, min(1.5, len(state.tower) / TOWER_UNIT))
    if state.due:
        return Clock(stage, 0.0)
    card = f"scoring-{stage + 1}"
    above = 0.0
    end = len(state.deck)
    for size in reversed(state.piles):
        if card in state.deck[end - size : end]:
            return Clock(stage, min(1.5, (above + size / 2) / DECK_UNIT))
        above += size
        end -= size
    return Clock(stage, min(1.5, above / DECK_UNIT))


def features(game: Game, extra: Sequence[float] | None = None) -> list[list[float]]:
    """Return the features of every seat. `extra`: the points of modules in the next scoring for every seat, if they
    are known; otherwise that scoring is held in a clone."""
    state = game.state
    seats = range(len(state.seats))
    counted = range(len(state.seats) + (len(state.seats) == 2))  # with two players Dirk has buildings, too
    built = [count_buildings(game, seat) for seat in counted]
    walls = [longest_wall(owner.board) for owner in state.seats]
    soon = next_scoring(game)
    points = _majorities(built, soon)
    last = points if soon == LAST_SCORING else _majorities(built, LAST_SCORING)
    money = [_hand_features(game, seat) for seat in seats]
    rooms = [float(min(ROOM, len(legal_cells(owner.board, _PROBE, 0, ())))) for owner in state.seats]
    acting = state.active if state.decision is not None else -1
    if extra is None:
        extra = points_of_modules(game)
    found = []
    for seat in seats:
        owner = state.seats[seat]
        counts = built[seat]
        leads = [
            float(max(-LEAD, min(LEAD, counts[name] - max(built[o][name] for o in counted if o != seat))))
            for name in TYPES
        ]
        on_turn = seat == acting and state.actions > 0
        hand, exact, affordable = money[seat]
        fits = sum([bool(legal_cells(owner.board, game.ruleset.tiles[tile], 0, ())) for tile in owner.reserve])
        found.append(
            [
                1.0,
                float(points[seat] + walls[seat]),
                float(last[seat]),
                float(extra[seat]),
                float(walls[seat]),
                *[float(counts[name]) for name in TYPES],
                *leads,
                *hand,
                exact,
                affordable,
                exact * on_turn,
                affordable * on_turn,
                float(len(owner.reserve)),
                float(fits),
                float(state.actions) if seat == acting else 0.0,
                rooms[seat],
                ((seat - state.active) % len(state.seats)) / len(state.seats),
            ]
        )
    return found


def _majorities(built: Sequence[dict[str, int]], scoring: int) -> list[int]:
    """Return the points of every seat for majorities in one scoring, without changes by modules."""
    shares = [_shares(tuple([own[name] for own in built]), MAJORITY_VALUES[name][scoring]) for name in TYPES]
    return [sum(points) for points in zip(*shares, strict=True)]


@lru_cache(maxsize=20_000)
def _shares(counts: tuple[int, ...], values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of every seat for one building type."""
    found = split_places(dict(enumerate(counts)), values)
    return tuple([found[seat][0] if seat in found else 0 for seat in range(len(counts))])


def _hand_features(game: Game, seat: int) -> tuple[list[float], float, float]:
    """Return the features of a seat's money, and how many tiles of the market it can pay exactly, and at all."""
    cards = game.ruleset.cards
    totals = dict.fromkeys(CURRENCIES, 0)
    sums = dict.fromkeys(CURRENCIES, 1)
    """By currency: bit n is set if some cards are worth n together."""
    count = 0
    for name in game.state.seats[seat].hand:
        card = cards[name]
        if card.value and card.currency in totals:
            totals[card.currency] += card.value
            sums[card.currency] |= sums[card.currency] << card.value
            count += 1
    exact = affordable = 0
    for currency, tile in zip(CURRENCIES, game.state.market, strict=True):
        price = game.ruleset.tiles[tile].price if tile else None
        if price is not None:
            affordable += totals[currency] >= price
            exact += sums[currency] >> price & 1
    money = sum(totals.values())
    hand = [money, min(money, SAVED), max(0, money - RICH), count, max(totals.values())]
    return [float(value) for value in hand], float(exact), float(affordable)


def scores_more(ruleset: Ruleset) -> bool:
    """Return whether a scoring of these rules gives points beyond walls and majorities of the base game."""
    return len(ruleset.table(steps_of_boards)) > len(BASE_STEPS) or any(
        name in ruleset.modifiers for name in ("majority_count", "majority_row")
    )


def points_of_modules(game: Game) -> list[float]:
    """Return the points of every seat that modules add to the next scoring, if it were held now."""
    seats = len(game.state.seats)
    if not game.ruleset.table(scores_more):
        return [0.0] * seats
    scoring = min(LAST_SCORING, len(game.state.held) + 1)
    built = [count_buildings(game, seat) for seat in range(seats + (seats == 2))]
    base = _majorities(built, scoring)
    held = game.clone()
    score_boards(held, scoring)
    return [
        float(after.score - owner.score - base[seat] - longest_wall(owner.board))
        for seat, (owner, after) in enumerate(zip(game.state.seats, held.state.seats, strict=True))
    ]
