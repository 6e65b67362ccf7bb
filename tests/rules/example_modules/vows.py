"""Vows: whoever vows poverty takes money and does nothing else; whoever bought takes none this turn."""

from __future__ import annotations

from collections.abc import Iterator

from alhambra import Decision, Game, Module, Move, Violation
from alhambra.base.scoring import score
from alhambra.module import Verb


def may_vow(game: Game, _seat: int) -> bool:
    """Once a turn."""
    return "vow" not in game.state.used


def verify_vow(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Not twice."""
    if not may_vow(game, decision.seat):
        yield Violation("USED_UP", "verb", what="vow", limit=1, per="turn")


def vow(game: Game, decision: Decision, _move: Move) -> None:
    """A point at once."""
    game.state.used = (*game.state.used, "vow")
    score(game, decision.seat, 1, "vow")


def vowings(game: Game, decision: Decision) -> Iterator[Move]:
    """One way to vow."""
    if may_vow(game, decision.seat):
        yield Move("vow")


def forbid_all_but_money(game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """After a vow."""
    if "vow" in game.state.used:
        yield Violation("FORCED_ACTION", "verb", verb="take_money")


def forbid_money(game: Game, _decision: Decision, _move: Move) -> Iterator[Violation]:
    """After a purchase."""
    if "buy" in game.state.taken:
        yield Violation("SOLE_ACTION", "verb", verb="buy")


def demand_vow(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """The poor have no choice."""
    if decision.kind == "start" and not game.state.seats[decision.seat].hand:
        yield Violation("PASS_REFUSED", "verb", decision="start")


VOWS = Module(
    number=912,
    key="example_vows",
    verbs=(Verb("vow", "", verify_vow, vow, vowings, at=("start",), rank=3),),
    asks={"start": may_vow},
    vetoes={
        **dict.fromkeys(("buy", "add", "remove", "swap"), forbid_all_but_money),
        "take_money": forbid_money,
        "pass": demand_vow,
    },
)
