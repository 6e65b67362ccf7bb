"""Pictures of tiles: ground, figure, price, walls.

A cell is a square of 100. A building has the colour and symbol of its type. Other tiles with a type show the symbol in
a paved circle. A tile outside the walls shows the outline of its kind, and an arrow over each bastion. Half a cell has
a wall as its long side; the halves of a double tile have no line between them. Stone walls are dark, wooden walls
brown. A wall lies inside its own cell, so a double wall shows as two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..boards import BASTION, SIDES, STEP, VOID, WALL, Cell, PlacedPart
from ..components import TYPES, Tile
from ..module import TileKind
from .symbols import symbol, tile_figure

START = "start"
"""The kind of the tile with the fountain."""

CELL = 100
THICK = 13
"""The thickness of a wall."""
FRAME = 18
"""The distance of the line around a double tile from its edge."""
GAP = 1.5
"""The gap between two tiles, on each side."""
CORNERS = {"NE": (1, 0), "SE": (1, 1), "SW": (0, 1), "NW": (0, 0)}
ENDS = {"N": ((0, 0), (1, 0)), "E": ((1, 0), (1, 1)), "S": ((1, 1), (0, 1)), "W": ((0, 1), (0, 0))}
"""The two ends of a side, clockwise, relative to a cell."""


def draw_tile(
    tile: Tile,
    kind: TileKind,
    covered: Iterable[tuple[Cell, PlacedPart]],
    types: Mapping[str, str],
    wood: Mapping[Cell, Iterable[str]],
) -> Iterator[str]:
    """Yield a tile as it lies: its cells, chosen types, and sides with wooden walls."""
    cells = dict(covered)
    walls = []
    for cell, part in cells.items():
        shown = types.get(tile.id, part.type)
        ground = shown if shown in TYPES else "plain" if tile.walkable else "outside"
        x, y = cell[0] * CELL, cell[1] * CELL
        if VOID in part.edges:
            yield from _half(x, y, part.edges, ground)
            continue
        joined = [side for side, (dx, dy) in STEP.items() if (cell[0] + dx, cell[1] + dy) in cells]
        yield _ground(x, y, ground, joined)
        yield from _standing(x, y, tile, kind, ground, part.edges)
        for side, edge in zip(SIDES, part.edges, strict=True):
            if edge == WALL:
                walls.append(_wall(x, y, side, wooden=side in wood.get(cell, ())))
    if len(cells) > 1:
        yield _frame(cells)
    yield from walls


def _ground(x: float, y: float, ground: str, joined: list[str]) -> str:
    """Return the face of a cell, without a gap towards other cells of the tile."""
    left, top, right, bottom = (0 if side in joined else GAP for side in "WNES")
    size = f'width="{CELL - left - right:g}" height="{CELL - top - bottom:g}"'
    rounded = "" if joined else ' rx="5"'
    return f'<rect class="{ground} edge" x="{x + left:g}" y="{y + top:g}" {size}{rounded}/>'


def _frame(cells: Iterable[Cell]) -> str:
    """Return the line around a double tile."""
    xs, ys = zip(*cells, strict=True)
    wide, high = (max(xs) - min(xs) + 1) * CELL - 2 * FRAME, (max(ys) - min(ys) + 1) * CELL - 2 * FRAME
    return (
        f'<rect class="frame-line" stroke-width="3" x="{min(xs) * CELL + FRAME}" y="{min(ys) * CELL + FRAME}" '
        f'width="{wide}" height="{high}" rx="10"/>'
    )


def _standing(x: float, y: float, tile: Tile, kind: TileKind, ground: str, edges: str) -> Iterator[str]:
    ink = f"on-{ground}"
    if tile.kind == START:
        yield f'<use href="#fountain" transform="translate({x + CELL / 2:g} {y + CELL / 2:g})"/>'
    elif kind.paved:
        middle = f'cx="{x + CELL / 2:g}" cy="{y + CELL / 2:g}"'
        yield f'<circle class="{ink}" {middle} r="33" opacity=".35"/><circle class="plaza" {middle} r="29"/>'
        yield symbol(ground, x + 31, y + 30, 38, "on-plaza")
    elif ground == "outside":
        bastions = [side for side, edge in zip(SIDES, edges, strict=True) if edge == BASTION]
        yield tile_figure(kind, x + 17, y + 20, 36 if len(bastions) == 1 else 29, ink)
        yield from (_bastion(x, y, side) for side in bastions)
        # The price makes room for the arrows.
        yield _price(x - (17 if "E" in bastions else 0), y - (15 if "S" in bastions else 0), tile, ink)
    elif ground in TYPES:
        # Without a price the symbol is centred.
        yield symbol(ground, *((x + 17, y + 14, 40) if tile.price is not None else (x + 24, y + 24, 52)), ink)
        yield _price(x, y, tile, ink)
    else:
        # The figure makes room for the price in front of it.
        yield tile_figure(kind, *((x + 17, y + 16, 36) if tile.price is not None else (x + 26, y + 26, 48)), ink)
        yield _price(x, y, tile, ink)


def _price(x: float, y: float, tile: Tile, ink: str) -> str:
    if tile.price is None:
        return ""
    return (
        f'<text class="{ink} price" x="{x + 83:g}" y="{y + 84:g}" font-size="36" font-weight="800" text-anchor="end">'
        f"{tile.price}</text>"
    )


def _wall(x: float, y: float, side: str, *, wooden: bool) -> str:
    """Return a wall with joints of stones or planks."""
    across = side in "NS"
    left = x + (CELL - THICK if side == "E" else 0)
    top = y + (CELL - THICK if side == "S" else 0)
    width, height = (CELL, THICK) if across else (THICK, CELL)
    body = f'<rect class="{"wood" if wooden else "wall"}" x="{left:g}" y="{top:g}" width="{width}" height="{height}"/>'
    middle = THICK / 2
    start = (left + 4, top + middle) if across else (left + middle, top + 4)
    length = CELL - 8
    path = f"M{start[0]:g} {start[1]:g}{'h' if across else 'v'}{length}"
    if wooden:
        return f'{body}<path class="grain-line" stroke-width="2.5" stroke-dasharray="30 4" d="{path}"/>'
    return f'{body}<path class="mortar-line" stroke-width="1.6" stroke-dasharray="11 6" opacity=".8" d="{path}"/>'


def _bastion(x: float, y: float, side: str) -> str:
    """Return battlements along the side, and the arrow across them."""
    turn = SIDES.index(side) * 90
    middle = CELL / 2
    merlons = "".join(f"M{at} 4h10v9h-10z" for at in (6, 24, 42, 60, 78))
    return (
        f'<g class="on-outside" transform="translate({x:g} {y:g}) rotate({turn} {middle:g} {middle:g})">'
        f'<path d="{merlons}M3 12h94v6H3zM50 20l11 11H39z" transform="translate(0 -2)"/></g>'
    )


def _half(x: float, y: float, edges: str, ground: str) -> Iterator[str]:
    """Yield half a cell: its legs meet in a corner, the long side is a wall."""
    legs = {side for side, edge in zip(SIDES, edges, strict=True) if edge != VOID}
    cx, cy = next(at for name, at in CORNERS.items() if set(name) == legs)
    points = [(x + px * CELL, y + py * CELL) for px, py in ((cx, cy), (1 - cx, cy), (cx, 1 - cy))]
    yield f'<path class="{ground}" d="M{" L".join(f"{px:g} {py:g}" for px, py in points)}z"/>'
    size = 38
    yield symbol(ground, x + (56 if cx else 6), y + (6 if not cy else 56), size, f"on-{ground}")
    # The wall lies inside the half, so it is shifted towards the corner.
    inward = THICK / 2 * 0.7072
    dx, dy = (inward if cx else -inward), (inward if cy else -inward)
    (ax, ay), (bx, by) = points[1:]
    path = f"M{ax + dx:g} {ay + dy:g}L{bx + dx:g} {by + dy:g}"
    yield f'<path class="wall-line" stroke-width="{THICK}" d="{path}"/>'
    yield f'<path class="mortar-line" stroke-width="1.6" stroke-dasharray="11 6" opacity=".8" d="{path}"/>'
