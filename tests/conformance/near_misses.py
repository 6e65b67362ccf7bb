"""Moves that differ from a legal one in one noun: most are illegal, some are legal and must be enumerated too.

The nouns that the verb takes are changed most, for there judgement is at work; now and then it is a noun that does not
belong to the verb at all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from alhambra import Game, Move
from alhambra.components import CURRENCIES, TYPES
from alhambra.moves import NOUNS, POINTS, noun_form
from tests.conformance.dice import Dice

STRANGE = 8
"""One change in so many may fall on any noun."""
AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0), (2, 1), (1, 1))


@cache
def nouns_of(form: str) -> tuple[str, ...]:
    """The nouns that a verb takes, in the order of the vocabulary."""
    allowed = noun_form(form)[1]
    return tuple(noun for noun in NOUNS if noun in allowed)


def near_miss(game: Game, move: Move, dice: Dice) -> Move:
    """The move with one noun changed, added or left out."""
    taken = nouns_of(game.ruleset.verbs[move.verb].nouns)
    noun = dice.choice(taken) if taken and dice.randrange(STRANGE) else dice.choice(NOUNS)
    change: dict[str, Any] = {noun: CHANGES[noun](game, getattr(move, noun), dice)}
    return move._replace(**change)


def _cell(_game: Game, cell: tuple[int, int] | None, dice: Dice) -> Any:
    (x, y), (dx, dy) = cell or (0, 0), dice.choice(AROUND)
    return (x + dx, y + dy)


def _tile(game: Game, _tile: str | None, dice: Dice) -> Any:
    return dice.choice(tuple(game.ruleset.tiles))


def _piece(game: Game, piece: str | None, dice: Dice) -> Any:
    return dice.choice(sorted(game.ruleset.pieces)) if game.ruleset.pieces else piece and None


def _cards(game: Game, cards: tuple[str, ...], dice: Dice) -> Any:
    return _more_or_fewer(cards, game.state.seats[game.decision.seat].hand if game.decision else (), dice)


def _display(game: Game, cards: tuple[str, ...], dice: Dice) -> Any:
    return _more_or_fewer(cards, game.state.display, dice)


def _items(_game: Game, items: tuple[str, ...], dice: Dice) -> Any:
    return _more_or_fewer(items, ("turntable", *items), dice)


def _more_or_fewer(held: tuple[str, ...], pool: tuple[str, ...], dice: Dice) -> tuple[str, ...]:
    """One thing less, one thing more, or one for another."""
    things = list(held)
    way = dice.randrange(3)
    if things and way != 1:
        things.pop(dice.randrange(len(things)))
    if pool and way != 0:
        things.append(dice.choice(pool))
    return tuple(sorted(things))


def _choice(game: Game, choice: str | None, dice: Dice) -> Any:
    return dice.choice([*game.ruleset.permits, "gate", "watchtower"]) if choice is None else None


def _one_of(*words: Any) -> Callable[[Game, Any, Dice], Any]:
    return lambda _game, _old, dice: dice.choice(words)


CHANGES: dict[str, Callable[[Game, Any, Dice], Any]] = {
    "tile": _tile,
    "piece": _piece,
    "cell": _cell,
    "rotation": _one_of(None, 90, 180, 270),
    "side": _one_of(*POINTS),
    "slot": _one_of(*(f"market-{currency}" for currency in CURRENCIES)),
    "cards": _cards,
    "display": _display,
    "items": _items,
    "currency": _one_of(*CURRENCIES),
    "type": _one_of(*TYPES),
    "seat": _one_of(0, 1, 2),
    "amount": _one_of(*range(30)),
    "choice": _choice,
}
assert CHANGES.keys() == set(NOUNS), "every noun of the vocabulary can be changed"
