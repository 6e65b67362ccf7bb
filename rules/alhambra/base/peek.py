"""Peeking: a seat looks at the next tiles or cards of the tower or deck, may take one, and may reorder the rest.

The pieces stay in the supply. The seat knows their positions until they are drawn or another seat reorders them. The
other seats know only how many there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..known_positions import DECK, TOWER, forget_positions_from, known_positions, learn_positions, remove_position
from ..violations import RulesDefect
from .supply import reshuffle

if TYPE_CHECKING:
    from ..game import Game


def peek(game: Game, seat: int, supply: str, count: int) -> tuple[str, ...]:
    """Let the seat look at the next `count` pieces, or at all if there are fewer. Return them, next one first. If the
    deck is too small, the discard is shuffled under it first."""
    state = game.state
    if supply == DECK and len(state.deck) < count and state.discard:
        reshuffle(game)
    height = len(getattr(state, supply))
    lowest = max(0, height - count)
    learn_positions(state, supply, seat, range(lowest, height))
    game.mark_revealed()
    return top_of(game, supply, height - lowest)


def top_of(game: Game, supply: str, count: int) -> tuple[str, ...]:
    """Return the next `count` pieces, next one first. Only for a seat that has looked at them."""
    things: tuple[str, ...] = getattr(game.state, supply)
    return things[len(things) - count :][::-1]


def take_out(game: Game, seat: int, supply: str, thing: str, count: int) -> None:
    """Take one of the `count` topmost pieces, which the seat has looked at. The other seats do not see which."""
    state = game.state
    things: tuple[str, ...] = getattr(state, supply)
    lowest = len(things) - count
    gap = max(place for place in range(lowest, len(things)) if things[place] == thing)
    setattr(state, supply, (*things[:gap], *things[gap + 1 :]))
    _forget(game, seat, supply, lowest)
    remove_position(state, supply, gap)
    if supply == DECK:
        _join_piles(game, count)
        state.piles = (*state.piles[:-1], state.piles[-1] - 1) if state.piles[-1] > 1 else state.piles[:-1]


def lay_on_top(game: Game, seat: int, supply: str, order: tuple[str, ...]) -> None:
    """Lay the topmost pieces, which the seat has looked at, in another order, the first one on top. The other seats do
    not see the order."""
    state = game.state
    things: tuple[str, ...] = getattr(state, supply)
    lowest = len(things) - len(order)
    if sorted(things[lowest:]) != sorted(order):
        raise RulesDefect("only what lies on top can be laid there in another order")
    setattr(state, supply, (*things[:lowest], *reversed(order)))
    _forget(game, seat, supply, lowest)
    if supply == DECK:
        _join_piles(game, len(order))


def _forget(game: Game, seat: int, supply: str, lowest: int) -> None:
    """Forget all positions from `lowest` upwards, except for this seat: the others saw only that it handled these
    pieces."""
    forget_positions_from(game.state, supply, lowest, keep=seat)
    if supply == TOWER:
        game.state.sunk = min(game.state.sunk, lowest)


def _join_piles(game: Game, count: int) -> None:
    """Merge the piles of the deck that the topmost `count` cards come from, because they may be in any order now."""
    piles = list(game.state.piles)
    top = 0
    while top < count:
        top += piles.pop()
    game.state.piles = (*piles, top) if top else tuple(piles)


def known_to(game: Game, seat: int | None, supply: str) -> tuple[tuple[int, str], ...]:
    """Return (draws before it, id) for each piece of a supply that a seat knows, next one first. For views."""
    things: tuple[str, ...] = getattr(game.state, supply)
    places = reversed(known_positions(game.state, supply, seat))
    return tuple((len(things) - 1 - place, things[place]) for place in places)
