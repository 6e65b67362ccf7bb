"""The carpenter: the price of one building is lowered by 1 or 2, as his owner likes, but not below 0.

He helps wherever the purchase table says so: for tiles on the market, beside it and on a personal market, in the own
turn. Paying the lower price is paying exactly.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...base.payment.offers import Offer, Tender
from ...game import Game
from .craftsman import GROUP, VALUES, all_of, usable, use

KIND = "carpenter"
DISCOUNTS: tuple[int, ...] = tuple(VALUES["carpenter_discount"])


def lower_price(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield each usable carpenter with each discount."""
    if KIND in offer.effects:
        for piece in usable(game, seat, KIND):
            for discount in DISCOUNTS:
                yield Tender("items", f"{piece}:{discount}", delta=-discount, group=GROUP)


def carpenter_helps(game: Game, seat: int, item: str, stage: str, _payee: int | None) -> None:
    """He is used when the payment is laid down."""
    if stage == "laid_down":
        use(game, seat, item.partition(":")[0])


CARPENTER = Ability(
    effects={KIND: "The carpenter lowers the price."},
    usable=tuple(f"{piece}:{discount}" for piece in all_of(KIND) for discount in DISCOUNTS),
    tenders=lower_price,
    items=dict.fromkeys(all_of(KIND), carpenter_helps),
)
