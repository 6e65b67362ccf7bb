"""A table with keys and gates: what the tests of the module begin with."""

from __future__ import annotations

from typing import Any

from alhambra import Event, Game
from alhambra.modules.gates_without_end import KEYS, Gates
from alhambra.modules.gates_without_end.keys import GATES
from tests.rules.situations import deck, display, market, play, table

FULL = {"gulden": "garden-10", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-10"}
"""A market with nothing to refill."""
OPEN = "dukat-1 dukat-2 dukat-3 dukat-4"
COMING = "gulden-1 gulden-2 gulden-3 gulden-4 gulden-5 gulden-6 gulden-7 gulden-8"
"""Money that comes up unless a test says otherwise."""


def gates(seats: int | list[dict[str, Any]] = 3, *modules: str, **options: Any) -> Game:
    """A table at which nothing but money will come up for a while. The seats have the first colours, in the order of
    the gates, unless a test says otherwise."""
    game = table(seats, modules=["gates_without_end", *modules], **options)
    market(game, **FULL)
    display(game, OPEN)
    deck(game, COMING)
    return game


def give_key(game: Game, seat: int, key: str, *, waiting: bool = False) -> None:
    """The key lies before the seat as its newest one."""
    kept = game.module_state(Gates)
    kept.stack = tuple(other for other in kept.stack if other != key)
    kept.held = (*kept.held[:seat], (*kept.held[seat], key), *kept.held[seat + 1 :])
    if waiting:
        kept.waiting = (*kept.waiting[:seat], kept.waiting[seat] + 1, *kept.waiting[seat + 1 :])


def facing(game: Game, seat: int, bonus: str) -> tuple[str, int | None]:
    """A key and a rotation with which this bonus faces the gate of the seat."""
    gate = GATES.index(game.options.seats[seat].colour)
    key = next(key for key, bonuses in KEYS.items() if bonus in bonuses)
    return key, 60 * ((gate - KEYS[key].index(bonus)) % len(GATES)) or None


def turned(game: Game, bonus: str, seat: int = 0) -> list[Event]:
    """Seat 0 ends its turn with a key and turns it so that the bonus faces the gate of the seat."""
    key, rotation = facing(game, seat, bonus)
    give_key(game, 0, key)
    play(game, "take_money dukat-4")
    play(game, "use_key")
    return play(game, "turn_key", **({"rotation": rotation} if rotation else {}))


def at_gate(bonus: str, *modules: str, seats: int = 3, before: Any = None) -> Game:
    """Seat 0 is asked for this bonus at its own gate; `before` sets the table before the turn."""
    game = gates(seats, *modules)
    if before is not None:
        before(game)
    turned(game, bonus)
    assert asked(game) == ("key_bonus", 0)
    assert game.decision is not None
    assert game.decision.context["choice"] == bonus
    return game


def pass_gates(game: Game) -> list[Event]:
    """Everybody declines whatever is left of this key; the events of the last answer."""
    events: list[Event] = []
    while asked(game)[0] == "key_bonus":
        events = play(game, "pass")
    return events


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat
