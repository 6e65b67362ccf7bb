"""The rich patron: pays for one building, all of it and exactly, and leaves the game.

The tile costs its buyer nothing, and the exact payment gives a further action. Which purchases he pays is a column of
the purchase table; the surcharge of a watchtower is part of what he pays.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.payment.offers import Offer, Tender
from ...game import Game
from .character import Character, dismiss, owns, use


def patron(game: Game, seat: int, offer: Offer) -> Iterator[Tender]:
    """Yield the patron, who pays for a building, all of it and exactly."""
    if "patron" in offer.effects and offer.purpose == "buy" and owns(game, seat, "rich_patron"):
        yield Tender("items", "rich_patron", free=True)


def spend_patron(game: Game, seat: int, piece: str, stage: str, _payee: int | None) -> None:
    """Once he has paid he leaves."""
    if stage == "spent":
        use(game, seat, piece)
        dismiss(game, piece)


RICH_PATRON = Character(
    id="rich_patron",
    effects={"patron": "The rich patron pays."},
    usable=("rich_patron",),
    tenders=patron,
    items={"rich_patron": spend_patron},
)
