"""Pinned places: what a seat knows about the order of a supply that is hidden from the others.

The supplies are the tower and the deck, named like the fields of the state. A place counts from the bottom, 0 first, so
it stays the same while things are drawn from the top. Whatever lies at a pinned place is known to that seat alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .state import State

TOWER = "tower"
DECK = "deck"


def pinned_places(state: State, supply: str, seat: int | None) -> tuple[int, ...]:
    """The places that a seat knows, lowest first; none for a spectator."""
    pins = state.pinned.get(supply)
    return () if pins is None or seat is None else pins[seat]


def pin(state: State, supply: str, seat: int, places: Iterable[int]) -> None:
    """From now on the seat knows what lies at these places, too."""
    _change(state, supply, lambda other, own: tuple(sorted({*own, *places})) if other == seat else own)


def unpin_from(state: State, supply: str, lowest: int, keep: int | None = None) -> None:
    """No seat but `keep` knows what lies at place `lowest` or above it."""
    _change(state, supply, lambda seat, own: own if seat == keep else tuple(place for place in own if place < lowest))


def close_gap(state: State, supply: str, gap: int) -> None:
    """What lay at place `gap` was taken out: whatever lies above it comes down by one place."""
    _change(state, supply, lambda _, own: tuple(place - (place > gap) for place in own if place != gap))


def lift_pins(state: State, supply: str, count: int) -> None:
    """So many things were put under the supply: everything lies higher by that count."""
    _change(state, supply, lambda _, own: tuple(place + count for place in own))


def _change(state: State, supply: str, changed: Callable[[int, tuple[int, ...]], tuple[int, ...]]) -> None:
    """Replaces the places of each seat; a supply of which no seat knows anything has no entry."""
    pins = state.pinned.get(supply) or ((),) * len(state.seats)
    found = tuple(changed(seat, own) for seat, own in enumerate(pins))
    others = {name: places for name, places in state.pinned.items() if name != supply}
    state.pinned = {**others, supply: found} if any(found) else others
