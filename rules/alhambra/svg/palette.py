"""Colours of pictures, for light and dark themes.

Shapes have classes; the style sheet in the picture sets their colours for the light theme, the dark theme, or both if
the reader's system decides. Colours are literal, because some viewers do not support CSS variables. Building types also
differ by symbol, not only by colour.
"""

from __future__ import annotations

from collections.abc import Collection

THEMES = ("auto", "light", "dark")
"""`auto` follows the reader's system."""

_COLUMNS = {"light": 1, "dark": 2}
_COLOURS = (
    # class: light, dark
    ("paper", "#f7f0e1", "#17171c"),
    ("tracery", "#f2e8d3", "#1c1c23"),
    ("court", "#fdf9ef", "#1f2028"),
    ("lattice", "#dccfb4", "#34353f"),
    ("ink", "#33261a", "#f1e8d8"),
    ("faint", "#8c7a61", "#8f8a82"),
    ("shade", "#d3c4a3", "#0c0c10"),
    ("pavilion", "#8fb9e6", "#2a5f9b"),
    ("on-pavilion", "#0f3763", "#dcecff"),
    ("seraglio", "#ec9a8c", "#9c3a30"),
    ("on-seraglio", "#701710", "#ffe0da"),
    ("arcades", "#d6a672", "#7d5230"),
    ("on-arcades", "#522b0b", "#fbe4c8"),
    ("chambers", "#ffffff", "#d9d5cb"),
    ("on-chambers", "#4b4b57", "#2b2a31"),
    ("garden", "#9dd088", "#346e39"),
    ("on-garden", "#174a1b", "#dcf5d0"),
    ("tower", "#c3a3e3", "#64409a"),
    ("on-tower", "#401c6c", "#efe3ff"),
    ("plain", "#f0d99b", "#6d5b2b"),
    ("on-plain", "#5d4408", "#fbecc0"),
    ("outside", "#b6bf77", "#59612e"),
    ("on-outside", "#3b4211", "#eef2c6"),
    ("plaza", "#fffaf0", "#f4eee2"),
    ("on-plaza", "#3b3128", "#2e2a26"),
    ("water", "#4ea3d6", "#58b3e6"),
    ("foam", "#e8f7ff", "#e8f7ff"),
    ("wall", "#4a3a30", "#b3a48e"),
    ("mortar", "#b09a86", "#574c40"),
    ("wood", "#a5612a", "#c07a35"),
    ("grain", "#e4b779", "#f0cb93"),
    ("glow", "#f2a900", "#ffb300"),
    ("door", "#f4c542", "#f4c542"),
    ("bolt", "#6b3f00", "#5a3500"),
    ("chip", "#efe5cf", "#2b2c36"),
    ("alarm", "#c8321f", "#ff7b66"),
    ("gulden", "#f0c419", "#f0c419"),
    ("dirham", "#5aa958", "#6dbb6b"),
    ("denar", "#4c8fd0", "#6aa9e6"),
    ("dukat", "#ef8a2c", "#f59a45"),
    ("coin-ink", "#241a08", "#15100a"),
    ("white", "#ffffff", "#ffffff"),
    ("red", "#cf2b2b", "#e04a44"),
    ("yellow", "#f3c614", "#f6cf35"),
    ("green", "#3a9a46", "#4fb25a"),
    ("blue", "#2f6fc0", "#4f8fe0"),
    ("orange", "#ee7f1b", "#f59339"),
)
_LINES = ("lattice", "glow", "grain", "mortar", "wall")
"""Classes that are also drawn as lines, as `name-line`."""


_DERIVED = {
    # derived classes: name, source class, property
    "frame-line": ("ink", "stroke:{};stroke-opacity:.55;fill:none"),
    "edge": ("ink", "stroke:{};stroke-opacity:.18;stroke-width:2"),
    **{f"{name}-line": (name, "stroke:{};fill:none") for name in _LINES},
}


def style_sheet(theme: str, used: Collection[str] | None = None, scope: str = "") -> str:
    """Return the style sheet of a theme. `used` limits it to these classes; None means all. `scope` is a selector
    before each class, for pictures inside other pages."""
    if theme in _COLUMNS:
        return _rules(_COLUMNS[theme], used, scope)
    light, dark = (_rules(column, used, scope) for column in _COLUMNS.values())
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"


def _rules(column: int, used: Collection[str] | None, scope: str) -> str:
    colours = {colour[0]: colour[column] for colour in _COLOURS}
    rules = {name: f"fill:{colour}" for name, colour in colours.items()}
    rules |= {name: style.format(colours[source]) for name, (source, style) in _DERIVED.items()}
    return "".join(f"{scope}.{name}{{{rule}}}" for name, rule in rules.items() if used is None or name in used)
