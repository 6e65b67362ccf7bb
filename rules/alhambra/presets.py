"""Presets: named sets of modules, by published box or as a mix.

Creating a game with a preset is the same as listing its modules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .components import component_data
from .data_files import read_data
from .registry import known_modules
from .violations import BadOptions

__all__ = ["PRESETS", "preset_modules"]

EVERYTHING = "everything"
_DATA: dict[str, Any] = read_data("presets.json")
BOXES: dict[str, str] = _DATA["boxes"]
"""The box of each preset: a prefix of `origin` in the component data."""
MIXES: dict[str, list[str]] = _DATA["mixes"]
"""Our own mixes: few extra rules, six that each add one thing, and three with a theme."""
PRESETS: tuple[str, ...] = (*MIXES, *BOXES, EVERYTHING)
"""All presets, simplest first."""


def preset_modules(preset: str) -> tuple[str, ...]:
    """Return the modules of a preset, by number. Raise BadOptions if there is no such preset."""
    if preset == EVERYTHING:
        return _sorted(known_modules())
    if preset in MIXES:
        return _sorted(MIXES[preset])
    if preset in BOXES:
        printed = component_data()["modules"]
        return tuple(key for key, facts in printed.items() if facts["origin"].startswith(BOXES[preset]))
    raise BadOptions("OPTION_INVALID", f"unknown preset {preset[:40]!r}", option="preset", known=list(PRESETS))


def _sorted(keys: Iterable[str]) -> tuple[str, ...]:
    """Return modules by their number; modules without a number come last."""
    order = list(component_data()["modules"])
    return tuple(sorted(keys, key=lambda key: (order.index(key) if key in order else len(order), key)))
