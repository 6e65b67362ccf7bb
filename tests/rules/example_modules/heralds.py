"""Heralds: whoever takes money is granted a favour: after an odd sum an open card, after an even one a redesign."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Decision, Game, Module, Move
from alhambra.module import DecisionKind, Licence, Verb, freely

ANSWERS = {"money": ("take_open",), "redesign": ("add", "remove", "swap")}
"""By favour: the verbs of the core that use it."""


@dataclass(slots=True)
class Heralds:
    """How each favour was answered: favour, verb, cards taken."""

    proclaimed: tuple[tuple[str, str, tuple[str, ...]], ...] = ()


def grant(game: Game, seat: int, cards: tuple[str, ...]) -> None:
    """The sum decides which favour it is."""
    odd = sum(game.ruleset.cards[card].value for card in cards) % 2
    game.push(ask_favour, seat, "money" if odd else "redesign")


def ask_favour(game: Game, seat: int, favour: str) -> None:
    """The seat may use it."""
    game.ask("favour", seat, favour=favour)


def answers_favour(_game: Game, decision: Decision, verb: Verb) -> bool:
    """The verbs of this favour only; it may be declined."""
    return verb.name in (*ANSWERS[decision.context["favour"]], "pass")


def proclaim(game: Game, decision: Decision, move: Move) -> None:
    """The herald tells what was done."""
    kept = game.module_state(Heralds)
    kept.proclaimed = (*kept.proclaimed, (decision.context["favour"], move.verb, move.display))
    game.push(blow_horn, decision.seat)


def blow_horn(game: Game, seat: int) -> None:
    """When everything is done."""
    game.emit("horn_blown", seat=seat)


def licences(_game: Game, decision: Decision) -> Iterator[Licence]:
    """A redesign needs nothing else."""
    if decision.kind == "favour":
        yield Licence()


HERALDS = Module(
    number=920,
    key="example_heralds",
    state=Heralds,
    decisions=(DecisionKind("favour", passing=freely, open=answers_favour, answered=proclaim),),
    answers={"favour": ("take_open", "add", "remove", "swap")},
    agenda={"ask_favour": ask_favour, "blow_horn": blow_horn},
    licences=licences,
    reactions={"money_taken": grant},
)
