"""The drawings that stand for things: one for each building type, the fountain, and the pieces of modules.

Each is drawn once, in a square of 48, and used wherever it is needed; it takes the colour of the place it stands in.
The six building types can be told apart by their outlines alone. A piece that has no drawing gets a disc with the
first letters of its kind, so that a module which nobody has drawn for can still be seen.
"""

from __future__ import annotations

from html import escape

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
    # two tents
    "camp": "M24 6l2-3 8 3-7 3 15 33H27l-3-15-3 15H6L22 10zM24 22z",
    "star": "M24 2l6 12 13.5 1.8-9.8 9.4 2.5 13.4L24 32.2l-12.2 6.4 2.5-13.4-9.8-9.4L18 14z",
    "rampart": "M2 12h9v6h7v-6h12v6h7v-6h9v28H2zM2 29h44v2H2zM15 20.5h2V29h-2zM31 20.5h2V29h-2zM23 31h2v9h-2z"
    "M8 31h2v9H8zM38 31h2v9h-2z",
    # a figure on its foot
    "resident": "M24 3a8.5 8.5 0 0 1 5 15.4C34 22 35 31 36 38h4v8H8v-8h4c1-7 2-16 7-19.6A8.5 8.5 0 0 1 24 3z",
    "trader": "M24 3a8.5 8.5 0 0 1 5 15.4C34 22 35 31 36 38h4v8H8v-8h4c1-7 2-16 7-19.6A8.5 8.5 0 0 1 24 3z",
    # a head with a turban
    "vizier": "M24 2a3.5 3.5 0 0 1 3 5.2C34 8 39 11.5 39 16c0 3-2.5 5-6 6v1a9 9 0 0 1-4 7.5c9 1.5 15 6.5 15 15.5"
    "H4c0-9 6-14 15-15.5A9 9 0 0 1 15 23v-1c-3.5-1-6-3-6-6 0-4.5 5-8 12-8.8A3.5 3.5 0 0 1 24 2zM19 22.5v1"
    "a5 5 0 0 0 10 0v-1z",
    # a mask
    "thief": "M2 16c8-5 14-4 22 0 8-4 14-5 22 0 0 12-5 18-12 18-5 0-7-3-10-6-3 3-5 6-10 6C7 34 2 28 2 16zM9 20"
    "c1 5 4 7 8 6 1-3-3-6-8-6zM39 20c-5 0-9 3-8 6 4 1 7-1 8-6z",
    # a sealed scroll
    "sultan": "M8 6h28a6 6 0 0 1 6 6v4h-8v20a6 6 0 0 1-6 6H12a6 6 0 0 1-6-6v-4h6V12a6 6 0 0 0-4-6zM18 14h10v3H18"
    "zM18 21h10v3H18zM18 28h10v3H18z",
    # a person with a halo of sleeves
    "character": "M24 4a9 9 0 0 1 6 15.7c8 2.3 13 9 13 19.3v6H5v-6c0-10.3 5-17 13-19.3A9 9 0 0 1 24 4zM24 24"
    "l-5 5 5 13 5-13z",
    "watchtower": "M4 46L44 6v40zM36 24l-5 5v13h8V24z",
    "scout": "M24 10c10 0 18 6 22 14-4 8-12 14-22 14S6 32 2 24C6 16 14 10 24 10zM24 16"
    "a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM24 20a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
    "invasion": "M8 2l32 32 4-4v16H28l4-4L2 8z",
}
"""By kind: the outline. Holes are where two outlines overlap."""


def definitions() -> str:
    """Every symbol, to be used by its name."""
    shapes = (f'<path id="{name}" fill-rule="evenodd" d="{path}"/>' for name, path in PATHS.items())
    return f"<defs>{''.join(shapes)}{_FOUNTAIN}{_TRACERY}</defs>"


def symbol(name: str, x: float, y: float, size: float, kind: str) -> str:
    """A symbol with its upper left corner here, in the colour of a class."""
    return f'<use href="#{name}" class="{kind}" transform="translate({x:g} {y:g}) scale({size / BOX:.4g})"/>'


def figure(kind: str, x: float, y: float, size: float, colour: str, ground: str) -> str:
    """The drawing of a piece, or a disc with the first letters of its kind."""
    if kind in PATHS:
        return symbol(kind, x, y, size, colour)
    half = size / 2
    return (
        f'<circle class="{colour}" cx="{x + half:g}" cy="{y + half:g}" r="{half:g}"/>'
        f'<text class="{ground}" x="{x + half:g}" y="{y + half * 1.32:g}" font-size="{half:g}" font-weight="700" '
        f'text-anchor="middle">{escape(kind[:2].capitalize())}</text>'
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
