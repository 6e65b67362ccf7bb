"""Looking: a seat sees what is drawn next from the tower or the deck, takes one of it out, and lays the rest in order.

The tiles or cards stay where they are. The seat that looks knows their places from then on, until they are drawn or
another seat lays them in another order. For the other seats only the number of them is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..known_positions import DECK, TOWER, close_gap, pin, pinned_places, unpin_from
from ..violations import RulesDefect
from .supply import reshuffle

if TYPE_CHECKING:
    from ..game import Game


def look(game: Game, seat: int, supply: str, count: int) -> tuple[str, ...]:
    """The seat looks at the next `count` tiles or cards, or at all if there are fewer; they are returned, the next one
    first. If the deck is too low, the discard is shuffled under it before."""
    state = game.state
    if supply == DECK and len(state.deck) < count and state.discard:
        reshuffle(game)
    height = len(getattr(state, supply))
    lowest = max(0, height - count)
    pin(state, supply, seat, range(lowest, height))
    game.revealed()
    return top_of(game, supply, height - lowest)


def top_of(game: Game, supply: str, count: int) -> tuple[str, ...]:
    """The next `count` tiles or cards, the next one first: only for the eyes of a seat that has looked at them."""
    things: tuple[str, ...] = getattr(game.state, supply)
    return things[len(things) - count :][::-1]


def take_out(game: Game, seat: int, supply: str, thing: str, count: int) -> None:
    """The seat takes one of the `count` topmost things, which it has looked at; the others do not see which."""
    state = game.state
    things: tuple[str, ...] = getattr(state, supply)
    lowest = len(things) - count
    gap = max(place for place in range(lowest, len(things)) if things[place] == thing)
    setattr(state, supply, (*things[:gap], *things[gap + 1 :]))
    _forget(game, seat, supply, lowest)
    close_gap(state, supply, gap)
    if supply == DECK:
        _join_piles(game, count)
        state.piles = (*state.piles[:-1], state.piles[-1] - 1) if state.piles[-1] > 1 else state.piles[:-1]


def lay_on_top(game: Game, seat: int, supply: str, order: tuple[str, ...]) -> None:
    """The seat lays the topmost things, which it has looked at, in another order, the first one to be drawn next. The
    others do not see the order."""
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
    """From place `lowest` on, only the seat that looked knows what lies where: the others have seen it handle these
    things, tiles that were sunk before all eyes among them."""
    unpin_from(game.state, supply, lowest, keep=seat)
    if supply == TOWER:
        game.state.sunk = min(game.state.sunk, lowest)


def _join_piles(game: Game, count: int) -> None:
    """The topmost cards could lie in any order now: if they come from several piles of the deck, these become one."""
    piles = list(game.state.piles)
    top = 0
    while top < count:
        top += piles.pop()
    game.state.piles = (*piles, top) if top else tuple(piles)


def known_to(game: Game, seat: int | None, supply: str) -> tuple[tuple[int, str], ...]:
    """What a seat knows of a supply, the next one first: how many are drawn before it, and what it is. For a view."""
    things: tuple[str, ...] = getattr(game.state, supply)
    places = reversed(pinned_places(game.state, supply, seat))
    return tuple((len(things) - 1 - place, things[place]) for place in places)
