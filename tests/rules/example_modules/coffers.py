"""Coffers: a jewel fills what is short of a price, and amounts that are written down are spent like a card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Game, Module
from alhambra.base.payment.offers import Offer, Tender
from alhambra.module import Step

JEWELS = {f"jewel-{value}": Tender("items", f"jewel-{value}", fills=value, group="jewel") for value in range(1, 6)}


@dataclass(slots=True)
class Coffers:
    """By seat: its jewels; and its amounts, each an item, a currency and a value."""

    jewels: tuple[tuple[str, ...], ...] = ()
    amounts: tuple[tuple[tuple[str, str, int], ...], ...] = ()


def deal_jewels(game: Game) -> None:
    """Nothing at first; the tests hand things out."""
    coffers = game.module_state(Coffers)
    coffers.jewels = coffers.amounts = ((),) * len(game.state.seats)


def fill_coffer(game: Game, seat: int, *jewels: str, amounts: tuple[tuple[str, str, int], ...] = ()) -> None:
    """The seat holds exactly these."""
    coffers = game.module_state(Coffers)
    coffers.jewels = (*coffers.jewels[:seat], jewels, *coffers.jewels[seat + 1 :])
    coffers.amounts = (*coffers.amounts[:seat], amounts, *coffers.amounts[seat + 1 :])


def coffer_tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Amounts for everything, jewels only for ordinary purchases that can be exact."""
    coffers = game.module_state(Coffers)
    for item, currency, value in coffers.amounts[seat]:
        yield Tender("items", item, currency=currency, value=value)
    if offer.purpose == "buy" and not offer.never_exact:
        yield from (JEWELS[item] for item in coffers.jewels[seat])


def open_coffer(game: Game, seat: int, item: str, stage: str, _payee: int | None) -> None:
    """What was used leaves its owner when it is laid down."""
    if stage == "laid_down":
        coffers = game.module_state(Coffers)
        amounts = tuple(amount for amount in coffers.amounts[seat] if amount[0] != item)
        fill_coffer(game, seat, *(other for other in coffers.jewels[seat] if other != item), amounts=amounts)


COFFERS = Module(
    number=923,
    key="example_coffers",
    state=Coffers,
    steps=(Step("setup.deal", deal_jewels),),
    tenders=coffer_tenders,
    items=dict.fromkeys(("jewel", "camel", "certificate"), open_coffer),
)
