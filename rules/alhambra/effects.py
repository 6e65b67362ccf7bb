"""Effects of purchases: the columns of the purchase table.

A tile kind lists the effects that buying such a tile allows (`TileKind.effects`), an offer those that apply to it. A
module declares its effects (`Module.effects`) and looks for their names in a purchase.

`data/purchase_effects.json` lists the columns of the printed purchase table, each with its module. Tiles allow or bar
all of these, whichever modules are on, because stored purchases contain the names in this order. Effects of third-party
modules follow, in games with those modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from .data_files import read_data
from .violations import BadModule, Fault

if TYPE_CHECKING:
    from .hook_types import TileKind
    from .module import Module


@cache
def printed_effects() -> Mapping[str, str]:
    """Return the columns of the printed purchase table in order, each with the key of its module."""
    found: dict[str, str] = read_data("purchase_effects.json")
    return found


def compile_effects(modules: Iterable[Module]) -> tuple[str, ...]:
    """Return all effects of a game with these modules. Raise BadModule if two modules declare the same effect."""
    owners: dict[str, str] = {}
    for module in modules:
        for effect in module.effects:
            if effect in owners:
                other = owners[effect]
                raise BadModule(module.key, Fault("effects", f"the module {other!r} also declares {effect!r}"))
            owners[effect] = module.key
    return tuple(dict.fromkeys((*printed_effects(), *owners)))


def effects_of(kind: TileKind, effects: tuple[str, ...]) -> tuple[str, ...]:
    """Return the effects that buying a tile of this kind allows."""
    if isinstance(kind.effects, tuple):
        return kind.effects
    return tuple(effect for effect in effects if effect not in kind.effects.but)
