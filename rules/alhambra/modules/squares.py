"""04 The squares.

Beside the market lie six stacks of squares, one for each building type, the top one of each open. To take an open
square is an action: it costs nothing, so nothing follows from it, and the next one of its stack is turned up at once.
It is placed like any other tile. Nobody owns more than three, those in the reserve included. In a majority a square
counts as many buildings of its type as lie beside it without a wall between, three at the most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from ..base.place_tiles import acquire
from ..base.scoring import type_at
from ..components import SIDES, STEP, TYPES, Cell, module_data, plain_tile
from ..declarations import PieceKind, Reason
from ..game import Game
from ..module import Layer, Modify, Module, Step, TileKind, Verb
from ..moves import Move, need
from ..placement.contacts import Contact
from ..state import Decision
from ..violations import Violation

if TYPE_CHECKING:
    from ..board import Board
    from ..determinize import Secrets

KIND = TileKind("square", paved=True)
SQUARES = tuple(plain_tile(data, KIND.name) for data in module_data("squares")["tiles"])
OWNED_AT_MOST: int = module_data("squares")["max_per_player"]
COUNTS_AT_MOST = 3
"""So many buildings of its type one square can count as."""
SLOTS = {f"square-{name}": name for name in TYPES}


@dataclass(slots=True)
class Stacks:
    """The squares that nobody has taken, by type. The last one of a stack lies open, those before it are hidden."""

    stacks: dict[str, tuple[str, ...]] = field(default_factory=dict)


def stack_squares(game: Game) -> None:
    """Shuffle each stack and turn its top square up."""
    kept = game.module_state(Stacks)
    for slot, name in SLOTS.items():
        squares = [tile.id for tile in SQUARES if tile.type == name]
        kept.stacks = {**kept.stacks, name: tuple(game.chance(f"squares/{name}").shuffled(squares))}
        _tell_top(game, slot)


def _tell_top(game: Game, slot: str) -> None:
    game.emit("square_turned", slot=slot, tile=game.module_state(Stacks).stacks[SLOTS[slot]][-1])


# -- Taking one ----------------------------------------------------------------------------------------------------


def owned(game: Game, seat: int) -> int:
    """Return how many squares a seat has: built, in reserve, or still to be placed."""
    owner = game.state.seats[seat]
    tiles = (*owner.board.placed, *game.ruleset.reserve.tiles(game, seat), *owner.pending)
    return sum(game.ruleset.tiles[tile].kind == KIND.name for tile in tiles)


def _open_slots(game: Game) -> list[str]:
    stacks = game.module_state(Stacks).stacks
    return [slot for slot, name in SLOTS.items() if stacks[name]]


def verify_take(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """A square lies open there, and the seat may own one more."""
    if move.slot not in _open_slots(game):
        yield Violation("NOT_THERE", "slot", id=move.slot, place="slot")
    if owned(game, decision.seat) >= OWNED_AT_MOST:
        yield Violation("LIMIT_REACHED", "verb", what="squares", limit=OWNED_AT_MOST)


def take_square(game: Game, decision: Decision, move: Move) -> None:
    """The open square is to be placed, the next one is turned up. Dirk never gets it: it was not bought (99.79)."""
    slot = need(move.slot)
    kept = game.module_state(Stacks)
    name = SLOTS[slot]
    *rest, square = kept.stacks[name]
    kept.stacks = {**kept.stacks, name: tuple(rest)}
    acquire(game, decision.seat, square, "square", giftable=False)
    if rest:
        game.mark_revealed()
        _tell_top(game, slot)


def takings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every open square, unless the seat has as many as it may own."""
    if owned(game, decision.seat) < OWNED_AT_MOST:
        for slot in _open_slots(game):
            yield Move("take_square", slot=slot)


# -- What it counts ------------------------------------------------------------------------------------------------


def buildings_gained(game: Game, seat: int, name: str) -> int | None:
    """Return what the squares of a seat add to its buildings of a type, in half buildings. Dirk has none."""
    if seat == len(game.state.seats):
        return None
    board = game.state.seats[seat].board
    squares = (placed for placed in board.of_kind(KIND.name) if placed.tile.type == name)
    return 2 * sum(worth(game, board, (placed.x, placed.y), name) for placed in squares)


def worth(game: Game, board: Board, cell: Cell, name: str) -> int:
    """Return how many buildings a square in this cell counts as: its neighbours of that type across open sides."""
    open_to = (STEP[side] for side in SIDES if board.relation(*cell, side) is Contact.PASS)
    beside = [type_at(game, board.cells[cell[0] + dx, cell[1] + dy]) for dx, dy in open_to]
    return min(beside.count(name), COUNTS_AT_MOST)


# -- What can be seen ----------------------------------------------------------------------------------------------


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """Return how many squares each seat has."""
    return {"owned": [owned(game, seat) for seat in range(len(game.state.seats))]}


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the stacks beside the market, each with its top."""
    for slot, name in SLOTS.items():
        stack = game.module_state(Stacks).stacks[name]
        if stack:
            yield {"kind": "stack", "slot": slot, "type": name, "amount": len(stack), "tile": stack[-1]}


def secrets(game: Game, _viewer: int | None, found: Secrets) -> None:
    """Nobody knows in which order the squares below the top lie."""
    for name, stack in game.module_state(Stacks).stacks.items():
        found.add(f"squares/{name}", stack[:-1], partial(_put_below, game, name, stack[-1:]))


def _put_below(game: Game, name: str, top: tuple[str, ...], hidden: tuple[str, ...]) -> None:
    kept = game.module_state(Stacks)
    kept.stacks = {**kept.stacks, name: hidden + top}


def census(game: Game) -> Iterator[str]:
    """Yield the squares that nobody has taken."""
    for stack in game.module_state(Stacks).stacks.values():
        yield from stack


MODULE = Module(
    number=4,
    key="squares",
    events={
        "square_turned": "The top square of a stack was turned up.",
    },
    reasons=(Reason("LIMIT_REACHED", "Nobody owns more than three squares.", ("squares",)),),
    public_facts={
        "owned": "By seat: how many squares it owns.",
    },
    piece_kinds=(
        PieceKind(
            "stack",
            "A stack of squares of one type: `tile` lies open on top, `amount` counts all.",
            holds_tile=True,
        ),
    ),
    slots=tuple(SLOTS),
    state=Stacks,
    tiles=SQUARES,
    kinds=(KIND,),
    verbs=(Verb("take_square", "slot", verify_take, take_square, takings, at=("action",), action=True),),
    steps=(Step("setup.deal", stack_squares),),
    modify=(Modify("majority_count", Layer.ADD, buildings_gained),),
    view=view,
    public_pieces=public_pieces,
    secrets=secrets,
    census=census,
)
