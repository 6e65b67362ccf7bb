"""Planting: whoever acquires a tile puts its fruit on a field of their own board, or beside the board."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.payment.offers import Purchase
from ...base.supply import missing
from ...game import Game
from ...moves import Move, need
from ...state import Decision
from ...violations import Violation
from .fruits import BOARDS, POINTS, Orchards, take_off

LEFTOVER = "leftover"
"""How a tile is acquired that was left on the market at the end."""


def free_fields(game: Game, seat: int, slot: str) -> list[str]:
    """Return the kinds of fruit that are still missing in a group of a seat, one for each free field."""
    orchards = game.module_state(Orchards)
    return missing(orchards.planted[seat][slot], BOARDS[orchards.boards[seat]][slot])


def groups_for(game: Game, seat: int, fruit: str) -> list[str]:
    """Return the groups in which a seat has a free field for a fruit."""
    return [slot for slot in POINTS if fruit in free_fields(game, seat, slot)]


def ask_for_group(game: Game, seat: int, tile: str) -> None:
    """Whoever got a tile gets the fruit on it. Nothing is asked if everybody sees that there is no choice."""
    fruit = game.module_state(Orchards).on_tiles.get(tile)
    if fruit is None:
        return
    groups = groups_for(game, seat, fruit)
    if len(groups) > 1:
        game.ask("plant_fruit", seat, piece=fruit, tiles=(tile,), slots=tuple(groups))
        return
    take_off(game, tile)
    if groups:
        plant(game, seat, groups[0], fruit, forced=True)
    else:
        spare = game.module_state(Orchards).spare
        game.module_state(Orchards).spare = (*spare[:seat], (*spare[seat], fruit), *spare[seat + 1 :])
        game.emit("fruit_spare", seat=seat, piece=fruit)


def plant(game: Game, seat: int, slot: str, fruit: str, **facts: object) -> None:
    """A fruit lies on its field from now on."""
    orchards = game.module_state(Orchards)
    groups = {**orchards.planted[seat], slot: (*orchards.planted[seat][slot], fruit)}
    orchards.planted = (*orchards.planted[:seat], groups, *orchards.planted[seat + 1 :])
    game.emit("fruit_planted", seat=seat, slot=slot, piece=fruit, **facts)


def after_purchase(game: Game, purchase: Purchase) -> None:
    """The buyer gets the fruit before the tile has its place."""
    ask_for_group(game, purchase.seat, purchase.tile)


def after_acquiring(game: Game, seat: int, tile: str, how: str) -> None:
    """Whoever gets a leftover tile gets its fruit, even if the tile is not built (30.16)."""
    if how == LEFTOVER:
        game.push(ask_for_group, seat, tile)


def verify_plant(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A group of their own board with a free field for the fruit."""
    fruit = decision.context["piece"]
    fields = BOARDS[game.module_state(Orchards).boards[decision.seat]].get(need(move.slot))
    if fields is None:
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    elif fruit not in fields:
        yield Violation("TYPE_MISMATCH", "slot", expected=list(fields), got=fruit)
    elif move.slot not in decision.context["slots"]:
        yield Violation("PLACE_TAKEN", "slot", slot=move.slot)


def plant_fruit(game: Game, decision: Decision, move: Move) -> None:
    """The fruit goes from the tile to the board."""
    (tile,) = decision.context["tiles"]
    fruit = take_off(game, tile)
    assert fruit is not None
    plant(game, decision.seat, need(move.slot), fruit)


def every_group(_game: Game, _decision: Decision) -> list[Move]:
    """Return a move for each of the six groups."""
    return [Move("plant_fruit", slot=slot) for slot in POINTS]
