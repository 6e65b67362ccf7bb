"""Symbols: one for each building type, the fountain, and those that modules declare.

Each is drawn once in a square of 48 and takes the colour of its place. The six building types differ by their outlines.
Modules declare outlines for their tiles and pieces (`TileKind.outline`, `PieceKind.outline`); a piece without one is a
disc with the first letters of its kind.
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape

from ..module import PieceKind, TileKind
from ..ruleset import Ruleset

BOX = 48
"""The side of the square in which a symbol is drawn."""

PATHS = {
    # a dome on slender columns
    "pavilion": "M24 1.5l2 4.2C30 11 42 13 42 23H6C6 13 18 11 22 5.7zM4 24.5h40v5H4zM8 30.5h5.5V42H8zM21.2 30.5"
    "h5.6V42h-5.6zM34.5 30.5H40V42h-5.5zM3 43h42v4H3z",
    # a massive front with a keyhole gate
    "seraglio": "M3 5h42v6H3zM5 12.5h38V47H31V33.6a10.5 10.5 0 1 0-14 0V47H5z",
    # three arches in a row
    "arcades": "M2 9h44v6H2zM3 16.5h42V43h-4.5V29a5 5 0 0 0-10 0v14h-3.2V29a3.3 3.3 0 0 0-6.6 0v14h-3.2V29"
    "a5 5 0 0 0-10 0v14H3z",
    # a hanging lantern
    "chambers": "M22.3 1h3.4v5h-3.4zM24 5l12 9H12zM11 15.5h26L41 27l-8.5 13h-17L7 27zM17 19l-3 8 5.5 9h1.8V19z"
    "M31 19h-4.3v17h1.8l5.5-9zM17 41.5h14v3H17zM21.5 45.5h5V48h-5z",
    # a cypress and a broad tree
    "garden": "M13 2c5.5 8 7.5 17 7.5 24.5 0 6-2.4 9.3-5.4 10V46h-4.2v-9.5c-3-.7-5.4-4-5.4-10C5.5 19 7.5 10 13 2"
    "zM34 13a9 9 0 0 1 8 6.5 7 7 0 0 1 2 10.5 6 6 0 0 1-7.8 4.2V46h-4.4V34.2a6 6 0 0 1-7.8-4.2 7 7 0 0 1 2-10.5"
    "A9 9 0 0 1 34 13z",
    # a tall keep with battlements
    "tower": "M11 2h6v5h4V2h6v5h4V2h6v12l-3 3.5V42h4v5H10v-5h4V17.5L11 14zM24 21a4 4 0 0 0-4 4v7h8v-7a4 4 0 0 0-4-4z",
    "star": "M24 2l6 12 13.5 1.8-9.8 9.4 2.5 13.4L24 32.2l-12.2 6.4 2.5-13.4-9.8-9.4L18 14z",
    # a cut stone: its facets are holes
    "gem": "M13 6h22l11 13L24 45 2 19zM15 9.5L9 18h8.5L22 9.5zM26 9.5L30.5 18H39l-6-8.5zM24 11l-3.7 7h7.4z"
    "M8.5 21L20 34.5 16.7 21zM20 21l4 17.5L28 21zM31.3 21L28 34.5 39.5 21z",
    "rampart": "M2 12h9v6h7v-6h12v6h7v-6h9v28H2zM2 29h44v2H2zM15 20.5h2V29h-2zM31 20.5h2V29h-2zM23 31h2v9h-2z"
    "M8 31h2v9H8zM38 31h2v9h-2z",
}
"""Outlines by kind. Overlapping outlines make holes."""


def definitions(ruleset: Ruleset, used: Collection[str]) -> str:
    """Return the definitions of the symbols used; empty if there are none."""
    tiles = {_tile_symbol(kind.name): kind.outline for kind in ruleset.kinds.values()}
    pieces = {_piece_symbol(kind.name): kind.outline for kind in ruleset.piece_kinds.values()}
    outlines = {**PATHS, **tiles, **pieces}
    shapes = [f'<path id="{name}" fill-rule="evenodd" d="{path}"/>' for name, path in outlines.items() if name in used]
    shapes += [drawing for name, drawing in _DRAWINGS.items() if name in used]
    return f"<defs>{''.join(shapes)}</defs>" if shapes else ""


def symbol(name: str, x: float, y: float, size: float, kind: str) -> str:
    """Return a symbol with its upper left corner at x, y, in the colour of a class."""
    return f'<use href="#{name}" class="{kind}" transform="translate({x:g} {y:g}) scale({size / BOX:.4g})"/>'


def _tile_symbol(kind: str) -> str:
    return f"tile-{kind}"


def _piece_symbol(kind: str) -> str:
    return f"piece-{kind}"


def tile_figure(kind: TileKind, x: float, y: float, size: float, colour: str) -> str:
    """Return the figure on a tile that is no building: its outline, or the first letters of its kind."""
    if kind.outline:
        return symbol(_tile_symbol(kind.name), x, y, size, colour)
    at = f'x="{x + size / 2:g}" y="{y + size:g}" font-size="24" text-anchor="middle"'
    return f'<text class="{colour}" {at}>{escape(kind.name[:4])}</text>'


def figure(kind: PieceKind, x: float, y: float, size: float, colour: str, ground: str) -> str:
    """Return the drawing of a piece, or a disc with the first letters of its kind."""
    if kind.outline:
        return symbol(_piece_symbol(kind.name), x, y, size, colour)
    half = size / 2
    return (
        f'<circle class="{colour}" cx="{x + half:g}" cy="{y + half:g}" r="{half:g}"/>'
        f'<text class="{ground}" x="{x + half:g}" y="{y + half * 1.32:g}" font-size="{half:g}" font-weight="700" '
        f'text-anchor="middle">{escape(kind.name[:2].capitalize())}</text>'
    )


_PETALS = "".join(f'<ellipse cx="0" cy="-25" rx="7" ry="12" transform="rotate({turn})"/>' for turn in range(0, 360, 45))
_FOUNTAIN = (
    '<g id="fountain">'
    f'<g class="on-plain" opacity=".5">{_PETALS}</g>'
    '<circle class="on-plain" r="25"/><circle class="water" r="21.5"/>'
    '<circle class="foam" r="12" opacity=".55"/><circle class="water" r="9"/><circle class="foam" r="4.5"/>'
    "</g>"
)
_STAR = "M40 12l8.2 8.2H59.8V31.8L68 40l-8.2 8.2v11.6H48.2L40 68l-8.2-8.2H20.2V48.2L12 40l8.2-8.2V20.2h11.6z"
_TRACERY = (
    '<pattern id="tracery" width="80" height="80" patternUnits="userSpaceOnUse">'
    f'<path class="tracery" d="{_STAR}"/></pattern>'
)
_DRAWINGS = {"fountain": _FOUNTAIN, "tracery": _TRACERY}
