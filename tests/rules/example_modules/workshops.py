"""Workshops: planes and dice lower a price, hired hands raise or lower it, and a mint lets open cards be paid with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Game, Module
from alhambra.base.payment.offers import Offer, Tender
from alhambra.module import Step

MINTS = ("mint", "mint_2")
PLANES = [(f"{plane}:{less}", less) for plane in ("plane", "plane_2") for less in (1, 2)]
TOOLS = {
    **{plane: Tender("items", plane, delta=-less, group="craft") for plane, less in PLANES},
    **{mint: Tender("items", mint, group="craft") for mint in MINTS},
    **{f"die:{number}": Tender("items", f"die:{number}", delta=-1, group="die") for number in range(3)},
}


@dataclass(slots=True)
class Workshops:
    """By seat: its tools, and how many hands it has hired."""

    held: tuple[tuple[str, ...], ...] = ()
    hands: tuple[int, ...] = ()


def deal_tools(game: Game) -> None:
    """Nothing at first; the tests hand things out."""
    workshops = game.module_state(Workshops)
    workshops.held, workshops.hands = ((),) * len(game.state.seats), (0,) * len(game.state.seats)


def give_tools(game: Game, seat: int, *items: str, hands: int = 0) -> None:
    """The seat holds exactly these."""
    workshops = game.module_state(Workshops)
    workshops.held = (*workshops.held[:seat], items, *workshops.held[seat + 1 :])
    workshops.hands = (*workshops.hands[:seat], hands, *workshops.hands[seat + 1 :])


def workshop_tenders(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Tools, hands, and with a mint the open cards, for ordinary purchases only."""
    if offer.purpose != "buy":
        return
    workshops, known, display = game.module_state(Workshops), game.ruleset.cards, game.state.display
    yield from (TOOLS[item] for item in workshops.held[seat])
    for count in range(1, workshops.hands[seat] + 1):
        for change in (-count, count):
            yield Tender("items", f"hands:{change:+}", delta=change, group="hands")
    mints = tuple(item for item in workshops.held[seat] if item in MINTS)
    for card in dict.fromkeys(display) if mints else ():
        yield Tender("display", card, display.count(card), known[card].currency, known[card].value, needs=mints)


def use_tool(game: Game, seat: int, item: str, stage: str, _payee: int | None) -> None:
    """What was used leaves its owner when it is laid down."""
    if stage != "laid_down":
        return
    workshops = game.module_state(Workshops)
    hands = workshops.hands[seat]
    if item.startswith("hands:"):
        hands -= abs(int(item.partition(":")[2]))
    plane = item.partition(":")[0] if item.startswith("plane") else ""
    left = [other for other in workshops.held[seat] if item != other and other.partition(":")[0] != plane]
    give_tools(game, seat, *left, hands=hands)


WORKSHOPS = Module(
    number=922,
    key="example_workshops",
    state=Workshops,
    steps=(Step("setup.deal", deal_tools),),
    tenders=workshop_tenders,
    items=dict.fromkeys(("plane", "plane_2", *MINTS, "die", "hands"), use_tool),
)
