"""Undo: a seat takes back its last move.

An undo is an entry of the log like a move, so the version never decreases. Undo stops at two kinds of barriers:

- a reveal: hidden information was shown, random numbers were drawn, or the game ended;
- a decision that concerns others: another seat was asked, or `DecisionKind.concerns_others` says so. Such a barrier can
  be crossed by consent.

The rule option `undo` says which undos a game allows.
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
    """One entry of the log: a move, an undo, a resignation, or (kind `engine`) an upgrade of the rules."""

    kind: str
    seat: int
    move: Move | None = None
    upgrade: RulesUpgrade | None = None
    """Only for kind `engine`: the rules and the state with which the game continues."""


def effective_entries(log: Iterable[Entry]) -> list[Entry]:
    """Return the entries in effect. An undo cancels itself and the entry before it."""
    kept: list[Entry] = []
    for entry in log:
        if entry.kind == "undo":
            kept.pop()
        else:
            kept.append(entry)
    return kept


def last_place(log: list[Entry]) -> int | None:
    """Return the place in the log of the last entry in effect; None if there is none. Only the entries behind it are
    looked at."""
    undone = 0
    for place in range(len(log) - 1, -1, -1):
        if log[place].kind == "undo":
            undone += 1
        elif undone:
            undone -= 1
        else:
            return place
    return None


def last_entry(log: list[Entry]) -> Entry | None:
    """Return the last entry in effect; None if there is none."""
    place = last_place(log)
    return None if place is None else log[place]


def raise_barriers(state: State, mover: int, revealed: bool, concerns_others: bool) -> None:
    """Record after an entry how far back undo may go."""
    depth = state.depth = state.depth + 1
    if revealed:
        state.reveal_floor = depth
    if concerns_others or (decision := state.decision) is None or decision.seat != mover:
        state.other_floor = depth


def is_settled(game: Game) -> bool:
    """Return whether nothing in the log can be undone any more, not even by consent."""
    state = game.state
    if state.depth <= state.reveal_floor:
        return True
    return state.depth <= state.other_floor and game.options.rules["undo"] != "by_consent"


def refusal(game: Game, seat: int, *, consent: bool) -> Violation | None:
    """Return why the seat cannot undo its last move; None if it can. With consent, decisions of other seats are no
    obstacle."""
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
