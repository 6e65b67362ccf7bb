"""The miser: after buying a building for 10 or more, his owner takes one open money card.

What counts is the price of the tile where it lies, with the surcharge of a watchtower: not what was paid, and not what
helpers made of the price. Only purchases among the actions of their own turn count, of whatever tile. The display is
not refilled before the turn ends.
"""

from __future__ import annotations

from ...base.payment.offers import Purchase
from ...game import Game
from ...module import DecisionKind, Stage, Step, freely
from ...moves import Move
from ...state import Decision
from .character import VALUES, Character, is_money, is_usable, use


def ask_miser(game: Game, purchase: Purchase) -> None:
    """Ask the buyer of a dear building who owns the miser, if there is a money card to take."""
    buys_tile = bool(purchase.tile) and purchase.at == "action"
    if not buys_tile or purchase.price < VALUES["miser_min_price"] or not is_usable(game, purchase.seat, "miser"):
        return
    if any(is_money(game, card) for card in game.state.display):
        game.ask("miser", purchase.seat)


def after_miser(game: Game, decision: Decision, move: Move) -> None:
    """If a card is taken, the miser is used; after a pass he can still be used in this turn."""
    if move.verb != "pass":
        game.push(use, decision.seat, "miser")


MISER = Character(
    id="miser",
    decisions=(DecisionKind("miser", verbs=("take_open",), passing=freely, answered=after_miser),),
    stages=(Stage("purchase.miser", before="purchase.bonus", rank=1),),
    steps=(Step("purchase.miser", ask_miser),),
    agenda={"use": use},
)
