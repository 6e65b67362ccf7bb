"""Determinization: resample everything that one viewer cannot know.

Hidden pieces are shuffled among the places where they could be, consistently with everything the viewer has seen. The
order of deck and tower is unknown except for known positions. A special card stays in its pile, because that is public.
Hands are known except for cards drawn unseen, which may be of any kind that a hand can hold.

Bots search in determinizations. Tests use them to prove that nothing leaks: what the viewer observes must be the same
in the game and in its determinizations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from .base.supply import may_be_held
from .known_positions import DECK, TOWER, known_positions

if TYPE_CHECKING:
    from .game import Game
    from .rng import Rng

T = TypeVar("T")
FIXED_KIND = "scoring"
"""The kind of cards whose pile is public."""
TILES = "tile"
"""The pool of the tower. A module with hidden tiles from the tower adds them to this pool."""


class Secrets:
    """Hidden pieces by pool, each with the place to put it. Every pool is dealt anew over its places."""

    def __init__(self) -> None:
        self._pools: dict[str, list[tuple[tuple[str, ...], Callable[[tuple[str, ...]], None]]]] = {}

    def add(self, pool: str, things: tuple[str, ...], put: Callable[[tuple[str, ...]], None]) -> None:
        """Add hidden pieces of one pool that lie in one place; `put` replaces them there."""
        self._pools.setdefault(pool, []).append((things, put))

    def deal(self, rng: Rng) -> None:
        """Shuffle each pool over its places."""
        for name in sorted(self._pools):
            places = self._pools[name]
            things = shuffled([thing for held, _ in places for thing in held], rng)
            for held, put in places:
                put(tuple(things.pop() for _ in held))


def shuffled(things: list[T], rng: Rng) -> list[T]:
    """Return the elements in random order."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = rng.randrange(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def determinize(game: Game, viewer: int | None, rng: Rng, *, quiet: bool = False) -> Game:
    """Return a determinization: for the viewer, it cannot be distinguished from the real game, except that a quiet one
    has no events."""
    sample = game.clone(quiet=quiet)
    if game.over:  # everything is public now, including the seed
        return sample
    sample.reseed(f"twin {rng.randrange(2**63)}")
    secrets = Secrets()
    deck = list(sample.state.deck)
    hidden = _hidden_places(sample, viewer)
    _exchange_drawn(sample, deck, hidden, viewer, rng)
    _collect_deck(sample, deck, hidden, secrets)
    _collect_hands(sample, viewer, secrets)
    _collect_tower(sample, viewer, secrets)
    for module in sample.ruleset.modules:
        if module.secrets is not None:
            module.secrets(sample, viewer, secrets)
    secrets.deal(rng)
    _shuffle_piles(sample, deck, viewer, rng)
    return sample


# -- Hands -----------------------------------------------------------------------------------------------------------


def _drawn_unseen(game: Game, viewer: int | None) -> list[tuple[int, str]]:
    """Return (seat, card) for all cards in hand of which the viewer knows neither value nor kind."""
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
    """Exchange cards drawn unseen with cards of the deck or of other hands, of any kind that a hand can hold. Only
    these cards change places, so the piles keep their known kinds."""
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


def _collect_hands(game: Game, viewer: int | None, secrets: Secrets) -> None:
    """Collect the unseen cards of other hands. Each could be any card of its kind."""
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
    """Return the positions of the deck that the viewer does not know."""
    known = known_positions(game.state, DECK, viewer)
    return [place for place in range(len(game.state.deck)) if place not in known]


def _collect_deck(game: Game, deck: list[str], hidden: list[int], secrets: Secrets) -> None:
    """Collect the hidden cards of the deck. The number of cards of each kind in a pile is public."""
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
    """Shuffle each pile, except for positions that the viewer knows."""
    state = game.state
    known = {*known_positions(state, DECK, viewer), *_scoring_cards_on_top(game, deck)}
    bottom = 0
    for size in state.piles:
        places = [place for place in range(bottom, bottom + size) if place not in known]
        _put_into_deck(deck, places, tuple(shuffled([deck[place] for place in places], rng)))
        bottom += size
    state.deck = tuple(deck)


def _scoring_cards_on_top(game: Game, deck: list[str]) -> Iterator[int]:
    """Yield the positions of scoring cards that the rules put on top of their piles, unless a seat may have moved
    them."""
    state = game.state
    if game.options.rules["scoring_card_placement"] != "on_top" or len(state.piles) < 2:  # a reshuffled discard
        return
    moved = {place for places in state.known_positions.get(DECK, ()) for place in places}
    top = -1
    for size in state.piles:
        top += size
        if game.ruleset.cards[deck[top]].kind == FIXED_KIND and top not in moved:
            yield top


# -- The tower -------------------------------------------------------------------------------------------------------


def _collect_tower(game: Game, viewer: int | None, secrets: Secrets) -> None:
    """Collect the hidden tiles of the tower: all except known positions and tiles put under it in public."""
    tower = game.state.tower
    known = known_positions(game.state, TOWER, viewer)
    hidden = [place for place in range(game.state.sunk, len(tower)) if place not in known]
    secrets.add(TILES, tuple(tower[place] for place in hidden), partial(_put_into_tower, game, hidden))


def _put_into_tower(game: Game, places: list[int], tiles: tuple[str, ...]) -> None:
    tower = list(game.state.tower)
    for place, tile in zip(places, tiles, strict=True):
        tower[place] = tile
    game.state.tower = tuple(tower)
