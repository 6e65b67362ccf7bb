"""What every picture has: its size, its title, its colours, its symbols and the paper that it is drawn on."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from ..ruleset import Ruleset
from .palette import style_sheet
from .symbols import definitions

FONT = "'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"


def page(
    size: tuple[float, float],
    drawn: Iterable[str],
    *,
    title: str,
    theme: str,
    ruleset: Ruleset,
    description: str = "",
    paper: bool = True,
) -> str:
    """A picture of this size. `paper`: with a ground, which is wider than the picture, so that a window of another
    shape shows no bare edges."""
    width, height = size
    ground = f'x="{-4 * width:g}" y="{-4 * height:g}" width="{9 * width:g}" height="{9 * height:g}"'
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-labelledby="title" aria-describedby="desc" font-family="{FONT}">',
        f'<title id="title">{escape(title)}</title><desc id="desc">{escape(description)}</desc>',
        f"<style>{style_sheet(theme)}</style>{definitions(ruleset)}",
        f'<rect class="paper" {ground}/><rect fill="url(#tracery)" {ground}/>' if paper else "",
        *drawn,
        "</svg>",
    )
    return "".join(f"{part}\n" for part in parts if part)
