"""Moves that differ from a legal one in one noun: most are illegal, some are legal and must be enumerated too.

The nouns that the verb takes are changed most, for there judgement is at work; now and then it is a noun that does not
belong to the verb at all. Words are drawn from what this game has enumerated so far, for every noun: words that some
move can have, now or at another moment. Where a noun has words that need not have come up yet, such as tiles, cells and
cards, every other change takes one of those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from alhambra import Game, Move
from alhambra.components import CURRENCIES, TYPES
from alhambra.moves import NOUNS, POINTS, noun_form
from tests.conformance.dice import Dice

STRANGE = 8
"""One change in so many may fall on any noun."""
LISTS = frozenset(("cards", "display", "items"))
"""Nouns with several words."""
LEARNED_FROM = 40
"""Moves of one state, about, that are looked at for it."""
AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0), (2, 1), (1, 1))


@cache
def nouns_of(form: str) -> tuple[str, ...]:
    """The nouns that a verb takes, in the order of the vocabulary."""
    allowed = noun_form(form)[1]
    return tuple(noun for noun in NOUNS if noun in allowed)


class Nouns:
    """The words that the enumerated moves of one game had, by noun."""

    def __init__(self) -> None:
        self._seen: dict[str, dict[Any, None]] = {noun: {} for noun in NOUNS}

    def learn(self, walked: Sequence[Move]) -> None:
        """Take note of the words of some of the moves, spread evenly over all of them."""
        for move in walked[:: max(1, len(walked) // LEARNED_FROM)]:
            values: tuple[Any, ...] = move[1:]
            for noun, value in zip(NOUNS, values, strict=True):
                for word in value if noun in LISTS else (value,):
                    if word is not None:
                        self._seen[noun][word] = None

    def seen(self, noun: str) -> tuple[Any, ...]:
        """Return the words of a noun, in the order in which they came up."""
        return tuple(self._seen[noun])


def near_miss(game: Game, move: Move, nouns: Nouns, dice: Dice) -> Move:
    """Return the move with one noun changed, added or left out."""
    taken = nouns_of(game.ruleset.verbs[move.verb].nouns)
    noun = dice.choice(taken) if taken and dice.randrange(STRANGE) else dice.choice(NOUNS)
    old = getattr(move, noun)
    by_itself = noun in CHANGES and dice.randrange(2)
    new = CHANGES[noun](game, old, dice) if by_itself else _learned(noun, old, nouns, dice)
    fields: dict[str, Any] = {noun: new}
    return move._replace(**fields)


def _learned(noun: str, old: Any, nouns: Nouns, dice: Dice) -> Any:
    """Return another word that this game has enumerated, or none."""
    pool = nouns.seen(noun)
    if noun in LISTS:
        return _more_or_fewer(old, pool, dice)
    others = [None, *(word for word in pool if word != old)]
    return dice.choice(others)


def _cell(_game: Game, cell: tuple[int, int] | None, dice: Dice) -> Any:
    (x, y), (dx, dy) = cell or (0, 0), dice.choice(AROUND)
    return (x + dx, y + dy)


def _tile(game: Game, _tile: str | None, dice: Dice) -> Any:
    return dice.choice(tuple(game.ruleset.tiles))


def _cards(game: Game, cards: tuple[str, ...], dice: Dice) -> Any:
    return _more_or_fewer(cards, game.state.seats[game.decision.seat].hand if game.decision else (), dice)


def _display(game: Game, cards: tuple[str, ...], dice: Dice) -> Any:
    return _more_or_fewer(cards, game.state.display, dice)


def _more_or_fewer(held: tuple[str, ...], pool: tuple[str, ...], dice: Dice) -> tuple[str, ...]:
    """One thing less, one thing more, or one for another."""
    things = list(held)
    way = dice.randrange(3)
    if things and way != 1:
        things.pop(dice.randrange(len(things)))
    if pool and way != 0:
        things.append(dice.choice(pool))
    return tuple(sorted(things))


def _amount(_game: Game, amount: int | None, dice: Dice) -> Any:
    return None if amount is None else amount + dice.choice((-1, 1))


def _one_of(*words: Any) -> Callable[[Game, Any, Dice], Any]:
    return lambda _game, _old, dice: dice.choice(words)


CHANGES: dict[str, Callable[[Game, Any, Dice], Any]] = {
    "tile": _tile,
    "cell": _cell,
    "rotation": _one_of(None, 60, 90, 120, 180, 240, 270, 300),
    "side": _one_of(*POINTS),
    "cards": _cards,
    "display": _display,
    "amount": _amount,
    "currency": _one_of(*CURRENCIES),
    "type": _one_of(*TYPES),
}
"""By noun: a change that needs no word which has come up before."""
