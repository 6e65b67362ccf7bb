"""The trader: several money cards that his owner takes together may be worth 7 instead of 5.

He acts always: he is not used up, and does not stand in the way of another character of the turn.
"""

from __future__ import annotations

from ...game import Game
from ...module import Layer, Modify
from .character import VALUES, Character, owns


def traders_limit(game: Game, seat: int, _items: tuple[str, ...]) -> int | None:
    """Return what the trader's owner may take together at least."""
    return VALUES["trader_sum_limit"] if owns(game, seat, "trader") else None


TRADER = Character(id="trader", modify=(Modify("take_limit", Layer.FLOOR, traders_limit),))
