"""Undo: a seat takes its last move back.

Undo is an entry in the log like a move, so the version only grows. Two barriers stand in its way. Nothing is taken back
across a *reveal*: something hidden was shown, chance decided, or the game ended. And nothing is taken back across what
*concerns others* without their consent: another seat was asked, or the decision itself concerns others
(`DecisionKind.concerns_others`). Which of this a game allows is its option `undo`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from .violations import Violation

if TYPE_CHECKING:
    from .game import Game
    from .moves import Move
    from .rules_upgrades import RulesUpgrade
    from .state import State


class Entry(NamedTuple):
    """One line of the log: a seat moved, took its last move back, or resigned; or, with the kind `engine`, a newer
    version of the rules went on with the game."""

    kind: str
    seat: int
    move: Move | None = None
    upgrade: RulesUpgrade | None = None
    """With the kind `engine`: the rules and the state with which the game goes on."""


def effective_entries(log: Iterable[Entry]) -> list[Entry]:
    """Return the entries that count: an undo takes itself and the entry before it away."""
    kept: list[Entry] = []
    for entry in log:
        if entry.kind == "undo":
            kept.pop()
        else:
            kept.append(entry)
    return kept


def last_entry(log: list[Entry]) -> Entry | None:
    """Return the last entry that was not taken back; None if there is none."""
    if not log or log[-1].kind != "undo":
        return log[-1] if log else None
    effective = effective_entries(log)
    return effective[-1] if effective else None


def raise_barriers(state: State, mover: int, *, revealed: bool, concerns_others: bool) -> None:
    """Note after an entry how far back undo may go from now on."""
    state.depth += 1
    if revealed:
        state.reveal_floor = state.depth
    if concerns_others or state.decision is None or state.decision.seat != mover:
        state.other_floor = state.depth


def is_settled(game: Game) -> bool:
    """Return whether nothing that happened up to now can be taken back any more, with or without consent."""
    state = game.state
    if state.depth <= state.reveal_floor:
        return True
    return state.depth <= state.other_floor and game.options.rules["undo"] != "by_consent"


def refusal(game: Game, seat: int, *, consent: bool) -> Violation | None:
    """Return why the seat cannot take back its last move; None if it can. Consent crosses what concerns others."""
    state = game.state
    policy = game.options.rules["undo"]
    last = last_entry(game.log)
    because = ""
    if policy == "none":
        because = "option"
    elif last is None or last.kind != "move" or last.seat != seat:
        because = "not_last"
    elif state.depth <= state.reveal_floor:
        because = "revealed"
    elif state.depth <= state.other_floor and not (consent and policy == "by_consent"):
        because = "other_seat"
    return Violation("UNDO_REFUSED", because=because) if because else None
