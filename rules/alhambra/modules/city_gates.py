"""05 City gates.

A gate card lies open beside the gates when it comes up; a second one goes to the discard. It is taken instead of money.
Its holder may lay a tile that touches the Alhambra only through double walls, and would not be reachable on foot: a
gate is put on one such double wall of the tile laid, and may be walked through from then on. Both walls must be
printed. The card leaves the game. Neither the gate nor the two tiles under it can be redesigned any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..base.build import edit_board
from ..base.supply import DeckPlan, lose
from ..board import Board
from ..components import OPPOSITE, SIDES, STEP, WALL, Card, Cell, Tile
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import DecisionKind, Module, Permit, Verb
from ..moves import Move, need
from ..placement.contacts import edge_between, placed_parts
from ..state import Decision
from ..violations import Violation

GATE = "gate"
PILES = (3, 4, 5)


@dataclass(slots=True)
class Gates:
    """Whether a gate card lies open."""

    open: bool = False


def insert_cards(plan: DeckPlan) -> None:
    """As many gate cards as players, spread evenly over the last three piles, the rest to the earlier ones (05.4)."""
    for number in range(plan.seats):
        plan.insert(PILES[number % len(PILES)], [GATE])


def lay_open(game: Game, card: str) -> None:
    """The first one lies open; while it does, further ones are discarded."""
    gates = game.module_state(Gates)
    if gates.open:
        game.state.discard = (*game.state.discard, card)
        game.emit("card_revealed", card=card, to="discard")
    else:
        gates.open = True
        game.emit("card_revealed", card=card, to="gate_area")
        game.emit("gate_opened")


def open_card(game: Game) -> Iterator[str]:
    """Yield the open gate card, which may be taken instead of money."""
    if game.module_state(Gates).open:
        yield GATE


def was_taken(game: Game, _seat: int, cards: tuple[str, ...]) -> None:
    """It went into a hand."""
    if GATE in cards:
        game.module_state(Gates).open = False


# -- Laying a tile behind a double wall ----------------------------------------------------------------------------


def _gate_sides(board: Board, tile: Tile, cell: Cell, rotation: int) -> list[tuple[Cell, str]]:
    """Return the sides of a tile lying there that would be a double wall of printed walls."""
    found = []
    for at, part in placed_parts(tile, *cell, rotation):
        for number, side in enumerate(SIDES):
            there = (at[0] + STEP[side][0], at[1] + STEP[side][1])
            other = board.cells.get(there)
            if other is None or other.tile.id == tile.id or not other.tile.walkable or part.edges[number] != WALL:
                continue
            placed = board.placed[other.tile.id]
            printed = dict(placed_parts(other.tile, placed.x, placed.y, placed.rotation))[there]
            if printed.edges[SIDES.index(OPPOSITE[side])] == WALL:
                found.append((at, side))
    return found


def verify_gate(game: Game, seat: int, tile: Tile, cell: Cell, rotation: int) -> Iterator[Violation]:
    """It takes a gate card, and a printed double wall to put the gate on."""
    owner = game.state.seats[seat]
    if GATE not in owner.hand:
        yield Violation("NOT_THERE", "choice", id=GATE, place="hand")
    if not tile.walkable:
        yield Violation("NOT_ELIGIBLE", "tile", tile=tile.id, for_=GATE)
    elif not _gate_sides(owner.board, tile, cell, rotation):
        yield Violation("GATE_REFUSED", "cell", cell=list(cell), because="no_printed_double_wall")


def use_gate(game: Game, seat: int, tile: Tile, _cell: Cell, _rotation: int) -> None:
    """The card leaves the game; where several double walls could take the gate, the builder chooses."""
    lose(game, seat, (GATE,))
    game.state.box = (*game.state.box, GATE)
    game.emit("card_left_game", card=GATE, seat=seat)
    game.push(place_gate, seat, tile.id)


def place_gate(game: Game, seat: int, tile: str) -> None:
    """Set the gate if there is only one double wall; otherwise ask where (05.38)."""
    sides = _sides_of(game, seat, tile)
    if len(sides) == 1:
        _set(game, seat, *sides[0], forced=True)
    else:
        game.ask("placing_gate", seat, tile=tile)


def _sides_of(game: Game, seat: int, tile: str) -> list[tuple[Cell, str]]:
    board = game.state.seats[seat].board
    placed = board.placed[tile]
    return _gate_sides(board, placed.tile, (placed.x, placed.y), placed.rotation)


def _set(game: Game, seat: int, cell: Cell, side: str, **more: object) -> None:
    edit_board(game, seat).add_passage(*cell, side)
    game.emit("gate_set", seat=seat, cell=cell, side=side, **more)


def verify_set_gate(game: Game, decision: Decision, move: Move) -> Iterator[Violation]:
    """One of the tile's own printed double walls."""
    if (move.cell, move.side) not in _sides_of(game, decision.seat, decision.context["tile"]):
        yield Violation("GATE_REFUSED", "side", cell=list(move.cell or ()), side=move.side, because="no_double_wall")


def set_gate(game: Game, decision: Decision, move: Move) -> None:
    """The gate stands there for good."""
    _set(game, decision.seat, need(move.cell), need(move.side))


def set_any_gate(game: Game, decision: Decision) -> None:
    """A builder who resigns does not choose any more: the gate stands on the first double wall, so that the Alhambra is
    a legal one."""
    _set(game, decision.seat, *_sides_of(game, decision.seat, decision.context["tile"])[0], forced=True)


def gate_settings(game: Game, decision: Decision) -> Iterator[Move]:
    """Yield every double wall of the tile just laid."""
    for cell, side in _sides_of(game, decision.seat, decision.context["tile"]):
        yield Move("set_gate", cell=cell, side=side)


def lock(game: Game, seat: int, tile: str) -> str | None:
    """Return the word for a gate if the tile lies under one: both tiles stay."""
    board = game.state.seats[seat].board
    if not board.passages:
        return None
    edges = {edge_between(*cell, side) for cell in board.cells_of(tile) for side in SIDES}
    return GATE if edges & board.passages else None


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the open gate card."""
    for card in open_card(game):
        yield {"kind": "gate", "piece": card}


MODULE = Module(
    number=5,
    key="city_gates",
    events={
        "gate_opened": "A gate card lies open beside the gates.",
        "gate_set": "A gate was set on a double wall.",
    },
    reasons=(
        Reason(
            "GATE_REFUSED",
            "A gate needs a printed double wall of the tile just laid.",
            ("no_double_wall", "no_printed_double_wall"),
        ),
        Reason("LOCKED", "The two tiles under a gate stay where they are.", ("gate",)),
        Reason("NOT_ELIGIBLE", "Nobody walks over such a tile, so it takes no gate.", ("gate",)),
    ),
    piece_kinds=(
        PieceKind(
            "gate",
            "The open gate card.",
            outline_of("gate"),
        ),
    ),
    choices=(GATE,),
    state=Gates,
    cards=(Card(GATE, GATE),),
    deck=insert_cards,
    routes={GATE: lay_open},
    open_cards=open_card,
    reactions={"money_taken": was_taken},
    permits=(Permit(GATE, "NOT_REACHABLE", verify_gate, use_gate),),
    verbs=(Verb("set_gate", "cell side", verify_set_gate, set_gate, gate_settings, at=("placing_gate",)),),
    decisions=(DecisionKind("placing_gate", unsettled=True, unanswered=set_any_gate),),
    agenda={"place_gate": place_gate},
    locks=lock,
    public_pieces=public_pieces,
    census=open_card,
)
