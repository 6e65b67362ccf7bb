"""Pilgrims: whoever takes money worth at most 3 may walk a pilgrim through the Alhambra, and then two animals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from alhambra import Game, Module
from alhambra.base.walk import Figure, Walk, begin_walk
from alhambra.components import Cell
from alhambra.declarations import PieceKind
from alhambra.module import Step

FOUNTAIN = (0, 0)
MOST = 3


@dataclass(slots=True)
class Pilgrims:
    """Where the pilgrim of each seat stands, and its two animals by name."""

    cells: tuple[Cell, ...] = ()
    herds: tuple[tuple[tuple[str, Cell], ...], ...] = ()


def set_out(game: Game) -> None:
    """Everybody starts at the fountain."""
    seats = len(game.state.seats)
    kept = game.module_state(Pilgrims)
    kept.cells = (FOUNTAIN,) * seats
    kept.herds = ((("goat", FOUNTAIN), ("mule", FOUNTAIN)),) * seats


def pilgrim(game: Game, seat: int) -> Iterator[Figure]:
    """The one figure of a seat."""
    yield Figure(game.module_state(Pilgrims).cells[seat])


def herd(game: Game, seat: int) -> Iterator[Figure]:
    """Its two animals."""
    yield from (Figure(cell, name) for name, cell in game.module_state(Pilgrims).herds[seat])


def go(game: Game, seat: int, _figure: Figure, cell: Cell) -> None:
    """The pilgrim stands there."""
    kept = game.module_state(Pilgrims)
    kept.cells = (*kept.cells[:seat], cell, *kept.cells[seat + 1 :])
    game.emit("pilgrim_stepped", seat=seat, cell=cell)


def drive(game: Game, seat: int, figure: Figure, cell: Cell) -> None:
    """One animal stands there."""
    kept = game.module_state(Pilgrims)
    moved = tuple((name, cell if name == figure.piece else at) for name, at in kept.herds[seat])
    kept.herds = (*kept.herds[:seat], moved, *kept.herds[seat + 1 :])
    game.emit("animal_driven", seat=seat, piece=figure.piece, cell=cell)


def walk_for_money(game: Game, seat: int, cards: tuple[str, ...]) -> None:
    """Little money, many steps."""
    value = sum(game.ruleset.cards[card].value for card in cards)
    if 0 < value <= MOST:
        begin_walk(game, "herd", seat, 2)
        begin_walk(game, "pilgrimage", seat, MOST + 1 - value)


def view(game: Game, _viewer: int | None) -> dict[str, Any]:
    """All figures."""
    kept = game.module_state(Pilgrims)
    return {"pilgrims": [list(cell) for cell in kept.cells]}


def things(game: Game) -> Iterator[dict[str, Any]]:
    """Pilgrims and animals on their cells."""
    kept = game.module_state(Pilgrims)
    for seat, cell in enumerate(kept.cells):
        yield {"kind": "pilgrim", "seat": seat, "cell": cell}
        yield from ({"kind": "animal", "seat": seat, "piece": name, "cell": at} for name, at in kept.herds[seat])


PILGRIMS = Module(
    number=917,
    key="example_pilgrims",
    events={"pilgrim_stepped": "A pilgrim took a step.", "animal_driven": "An animal took a step."},
    public_facts={"pilgrims": "By seat: where its pilgrim stands."},
    piece_kinds=(PieceKind("pilgrim", "A pilgrim on its cell."), PieceKind("animal", "An animal on its cell.")),
    state=Pilgrims,
    pieces=("goat", "mule"),
    decisions=(Walk("pilgrimage", figures=pilgrim, moved=go), Walk("herd", figures=herd, moved=drive)),
    steps=(Step("setup.deal", set_out),),
    reactions={"money_taken": walk_for_money},
    view=view,
    public_pieces=things,
)
