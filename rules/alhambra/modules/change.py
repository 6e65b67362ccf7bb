"""11 Change.

Who overpays a building draws coins from the bag: one for every two that were paid too much. A coin lies open and is
worth 1 of its currency in any payment, like a money card; spent coins go back into the bag before new ones are drawn.
The purchase stays inexact. Coins count when leftover tiles are given out. An empty bag gives nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.payment.offers import Offer, Purchase, Tender
from ..base.supply import pick
from ..components import CURRENCIES, module_data
from ..declarations import PieceKind, outline_of
from ..game import Game
from ..module import Layer, Modify, Module, Step

DATA = module_data("change")
COIN_VALUE: int = DATA["coin_value"]
OVERPAID_PER_COIN: int = DATA["overpay_per_coin"]


@dataclass(slots=True)
class Coins:
    """The bag, what lies before each seat, and what lies aside in a standing bid."""

    bag: tuple[str, ...] = ()
    held: tuple[tuple[str, ...], ...] = ()
    aside: tuple[str, ...] = ()


def fill_bag(game: Game) -> None:
    """All coins start in the bag."""
    coins = game.module_state(Coins)
    coins.bag = tuple(f"coin-{currency}" for currency in CURRENCIES for _ in range(DATA["coins"][currency]))
    coins.held = ((),) * len(game.state.seats)


def _set(game: Game, seat: int, own: tuple[str, ...]) -> None:
    coins = game.module_state(Coins)
    coins.held = (*coins.held[:seat], tuple(sorted(own)), *coins.held[seat + 1 :])


def _without(cards: tuple[str, ...], one: str) -> tuple[str, ...]:
    at = cards.index(one)
    return cards[:at] + cards[at + 1 :]


# -- Paying with coins ---------------------------------------------------------------------------------------------


def tenders(game: Game, seat: int, _offer: Offer) -> Iterator[Tender]:
    """Yield the seat's coins. They serve for every offer, because offers are paid by value."""
    own = game.module_state(Coins).held[seat]
    for coin in dict.fromkeys(own):
        yield Tender("items", coin, own.count(coin), coin.partition("-")[2], COIN_VALUE)


def move_coin(game: Game, seat: int, coin: str, stage: str, payee: int | None) -> None:
    """A coin laid down lies aside until it is spent (bag, or the seat that is paid) or given back."""
    coins = game.module_state(Coins)
    if stage == "laid_down":
        _set(game, seat, _without(coins.held[seat], coin))
        coins.aside = (*coins.aside, coin)
        return
    coins.aside = _without(coins.aside, coin)
    if stage == "given_back":
        _set(game, seat, (*coins.held[seat], coin))
    elif payee is not None:
        _set(game, payee, (*coins.held[payee], coin))
    else:
        coins.bag = (*coins.bag, coin)


def draw_change(game: Game, purchase: Purchase) -> None:
    """One coin for every two overpaid, drawn blind."""
    coins = game.module_state(Coins)
    count = min(purchase.over // OVERPAID_PER_COIN, len(coins.bag))
    if "coins" not in purchase.effects or not count:
        return
    stream, bag = game.chance("change/draw"), sorted(coins.bag)
    drawn = tuple(sorted(pick(stream, bag) for _ in range(count)))
    coins.bag = tuple(bag)
    _set(game, purchase.seat, (*coins.held[purchase.seat], *drawn))
    game.emit("coins_drawn", seat=purchase.seat, items=drawn)


def coins_in_hand(game: Game, seat: int, currency: str) -> int:
    """Return the coins, which count as money of their currency when leftover tiles are given out."""
    return COIN_VALUE * game.module_state(Coins).held[seat].count(f"coin-{currency}")


def return_coins(game: Game, seat: int) -> None:
    """A player who leaves puts the coins back into the bag."""
    coins = game.module_state(Coins)
    own = coins.held[seat]
    if own:
        coins.bag = (*coins.bag, *own)
        _set(game, seat, ())
        game.emit("coins_returned", seat=seat, items=own)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the coins in the bag, and those before each seat."""
    coins = game.module_state(Coins)
    for seat, lying in ((None, coins.bag), *enumerate(coins.held)):
        for currency in CURRENCIES:
            count = lying.count(f"coin-{currency}")
            if count:
                yield {"kind": "coin", "seat": seat, "currency": currency, "amount": count}


def census(game: Game) -> Iterator[str]:
    """Yield all coins, wherever they are."""
    coins = game.module_state(Coins)
    yield from (coin for own in coins.held for coin in own)
    yield from (*coins.bag, *coins.aside)


MODULE = Module(
    number=11,
    key="change",
    events={
        "coins_drawn": "A seat drew coins for what it overpaid.",
        "coins_returned": "The coins of a seat went back into the bag.",
    },
    piece_kinds=(
        PieceKind(
            "coin",
            "Coins of one currency, in the bag or before a seat.",
            outline_of("coin"),
        ),
    ),
    usable=tuple(f"coin-{currency}" for currency in CURRENCIES),
    state=Coins,
    tenders=tenders,
    items={"coin": move_coin},
    steps=(Step("setup.deal", fill_bag), Step("purchase.coins", draw_change)),
    modify=(Modify("money_in_hand", Layer.ADD, coins_in_hand),),
    reactions={"resigned": return_coins},
    public_pieces=public_pieces,
    census=census,
)
