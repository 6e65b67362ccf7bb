"""Bells: between turns anybody may ring; the seat to the left must say whether it echoes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from alhambra import Decision, Game, Module, Move, Violation
from alhambra.base.scoring import score
from alhambra.base.turn import interrupt
from alhambra.base.turn_order import seats_after
from alhambra.module import DecisionKind, Step, Verb


@dataclass(slots=True)
class Bells:
    """How often each seat may still ring."""

    left: tuple[int, ...] = ()


def hang_bells(game: Game) -> None:
    """Two each."""
    game.module_state(Bells).left = (2,) * len(game.state.seats)


def has_bell(game: Game, seat: int) -> bool:
    """Everybody can see who may still ring."""
    return game.module_state(Bells).left[seat] > 0


def verify_ring(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Only with a bell."""
    if not has_bell(game, decision.seat):
        yield Violation("NOT_THERE", "verb", id="bell", place="held")


def ring(game: Game, decision: Decision, _move: Move) -> None:
    """The bell is spent; the same seat may go on after the echo."""
    bells = game.module_state(Bells)
    bells.left = tuple(left - (seat == decision.seat) for seat, left in enumerate(bells.left))
    game.emit("bell_rang", seat=decision.seat)
    interrupt(game, (ask_echo, decision.seat), run_goes_on=True)


def ringings(game: Game, decision: Decision) -> Iterator[Move]:
    """One way to ring."""
    if has_bell(game, decision.seat):
        yield Move("ring")


def ask_echo(game: Game, ringer: int) -> None:
    """The next seat hears it."""
    game.ask("echo", seats_after(game, ringer)[0], ringer=ringer)


ECHOES = ("yes", "no")


def verify_answer(_game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """Yes or no."""
    if move.choice not in ECHOES:
        yield Violation("NOUN_MALFORMED", "choice", value=move.choice)


def answer(game: Game, decision: Decision, move: Move) -> None:
    """An echo is worth a point to both."""
    game.emit("echoed", seat=decision.seat, choice=move.choice)
    if move.choice == "yes":
        for seat in (decision.seat, decision.context["ringer"]):
            score(game, seat, 1, "echo")


def answers(_game: Game, _decision: Decision) -> Iterator[Move]:
    """Both words."""
    return (Move("answer", choice=word) for word in ECHOES)


def view_bells(game: Game, _viewer: int | None) -> dict[str, Any]:
    """All is open."""
    return {"left": list(game.module_state(Bells).left)}


BELLS = Module(
    number=901,
    key="example_bells",
    state=Bells,
    verbs=(
        Verb("ring", "", verify_ring, ring, ringings, at=("window",)),
        Verb("answer", "choice", verify_answer, answer, answers, at=("echo",)),
    ),
    decisions=(DecisionKind("echo"),),
    steps=(Step("setup.deal", hang_bells),),
    agenda={"ask_echo": ask_echo},
    asks={"window": has_bell},
    view=view_bells,
)
