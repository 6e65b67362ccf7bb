"""Known positions: which hidden cards and tiles a seat has looked at.

The supplies are the deck and the tower, named like the fields of the state. Positions count from the bottom, starting
at 0, so drawing from the top does not change them. Only the seat itself knows what lies at its known positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .state import State

TOWER = "tower"
DECK = "deck"


def known_positions(state: State, supply: str, seat: int | None) -> tuple[int, ...]:
    """Return the positions that a seat knows, lowest first; empty for a spectator."""
    known = state.known_positions.get(supply)
    return () if known is None or seat is None else known[seat]


def learn_positions(state: State, supply: str, seat: int, places: Iterable[int]) -> None:
    """Add positions that the seat knows from now on."""
    _change(state, supply, lambda other, own: tuple(sorted({*own, *places})) if other == seat else own)


def forget_positions_from(state: State, supply: str, lowest: int, keep: int | None = None) -> None:
    """Forget all positions from `lowest` upwards, for every seat except `keep`."""
    _change(state, supply, lambda seat, own: own if seat == keep else tuple(place for place in own if place < lowest))


def remove_position(state: State, supply: str, gap: int) -> None:
    """Remove one position, because its piece was taken out: positions above it move down by one."""
    _change(state, supply, lambda _, own: tuple(place - (place > gap) for place in own if place != gap))


def shift_positions(state: State, supply: str, count: int) -> None:
    """Shift all positions up by `count`, because pieces were put under the supply."""
    _change(state, supply, lambda _, own: tuple(place + count for place in own))


def _change(state: State, supply: str, changed: Callable[[int, tuple[int, ...]], tuple[int, ...]]) -> None:
    """Replace the positions of each seat. A supply without known positions has no entry."""
    known = state.known_positions.get(supply) or ((),) * len(state.seats)
    found = tuple(changed(seat, own) for seat, own in enumerate(known))
    others = {name: places for name, places in state.known_positions.items() if name != supply}
    state.known_positions = {**others, supply: found} if any(found) else others
