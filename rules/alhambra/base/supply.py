"""Supplies: money deck, display, discard and tower.

Setup plans the contents of deck and tower, so that modules can add to both. Cards turned up go where their kind says:
money into the display, a scoring card before the next player, other cards wherever their module puts them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..components import BASE_TILES, CURRENCIES, MONEY_CARDS, component_data
from ..known_positions import DECK, TOWER, forget_positions_from, shift_positions

if TYPE_CHECKING:
    from ..game import Game
    from ..rng import Stream
    from ..ruleset import Ruleset

SLOTS = tuple(f"market-{currency}" for currency in CURRENCIES)
DISPLAY_SIZE = 4
PILES = 5


class TowerPlan:
    """The tiles of the tower, before they are shuffled."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.tiles: list[str] = list(BASE_TILES)

    def add(self, tiles: Iterable[str]) -> None:
        """Add tiles to the tower."""
        self.tiles.extend(tiles)

    def replace(self, old: str, new: str) -> None:
        """Replace a tile by another; the old one stays in the box."""
        self.tiles[self.tiles.index(old)] = new


class DeckPlan:
    """The cards of the money deck: shuffled before dealing, put into hands, or inserted into the five piles."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seats = len(game.state.seats)
        self.money: list[str] = []
        self.hands: dict[int, list[str]] = {}
        self.piles: dict[int, list[str]] = {pile: [] for pile in range(1, PILES + 1)}
        self.box: list[str] = []
        copies = component_data()["base"]["money"]["copies"]
        if self.seats == 2 and game.options.rules["two_player_money"] == "one_copy_of_each":
            copies -= 1
        for card, card_kind in MONEY_CARDS.items():
            if self.seats == 2 and copies == 3 and card_kind.currency == CURRENCIES[-1]:
                continue  # Hungarian rules: one whole currency stays in the box
            self.money.extend([card] * copies)

    def shuffled(self, purpose: str, cards: Iterable[str]) -> list[str]:
        """Return the cards in random order, with a random stream of their own."""
        return self.game.chance(f"deck/{purpose}").shuffled(cards)

    def insert(self, pile: int, cards: Iterable[str]) -> None:
        """Add cards to one of the piles 1 to 5, which are shuffled later; pile 1 is drawn first."""
        self.piles[pile].extend(cards)


# -- The deck ------------------------------------------------------------------------------------------------------


def draw_from_deck(game: Game) -> str | None:
    """Return the top card of the deck; None if there is none. If the deck is empty, the discard is reshuffled first."""
    state = game.state
    game.count_work()
    if not state.deck:
        if not state.discard:
            return None
        reshuffle(game)
    game.mark_revealed()
    card = state.deck[-1]
    state.deck = state.deck[:-1]
    left = state.piles[-1] - 1
    state.piles = (*state.piles[:-1], left) if left else state.piles[:-1]
    if state.known_positions:
        forget_positions_from(state, DECK, len(state.deck))
    return card


def reshuffle(game: Game) -> None:
    """Shuffle the discard and put it under the deck, as a pile of its own."""
    state = game.state
    cards = game.chance("deck/reshuffle").shuffled(state.discard)
    state.deck, state.discard = (*cards, *state.deck), ()
    state.piles = (len(cards), *state.piles)
    if state.known_positions:
        shift_positions(state, DECK, len(cards))
    game.emit("deck_reshuffled", count=len(cards))


def turn_up(game: Game, card: str) -> None:
    """Put a card that was turned up into the display, or wherever its kind goes."""
    route = game.ruleset.routes.get(game.ruleset.cards[card].kind)
    if route is None:
        game.state.display = (*game.state.display, card)
        game.emit("card_revealed", card=card, to="display")
    else:
        route(game, card)


def hold_scoring_card(game: Game, card: str) -> None:
    """Keep a scoring card until the display is full."""
    game.state.due = (*game.state.due, int(card[-1]))
    game.state.box = (*game.state.box, card)
    game.emit("card_revealed", card=card, to="scoring")


def fill_display(game: Game, size: int = DISPLAY_SIZE, unseen: int | None = None) -> None:
    """Turn up cards until the display is full. It stays incomplete if deck and discard have no card for it. `unseen` is
    the number of cards, of those there when the refill began, that have not been turned up yet."""
    state = game.state
    if len(state.display) >= size:
        return
    if unseen is None:
        unseen = len(state.deck) + len(state.discard)
    while len(state.display) < size:
        # Cards routed into the discard come round again. After one full round, continue only if there is a card that
        # can lie in the display.
        if unseen <= 0 and not _any_for_display(game):
            break
        card = draw_from_deck(game)
        if card is None:
            break
        unseen -= 1
        height = len(state.agenda)
        turn_up(game, card)
        if game.continue_later(height, fill_display, size, unseen):
            return
    game.emit("display_filled", display=state.display)


def _any_for_display(game: Game) -> bool:
    """Return whether deck or discard contain a card for the display."""
    known, routes = game.ruleset.cards, game.ruleset.routes
    return any(known[card].kind not in routes for card in (*game.state.deck, *game.state.discard))


def discard(game: Game, cards: Iterable[str]) -> None:
    """Put spent cards into the discard, or out of the game if their kind leaves it."""
    state = game.state
    known = game.ruleset.cards
    kept = []
    for card in cards:
        if known[card].leaves:
            state.box = (*state.box, card)
            game.emit("card_left_game", card=card)
        else:
            kept.append(card)
    state.discard += tuple(kept)


# -- Hands ---------------------------------------------------------------------------------------------------------


def may_be_held(game: Game, card: str) -> bool:
    """Return whether a card can be in a hand: its kind goes into the display, or lies open beside it."""
    kind = game.ruleset.cards[card].kind
    return kind not in game.ruleset.routes or kind in game.ruleset.table(_kinds_beside_the_display)


def _kinds_beside_the_display(ruleset: Ruleset) -> frozenset[str]:
    """Return the kinds of cards that lie open outside the display and can be taken into a hand."""
    return frozenset(kind for module in ruleset.modules if module.open_cards is not None for kind in module.routes)


def gain(game: Game, seat: int, cards: Iterable[str], *, unseen: bool = False, of_known_kind: bool = False) -> None:
    """Add cards to a hand. `unseen`: the other seats do not see them; `of_known_kind`: but they know the kinds. Cards
    for a resigned seat leave the game."""
    owner = game.state.seats[seat]
    new = tuple(cards)
    if owner.resigned:
        game.state.box = (*game.state.box, *new)
        return
    owner.hand = tuple(sorted(owner.hand + new))
    if unseen:
        owner.unseen = tuple(sorted(owner.unseen + new))
    if unseen and of_known_kind:
        owner.unseen_kinds = tuple(sorted((*owner.unseen_kinds, *(game.ruleset.cards[card].kind for card in new))))


def lose(game: Game, seat: int, cards: Iterable[str]) -> None:
    """Remove cards from a hand in public. Copies known to the other seats go first, then copies of a known kind."""
    owner = game.state.seats[seat]
    if not owner.unseen:
        owner.hand = without(owner.hand, cards)
        return
    hand, unseen, kinds = list(owner.hand), list(owner.unseen), list(owner.unseen_kinds)
    for card in cards:
        if card in unseen and hand.count(card) == unseen.count(card):
            unseen.remove(card)
            if game.ruleset.cards[card].kind in kinds:
                kinds.remove(game.ruleset.cards[card].kind)
        hand.remove(card)
    owner.hand, owner.unseen, owner.unseen_kinds = tuple(hand), tuple(unseen), tuple(kinds)


def without(held: tuple[str, ...], cards: Iterable[str]) -> tuple[str, ...]:
    """Return what is left without these cards."""
    left = list(held)
    for card in cards:
        left.remove(card)
    return tuple(left)


def missing(held: tuple[str, ...], wanted: tuple[str, ...]) -> list[str]:
    """Return the wanted cards that are not held, counting copies."""
    left = list(held)
    absent = []
    for card in wanted:
        if card in left:
            left.remove(card)
        else:
            absent.append(card)
    return absent


# -- The tower -----------------------------------------------------------------------------------------------------


def draw_tile(game: Game) -> str | None:
    """Return the next tile of the tower; None if it is empty."""
    state = game.state
    game.count_work()
    if not state.tower:
        return None
    game.mark_revealed()
    tile = state.tower[-1]
    state.tower = state.tower[:-1]
    state.sunk = min(state.sunk, len(state.tower))
    if state.known_positions:
        forget_positions_from(state, TOWER, len(state.tower))
    return tile


def sink_tile(game: Game, tile: str) -> None:
    """Put a tile under the tower, in public."""
    game.state.tower = (tile, *game.state.tower)
    game.state.sunk += 1
    if game.state.known_positions:
        shift_positions(game.state, TOWER, 1)
    game.run_hooks(game.ruleset.reactions["sunk"], tile)


def box_tile(game: Game, tile: str, /, **facts: object) -> None:
    """Remove a tile from the game; `facts` are added to the event."""
    game.state.box = (*game.state.box, tile)
    game.emit("boxed", tile=tile, **facts)
    game.run_hooks(game.ruleset.reactions["boxed"], tile)


def clear_space(game: Game, place: int) -> str:
    """Take the tile off a market space."""
    market = list(game.state.market)
    tile, market[place] = market[place], ""
    game.state.market = tuple(market)
    return tile


def split(cards: list[str]) -> list[list[str]]:
    """Return five piles of about equal size, pile 1 first; the first ones get the remainder."""
    size, over = divmod(len(cards), PILES)
    piles, at = [], 0
    for pile in range(PILES):
        end = at + size + (pile < over)
        piles.append(cards[at:end])
        at = end
    return piles


def stack(piles: list[list[str]]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the piles as one deck, pile 1 on top (the top card is last), and their sizes, top pile last."""
    deck: list[str] = []
    for pile in reversed(piles):
        deck.extend(reversed(pile))
    return tuple(deck), tuple(len(pile) for pile in reversed(piles) if pile)


def pick(stream: Stream, things: list[str]) -> str:
    """Remove and return a random element."""
    return things.pop(stream.randbelow(len(things)))
