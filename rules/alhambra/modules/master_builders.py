"""14 The master builders.

Sixteen builder cards, four of each currency, are money cards of value 3. Every player is dealt two of them face down
before the starting money; further ones go into the third and the fifth pile of the money deck, the rest leaves the
game. A builder card is taken and paid with like any other money. Or its owner gives it up at the end of their own turn,
after placing, for one more redesign; only one in a turn. Used either way it leaves the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ..base.sole_action import free_redesign_barred
from ..base.supply import DeckPlan, discard, lose
from ..components import Card, module_data
from ..game import Game
from ..module import Licence, Module
from ..state import Decision

if TYPE_CHECKING:
    from ..determinize import Secrets

DATA = module_data("master_builders")
BUILDER = "builder"
"""The kind of card; also the word in `state.used` that says: a builder card paid for a redesign in this turn."""
DEALT: int = DATA["dealt_per_player"]
BUILDERS = tuple(f"{BUILDER}-{card['currency']}" for card in DATA["cards"])
"""All sixteen. Copies of one currency are interchangeable."""
VALUES: dict[str, tuple[str, int]] = {
    f"{BUILDER}-{card['currency']}": (card["currency"], card["value"]) for card in DATA["cards"]
}


@dataclass(slots=True)
class Builders:
    """The builder cards that were neither dealt nor put into the deck, face down."""

    rest: tuple[str, ...] = ()


def insert_cards(plan: DeckPlan) -> None:
    """Two for every player, some into two piles of the deck; nobody sees the rest."""
    cards = plan.shuffled("builders", BUILDERS)
    for seat in range(plan.seats):
        plan.hands.setdefault(seat, []).extend(cards.pop() for _ in range(DEALT))
    for pile, count in _piles(plan.seats).items():
        plan.insert(pile, [cards.pop() for _ in range(count)])
    plan.game.module_state(Builders).rest = tuple(cards)


def _piles(seats: int) -> dict[int, int]:
    """Return how many builder cards go into which pile."""
    for players, piles in DATA["deck_piles"].items():
        fewest, _, most = players.partition("-")
        if int(fewest) <= seats <= int(most or fewest):
            return {int(pile): count for pile, count in piles.items()}
    raise AssertionError(f"no piles for {seats} players")


# -- One more redesign ---------------------------------------------------------------------------------------------


def is_asked(game: Game, seat: int) -> bool:
    """Return whether the seat is asked at the end of its turn. It is asked with any cards in hand: whether a builder
    card is among them, the others must not learn from the question."""
    used = BUILDER in game.state.used
    return bool(game.state.seats[seat].hand) and not used and not free_redesign_barred(game, seat)


def redesign_licences(game: Game, decision: Decision) -> Iterator[Licence]:
    """Yield one more redesign for a builder card in hand."""
    if decision.kind == "late" and is_asked(game, decision.seat):
        for card in dict.fromkeys(game.state.seats[decision.seat].hand):
            if card in VALUES:
                yield Licence(cards=(card,), spend=partial(give_up, card=card))


def give_up(game: Game, seat: int, card: str) -> None:
    """The card leaves the game; there is no second redesign for one in this turn."""
    game.state.used = (*game.state.used, BUILDER)
    lose(game, seat, (card,))
    discard(game, (card,))


# -- Who may know what ---------------------------------------------------------------------------------------------


def secrets(game: Game, _viewer: int | None, pools: Secrets) -> None:
    """No player knows which builder cards are left over."""
    pools.add(BUILDER, game.module_state(Builders).rest, partial(_put_aside, game))


def _put_aside(game: Game, rest: tuple[str, ...]) -> None:
    game.module_state(Builders).rest = rest


def census(game: Game) -> Iterator[str]:
    """Yield the builder cards that never came into the game."""
    yield from game.module_state(Builders).rest


MODULE = Module(
    number=14,
    key="master_builders",
    state=Builders,
    cards=tuple(Card(id_, BUILDER, currency, value, leaves=True) for id_, (currency, value) in VALUES.items()),
    deck=insert_cards,
    asks={"late": is_asked},
    licences=redesign_licences,
    secrets=secrets,
    census=census,
)
