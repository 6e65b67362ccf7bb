"""Choices: decisions answered with one of a few words, such as keep or reroll.

A module declares a `Choice` with a function for the answer. The possible words are in the context of the decision, so
they are public.

    Choice("remark", chosen=remark)                                      # in the definition's `decisions`
    game.ask("remark", seat, piece=card, choices=("keep", "reroll"))     # in a step
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..module import DecisionKind, Verb
from ..moves import Move, need
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(DecisionKind):
    """A decision that is answered with one of the words in its context."""

    verbs: tuple[str, ...] = ("choose",)
    chosen: Callable[[Game, Decision, str], None]
    """Called with the answer. Like `Verb.apply`, it may emit events, push steps and ask again."""


def verify_choose(_game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """Yield a violation unless the word is offered."""
    if move.choice not in decision.context["choices"]:
        yield Violation("NOUN_MALFORMED", "choice", value=move.choice)


def choose(game: Game, decision: Decision, move: Move) -> None:
    """Pass the answer to the function of the choice."""
    kind = game.ruleset.questions[decision.kind].kind
    assert isinstance(kind, Choice), decision.kind
    kind.chosen(game, decision, need(move.choice))


def choices(_game: Game, decision: Decision) -> Iterator[Move]:
    """Yield the words in the order offered. For a resigned seat, the first is chosen."""
    for word in decision.context["choices"]:
        yield Move("choose", choice=word)


CHOOSE = Verb("choose", "choice", verify_choose, choose, choices)
