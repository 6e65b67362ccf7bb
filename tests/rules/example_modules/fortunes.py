"""Fortunes: once a turn the player looks at two of a stack, keeps one and puts the other back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from alhambra import Decision, Game, Module, Move, Violation
from alhambra.base.scoring import score
from alhambra.determinize import Secrets
from alhambra.module import DecisionKind, Step, Verb

FORTUNES_OF_THE_STACK = tuple(f"fortune-{points}" for points in range(1, 10))


@dataclass(slots=True)
class Fortunes:
    """All lie face down."""

    stack: tuple[str, ...] = ()
    looked: tuple[str, ...] = ()
    """Those that the active seat is looking at."""
    kept: tuple[tuple[str, ...], ...] = ()


def lay_fortunes(game: Game) -> None:
    """Shuffled; nobody has any."""
    fortunes = game.module_state(Fortunes)
    fortunes.kept = ((),) * len(game.state.seats)
    _stack_fortunes(game, FORTUNES_OF_THE_STACK)


def _stack_fortunes(game: Game, pieces: tuple[str, ...]) -> None:
    game.module_state(Fortunes).stack = tuple(game.chance("example_fortunes/stack").shuffled(pieces))


def may_look(game: Game, _seat: int) -> bool:
    """Once a turn, as long as there are two."""
    return len(game.module_state(Fortunes).stack) >= 2 and "look" not in game.state.used


def verify_look(game: Game, decision: Decision, _move: Move) -> Iterator[Violation]:
    """Not twice in a turn."""
    if not may_look(game, decision.seat):
        yield Violation("USED_UP", "verb", what="look", limit=1, per="turn")


def look(game: Game, decision: Decision, _move: Move) -> None:
    """Only the player sees them."""
    fortunes = game.module_state(Fortunes)
    fortunes.looked, fortunes.stack = fortunes.stack[-2:], fortunes.stack[:-2]
    game.state.used = (*game.state.used, "look")
    game.mark_revealed()
    game.emit("looked", {decision.seat: {"pieces": fortunes.looked}}, seat=decision.seat)
    game.push(ask_fortune)


def lookings(game: Game, decision: Decision) -> Iterator[Move]:
    """One way to look."""
    if may_look(game, decision.seat):
        yield Move("look")


def ask_fortune(game: Game) -> None:
    """Everybody knows that one of two is kept."""
    game.ask("fortune", game.state.active, count=len(game.module_state(Fortunes).looked))


def private_look(game: Game, _decision: Decision) -> dict[str, Any]:
    """What the question is about."""
    return {"pieces": list(game.module_state(Fortunes).looked)}


def verify_fortune(game: Game, _decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the two."""
    if move.piece not in game.module_state(Fortunes).looked:
        yield Violation("NOT_THERE", "piece", id=move.piece, place="looked_at")


def keep_fortune(game: Game, decision: Decision, move: Move) -> None:
    """The other one is shuffled into the stack."""
    assert move.piece is not None
    fortunes, seat = game.module_state(Fortunes), decision.seat
    own = (*fortunes.kept[seat], move.piece)
    fortunes.kept = (*fortunes.kept[:seat], own, *fortunes.kept[seat + 1 :])
    back = tuple(piece for piece in fortunes.looked if piece != move.piece)
    fortunes.looked = ()
    _stack_fortunes(game, (*fortunes.stack, *back))
    game.emit("fortune_kept", {seat: {"piece": move.piece}}, seat=seat)


def keepings(game: Game, _decision: Decision) -> Iterator[Move]:
    """Either of the two."""
    return (Move("keep_fortune", piece=piece) for piece in game.module_state(Fortunes).looked)


def show_fortunes(game: Game, number: int) -> None:
    """At the end each is worth its number."""
    for seat, own in enumerate(game.module_state(Fortunes).kept if number == 3 else ()):
        game.emit("fortunes_shown", seat=seat, pieces=own)
        score(game, seat, sum(int(piece[-1]) for piece in own), "fortunes", scoring=number)


def _put_into_stack(game: Game, pieces: tuple[str, ...]) -> None:
    game.module_state(Fortunes).stack = pieces


def _put_before_looker(game: Game, pieces: tuple[str, ...]) -> None:
    game.module_state(Fortunes).looked = pieces


def _put_before_owner(game: Game, seat: int, pieces: tuple[str, ...]) -> None:
    fortunes = game.module_state(Fortunes)
    fortunes.kept = (*fortunes.kept[:seat], pieces, *fortunes.kept[seat + 1 :])


def fortune_secrets(game: Game, viewer: int | None, secrets: Secrets) -> None:
    """A seat knows what it keeps and what it is looking at."""
    fortunes = game.module_state(Fortunes)
    secrets.add("fortune", fortunes.stack, partial(_put_into_stack, game))
    if viewer != game.state.active:
        secrets.add("fortune", fortunes.looked, partial(_put_before_looker, game))
    for seat, own in enumerate(fortunes.kept):
        if seat != viewer:
            secrets.add("fortune", own, partial(_put_before_owner, game, seat))


def view_fortunes(game: Game, viewer: int | None) -> dict[str, Any]:
    """How many there are; which ones only their owner sees."""
    fortunes = game.module_state(Fortunes)
    found: dict[str, Any] = {"stack": len(fortunes.stack), "kept": [len(own) for own in fortunes.kept]}
    return found if viewer is None else {**found, "own": list(fortunes.kept[viewer])}


FORTUNES = Module(
    number=913,
    key="example_fortunes",
    state=Fortunes,
    pieces=FORTUNES_OF_THE_STACK,
    verbs=(
        Verb("look", "", verify_look, look, lookings, at=("after",)),
        Verb("keep_fortune", "piece", verify_fortune, keep_fortune, keepings),
    ),
    decisions=(DecisionKind("fortune", verbs=("keep_fortune",), private=private_look),),
    steps=(Step("setup.deal", lay_fortunes), Step("scoring.gains", show_fortunes)),
    agenda={"ask_fortune": ask_fortune},
    asks={"after": may_look},
    view=view_fortunes,
    secrets=fortune_secrets,
    census=lambda game: (
        *(*game.module_state(Fortunes).stack, *game.module_state(Fortunes).looked),
        *(piece for own in game.module_state(Fortunes).kept for piece in own),
    ),
)
