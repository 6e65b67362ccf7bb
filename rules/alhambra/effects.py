"""Effects: what a purchase can allow, the columns of the purchase table.

A kind of tile lists the effects that buying such a tile allows (`TileKind.effects`), an offer those that apply to it,
and the module that an effect belongs to looks for its name there. Every module declares its own effects
(`Module.effects`).

The purchase table of the rulebooks has a column for every effect of their modules. `data/purchase_effects.json` lists
these columns, each with the module that it belongs to. A tile allows or bars all of them, whichever modules are on:
stored purchases hold these names, in this order. Effects of other packages' modules stand behind them, in games with
those modules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from .violations import BadModule, Fault

if TYPE_CHECKING:
    from .hook_types import TileKind
    from .module import Module


@cache
def printed_effects() -> Mapping[str, str]:
    """Return the columns of the printed purchase table in their order, each with the key of its module."""
    found: dict[str, str] = json.loads(files(__package__).joinpath("data/purchase_effects.json").read_text("utf-8"))
    return found


def compile_effects(modules: Iterable[Module]) -> tuple[str, ...]:
    """Return all effects of a game with these modules. Raise BadModule if two of them bring the same one."""
    owners: dict[str, str] = {}
    for module in modules:
        for effect in module.effects:
            if effect in owners:
                other = owners[effect]
                raise BadModule(module.key, Fault("effects", f"the module {other!r} also brings {effect!r}"))
            owners[effect] = module.key
    return tuple(dict.fromkeys((*printed_effects(), *owners)))


def effects_of(kind: TileKind, effects: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the effects of a game that buying a tile of this kind allows."""
    if isinstance(kind.effects, tuple):
        return kind.effects
    return tuple(effect for effect in effects if effect not in kind.effects.but)
