"""The picture of a board: the player at the top, the Alhambra, and below it the pieces before the player.

The picture is as wide as the Alhambra needs, at least as wide as the head line. Everything around the Alhambra is
scaled with it, so that it stays legible on small screens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from ..board import Board
from ..boards import VOID, Cell, placed_parts, wall_runs, wooden_walls_by_cell
from ..game import Game
from ..options import EDITIONS
from ..registry import known_modules, load_module
from ..ruleset import Ruleset, compile_ruleset
from ..texts import DEFAULT, name_of, text
from .page import page
from .pieces import PieceData, all_pieces, draw_on_cells, from_sides, kind_of, on_cells, title_of
from .symbols import symbol
from .tiles import CELL, CORNERS, ENDS, THICK, draw_tile
from .tray import SERIF, WIDTH, rows_below

MARGIN = 28
HEAD = 78
"""The height of the head line."""
DIGIT = 29
"""The maximum width of a digit in the head line."""
CELLS = "cells"
"""The id of the group with the cells. Its coordinates are cells times `data-cell`, so that clients can draw into it."""
LONG_NAME = 16
FEWEST_SEATS = 2


def draw_board(game: Game, seat: int, theme: str = "auto", language: str = DEFAULT) -> str:
    """Return a seat's board as SVG. It shows only public information."""
    board = game.state.seats[seat].board
    things = all_pieces(game)
    standing = on_cells(things, seat)
    left, top, right, bottom = _extent([*board.cells, *(thing["cell"] for thing in standing)])
    wide, high = (right - left + 1) * CELL, (bottom - top + 1) * CELL
    border = CELL * 0.55
    scale = max(1.0, (wide + 2 * border) / WIDTH)
    inner = max(WIDTH * scale, wide + 2 * border)
    court = high + 2 * border
    below = list(rows_below(game, seat, things, language))
    height = scale * (HEAD + sum(row.height for row in below)) + court + 2 * MARGIN
    drawn = [
        f'<g transform="translate({MARGIN} {MARGIN}) scale({scale:.4g})">',
        *_head(game, seat),
        "</g>",
        f'<rect class="court" x="{MARGIN}" y="{MARGIN + HEAD * scale:g}" width="{inner:g}" height="{court:g}" '
        'rx="18"/>',
        f'<g id="{CELLS}" data-cell="{CELL}" transform="translate({MARGIN + (inner - wide) / 2 - left * CELL:g} '
        f'{MARGIN + HEAD * scale + border - top * CELL:g})">',
        *_lattice(left, top, right, bottom),
        *_alhambra(board, game.ruleset, game.state.types, language),
        *draw_on_cells(standing, board.cells, _priced(board), game.ruleset.piece_kinds, language),
        *_from_sides(game, from_sides(things), (left, top, right, bottom), language),
        "</g>",
    ]
    at = MARGIN + HEAD * scale + court
    for row in below:
        drawn += [f'<g transform="translate({MARGIN} {at:g}) scale({scale:.4g})">', *row.drawn, "</g>"]
        at += row.height * scale
    return page(
        (inner + 2 * MARGIN, height),
        drawn,
        title=_title(game, seat, language),
        theme=theme,
        ruleset=game.ruleset,
        description=_description(game, seat, language),
    )


def cells_content(game: Game, seat: int, pieces: Iterable[PieceData], language: str = DEFAULT) -> tuple[object, ...]:
    """Return everything that the picture of `draw_cells` depends on, besides rules and colours. If it is equal, so is
    the picture. `pieces` are all public pieces."""
    seen = list(pieces)
    board = game.state.seats[seat].board
    return board, game.state.types, on_cells(seen, seat), from_sides(seen), _title(game, seat, language), language


def draw_cells(game: Game, seat: int, pieces: Iterable[PieceData], theme: str = "auto", language: str = DEFAULT) -> str:
    """Return a seat's Alhambra as SVG, without what `draw_board` shows around it. `pieces` are all public pieces."""
    seen = list(pieces)
    board, standing = game.state.seats[seat].board, on_cells(seen, seat)
    left, top, right, bottom = _extent([*board.cells, *(thing["cell"] for thing in standing)])
    border = CELL * 0.55
    size = (right - left + 1) * CELL + 2 * border, (bottom - top + 1) * CELL + 2 * border
    drawn = (
        f'<g id="{CELLS}" data-cell="{CELL}" transform="translate({border - left * CELL:g} {border - top * CELL:g})">',
        *_lattice(left, top, right, bottom),
        *_alhambra(board, game.ruleset, game.state.types, language),
        *draw_on_cells(standing, board.cells, _priced(board), game.ruleset.piece_kinds, language),
        *_from_sides(game, from_sides(seen), (left, top, right, bottom), language),
        "</g>",
    )
    title, about = _title(game, seat, language), "; ".join(_built(board, language))
    return page(size, drawn, title=title, theme=theme, ruleset=game.ruleset, description=about)


def draw_alhambra(board: Board, theme: str = "auto", language: str = DEFAULT) -> str:
    """Return a board without a game as SVG: tiles, gates, the longest wall and coordinates."""
    used = {placed.tile.kind for placed in board.placed.values()}
    keys = [key for key in known_modules() if used & {kind.name for kind in load_module(key).kinds}]
    ruleset = compile_ruleset(FEWEST_SEATS, next(iter(EDITIONS)), tuple(keys))
    left, top, right, bottom = _extent(board.cells)
    border = CELL * 0.55
    size = (right - left + 1) * CELL + 2 * border, (bottom - top + 1) * CELL + 2 * border
    drawn = (
        f'<g transform="translate({border - left * CELL:g} {border - top * CELL:g})">',
        *_lattice(left, top, right, bottom),
        *_alhambra(board, ruleset, {}, language),
        "</g>",
    )
    title = f"{text('reason.wall', language)} {board.longest_wall()}"
    about = "; ".join(_built(board, language))
    return page(size, drawn, title=title, theme=theme, ruleset=ruleset, description=about)


def _extent(cells: Iterable[Cell]) -> tuple[int, int, int, int]:
    xs, ys = zip(*cells, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _title(game: Game, seat: int, language: str) -> str:
    wall = text("reason.wall", language)
    board = game.state.seats[seat].board
    return f"{game.options.seats[seat].name} · {game.state.seats[seat].score} · {wall} {board.longest_wall()}"


def _description(game: Game, seat: int, language: str) -> str:
    """Return every tile with its cell, for screen readers."""
    owner = game.state.seats[seat]
    spare = (*game.ruleset.reserve.tiles(game, seat), *owner.pending)
    aside = f" · {text('thing.reserve', language)}: {', '.join(name_of(name, language) for name in spare)}"
    return "; ".join(_built(owner.board, language)) + (aside if spare else "")


def _built(board: Board, language: str) -> Iterator[str]:
    return (f"{name_of(name, language)} ({placed.x}, {placed.y})" for name, placed in board.placed.items())


# -- Above -----------------------------------------------------------------------------------------------------------


def _head(game: Game, seat: int) -> Iterator[str]:
    info, owner = game.options.seats[seat], game.state.seats[seat]
    name = info.name if len(info.name) <= LONG_NAME else f"{info.name[: LONG_NAME - 1]}…"
    yield f'<circle class="{info.colour} edge" cx="22" cy="30" r="19"/>'
    yield f'<text class="ink" x="54" y="43" font-size="38" font-family="{SERIF}">{escape(name)}</text>'
    right = float(WIDTH)
    bold = 'class="ink" y="45" font-size="42" font-weight="800" text-anchor="end"'
    for sign, colour, number in (("star", "glow", owner.score), ("rampart", "faint", owner.board.longest_wall())):
        yield f'<text {bold} x="{right:g}">{number}</text>'
        right -= DIGIT * len(str(number)) + 50
        yield symbol(sign, right, 9, 42, colour)
        right -= 26


# -- The Alhambra ------------------------------------------------------------------------------------------------------


def _lattice(left: int, top: int, right: int, bottom: int) -> Iterator[str]:
    """Yield the lattice of cells with coordinates."""
    dots = "".join(
        f"M{x * CELL - 6} {y * CELL}h12M{x * CELL} {y * CELL - 6}v12"
        for y in range(top, bottom + 2)
        for x in range(left, right + 2)
    )
    yield f'<path class="lattice-line" stroke-width="2" d="{dots}"/>'
    style = 'class="faint" font-size="19" text-anchor="middle"'
    for x in range(left, right + 1):
        yield f'<text {style} x="{x * CELL + 50}" y="{top * CELL - 28}">{x}</text>'
    for y in range(top, bottom + 1):
        yield f'<text {style} x="{left * CELL - 36}" y="{y * CELL + 57}">{y}</text>'


def _alhambra(board: Board, ruleset: Ruleset, types: Mapping[str, str], language: str) -> Iterator[str]:
    longest = next(iter(wall_runs(board)), None)
    shadows = (
        f"M{x * CELL + 5} {y * CELL + 7}h100v100h-100z"
        for (x, y), placed_part in board.cells.items()
        if VOID not in placed_part.edges
    )
    yield f'<path class="shade" d="{"".join(shadows)}"/>'
    if longest is not None:
        path = "".join(_along(*segment) for segment in longest.segments)
        yield f'<path class="glow-line" stroke-width="14" stroke-linecap="round" opacity=".9" d="{path}"/>'
    for placed in board.placed.values():
        kind, wood = ruleset.kinds[placed.tile.kind], dict(wooden_walls_by_cell(placed))
        yield from draw_tile(placed.tile, kind, placed_parts(*placed), types, wood)
    for x, y, side in sorted(board.passages):
        yield _passage(x, y, side, name_of("passage", language))


def _priced(board: Board) -> set[Cell]:
    return {
        cell for placed in board.placed.values() if placed.tile.price is not None for cell, _ in placed_parts(*placed)
    }


def _along(x: int, y: int, side: str) -> str:
    """Return a segment of the outline as a path."""
    if side in CORNERS:
        cx, cy = CORNERS[side]
        ends = (1 - cx, cy), (cx, 1 - cy)
    else:
        ends = ENDS[side]
    (ax, ay), (bx, by) = ends
    return f"M{(x + ax) * CELL} {(y + ay) * CELL}L{(x + bx) * CELL} {(y + by) * CELL}"


def _passage(x: int, y: int, side: str, name: str) -> str:
    """Return a gate: a door through both walls."""
    (ax, ay), (bx, by) = ENDS[side]
    turn = 0 if side == "S" else 90
    at = f"translate({(x + (ax + bx) / 2) * CELL:g} {(y + (ay + by) / 2) * CELL:g}) rotate({turn})"
    return (
        f'<g transform="{at}"><title>{escape(name)}</title>'
        f'<rect class="bolt" x="-22" y="-15" width="44" height="30" rx="5"/>'
        f'<path class="door" d="M-17 {THICK}V-2a17 10 0 0 1 34 0V{THICK}z"/>'
        f'<path class="bolt" d="M-1.5 -12h3v25h-3zM4 0h4v5h-4zM-8 0h4v5h-4z"/></g>'
    )


def _from_sides(
    game: Game, coming: dict[str, list[PieceData]], extent: tuple[int, int, int, int], language: str
) -> Iterator[str]:
    """Yield an arrow for each piece that comes over all Alhambras from a side."""
    kinds = game.ruleset.piece_kinds
    left, top, right, bottom = extent
    # Between two cells, where there is no coordinate.
    middle = (left + right + 1) // 2 * CELL, (top + bottom + 1) // 2 * CELL
    places = {
        "N": (middle[0], top * CELL - 30, 180),
        "E": ((right + 1) * CELL + 30, middle[1], 270),
        "S": (middle[0], (bottom + 1) * CELL + 30, 0),
        "W": (left * CELL - 30, middle[1], 90),
    }
    for side, things in coming.items():
        x, y, turn = places[side]
        for number, thing in enumerate(things):
            bright = thing.get("choice") not in kind_of(thing, kinds).dim
            shift = (number - (len(things) - 1) / 2) * 44
            at = (x + shift, y) if side in "NS" else (x, y + shift)
            yield (
                f'<g transform="translate({at[0]:g} {at[1]:g}) rotate({turn})" opacity="{1 if bright else 0.55}">'
                f"<title>{escape(title_of(thing, kinds, language))}</title>"
                f'<path class="alarm" d="M0 -20L17 4H7V20H-7V4H-17z"/></g>'
            )
