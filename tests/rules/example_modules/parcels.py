"""Parcels: one is laid on every garden of the market; whoever gets the tile may keep it as long as it is not lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from alhambra import Decision, Game, Module
from alhambra.base.choice import Choice
from alhambra.base.scoring import score
from alhambra.determinize import Secrets
from alhambra.module import Step


@dataclass(slots=True)
class Parcels:
    """Where the parcels are."""

    stock: tuple[str, ...] = ()
    """Face down; the next one is the last."""
    on: dict[str, str] = field(default_factory=dict)
    """By tile."""
    owners: dict[str, int] = field(default_factory=dict)
    """By tile: the seat that keeps its parcel."""
    lost: tuple[str, ...] = ()


def pile_parcels(game: Game) -> None:
    """Four each worth one, two and three points, face down."""
    parcels = [f"parcel-{points}" for points in (1, 2, 3)] * 4
    game.module_state(Parcels).stock = tuple(game.chance("example_parcels/stock").shuffled(parcels))


def lay_parcel(game: Game, tile: str, place: int) -> None:
    """On a garden, as long as there are any."""
    kept = game.module_state(Parcels)
    if kept.stock and game.ruleset.tiles[tile].type == "garden":
        kept.on = {**kept.on, tile: kept.stock[-1]}
        kept.stock = kept.stock[:-1]
        game.mark_revealed()
        game.emit("parcel_laid", tile=tile, piece=kept.on[tile], space=place)


def receive_parcel(game: Game, seat: int, tile: str, how: str) -> None:
    """Bought or left over, the recipient is asked."""
    if tile in game.module_state(Parcels).on:
        game.push(ask_parcel, seat, tile, how)


def ask_parcel(game: Game, seat: int, tile: str, how: str) -> None:
    """Keep it or not."""
    game.ask("parcel", seat, tile=tile, piece=game.module_state(Parcels).on[tile], how=how, choices=("keep", "refuse"))


def decide_parcel(game: Game, decision: Decision, choice: str) -> None:
    """It stays with the tile, or is lost."""
    kept = game.module_state(Parcels)
    if choice == "keep":
        kept.owners = {**kept.owners, decision.context["tile"]: decision.seat}
    else:
        lose_parcel(game, decision.context["tile"])


def lose_parcel(game: Game, tile: str) -> None:
    """Dirk has no use for it, and out of the game nobody has."""
    kept = game.module_state(Parcels)
    if tile in kept.on:
        kept.lost = (*kept.lost, kept.on[tile])
        kept.on = {other: parcel for other, parcel in kept.on.items() if other != tile}
        kept.owners = {other: seat for other, seat in kept.owners.items() if other != tile}
        game.emit("parcel_lost", tile=tile, piece=kept.lost[-1])


def take_parcel_back(game: Game, tile: str) -> None:
    """The parcel of a tile that goes back into the tower is mixed into the stock."""
    kept = game.module_state(Parcels)
    if tile in kept.on:
        stock = (*kept.stock, kept.on[tile])
        kept.on = {other: parcel for other, parcel in kept.on.items() if other != tile}
        kept.stock = tuple(game.chance("example_parcels/stock").shuffled(stock))


def open_parcels(game: Game, number: int) -> None:
    """At the end they are worth what stands on them."""
    kept = game.module_state(Parcels)
    for seat in range(len(game.state.seats) if number == 3 else 0):
        points = sum(int(kept.on[tile][-1]) for tile, owner in kept.owners.items() if owner == seat)
        if points:
            score(game, seat, points, "parcels", scoring=number)


def stack_parcels(game: Game, parcels: tuple[str, ...]) -> None:
    """The stock lies in this order."""
    game.module_state(Parcels).stock = parcels


def parcel_secrets(game: Game, _viewer: int | None, secrets: Secrets) -> None:
    """Nobody knows the order of the stock."""
    secrets.add("parcel", game.module_state(Parcels).stock, partial(stack_parcels, game))


def view_parcels(game: Game, _viewer: int | None) -> dict[str, Any]:
    """What has been laid lies open."""
    kept = game.module_state(Parcels)
    return {"stock": len(kept.stock), "on": kept.on, "owners": kept.owners, "lost": list(kept.lost)}


PARCELS = Module(
    number=911,
    key="example_parcels",
    state=Parcels,
    decisions=(Choice("parcel", chosen=decide_parcel),),
    steps=(Step("setup.deal", pile_parcels), Step("scoring.gains", open_parcels)),
    agenda={"ask_parcel": ask_parcel},
    reactions={
        "laid": lay_parcel,
        "acquired": receive_parcel,
        "given": lose_parcel,
        "sunk": take_parcel_back,
        "boxed": lose_parcel,
    },
    view=view_parcels,
    secrets=parcel_secrets,
    census=lambda game: (
        *game.module_state(Parcels).stock,
        *game.module_state(Parcels).on.values(),
        *game.module_state(Parcels).lost,
    ),
)
