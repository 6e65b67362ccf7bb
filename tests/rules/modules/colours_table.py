"""A table with fresh colours: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import CURRENCIES, TYPES, Event, Game
from alhambra.modules.fresh_colours import Plan
from tests.rules.situations import display, hand, market, play, table

KEY = "fresh_colours"
FULL = {"gulden": "tower-11", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-10"}
FIELDS = {"gulden": "garden", "dirham": "tower", "denar": "pavilion", "dukat": "seraglio"}
"""By currency: the type of the project in its column, unless a test says otherwise."""


def colours(seats: int = 3, *modules: str, top: str = "fresh_arcades_1", **options: Any) -> Game:
    """A cleared table with a full market; projects of known types lie on the plan, and this one on top of the stack."""
    game = table(seats, modules=[KEY, *modules], **options)
    market(game, **FULL)
    display(game, "dukat-1 dukat-2 dukat-6 dukat-7")
    lay(game, top, **{currency: f"fresh_{name}_1" for currency, name in FIELDS.items()})
    return game


def plan(game: Game) -> Plan:
    return game.module_state(Plan)


def lay(game: Game, top: str = "", **fields: str) -> None:
    """These projects lie on the fields and on top; the others in the stack, or (no `top`) before nobody."""
    kept = plan(game)
    all_of_them = [*kept.fields.values(), *kept.stack]
    kept.fields = {f"fresh-{currency}": fields[currency] for currency in CURRENCIES if currency in fields}
    rest = [piece for piece in all_of_them if piece not in {*fields.values(), top}]
    if top:
        kept.stack = (*rest, top)
    else:
        kept.stack, kept.out = (), (*kept.out, *rest)


def have(game: Game, seat: int, *names: str) -> None:
    """The seat has exactly these colour tiles."""
    kept = plan(game)
    supply = [*kept.supply, *kept.colours[seat]]
    for name in names:
        supply.remove(name)
    kept.supply = tuple(sorted(supply, key=TYPES.index))
    own = tuple(sorted(names, key=TYPES.index))
    kept.colours = (*kept.colours[:seat], own, *kept.colours[seat + 1 :])


def own_projects(game: Game, seat: int, *pieces: str, completed: bool = False) -> None:
    """The seat has these projects, taken from the stack or from what is not in the game."""
    kept = plan(game)
    kept.stack = tuple(piece for piece in kept.stack if piece not in pieces)
    kept.out = tuple(piece for piece in kept.out if piece not in pieces)
    kept.fields = {slot: piece for slot, piece in kept.fields.items() if piece not in pieces}
    if completed:
        kept.completed = (*kept.completed[:seat], pieces, *kept.completed[seat + 1 :])
    else:
        kept.uncompleted = (*kept.uncompleted[:seat], pieces, *kept.uncompleted[seat + 1 :])


def overpay(game: Game, currency: str = "gulden") -> list[Event]:
    """Seat 0 pays 14 for the tile on that space."""
    cards = f"{currency}-9 {currency}-5"
    hand(game, 0, cards)
    return play(game, f"buy market-{currency} {cards}")


def options_now(game: Game) -> set[str]:
    """What can be taken now, by slot."""
    return {move.slot for move in game.moves() if move.slot is not None}
