"""29 The palace staff.

Fifty-four servants in the colours of the buildings are mixed face down, and six of them lie open. Every player has a
major-domo, who starts at the fountain. Whoever takes money worth 1 to 5 may walk the major-domo through the own
Alhambra, up to 6 steps minus that value, from tile to tile and never across a wall. For each building that he enters
and that has no servant, its owner receives an open servant of its colour, if there is one; the servant stays in the
building. After the turn the open servants are filled up to six. The tile under the major-domo stays where it is. In the
first two scorings each standard building without a servant costs a point; so it does at the end of the game, before
the leftover tiles are given out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..base.dirk import FINAL
from ..base.purchase import STANDARD
from ..base.scoring import score, type_at
from ..base.supply import pick, without
from ..base.walk import Figure, Walk, begin_walk
from ..board import FOUNTAIN
from ..components import TYPES, Cell, module_data
from ..declarations import PieceKind, Reason, outline_of
from ..game import Game
from ..module import Module, Stage, Step

KEY = "palace_staff"
_DATA = module_data(KEY)
OPEN: int = _DATA["display"]
STEPS = 6
"""The value of the money taken counts against this many steps."""
PENALTY: int = _DATA["penalty_per_building"]
MAJOR_DOMO = "major_domo"

Servant = tuple[int, str]
"""The part of its tile that a servant lives in, and its colour: a building type."""


@dataclass(slots=True)
class Staff:
    """The servants by their colours, and the cells of the major-domos by seat."""

    supply: tuple[str, ...] = ()
    """Face down, in no order: whoever draws, draws any of them."""
    display: tuple[str, ...] = ()
    housed: dict[str, tuple[Servant, ...]] = field(default_factory=dict)
    """By tile, wherever that is: its servants. Only a tile of two buildings can have two."""
    cells: tuple[Cell, ...] = ()


def set_out(game: Game) -> None:
    """The servants are mixed, six lie open, and every major-domo stands at the fountain."""
    staff = game.module_state(Staff)
    staff.supply = tuple(name for name in TYPES for _ in range(_DATA["servants"][name]))
    staff.cells = (FOUNTAIN,) * len(game.state.seats)
    fill_display(game)


def fill_display(game: Game) -> None:
    """Turn servants up until six lie open or none is left."""
    staff = game.module_state(Staff)
    short = min(OPEN - len(staff.display), len(staff.supply))
    if short <= 0:
        return
    stream, supply = game.chance(f"{KEY}/draw"), list(staff.supply)
    drawn = tuple(sorted((pick(stream, supply) for _ in range(short)), key=TYPES.index))
    staff.supply, staff.display = tuple(supply), tuple(sorted((*staff.display, *drawn), key=TYPES.index))
    game.emit("staff_filled", types=drawn)


# -- The major-domo ----------------------------------------------------------------------------------------------------


def send_out(game: Game, seat: int, cards: tuple[str, ...]) -> None:
    """Little money gives many steps. What is no money has no value and gives none."""
    value = sum(game.ruleset.cards[card].value for card in cards)
    if value:
        begin_walk(game, "staff_walk", seat, STEPS - value)


def major_domo(game: Game, seat: int) -> Iterator[Figure]:
    """Yield the one figure of a seat."""
    yield Figure(game.module_state(Staff).cells[seat])


def enter(game: Game, seat: int, _figure: Figure, cell: Cell) -> None:
    """The major-domo enters a tile. If it is a building without a servant, one of its colour moves in."""
    staff, placed_part = game.module_state(Staff), game.state.seats[seat].board.cells[cell]
    staff.cells = (*staff.cells[:seat], cell, *staff.cells[seat + 1 :])
    game.emit("stepped", seat=seat, cell=cell)
    name, housed = type_at(game, placed_part), staff.housed.get(placed_part.tile.id, ())
    if name in staff.display and not any(part == placed_part.part for part, _ in housed):
        staff.display = without(staff.display, (name,))
        staff.housed = {**staff.housed, placed_part.tile.id: tuple(sorted((*housed, (placed_part.part, name))))}
        game.emit("servant_placed", seat=seat, type=name, cell=cell)


def lock(game: Game, seat: int, tile: str) -> str | None:
    """Return the word for the major-domo if he stands on the tile: it is not redesigned (29.28)."""
    placed_part = game.state.seats[seat].board.cells.get(game.module_state(Staff).cells[seat])
    return MAJOR_DOMO if placed_part is not None and placed_part.tile.id == tile else None


def leave_game(game: Game, tile: str) -> None:
    """Servants leave the game with their tile."""
    staff = game.module_state(Staff)
    if tile in staff.housed:
        game.state.box = (*game.state.box, *(f"servant_{name}" for _, name in staff.housed[tile]))
        staff.housed = {other: servants for other, servants in staff.housed.items() if other != tile}


# -- Scoring -----------------------------------------------------------------------------------------------------------


def penalise(game: Game, number: int) -> None:
    """Each finished standard building without a servant costs a point. The last scoring has taken it before."""
    if number != FINAL:
        _penalise(game, number)


def penalise_at_the_end(game: Game) -> None:
    """The loss of the last scoring, before the leftover tiles are given out."""
    _penalise(game, FINAL)


def _penalise(game: Game, number: int) -> None:
    housed, covered, tiles = game.module_state(Staff).housed, game.state.covered, game.ruleset.tiles
    for seat, owner in enumerate(game.state.seats):
        unserved = (tile for tile in owner.board.placed if tile not in housed and tile not in covered)
        count = sum(1 for tile in unserved if tiles[tile].kind == STANDARD.name)
        if count:
            score(game, seat, -PENALTY * count, "staff_missing", scoring=number, count=count)


# -- What is seen ------------------------------------------------------------------------------------------------------


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield major-domos and servants on cells, servants on other tiles, those that lie open, and those face down."""
    staff = game.module_state(Staff)
    owners = {tile: seat for seat, owner in enumerate(game.state.seats) for tile in owner.board.placed}
    for seat, cell in enumerate(staff.cells):
        yield {"kind": MAJOR_DOMO, "seat": seat, "cell": cell}
    for tile, servants in sorted(staff.housed.items()):
        home = owners.get(tile)
        cells = () if home is None else game.state.seats[home].board.cells_of(tile)
        for part, name in servants:
            where = {"seat": home, "cell": cells[part]} if cells else {"tile": tile}
            yield {"kind": "servant", "type": name, **where}
    for name in dict.fromkeys(staff.display):
        yield {"kind": "servant", "type": name, "amount": staff.display.count(name)}
    if staff.supply:
        yield {"kind": "servant", "amount": len(staff.supply), "choice": "face_down"}


def census(game: Game) -> Iterator[str]:
    """Yield all servants but those in the box."""
    staff = game.module_state(Staff)
    housed = (name for servants in staff.housed.values() for _, name in servants)
    yield from (f"servant_{name}" for name in (*staff.supply, *staff.display, *housed))


MODULE = Module(
    number=29,
    key=KEY,
    events={
        "stepped": "A major-domo took a step.",
        "servant_placed": "A servant lives in a building from now on.",
        "staff_filled": "Servants were turned up beside the market.",
    },
    reasons=(Reason("LOCKED", "The tile under the major-domo stays where it is.", (MAJOR_DOMO,)),),
    scores={"staff_missing": "Standard buildings without a servant: points lost."},
    piece_kinds=(
        PieceKind(
            MAJOR_DOMO,
            "The major-domo of a seat, on a cell of its Alhambra.",
            outline_of(MAJOR_DOMO),
        ),
        PieceKind(
            "servant",
            "Servants of one colour: in a building, open beside the market, or face down.",
            outline_of("servant"),
        ),
    ),
    state=Staff,
    decisions=(Walk("staff_walk", figures=major_domo, moved=enter),),
    stages=(
        Stage("scoring.staff", after="scoring.gains", score_stage="S4b", beyond_boards=True),
        Stage("end.staff", after="end.lapse", score_stage="E2"),
    ),
    steps=(
        Step("setup.deal", set_out),
        Step("turn.money", fill_display),
        Step("scoring.staff", penalise),
        Step("end.staff", penalise_at_the_end),
    ),
    locks=lock,
    reactions={"money_taken": send_out, "boxed": leave_game},
    public_pieces=public_pieces,
    census=census,
)
