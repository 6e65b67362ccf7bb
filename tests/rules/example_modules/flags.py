"""Flags: whoever buys a market tile leaves a flag on the space. Before the space gets another tile, the owners of flags
there decide whether to take theirs back; a flag on the market is worth a point in the last scoring."""

from __future__ import annotations

from dataclasses import dataclass

from alhambra import Decision, Game, Module
from alhambra.base.choice import Choice
from alhambra.base.payment.offers import Purchase
from alhambra.base.scoring import score
from alhambra.base.supply import SLOTS
from alhambra.base.turn_order import seats_from
from alhambra.module import Stage, Step


@dataclass(slots=True)
class Flags:
    """The flags on each space by seat, and the spaces whose tile was sold since they were filled."""

    flying: tuple[tuple[int, ...], ...] = ((),) * len(SLOTS)
    sold: tuple[int, ...] = ()


def leave_flag(game: Game, purchase: Purchase) -> None:
    """The space of the tile that was bought, whoever bought it."""
    if purchase.slot in SLOTS:
        kept, place = game.module_state(Flags), SLOTS.index(purchase.slot)
        kept.sold = (*kept.sold, place)
        _fly(game, place, (*kept.flying[place], purchase.seat))


def _fly(game: Game, place: int, seats: tuple[int, ...]) -> None:
    kept = game.module_state(Flags)
    kept.flying = (*kept.flying[:place], seats, *kept.flying[place + 1 :])


def begin_take_back(game: Game, place: int) -> None:
    """Only after a sale, from the first player on."""
    kept = game.module_state(Flags)
    if place in kept.sold:
        kept.sold = tuple(other for other in kept.sold if other != place)
        owners = [seat for seat in seats_from(game, game.state.first) if seat in kept.flying[place]]
        game.push(ask_take_back, place, tuple(owners))


def ask_take_back(game: Game, place: int, seats: tuple[int, ...]) -> None:
    """One owner after another."""
    if seats:
        game.push(ask_take_back, place, seats[1:])
        game.ask("take_back", seats[0], slot=SLOTS[place], choices=("leave", "take"))


def take_back(game: Game, decision: Decision, choice: str) -> None:
    """All own flags of the space, or none."""
    if choice == "take":
        place = SLOTS.index(decision.context["slot"])
        _fly(game, place, tuple(seat for seat in game.module_state(Flags).flying[place] if seat != decision.seat))


def count_flags(game: Game, number: int) -> None:
    """A point for each in the last scoring."""
    for seat in range(len(game.state.seats) if number == 3 else 0):
        points = sum(seats.count(seat) for seats in game.module_state(Flags).flying)
        if points:
            score(game, seat, points, "flags", scoring=number)


FLAGS = Module(
    number=934,
    key="example_flags",
    state=Flags,
    decisions=(Choice("take_back", chosen=take_back),),
    stages=(
        Stage("purchase.flag", after="purchase.building"),
        Stage("space.flag", before="space.source"),
    ),
    steps=(
        Step("purchase.flag", leave_flag),
        Step("space.flag", begin_take_back),
        Step("scoring.gains", count_flags),
    ),
    agenda={"ask_take_back": ask_take_back},
    view=lambda game, _viewer: {"flying": game.module_state(Flags).flying},
)
