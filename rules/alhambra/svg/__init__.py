"""SVG pictures of boards, whole tables and components, as strings. Nothing is read or fetched."""

from .board import cells_content, draw_alhambra, draw_board, draw_cells
from .component import draw_component
from .inline import inline_component, inline_symbols, picture_styles
from .palette import THEMES
from .table import draw_table

__all__ = [
    "THEMES",
    "cells_content",
    "draw_alhambra",
    "draw_board",
    "draw_cells",
    "draw_component",
    "draw_table",
    "inline_component",
    "inline_symbols",
    "picture_styles",
]
