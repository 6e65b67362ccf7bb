"""Keys: how a seat comes to one, when it may be used, and which bonus faces which gate.

Whoever buys arcades takes the top key, face down: nobody looks at it before it is used. A key that was gained in the
own turn, until the market is refilled, is used at the end of that turn; any other one at the end of its owner's next
own turn. The module state of the module is kept here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...base.payment.offers import Purchase
from ...base.turn_order import colour_of, in_own_turn
from ...components import module_data
from ...game import Game

DATA = module_data("gates_without_end")
GATES: tuple[str, ...] = tuple(DATA["gate_order_clockwise"])
"""The colours of the gates, clockwise."""
KEYS: dict[str, tuple[str, ...]] = {key["id"]: tuple(key["bonuses_clockwise"]) for key in DATA["key_tiles"]}
"""By key: its bonuses, clockwise. Upright, the first one faces the first gate."""
STEP_DEGREES = 360 // len(GATES)
BRINGS_KEY = "arcades"


@dataclass(slots=True)
class Gates:
    """Keys, and what the bonuses give out."""

    stack: tuple[str, ...] = ()
    """The keys that nobody has, face down; the last one lies on top."""
    held: tuple[tuple[str, ...], ...] = ()
    """By seat: the keys before it, face down, the oldest first."""
    waiting: tuple[int, ...] = ()
    """By seat: how many of its newest keys wait for its next own turn (37.45)."""
    used: tuple[str, ...] = ()
    key: str = ""
    """The key in the gate board."""
    rotation: int | None = None
    """How that key is turned, in degrees clockwise; None as long as its owner has not decided."""
    serving: int | None = None
    """The seat whose gate is being dealt with."""
    walls: int = 0
    """Wall pieces left."""
    standing: dict[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    """By tile: the parts and sides, as the tile lies upright, on which wall pieces stand."""
    halves: dict[str, int] = field(default_factory=dict)
    """By type: the seat that has the half building. The others lie beside the gate board."""
    plazas: tuple[str, ...] = ()
    """The plazas that nobody has taken."""


def changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """Return the values with another one for a seat."""
    return (*values[:seat], value, *values[seat + 1 :])


def lay_out(game: Game) -> None:
    """The keys are shuffled face down; everything else lies beside the gate board."""
    kept, seats = game.module_state(Gates), len(game.state.seats)
    kept.stack = tuple(game.chance("gates_without_end/keys").shuffled(KEYS))
    kept.held, kept.waiting = ((),) * seats, (0,) * seats
    kept.walls = DATA["wall_pieces"]
    kept.plazas = tuple(plaza["id"] for plaza in DATA["plazas"])


def hold_keys(game: Game, seat: int, keys: tuple[str, ...]) -> None:
    """These keys lie before the seat, and no others."""
    kept = game.module_state(Gates)
    kept.held = (*kept.held[:seat], keys, *kept.held[seat + 1 :])


def gain_key(game: Game, purchase: Purchase) -> None:
    """Arcades that were bought bring the top key, if there is one left."""
    kept, seat = game.module_state(Gates), purchase.seat
    if "key" not in purchase.effects or not purchase.tile or not kept.stack:
        return
    if game.ruleset.tiles[purchase.tile].type == BRINGS_KEY:
        *rest, key = kept.stack
        kept.stack = tuple(rest)
        hold_keys(game, seat, (*kept.held[seat], key))
        if not in_own_turn(game, seat, through="MARKET"):
            kept.waiting = changed(kept.waiting, seat, kept.waiting[seat] + 1)
        game.emit("key_gained", seat=seat)


def make_ready(game: Game) -> None:
    """From the beginning of a turn on, none of the active player's keys waits any more."""
    kept = game.module_state(Gates)
    kept.waiting = changed(kept.waiting, game.state.active, 0)


def has_key_ready(game: Game, seat: int) -> bool:
    """Return whether the seat has a key to use at the end of its turn. One that has left the table uses none."""
    kept = game.module_state(Gates)
    return len(kept.held[seat]) > kept.waiting[seat] and not game.state.seats[seat].resigned


def bonus_of(game: Game, seat: int) -> str:
    """Return the bonus in front of the seat's gate; an empty text while no key is turned."""
    kept = game.module_state(Gates)
    if kept.rotation is None:
        return ""
    gate = GATES.index(colour_of(game, seat))
    return KEYS[kept.key][(gate - kept.rotation // STEP_DEGREES) % len(GATES)]
