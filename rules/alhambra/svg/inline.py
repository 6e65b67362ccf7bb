"""Pictures of components inside an HTML page, without inline style sheets, which a strict policy forbids.

A page contains `inline_symbols` once and a drawing for each component, and links to `picture_styles` as a file.
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
"""The class of every drawing. The style sheet applies only to it."""


def inline_component(ruleset: Ruleset, kind: str, thing: str, language: str = DEFAULT) -> str:
    """Return the drawing of a component as an HTML element."""
    (wide, high), drawn = component_parts(ruleset, kind, thing, language)
    name = escape(component_name(kind, thing, language))
    return (
        f'<svg class="{CLASS}" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}" role="img" '
        f'aria-label="{name}" font-family="{FONT}">{"".join(drawn)}</svg>'
    )


def inline_symbols(ruleset: Ruleset, drawings: Iterable[str]) -> str:
    """Return the symbols of these drawings as an invisible element; empty if there are none."""
    found = definitions(ruleset, symbols_used("".join(drawings)))
    return f'<svg class="{CLASS} symbols" width="0" height="0" aria-hidden="true">{found}</svg>' if found else ""


def picture_styles() -> str:
    """Return the style sheet for drawings in a page, light and dark."""
    return style_sheet("auto", scope=f".{CLASS} ")
