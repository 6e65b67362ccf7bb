"""Sets of modules by name: the boxes in which they were sold, and mixes that go well together.

A preset is nothing but a list of modules: a game that is made with one is the game with these modules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from .components import component_data
from .registry import known_modules
from .violations import BadOptions

__all__ = ["PRESETS", "preset_modules"]

EVERYTHING = "everything"
_DATA: dict[str, Any] = json.loads(files(__package__).joinpath("data/presets.json").read_text(encoding="utf-8"))
BOXES: dict[str, str] = _DATA["boxes"]
"""By preset: how the origin of its modules begins in the data of the components."""
MIXES: dict[str, list[str]] = _DATA["mixes"]
"""Mixes of ours: few rules on top; six that each add one thing; and three with a theme each."""
PRESETS: tuple[str, ...] = (*MIXES, *BOXES, EVERYTHING)
"""Every preset, the gentlest first."""


def preset_modules(preset: str) -> tuple[str, ...]:
    """The modules of a preset, by their numbers; raises BadOptions if there is no such preset."""
    if preset == EVERYTHING:
        return _sorted(known_modules())
    if preset in MIXES:
        return _sorted(MIXES[preset])
    if preset in BOXES:
        printed = component_data()["modules"]
        return tuple(key for key, facts in printed.items() if facts["origin"].startswith(BOXES[preset]))
    raise BadOptions("OPTION_INVALID", f"unknown preset {preset[:40]!r}", option="preset", known=list(PRESETS))


def _sorted(keys: Iterable[str]) -> tuple[str, ...]:
    """Modules in the order of the rule books; those that stand in none come last."""
    order = list(component_data()["modules"])
    return tuple(sorted(keys, key=lambda key: (order.index(key) if key in order else len(order), key)))
