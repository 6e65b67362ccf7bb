"""Dealing anew what a seat cannot know.

A determinization of the game in which every hidden thing is shuffled among the places where it could be, consistently
with all that the viewer has seen. The order of deck and tower is unknown except for places that the viewer has looked
at; a special card of the deck stays within its pile, for that much is known; a hand is known except for cards drawn
unseen, which may be of any kind that a hand can hold. Bots search in such determinizations; tests use them to prove
that nothing leaks: whatever the viewer can observe is the same in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from .base.supply import may_be_held
from .known_positions import DECK, TOWER, pinned_places

if TYPE_CHECKING:
    from .game import Game, Rng

T = TypeVar("T")
FIXED_KIND = "scoring"
"""Everybody knows which scoring card lies in which pile."""
TILES = "tile"
"""The pool of the tower. A module whose hidden tiles come from there adds them to it."""


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
    """A determinization of the game that the viewer cannot tell from the real one."""
    sample = game.clone()
    if game.over:  # everything is laid open, the seed included
        return sample
    sample.reseed(f"twin {rng.randrange(2**63)}")
    secrets = Secrets()
    deck = list(sample.state.deck)
    hidden = _hidden_places(sample, viewer)
    _exchange_drawn(sample, deck, hidden, viewer, rng)
    _offer_deck(sample, deck, hidden, secrets)
    _offer_hands(sample, viewer, secrets)
    _offer_tower(sample, viewer, secrets)
    for module in sample.ruleset.modules:
        if module.secrets is not None:
            module.secrets(sample, viewer, secrets)
    secrets.deal(rng)
    _shuffle_piles(sample, deck, viewer, rng)
    return sample


# -- Hands -----------------------------------------------------------------------------------------------------------


def _drawn_unseen(game: Game, viewer: int | None) -> list[tuple[int, str]]:
    """Seats with the cards in their hands of which the viewer knows neither face nor kind."""
    found = []
    for seat, owner in enumerate(game.state.seats):
        kinds = list(owner.unseen_kinds)
        for card in owner.unseen if seat != viewer else ():
            kind = game.ruleset.cards[card].kind
            if kind in kinds:
                kinds.remove(kind)
            else:
                found.append((seat, card))
    return found


def _exchange_drawn(game: Game, deck: list[str], hidden: list[int], viewer: int | None, rng: Rng) -> None:
    """Each card that was drawn unseen could as well be another card of the deck, or of another hand, of any kind that
    can be drawn into a hand. Nothing but these cards changes places, so the piles keep the kinds they are known for."""
    drawn = _drawn_unseen(game, viewer)
    if not drawn:
        return
    places = [place for place in hidden if may_be_held(game, deck[place])]
    cards = [*(card for _, card in drawn), *(deck[place] for place in places)]
    for last in range(len(drawn)):
        other = last + rng.randrange(len(cards) - last)
        cards[last], cards[other] = cards[other], cards[last]
    for number, (seat, card) in enumerate(drawn):
        _put_into_hand(game, seat, (card,), (cards[number],))
    _put_into_deck(deck, places, tuple(cards[len(drawn) :]))


def _offer_hands(game: Game, viewer: int | None, secrets: Secrets) -> None:
    """An unseen card in another hand could be any of its kind."""
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


# -- The deck --------------------------------------------------------------------------------------------------------


def _hidden_places(game: Game, viewer: int | None) -> list[int]:
    """The places of the deck that the viewer has not looked at."""
    known = pinned_places(game.state, DECK, viewer)
    return [place for place in range(len(game.state.deck)) if place not in known]


def _offer_deck(game: Game, deck: list[str], hidden: list[int], secrets: Secrets) -> None:
    """Which card of a kind lies where is unknown; how many of each kind a pile holds is not."""
    places: dict[str, list[int]] = {}
    for place in hidden:
        places.setdefault(game.ruleset.cards[deck[place]].kind, []).append(place)
    for kind, own in places.items():
        if kind != FIXED_KIND:
            secrets.add(kind, tuple(deck[place] for place in own), partial(_put_into_deck, deck, own))


def _put_into_deck(deck: list[str], places: list[int], cards: tuple[str, ...]) -> None:
    for place, card in zip(places, cards, strict=True):
        deck[place] = card


def _shuffle_piles(game: Game, deck: list[str], viewer: int | None, rng: Rng) -> None:
    """Shuffles each pile but for the places that the viewer knows."""
    state = game.state
    known = {*pinned_places(state, DECK, viewer), *_scoring_cards_on_top(game, deck)}
    bottom = 0
    for size in state.piles:
        places = [place for place in range(bottom, bottom + size) if place not in known]
        _put_into_deck(deck, places, tuple(shuffled([deck[place] for place in places], rng)))
        bottom += size
    state.deck = tuple(deck)


def _scoring_cards_on_top(game: Game, deck: list[str]) -> Iterator[int]:
    """Where the rules put a scoring card on top of its pile, and no seat has looked there that could have moved it."""
    state = game.state
    if game.options.rules["scoring_card_placement"] != "on_top" or len(state.piles) < 2:  # a pile of the discard
        return
    moved = {place for places in state.pinned.get(DECK, ()) for place in places}
    top = -1
    for size in state.piles:
        top += size
        if game.ruleset.cards[deck[top]].kind == FIXED_KIND and top not in moved:
            yield top


# -- The tower -------------------------------------------------------------------------------------------------------


def _offer_tower(game: Game, viewer: int | None, secrets: Secrets) -> None:
    """The viewer knows the tiles that were sunk before all eyes, and the places that it has looked at."""
    tower = game.state.tower
    known = pinned_places(game.state, TOWER, viewer)
    hidden = [place for place in range(game.state.sunk, len(tower)) if place not in known]
    secrets.add(TILES, tuple(tower[place] for place in hidden), partial(_put_into_tower, game, hidden))


def _put_into_tower(game: Game, places: list[int], tiles: tuple[str, ...]) -> None:
    tower = list(game.state.tower)
    for place, tile in zip(places, tiles, strict=True):
        tower[place] = tile
    game.state.tower = tuple(tower)
