"""Hermits: to meditate is an action that must be the only one of its turn."""

from __future__ import annotations

from collections.abc import Iterator

from alhambra import Decision, Game, Module, Move, Violation
from alhambra.base.scoring import score
from alhambra.base.sole_action import free_redesign_barred
from alhambra.module import Licence, Verb


def verify_meditate(_game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """Nothing else stands against it."""
    return iter(())


def meditate(game: Game, decision: Decision, _move: Move) -> None:
    """A point."""
    score(game, decision.seat, 1, "meditation")


def meditations(_game: Game, _decision: Decision) -> Iterator[Move]:
    """One way to do it."""
    yield Move("meditate")


def is_asked_late(game: Game, seat: int) -> bool:
    """Once a turn everybody may redesign after placing, but not after meditating."""
    return "redesign" not in game.state.used and not free_redesign_barred(game, seat)


def licences(game: Game, decision: Decision) -> Iterator[Licence]:
    """A redesign after placing; the core sees to it that none follows a sole action."""
    if decision.kind == "late" and "redesign" not in game.state.used:
        yield Licence()


HERMITS = Module(
    number=922,
    key="example_hermits",
    verbs=(Verb("meditate", "", verify_meditate, meditate, meditations, at=("action",), action=True, sole=True),),
    asks={"late": is_asked_late},
    licences=licences,
)
