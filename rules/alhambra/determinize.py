"""Dealing anew what a seat cannot know.

A twin of the game in which every hidden thing is shuffled among the places where it could be, consistently with all
that the viewer has seen. The order of deck and tower is unknown; a special card of the deck stays within its pile, for
that much is known; a hand is known except for cards drawn unseen. Bots search in such twins; tests use them to prove
that nothing leaks: whatever the viewer can observe is the same in both.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .game import Game, Rng

T = TypeVar("T")
FIXED_KIND = "scoring"
"""Everybody knows which scoring card lies in which pile."""


class Secrets:
    """Collects hidden things by pool, and deals each pool anew into the places that its things came from."""

    def __init__(self) -> None:
        self._pools: dict[str, list[tuple[tuple[str, ...], Callable[[tuple[str, ...]], None]]]] = {}

    def add(self, pool: str, things: tuple[str, ...], put: Callable[[tuple[str, ...]], None]) -> None:
        """Things of one pool that lie hidden in one place, and how to put others there."""
        self._pools.setdefault(pool, []).append((things, put))

    def deal(self, rng: Rng) -> None:
        """Shuffles every pool over its places."""
        for name in sorted(self._pools):
            places = self._pools[name]
            things = shuffled([thing for held, _ in places for thing in held], rng)
            for held, put in places:
                put(tuple(things.pop() for _ in held))


def shuffled(things: list[T], rng: Rng) -> list[T]:
    """The things in random order."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = rng.randrange(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def determinize(game: Game, viewer: int | None, rng: Rng) -> Game:
    """A twin of the game that the viewer cannot tell from the real one."""
    twin = game.clone()
    if game.over:  # everything is laid open, the seed included
        return twin
    twin.reseed(f"twin {rng.randrange(2**63)}")
    secrets = Secrets()
    deck = list(twin.state.deck)
    _offer_deck(twin, deck, secrets)
    _offer_hands(twin, viewer, secrets)
    for record in twin.ruleset.modules:
        if record.secrets is not None:
            record.secrets(twin, viewer, secrets)
    secrets.deal(rng)
    _shuffle_piles(twin, deck, rng)
    _shuffle_tower(twin, rng)
    return twin


def _offer_deck(game: Game, deck: list[str], secrets: Secrets) -> None:
    """Which card of a kind lies where is unknown; how many of each kind a pile holds is not."""
    places: dict[str, list[int]] = {}
    for place, card in enumerate(deck):
        places.setdefault(game.ruleset.cards[card].kind, []).append(place)
    for kind, own in places.items():
        if kind != FIXED_KIND:
            secrets.add(kind, tuple(deck[place] for place in own), partial(_put_into_deck, deck, own))


def _put_into_deck(deck: list[str], places: list[int], cards: tuple[str, ...]) -> None:
    for place, card in zip(places, cards, strict=True):
        deck[place] = card


def _offer_hands(game: Game, viewer: int | None, secrets: Secrets) -> None:
    """Cards that another seat drew unseen could be any of their kind."""
    for seat, owner in enumerate(game.state.seats):
        if seat == viewer:
            continue
        for kind in sorted({game.ruleset.cards[card].kind for card in owner.unseen}):
            own = tuple(card for card in owner.unseen if game.ruleset.cards[card].kind == kind)
            secrets.add(kind, own, partial(_put_into_hand, game, seat, own))


def _put_into_hand(game: Game, seat: int, old: tuple[str, ...], new: tuple[str, ...]) -> None:
    owner = game.state.seats[seat]
    hand, unseen = list(owner.hand), list(owner.unseen)
    for before, after in zip(old, new, strict=True):
        hand[hand.index(before)] = after
        unseen[unseen.index(before)] = after
    owner.hand, owner.unseen = tuple(sorted(hand)), tuple(sorted(unseen))


def _shuffle_piles(game: Game, deck: list[str], rng: Rng) -> None:
    on_top = game.options.rules["scoring_card_placement"] == "on_top" and len(game.state.piles) > 1
    found: list[str] = []
    for size in game.state.piles:
        pile = deck[len(found) : len(found) + size]
        top = [pile.pop()] if on_top and game.ruleset.cards[pile[-1]].kind == FIXED_KIND else []
        found += shuffled(pile, rng) + top
    game.state.deck = tuple(found)


def _shuffle_tower(game: Game, rng: Rng) -> None:
    sunk = game.state.sunk
    tower = game.state.tower
    game.state.tower = (*tower[:sunk], *shuffled(list(tower[sunk:]), rng))
