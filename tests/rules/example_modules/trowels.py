"""Trowels: twice a game a redesign at the action that does not take the action up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alhambra import Decision, Game, Module
from alhambra.module import Licence, Step


@dataclass(slots=True)
class Trowels:
    """How often each seat may still redesign like that."""

    left: tuple[int, ...] = ()


def deal_trowels(game: Game) -> None:
    """Two each."""
    game.module_state(Trowels).left = (2,) * len(game.state.seats)


def has_trowel(game: Game, seat: int) -> bool:
    """Everybody can see who has one."""
    return game.module_state(Trowels).left[seat] > 0


def wear_out(game: Game, seat: int) -> None:
    """One fewer."""
    trowels = game.module_state(Trowels)
    trowels.left = tuple(left - (owner == seat) for owner, left in enumerate(trowels.left))
    game.emit("trowel_used", seat=seat)


def trowel_licences(game: Game, decision: Decision) -> Iterator[Licence]:
    """Beside the action, or after it."""
    if decision.kind == "action" and has_trowel(game, decision.seat):
        yield Licence(items=("trowel",), spend=wear_out)


TROWELS = Module(
    number=916,
    key="example_trowels",
    state=Trowels,
    steps=(Step("setup.deal", deal_trowels),),
    asks={"action": has_trowel},
    licences=trowel_licences,
    view=lambda game, _viewer: {"left": list(game.module_state(Trowels).left)},
)
