"""A picture of one Alhambra as SVG: what a player wants to see at a glance."""

from .palette import THEMES
from .sheet import draw

__all__ = ["THEMES", "draw"]
