"""Pictures of components inside an HTML page: without style sheets of their own, which a strict policy would forbid.

A page holds `inline_symbols` once, a drawing for each component, and is served with `picture_styles` as a file.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from ..ruleset import Ruleset
from ..texts import DEFAULT
from .component import component_name, component_parts
from .page import FONT, symbols_used
from .palette import style_sheet
from .symbols import definitions

CLASS = "picture"
"""The class of every drawing; the style sheet touches nothing else."""


def inline_component(ruleset: Ruleset, kind: str, thing: str, language: str = DEFAULT) -> str:
    """The drawing of a component, as an element of an HTML page."""
    (wide, high), drawn = component_parts(ruleset, kind, thing, language)
    name = escape(component_name(kind, thing, language))
    return (
        f'<svg class="{CLASS}" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}" role="img" '
        f'aria-label="{name}" font-family="{FONT}">{"".join(drawn)}</svg>'
    )


def inline_symbols(ruleset: Ruleset, drawings: Iterable[str]) -> str:
    """The symbols that these drawings use, as an element that takes no room; empty if they use none."""
    found = definitions(ruleset, symbols_used("".join(drawings)))
    return f'<svg class="{CLASS} symbols" width="0" height="0" aria-hidden="true">{found}</svg>' if found else ""


def picture_styles() -> str:
    """The style sheet of drawings inside a page, for light and dark."""
    return style_sheet("auto", scope=f".{CLASS} ")
