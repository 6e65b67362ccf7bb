"""Strikes: while one lasts, nothing is bought; and whoever likes whistles at any time, which is no action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Decision, Game, Module, Move, Violation
from alhambra.module import Verb


@dataclass(slots=True)
class Strikes:
    """Whether there is a strike."""

    lasts: bool = False


def close_shops(game: Game, _decision: Decision, verb: str) -> Violation | None:
    """Everybody sees the strike."""
    if verb == "buy" and game.module_state(Strikes).lasts:
        return Violation("FORCED_ACTION", "verb", verb="take_money")
    return None


def may_whistle(_game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """Always."""
    yield from ()


def whistle(game: Game, decision: Decision, _move: Move) -> None:
    """Everybody hears it; the question stays open."""
    game.emit("whistled", seat=decision.seat)


def whistles(_game: Game, _decision: Decision) -> Iterator[Move]:
    """One way to whistle."""
    yield Move("whistle")


STRIKES = Module(
    number=924,
    key="example_strikes",
    state=Strikes,
    verbs=(Verb("whistle", "", may_whistle, whistle, whistles, at=("*",), free=True),),
    closes=close_shops,
)
