"""Sets of modules by name: the boxes in which they were sold, and mixes that go well together.

A preset is nothing but a list of modules: a game that is made with one is the game with these modules.
"""

from __future__ import annotations

from collections.abc import Iterable

from .components import component_data
from .registry import known_modules
from .violations import BadOptions

__all__ = ["PRESETS", "preset_modules"]

EVERYTHING = "everything"
BOXES = {
    "box_viziers_favour": "Expansion 1",
    "box_city_gates": "Expansion 2",
    "box_thiefs_turn": "Expansion 3",
    "box_treasure_chamber": "Expansion 4",
    "box_power_of_the_sultan": "Expansion 5",
    "box_falconers": "Expansion 6",
    "box_queenies": "Queenie",
    "box_designers": "Designers' Edition",
    "box_fans": "Fan modules",
}
"""By preset: how the origin of its modules begins in the data."""
MIXES = {
    "first_game": ("squares", "magical_buildings", "viziers_favour"),
    "evening": ("squares", "characters", "change", "treasures", "medina", "wishing_well"),
    "builders": ("military_camps", "city_walls", "master_builders", "watchtowers", "caliphs_guidelines"),
    "traders": ("bureaux_de_change", "diamonds", "change", "caravanserai", "exchange_certificates", "bazaars"),
    "rivals": ("viziers_favour", "thieves", "characters", "major_construction_projects", "personal_building_market"),
}
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
