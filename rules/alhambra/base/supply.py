"""The supplies: money deck, display, discard, tower.

Setup plans what goes into deck and tower, so that modules can add to both. Cards turned up go where their kind says:
money into the display, a scoring card before the next player, everything else where its module puts it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..components import BASE_TILES, CURRENCIES, MONEY_CARDS, component_data
from ..known_positions import DECK, TOWER, lift_pins, unpin_from

if TYPE_CHECKING:
    from ..game import Game
    from ..rng import Stream
    from ..ruleset import Ruleset

SLOTS = tuple(f"market-{currency}" for currency in CURRENCIES)
DISPLAY_SIZE = 4
PILES = 5


class TowerPlan:
    """The tiles that go into the tower."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.tiles: list[str] = list(BASE_TILES)

    def add(self, tiles: Iterable[str]) -> None:
        """Mixes further tiles in."""
        self.tiles.extend(tiles)

    def replace(self, old: str, new: str) -> None:
        """One tile takes the place of another, which stays in the box."""
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
                continue  # the Hungarian text: one whole currency stays in the box
            self.money.extend([card] * copies)

    def shuffled(self, purpose: str, cards: Iterable[str]) -> list[str]:
        """The cards in random order, by a label of their own."""
        return self.game.chance(f"deck/{purpose}").shuffled(cards)

    def insert(self, pile: int, cards: Iterable[str]) -> None:
        """Shuffles cards into one of the piles 1 to 5; pile 1 is drawn first."""
        self.piles[pile].extend(cards)


# -- The deck ------------------------------------------------------------------------------------------------------


def draw(game: Game) -> str | None:
    """The top card of the deck; the discard is shuffled into a new deck when it is empty. None: there is no card."""
    state = game.state
    game.count_work()
    if not state.deck:
        if not state.discard:
            return None
        reshuffle(game)
    game.revealed()
    card = state.deck[-1]
    state.deck = state.deck[:-1]
    left = state.piles[-1] - 1
    state.piles = (*state.piles[:-1], left) if left else state.piles[:-1]
    if state.pinned:
        unpin_from(state, DECK, len(state.deck))
    return card


def reshuffle(game: Game) -> None:
    """Shuffles the discard and puts it under what is left of the deck, as a pile of its own."""
    state = game.state
    cards = game.chance("deck/reshuffle").shuffled(state.discard)
    state.deck, state.discard = (*cards, *state.deck), ()
    state.piles = (len(cards), *state.piles)
    if state.pinned:
        lift_pins(state, DECK, len(cards))
    game.emit("deck_reshuffled", count=len(cards))


def turn_up(game: Game, card: str) -> None:
    """A card was turned up: to the display, or where its kind belongs."""
    route = game.ruleset.routes.get(game.ruleset.cards[card].kind)
    if route is None:
        game.state.display = (*game.state.display, card)
        game.emit("card_revealed", card=card, to="display")
    else:
        route(game, card)


def hold_scoring_card(game: Game, card: str) -> None:
    """A scoring card lies before the next player until the display is full."""
    game.state.due = (*game.state.due, int(card[-1]))
    game.state.box = (*game.state.box, card)
    game.emit("card_revealed", card=card, to="scoring")


def fill_display(game: Game, size: int = DISPLAY_SIZE, unseen: int | None = None) -> None:
    """Turns cards up until the display is full, or deck and discard hold no card that could lie there: then it keeps
    its gaps. `unseen` is how many of the cards that lay there when the refill began have not been turned up yet."""
    state = game.state
    if len(state.display) >= size:
        return
    if unseen is None:
        unseen = len(state.deck) + len(state.discard)
    while len(state.display) < size:
        # Cards that are routed into the discard come round again. Once as many were turned up as there were at first,
        # going on makes sense only for the sake of a card that can lie in the display.
        if unseen <= 0 and not _any_for_display(game):
            break
        card = draw(game)
        if card is None:
            break
        unseen -= 1
        height = len(state.agenda)
        turn_up(game, card)
        if game.resume(height, fill_display, size, unseen):
            return
    game.emit("display_filled", display=state.display)


def _any_for_display(game: Game) -> bool:
    """Whether deck or discard hold a card that lies in the display when it is turned up."""
    known, routes = game.ruleset.cards, game.ruleset.routes
    return any(known[card].kind not in routes for card in (*game.state.deck, *game.state.discard))


def discard(game: Game, cards: Iterable[str]) -> None:
    """Spent cards: to the discard, or out of the game if their kind leaves it."""
    state = game.state
    known = game.ruleset.cards
    kept = []
    for card in cards:
        if known[card].leaves:
            state.box = (*state.box, card)
            game.emit("card_left_game", card=card)
        else:
            kept.append(card)
    state.discard = (*state.discard, *kept)


# -- Hands ---------------------------------------------------------------------------------------------------------


def may_be_held(game: Game, card: str) -> bool:
    """Whether a card can be in a hand: its kind lies in the display when it is turned up, or open beside it."""
    kind = game.ruleset.cards[card].kind
    return kind not in game.ruleset.routes or kind in game.ruleset.table(_kinds_beside_the_display)


def _kinds_beside_the_display(ruleset: Ruleset) -> frozenset[str]:
    """The kinds of cards that go elsewhere when they are turned up and are taken into hands from there."""
    return frozenset(kind for module in ruleset.modules if module.open_cards is not None for kind in module.routes)


def gain(game: Game, seat: int, cards: Iterable[str], *, unseen: bool = False, of_known_kind: bool = False) -> None:
    """Cards come into a hand; `unseen` if the others did not see which, `of_known_kind` if they know their kinds. What
    a seat that resigned would get leaves the game."""
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
    """Cards leave a hand, openly. A copy that the others know of goes first, then one of a kind that they know of:
    that is all they can tell."""
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
    """What is held once these cards are gone."""
    left = list(held)
    for card in cards:
        left.remove(card)
    return tuple(left)


def missing(held: tuple[str, ...], wanted: tuple[str, ...]) -> list[str]:
    """Those of the wanted cards that are not held, copies counted."""
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
    """The next tile of the tower; None if it is empty."""
    state = game.state
    game.count_work()
    if not state.tower:
        return None
    game.revealed()
    tile = state.tower[-1]
    state.tower = state.tower[:-1]
    state.sunk = min(state.sunk, len(state.tower))
    if state.pinned:
        unpin_from(state, TOWER, len(state.tower))
    return tile


def sink_tile(game: Game, tile: str) -> None:
    """Puts a tile under all others of the tower, seen by all."""
    game.state.tower = (tile, *game.state.tower)
    game.state.sunk += 1
    if game.state.pinned:
        lift_pins(game.state, TOWER, 1)
    game.react(game.ruleset.sunk, tile)


def box_tile(game: Game, tile: str, /, **facts: object) -> None:
    """A tile leaves the game; `facts` say more in the event, for example whose it was."""
    game.state.box = (*game.state.box, tile)
    game.emit("boxed", tile=tile, **facts)
    game.react(game.ruleset.boxed, tile)


def clear_space(game: Game, place: int) -> str:
    """Takes the tile off a market space."""
    market = list(game.state.market)
    tile, market[place] = market[place], ""
    game.state.market = tuple(market)
    return tile


def split(cards: list[str]) -> list[list[str]]:
    """Five piles of about equal size, pile 1 first; the first ones get what is left over."""
    size, over = divmod(len(cards), PILES)
    piles, at = [], 0
    for pile in range(PILES):
        end = at + size + (pile < over)
        piles.append(cards[at:end])
        at = end
    return piles


def stack(piles: list[list[str]]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The piles as one deck, pile 1 on top (a deck's top card is its last), and their sizes, top pile last."""
    deck: list[str] = []
    for pile in reversed(piles):
        deck.extend(reversed(pile))
    return tuple(deck), tuple(len(pile) for pile in reversed(piles) if pile)


def pick(stream: Stream, things: list[str]) -> str:
    """Takes one of the things at random."""
    return things.pop(stream.randbelow(len(things)))
