"""Sole actions: actions that must be the only one of their turn (`Verb.sole`).

A sole action is refused after another action of the turn, and after a free redesign: one granted by an item, a card or
a module instead of an action. After a sole action no free redesign is allowed in the rest of the turn, including LATE;
later phases are not affected. Free redesigns are also barred in a turn that a module limits to one kind of action
(`FORCED`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state import Decision
from ..violations import Violation
from .turn_order import in_own_turn

if TYPE_CHECKING:
    from ..game import Game

FREE_REDESIGN = "redesign"
"""Entry of `state.used`: a free redesign was made this turn. Public."""
FORCED = "forced"
"""Entry of `state.used`: the turn is limited to one kind of action, without free redesigns. Public. The module that
adds it must close all other actions and redesigns itself (`Module.closes`)."""
SOLE_AT = ("action",)
"""The decisions at which sole actions can be closed."""


def note_free_redesign(game: Game, seat: int) -> None:
    """Record a free redesign; in the seat's own turn it counts until the turn ends."""
    state = game.state
    if FREE_REDESIGN not in state.used and in_own_turn(game, seat):
        state.used = (*state.used, FREE_REDESIGN)


def sole_action_taken(game: Game, seat: int) -> bool:
    """Return whether the seat took a sole action in its turn, and the turn is not past LATE. Free redesigns are refused
    then."""
    taken, verbs = game.state.taken, game.ruleset.verbs
    return any(name in verbs and verbs[name].sole for name in taken) and in_own_turn(game, seat)


def free_redesign_barred(game: Game, seat: int) -> bool:
    """Return whether the turn bars free redesigns for the seat, because of a sole or a forced action. A module that
    asks `action` or `late` for free redesigns must check this in `asks`; otherwise the seat could only pass."""
    forced = FORCED in game.state.used and in_own_turn(game, seat)
    return forced or sole_action_taken(game, seat)


def closed_unless_alone(game: Game, _decision: Decision, verb: str) -> Violation | None:
    """Return why a sole action is closed: after another action of the turn, or after a free redesign."""
    if not game.ruleset.verbs[verb].sole:
        return None
    if game.state.taken or FREE_REDESIGN in game.state.used:
        return Violation("SOLE_ACTION", "verb", verb=verb)
    return None
