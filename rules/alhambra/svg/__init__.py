"""SVG pictures of boards, whole tables and components, as strings. Nothing is read or fetched."""

from .board import draw_alhambra, draw_board
from .component import draw_component
from .inline import inline_component, inline_symbols, picture_styles
from .palette import THEMES
from .table import draw_table

__all__ = [
    "THEMES",
    "draw_alhambra",
    "draw_board",
    "draw_component",
    "draw_table",
    "inline_component",
    "inline_symbols",
    "picture_styles",
]
