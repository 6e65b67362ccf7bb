"""The frame of every picture: size, title, colours, symbols and background.

A picture contains only the symbols and style rules that it uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from ..ruleset import Ruleset
from .palette import style_sheet
from .symbols import definitions

FONT = "'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
_CLASSES = re.compile(r'class="([^"]*)"')
_SYMBOLS = re.compile(r'href="#([^"]*)"|url\(#([^)]*)\)')


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
    """Return a picture of this size. With `paper`, it has a background larger than the picture, so that windows of
    other shapes show no bare edges."""
    width, height = size
    ground = f'x="{-4 * width:g}" y="{-4 * height:g}" width="{9 * width:g}" height="{9 * height:g}"'
    papered = f'<rect class="paper" {ground}/><rect fill="url(#tracery)" {ground}/>\n' if paper else ""
    inside = papered + "".join(f"{part}\n" for part in drawn if part)
    symbols = definitions(ruleset, symbols_used(inside))
    classes = {word for found in _CLASSES.findall(symbols + inside) for word in found.split()}
    about = f'<desc id="desc">{escape(description)}</desc>' if description else ""
    described = ' aria-describedby="desc"' if description else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-labelledby="title"{described} font-family="{FONT}">\n'
        f'<title id="title">{escape(title)}</title>{about}\n'
        f"<style>{style_sheet(theme, classes)}</style>{symbols}\n{inside}</svg>\n"
    )


def symbols_used(drawn: str) -> set[str]:
    """Return the names of all symbols in the drawings."""
    return {name or other for name, other in _SYMBOLS.findall(drawn)}
