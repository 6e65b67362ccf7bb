"""Text drawings of an Alhambra, for the terminal.

Heavy lines are walls, thin lines open sides. A gap between two posts in a wall is a gate. Triangles point out of the
bastions of a camp; the diagonal of a watchtower is its wall; a double tile has no line between its halves. Coordinates
are at the top and on the left; the fountain is (0, 0).

             0        1
         ┌────────┮━━━━━━━━┓
         │        │        ┃
       0 │fountain│ gar 8  ┃
         │        │        ┃
         └────────┴────────┚
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .components import BASTION, SIDES, STEP, VOID, WALL, Cell
from .placement.contacts import Contact, PlacedPart, edge_between

if TYPE_CHECKING:
    from .board import Board

WIDTH, HEIGHT = 8, 3
MARGIN = 5
NONE, THIN, HEAVY = range(3)
# Junctions, indexed by 27 * up + 9 * right + 3 * down + left; each is 0 (none), 1 (thin) or 2 (heavy).
JOINTS = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
ALONG, DOWN = " ─━", " │┃"
GATE_ALONG, GATE_DOWN = "━━┫  ┣━━", "┻ ┳"
BASTIONS = {"N": (0, 4, "▲"), "E": (1, 7, "▶"), "S": (2, 4, "▼"), "W": (1, 0, "◀")}
"""Row and column inside the cell."""
TOWERS = {
    # by legs: the rows of the cell; the type is printed in the built half
    "NE": ("╲    {}", "   ╲    ", "      ╲ "),
    "SE": ("      ╱ ", "   ╱    ", "╱    {}"),
    "SW": ("╲       ", "   ╲    ", "{}   ╲ "),
    "NW": ("{}   ╱ ", "   ╱    ", "╱       "),
}


def draw(board: Board, marks: Mapping[Cell, str] | None = None) -> str:
    """Return the drawing; `marks` are short texts to print in cells, for pieces there."""
    shown = [*board.cells, *(marks or ())]
    xs, ys = [x for x, _ in shown], [y for _, y in shown]
    columns, rows = range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)
    lines = [" " * MARGIN + "".join(f" {x:^{WIDTH}}" for x in columns)]
    for y in range(rows.start, rows.stop + 1):
        lines.append(" " * MARGIN + _line_above(board, columns, y))
        if y in rows:
            inside = _row_of_cells(board, columns, y, marks or {})
            inside[0] = " " * MARGIN + inside[0]
            inside[1] = f"{y:>{MARGIN - 1}} " + inside[1]
            inside[2] = " " * MARGIN + inside[2]
            lines += inside
    return "\n".join(line.rstrip() for line in lines)


def _line_above(board: Board, columns: range, y: int) -> str:
    """Return the line between row y and the row north of it."""
    text = ""
    for x in range(columns.start, columns.stop + 1):
        weights = _weight(board, x, y - 1, "W"), _weight(board, x, y, "N")
        text += _joint(*weights, _weight(board, x, y, "W"), _weight(board, x - 1, y, "N"))
        if x in columns:
            text += GATE_ALONG if edge_between(x, y, "N") in board.passages else ALONG[weights[1]] * WIDTH
    return text


def _row_of_cells(board: Board, columns: range, y: int, marks: Mapping[Cell, str]) -> list[str]:
    rows = [""] * HEIGHT
    for x in range(columns.start, columns.stop + 1):
        bars = DOWN[_weight(board, x, y, "W")] * HEIGHT
        if edge_between(x, y, "W") in board.passages:
            bars = GATE_DOWN
        inside = _inside(board.at(x, y), marks.get((x, y), ""))
        for n in range(HEIGHT):
            rows[n] += bars[n] + inside[n]
    return rows


def _joint(up: int, right: int, down: int, left: int) -> str:
    return JOINTS[27 * up + 9 * right + 3 * down + left]


def _weight(board: Board, x: int, y: int, side: str) -> int:
    """Return the weight of the line on that side of a cell."""
    dx, dy = STEP[side]
    here, there = board.at(x, y), board.at(x + dx, y + dy)
    index = SIDES.index(side)
    letters = (here.edges[index] if here else VOID) + (there.edges[index ^ 2] if there else VOID)
    if WALL in letters:
        return HEAVY
    if here and there and here.tile.id == there.tile.id and board.relation(x, y, side) is Contact.PASS:
        return NONE
    return NONE if letters == VOID + VOID else THIN


def _inside(part: PlacedPart | None, mark: str) -> list[str]:
    if part is None:
        return _marked([" " * WIDTH] * HEIGHT, mark)
    if VOID in part.edges:
        legs = "".join(side for side in "NSEW" if part.edges[SIDES.index(side)] != VOID)
        return _marked([row.format(part.type[:3].center(3)).ljust(WIDTH) for row in TOWERS[legs]], mark, row=1)
    rows = [" " * WIDTH, _label(part).center(WIDTH), " " * WIDTH]
    for side, (row, column, sign) in BASTIONS.items():
        if part.edges[SIDES.index(side)] == BASTION:
            rows[row] = rows[row][:column] + sign + rows[row][column + 1 :]
    return _marked(rows, mark)


def _label(part: PlacedPart) -> str:
    if part.tile.kind == "start":
        return "fountain"
    name = part.type[:3] or part.tile.kind[:4]
    return name if part.tile.price is None else f"{name} {part.tile.price}"


def _marked(rows: list[str], mark: str, row: int = HEIGHT - 1) -> list[str]:
    if mark:
        rows = [*rows[:row], mark[:WIDTH].center(WIDTH), *rows[row + 1 :]]
    return rows
