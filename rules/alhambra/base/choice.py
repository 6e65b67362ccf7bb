"""Choosing a word: keep or reroll, keep or exchange.

A question with two or three answers that need no other noun. It is declared as a `Choice`, which says what becomes of
the answer; the words that may be chosen stand in the decision's context, so that everybody can see them.

    Choice("remark", chosen=remark)                                      # in the definition's `decisions`
    game.ask("remark", seat, piece=card, choices=("keep", "reroll"))     # in a step
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..module import DecisionKind, Verb
from ..moves import Move
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..game import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(DecisionKind):
    """A question that is answered with one of the words in its context."""

    verbs: tuple[str, ...] = ("choose",)
    chosen: Callable[[Game, Decision, str], None]
    """What becomes of the answer. Like a verb's `apply` it may tell, push, and ask the next question."""


def verify_choose(_game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """The word is one of those offered."""
    if move.choice not in decision.context["choices"]:
        yield Violation("NOUN_MALFORMED", "choice", value=move.choice)


def choose(game: Game, decision: Decision, move: Move) -> None:
    """The answer goes to whoever asked."""
    kind = game.ruleset.questions[decision.kind].kind
    assert isinstance(kind, Choice), decision.kind
    assert move.choice is not None
    kind.chosen(game, decision, move.choice)


def choices(_game: Game, decision: Decision) -> Iterator[Move]:
    """The words in the order in which they are offered: for a seat that resigned, the first is chosen."""
    for word in decision.context["choices"]:
        yield Move("choose", choice=word)


CHOOSE = Verb("choose", "choice", verify_choose, choose, choices)
