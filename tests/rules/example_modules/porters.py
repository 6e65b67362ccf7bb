"""Porters: once a game everybody may swap two market tiles in the own turn; with a barrow, one space may be empty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from alhambra import Game, Module
from alhambra.base.market_swap import can_swap
from alhambra.module import Licence, Step


@dataclass(slots=True)
class Porters:
    """What each seat may still use."""

    held: tuple[tuple[str, ...], ...] = ()


def hire(game: Game) -> None:
    """A porter and a barrow each."""
    game.module_state(Porters).held = (("barrow", "porter"),) * len(game.state.seats)


def spend(game: Game, seat: int, item: str) -> None:
    """It is used up."""
    kept = game.module_state(Porters)
    left = tuple(other for other in kept.held[seat] if other != item)
    kept.held = (*kept.held[:seat], left, *kept.held[seat + 1 :])


def licences(game: Game, seat: int) -> Iterator[Licence]:
    """One for each thing that the seat still has."""
    for item in game.module_state(Porters).held[seat]:
        yield Licence(items=(item,), spend=partial(spend, item=item), gaps=item == "barrow")


def keeps_asking(game: Game, seat: int) -> bool:
    """The action stays open while one of them could still be used."""
    return any(can_swap(game, licence) for licence in licences(game, seat))


PORTERS = Module(
    number=918,
    key="example_porters",
    state=Porters,
    answers={"action": ("swap_market",)},
    helpers={"swap_market": licences},
    asks={"action": keeps_asking},
    steps=(Step("setup.deal", hire),),
)
