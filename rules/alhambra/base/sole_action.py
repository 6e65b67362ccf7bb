"""Sole actions: an action that must be the only one of its turn (`Verb.sole`).

It is refused after another action of the turn, and after a free redesign: one that an item, a card or a module grants
instead of an action. Once it was taken, nothing grants a free redesign in the rest of the turn, LATE included. What
belongs to later phases stays allowed. Free redesigns are ruled out, too, in a turn that a module limits to one kind of
action (`FORCED`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state import Decision
from ..violations import Violation
from .turn_order import in_own_turn

if TYPE_CHECKING:
    from ..game import Game

FREE_REDESIGN = "redesign"
"""The word in `state.used` that says: a free redesign was made this turn. Public."""
FORCED = "forced"
"""The word in `state.used` that says: the turn is limited to one kind of action, and no redesign is made beside it.
Public. A module that leaves the word closes all other actions and the redesigns itself (`Module.closes`)."""


def note_free_redesign(game: Game, seat: int) -> None:
    """The seat has made a free redesign; in its own turn that is noted until the turn ends."""
    state = game.state
    if FREE_REDESIGN not in state.used and in_own_turn(game, seat):
        state.used = (*state.used, FREE_REDESIGN)


def sole_action_taken(game: Game, seat: int) -> bool:
    """Whether the seat took a sole action in its turn and that turn is not past LATE: no free redesign then.

    The core refuses such redesigns."""
    taken, verbs = game.state.taken, game.ruleset.verbs
    return any(name in verbs and verbs[name].sole for name in taken) and in_own_turn(game, seat)


def free_redesign_barred(game: Game, seat: int) -> bool:
    """Whether the turn of the seat rules a free redesign out: a sole action was taken, or one action is forced.

    A module that has `action` or `late` asked for free redesigns must look here (`asks`), or the seat would be asked
    with nothing to answer but a pass."""
    forced = FORCED in game.state.used and in_own_turn(game, seat)
    return forced or sole_action_taken(game, seat)


def closed_unless_alone(game: Game, decision: Decision, verb: str) -> Violation | None:
    """A sole action is closed after another action of the turn or a free redesign. Compiled where a verb is sole."""
    if not game.ruleset.verbs[verb].sole or decision.kind != "action":
        return None
    if game.state.taken or FREE_REDESIGN in game.state.used:
        return Violation("SOLE_ACTION", "verb", verb=verb)
    return None
