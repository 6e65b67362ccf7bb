"""Bargains: helpers of every kind in a payment; whoever still has the patron counts half a garden more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Game, Module
from alhambra.base.payment.offers import Offer, Tender
from alhambra.module import Layer, Modify, Step


@dataclass(slots=True)
class Bargains:
    """What each seat may put into a payment, each once."""

    held: tuple[tuple[str, ...], ...] = ()


HELPERS = {
    "coupon-1": Tender("items", "coupon-1", delta=-1, group="coupon"),
    "coupon-2": Tender("items", "coupon-2", delta=-2, group="coupon"),
    "duty": Tender("items", "duty", delta=1),
    "filler-3": Tender("items", "filler-3", fills=3),
    "bridge": Tender("items", "bridge", mixes=("gulden", "denar")),
    "patron": Tender("items", "patron", free=True),
    "coin-denar": Tender("items", "coin-denar", currency="denar", value=1),
}


def deal_bargains(game: Game) -> None:
    """Nothing at first; the tests hand things out."""
    game.module_state(Bargains).held = ((),) * len(game.state.seats)


def give_bargains(game: Game, seat: int, *items: str) -> None:
    """The seat holds exactly these."""
    bargains = game.module_state(Bargains)
    bargains.held = (*bargains.held[:seat], items, *bargains.held[seat + 1 :])


def bargain_tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Everything held, for ordinary purchases only."""
    if offer.purpose == "buy":
        yield from (HELPERS[item] for item in game.module_state(Bargains).held[seat])


def use_bargain(game: Game, seat: int, item: str, stage: str, _payee: int | None) -> None:
    """It leaves its owner when it is laid down."""
    held = game.module_state(Bargains).held[seat]
    if stage == "laid_down":
        give_bargains(game, seat, *(other for other in held if other != item))
    game.emit("bargain", seat=seat, item=item, stage=stage)


def patron_adds(game: Game, seat: int, name: str) -> int | None:
    """Half a garden."""
    held = game.module_state(Bargains).held
    return 1 if name == "garden" and seat < len(held) and "patron" in held[seat] else None


BARGAINS = Module(
    number=903,
    key="example_bargains",
    state=Bargains,
    steps=(Step("setup.deal", deal_bargains),),
    tenders=bargain_tenders,
    items=dict.fromkeys(("coupon", "duty", "filler", "bridge", "patron", "coin"), use_bargain),
    modify=(Modify("majority_count", Layer.ADD, patron_adds),),
)
