"""The contractor: one redesign that takes no action, or a building is moved to another place in the Alhambra.

For a building that is moved every rule must hold with the tile lifted, and again where it is laid. It counts as a
redesign for everything that looks at redesigns. After an action that must be the only one of its turn there is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...base.sole_action import sole_action_taken
from ...game import Game
from ...module import Licence
from ...state import Decision
from .craftsman import all_of, entitled_by, usable

KIND = "contractor"
REDESIGNS = frozenset(("add", "remove", "swap", "move_tile"))


def redesigning(game: Game, decision: Decision) -> Iterator[Licence]:
    """Yield a redesign or a relocation among the actions, if the move names him."""
    if decision.kind == "action":
        yield from entitled_by(game, decision.seat, KIND, relocates=True)


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the actions stay open for him: a redesign is not barred in this turn, and there are tiles for
    one."""
    if not usable(game, seat, KIND) or sole_action_taken(game, seat):
        return False
    return any(verb.name in REDESIGNS for verb in game.possible_verbs(Decision("action", seat, {})))


CONTRACTOR = Ability(
    usable=all_of(KIND),
    answers={"action": ("move_tile",)},
    licences=redesigning,
    asks={"action": is_asked},
)
