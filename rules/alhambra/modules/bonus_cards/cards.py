"""Where the bonus cards are: in hands, turned up, or out of the game; and who may know which is which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...components import module_data
from ...determinize import Secrets
from ...game import Game

DATA = module_data("bonus_cards")
SHOWN: dict[str, tuple[str, int]] = {card["id"]: (card["type"], card["price"]) for card in DATA["cards"]}
"""By card: type and price of the building that it shows. Of all buildings without a wall, only one is like that."""


@dataclass(slots=True)
class BonusCards:
    """Where the cards are; the first three by seat."""

    unseen: tuple[tuple[str, ...], ...] = ()
    """Cards in the hand that no other seat has ever seen."""
    returned: tuple[tuple[str, ...], ...] = ()
    """Cards in the hand that had been turned up before: they lie face down again, but everybody remembers them."""
    revealed: tuple[tuple[str, ...], ...] = ()
    """Cards that are turned up."""
    rest: tuple[str, ...] = ()
    """Cards that left the game unseen."""


def deal_cards(game: Game) -> None:
    """Everybody gets the same number, face down; the rest leaves the game unseen."""
    seats = len(game.state.seats)
    each: int = DATA["dealt_per_player"][str(seats)]
    pack = game.chance("bonus_cards/deal").shuffled(SHOWN)
    cards = game.module_state(BonusCards)
    cards.unseen = tuple(tuple(sorted(pack[seat * each : (seat + 1) * each])) for seat in range(seats))
    cards.returned = cards.revealed = ((),) * seats
    cards.rest = tuple(sorted(pack[seats * each :]))
    for seat, own in enumerate(cards.unseen):
        game.emit("bonus_dealt", {seat: {"pieces": own}}, seat=seat, count=each)


def in_hand(game: Game, seat: int) -> tuple[str, ...]:
    """Return the cards that a seat has not turned up."""
    cards = game.module_state(BonusCards)
    return tuple(sorted((*cards.unseen[seat], *cards.returned[seat])))


def changed(held: tuple[tuple[str, ...], ...], seat: int, own: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the cards of all seats, with others for one of them."""
    return (*held[:seat], tuple(sorted(own)), *held[seat + 1 :])


# -- Who may know what -------------------------------------------------------------------------------------------------


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield face-down cards before each seat, and those that are turned up."""
    for seat, open_cards in enumerate(game.module_state(BonusCards).revealed):
        hidden = len(in_hand(game, seat))
        if hidden:
            yield {"kind": "bonus", "seat": seat, "amount": hidden, "choice": "face_down"}
        yield from ({"kind": "bonus", "seat": seat, "piece": card} for card in open_cards)


def private_pieces(game: Game, seat: int) -> Iterator[dict[str, Any]]:
    """Yield the cards that a seat holds."""
    for card in in_hand(game, seat):
        yield {"kind": "bonus", "seat": seat, "piece": card, "choice": "face_down"}


def secrets(game: Game, viewer: int | None, pools: Secrets) -> None:
    """The others' cards that were never turned up, and those that left the game unseen."""
    cards = game.module_state(BonusCards)
    for seat, own in enumerate(cards.unseen):
        if seat != viewer:
            pools.add("bonus", own, partial(_put_into_hand, game, seat))
    pools.add("bonus", cards.rest, partial(_put_aside, game))


def _put_into_hand(game: Game, seat: int, own: tuple[str, ...]) -> None:
    cards = game.module_state(BonusCards)
    cards.unseen = changed(cards.unseen, seat, own)


def _put_aside(game: Game, rest: tuple[str, ...]) -> None:
    game.module_state(BonusCards).rest = tuple(sorted(rest))


def census(game: Game) -> Iterator[str]:
    """Yield all cards that are not in the box."""
    cards = game.module_state(BonusCards)
    for held in (cards.unseen, cards.returned, cards.revealed, (cards.rest,)):
        yield from (card for own in held for card in own)
