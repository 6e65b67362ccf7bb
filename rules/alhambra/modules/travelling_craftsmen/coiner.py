"""The coiner: one building is paid with money cards from the hand, from the display, or from both.

Only where the money comes from is widened: which currency is demanded stays as it is. The cards go where every payment
goes. The display is refilled at the end of the turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...abilities import Ability
from ...base.payment.offers import Offer, Tender
from ...game import Game
from .craftsman import GROUP, all_of, usable, use

KIND = "coiner"


def open_display(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield a usable coiner, and the open money cards that may be paid with if he is named."""
    coiners = tuple(usable(game, seat, KIND)) if KIND in offer.effects else ()
    if coiners:
        display, known = game.state.display, game.ruleset.cards
        yield from (Tender("items", piece, group=GROUP) for piece in coiners)
        for card in dict.fromkeys(display):
            money = known[card]
            if money.value:
                yield Tender("display", card, display.count(card), money.currency, money.value, needs=coiners)


def coiner_helps(game: Game, seat: int, item: str, stage: str, _payee: int | None) -> None:
    """He is used when the payment is laid down."""
    if stage == "laid_down":
        use(game, seat, item)


COINER = Ability(
    effects={KIND: "The coiner lets open cards pay."},
    usable=all_of(KIND),
    tenders=open_display,
    items=dict.fromkeys(all_of(KIND), coiner_helps),
)
