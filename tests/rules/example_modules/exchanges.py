"""Exchanges: licences to mix two currencies, one for each pair; and diamonds, which are paid alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from alhambra import CURRENCIES, Game, Module
from alhambra.base.payment.offers import DIAMOND, Offer, Tender
from alhambra.components import Card
from alhambra.module import Step

LICENCES = {f"licence-{one}-{other}": (one, other) for one, other in combinations(CURRENCIES, 2)}
DIAMONDS = tuple(Card(f"diamond-{value}", "money", DIAMOND, value) for value in range(3, 10))


@dataclass(slots=True)
class Exchanges:
    """The licences of each seat."""

    held: tuple[tuple[str, ...], ...] = ()


def deal_licences(game: Game) -> None:
    """Nothing at first; the tests hand things out."""
    game.module_state(Exchanges).held = ((),) * len(game.state.seats)


def give_licences(game: Game, seat: int, *items: str) -> None:
    """The seat holds exactly these."""
    exchanges = game.module_state(Exchanges)
    exchanges.held = (*exchanges.held[:seat], items, *exchanges.held[seat + 1 :])


def exchange_tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Diamonds for everything, licences for purchases and bids in an auction."""
    hand = game.state.seats[seat].hand
    for card in DIAMONDS:
        if card.id in hand:
            yield Tender("cards", card.id, hand.count(card.id), DIAMOND, card.value)
    for item in game.module_state(Exchanges).held[seat] if offer.purpose in ("buy", "bid") else ():
        yield Tender("items", item, mixes=LICENCES[item])


def use_licence(game: Game, seat: int, item: str, stage: str, _payee: int | None) -> None:
    """It leaves its owner when it is laid down."""
    if stage == "laid_down":
        give_licences(game, seat, *(other for other in game.module_state(Exchanges).held[seat] if other != item))


EXCHANGES = Module(
    number=921,
    key="example_exchanges",
    state=Exchanges,
    cards=DIAMONDS,
    steps=(Step("setup.deal", deal_licences),),
    tenders=exchange_tenders,
    items={"licence": use_licence},
)
