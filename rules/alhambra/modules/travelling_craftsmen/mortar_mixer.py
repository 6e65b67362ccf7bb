"""The mortar mixer: two buildings on the market change places.

Both spaces must hold a tile. What lies on a tile goes with it; what belongs to a space, and the tiles beside the
market, stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...base.market_swap import can_swap
from ...game import Game
from ...module import Licence
from .craftsman import all_of, entitled_by

KIND = "mortar_mixer"


def swapping(game: Game, seat: int) -> Iterator[Licence]:
    """Yield each usable mortar mixer, who entitles to a swap."""
    return entitled_by(game, seat, KIND)


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the actions stay open for him: with fewer than two tiles on the market he can do nothing."""
    return any(can_swap(game, licence) for licence in swapping(game, seat))


MORTAR_MIXER = Ability(
    usable=all_of(KIND),
    answers={"action": ("swap_market",)},
    helpers={"swap_market": swapping},
    asks={"action": is_asked},
)
