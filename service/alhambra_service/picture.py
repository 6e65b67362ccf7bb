"""A picture of one Alhambra as SVG: what a player wants to see at a glance.

Each building has the colour of its type, its letter and its price; walls are heavy, a gate breaks them; the fountain is
blue; camps show their bastions, watchtowers are triangles; what modules mark on a cell is written there. Below lie the
tiles that are not built. Everything in it is public, so the picture is the same for everybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from alhambra import Game
from alhambra.board import Board
from alhambra.components import BASTION, SIDES, VOID, WALL, Cell, Tile
from alhambra.contacts import Lot

SIZE = 64
MARGIN = 20
HEAD = 34
SMALL = 0.62
"""How large a tile of the reserve is, compared with a built one."""

COLOURS = {
    "pavilion": "#4f86c6",
    "seraglio": "#c6504a",
    "arcades": "#a9744a",
    "chambers": "#e9e4d8",
    "garden": "#5f9e5a",
    "tower": "#8f6bb3",
}
THEMES = {
    "light": {"paper": "#fbf6ea", "ink": "#2b2620", "line": "#b9ad97", "plain": "#efe6d2", "camp": "#a8b86a"},
    "dark": {"paper": "#201d1a", "ink": "#f0e9dc", "line": "#5a5147", "plain": "#3a342d", "camp": "#5f6b35"},
}
ENDS = {"N": (0, 0, 1, 0), "E": (1, 0, 1, 1), "S": (0, 1, 1, 1), "W": (0, 0, 0, 1)}
"""The two ends of each side, in parts of a cell."""


def draw(game: Game, seat: int, theme: str = "light") -> bytes:
    """The Alhambra of a seat, with its name and score, and what lies in its reserve."""
    colours = THEMES[theme]
    board = game.state.seats[seat].board
    marks = _marks(game, seat)
    cells = [*board.cells, *marks]
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    wide = (max(x for x, _ in cells) - left + 1) * SIZE
    high = (max(y for _, y in cells) - top + 1) * SIZE
    spare = [game.ruleset.tiles[tile] for tile in (*game.ruleset.reserve.tiles(game, seat), *_pending(game, seat))]
    row = SIZE * SMALL + 8
    per_row = max(1, int(max(wide, 4 * SIZE) // row))
    width = max(wide, per_row * row) + 2 * MARGIN
    below = HEAD + high + 2 * MARGIN
    height = below + -(-len(spare) // per_row) * row + (MARGIN if spare else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="Georgia, serif" fill="{colours["ink"]}" role="img">',
        f"<title>{escape(_title(game, seat))}</title>",
        f'<rect width="100%" height="100%" fill="{colours["paper"]}"/>',
        f'<text x="{MARGIN}" y="{HEAD - 8}" font-size="20">{escape(_title(game, seat))}</text>',
        f'<g transform="translate({(width - wide) / 2 - left * SIZE:g} {HEAD + MARGIN - top * SIZE:g})">',
        *(part for cell, lot in board.cells.items() for part in _cell(game, cell, lot, colours)),
        *_gates(board, colours),
        *(_mark(cell, text, colours) for cell, text in marks.items()),
        "</g>",
    ]
    for number, tile in enumerate(spare):
        x, y = MARGIN + number % per_row * row, below + number // per_row * row
        parts.append(f'<g transform="translate({x:g} {y:g}) scale({SMALL})" opacity="0.85">')
        lots = (Lot(tile, n, part.edges, part.type) for n, part in enumerate(tile.parts[:1]))
        parts += [part for lot in lots for part in _cell(game, (0, 0), lot, colours)]
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""]).encode()


def _title(game: Game, seat: int) -> str:
    return f"{game.options.seats[seat].name} · {game.state.seats[seat].score}"


def _pending(game: Game, seat: int) -> tuple[str, ...]:
    return game.state.seats[seat].pending


def _marks(game: Game, seat: int) -> dict[Cell, str]:
    found: dict[Cell, str] = {}
    for record in game.ruleset.modules:
        if record.marks is not None:
            found.update(record.marks(game, seat))
    return found


def _cell(game: Game, cell: Cell, lot: Lot, colours: dict[str, str]) -> Iterator[str]:
    """One cell: its ground, what stands on it, its walls."""
    x, y = cell[0] * SIZE, cell[1] * SIZE
    kind = game.state.types.get(lot.tile.id, lot.type)
    ground = COLOURS.get(kind, colours["plain"] if lot.tile.walkable else colours["camp"])
    if VOID in lot.edges:
        yield _triangle(x, y, lot.edges, ground, colours)
        return
    yield (
        f'<rect x="{x}" y="{y}" width="{SIZE}" height="{SIZE}" fill="{ground}" '
        f'stroke="{colours["line"]}" stroke-width="1"/>'
    )
    yield from _standing(x, y, lot.tile, kind, ground)
    for side, edge in zip(SIDES, lot.edges, strict=True):
        if edge in (WALL, BASTION):
            yield _side(x, y, side, colours["ink"], 7 if edge == WALL else 3, dashed=edge == BASTION)


def _standing(x: int, y: int, tile: Tile, kind: str, ground: str) -> Iterator[str]:
    middle, ink = SIZE / 2, "#1f1a14" if ground in COLOURS.values() else "currentColor"
    if tile.kind == "start":
        yield f'<circle cx="{x + middle}" cy="{y + middle}" r="15" fill="#6fb7d6" stroke="#2c6c8a" stroke-width="3"/>'
        yield f'<circle cx="{x + middle}" cy="{y + middle}" r="5" fill="#d9f1fb"/>'
        return
    letter = kind[:1].upper() if tile.kind == "standard" else kind[:1].upper() or tile.kind[:1].upper()
    yield (
        f'<text x="{x + 10}" y="{y + 24}" font-size="15" fill="{ink}" opacity="0.75">{escape(letter)}</text>'
        f'<text x="{x + middle}" y="{y + 47}" font-size="24" text-anchor="middle" fill="{ink}">'
        f"{'' if tile.price is None else tile.price}</text>"
    )


def _side(x: int, y: int, side: str, ink: str, width: int, *, dashed: bool = False) -> str:
    # A wall lies inside its own cell, so that a double wall shows as two.
    ax, ay, bx, by = ENDS[side]
    inset = width / 2 - 0.5
    dx = inset if side == "W" else -inset if side == "E" else 0
    dy = inset if side == "N" else -inset if side == "S" else 0
    style = ' stroke-dasharray="6 5"' if dashed else ""
    return (
        f'<line x1="{x + ax * SIZE + dx:g}" y1="{y + ay * SIZE + dy:g}" x2="{x + bx * SIZE + dx:g}" '
        f'y2="{y + by * SIZE + dy:g}" stroke="{ink}" stroke-width="{width}"{style}/>'
    )


def _triangle(x: int, y: int, edges: str, ground: str, colours: dict[str, str]) -> str:
    """A watchtower: its two legs meet in a corner, the long side is a wall."""
    corners = {"NE": (1, 0), "SE": (1, 1), "SW": (0, 1), "NW": (0, 0)}
    legs = [side for side, edge in zip(SIDES, edges, strict=True) if edge != VOID]
    meet = next(name for name in corners if set(name) == set(legs))
    cx, cy = corners[meet]
    points = [(cx, cy), (1 - cx, cy), (cx, 1 - cy)]
    outline = " ".join(f"{x + px * SIZE},{y + py * SIZE}" for px, py in points)
    (ax, ay), (bx, by) = points[1:]
    return (
        f'<polygon points="{outline}" fill="{ground}" stroke="{colours["line"]}"/>'
        f'<line x1="{x + ax * SIZE}" y1="{y + ay * SIZE}" x2="{x + bx * SIZE}" y2="{y + by * SIZE}" '
        f'stroke="{colours["ink"]}" stroke-width="7"/>'
    )


def _gates(board: Board, colours: dict[str, str]) -> Iterator[str]:
    for x, y, side in sorted(board.passages):
        ax, ay, bx, by = ENDS[side]
        middle = (x + (ax + bx) / 2) * SIZE, (y + (ay + by) / 2) * SIZE
        yield (
            f'<circle cx="{middle[0]:g}" cy="{middle[1]:g}" r="11" fill="#d9a441" '
            f'stroke="{colours["ink"]}" stroke-width="3"/>'
        )


def _mark(cell: Cell, text: str, colours: dict[str, str]) -> str:
    x, y = (cell[0] + 0.5) * SIZE, (cell[1] + 1) * SIZE - 7
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="11" text-anchor="middle" fill="{colours["ink"]}">{escape(text)}</text>'
    )
