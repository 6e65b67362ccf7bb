"""Notary: every purchase is recorded by the buyer before anything else comes of it."""

from __future__ import annotations

from alhambra import Decision, Game, Module, Move
from alhambra.base.payment.offers import Purchase
from alhambra.module import DecisionKind, Stage, Step, Verb


def ask_notary(game: Game, purchase: Purchase) -> None:
    """Asks in the middle of the purchase frame."""
    game.ask("notary", purchase.seat, tile=purchase.tile)


def record(game: Game, decision: Decision, _move: Move) -> None:
    """Recorded."""
    game.emit("recorded", seat=decision.seat, tile=decision.context["tile"])


NOTARY = Module(
    number=905,
    key="example_notary",
    verbs=(
        Verb("record", "", lambda _game, _decision, _move: (), record, lambda _game, _decision: iter([Move("record")])),
    ),
    decisions=(DecisionKind("notary", verbs=("record",)),),
    stages=(Stage("purchase.deed", after="purchase.coins"),),
    steps=(Step("purchase.deed", ask_notary),),
)
