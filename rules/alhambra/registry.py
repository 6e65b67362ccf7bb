"""Where modules are found: in `modules/`, and in packages that register an entry point.

A module of this library is the file `modules/key.py`, or the folder `modules/key/` with a file per idea, whose
`__init__.py` holds the record. Its key is the name of the file or folder; names that begin with `_` are no modules.

A third party's module is announced in its package's metadata, group `alhambra.modules`, name = key of the module,
value = the place of its `Module` record (`camels.rules:MODULE`). Nothing is imported before a game asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from types import ModuleType

from . import modules
from .module import Module
from .module_check import check_module
from .violations import BadOptions

GROUP = "alhambra.modules"
ON_REGISTER: list[Callable[[], None]] = []
"""Called when a module becomes known, because compiled rulesets may hold another one of its key."""
_registered: dict[str, Module] = {}
_checked: dict[str, Module] = {}
"""By key: the record that was found to keep the contract."""


@cache
def _builtin_keys() -> frozenset[str]:
    return frozenset(found.name for found in iter_modules(modules.__path__) if not found.name.startswith("_"))


@cache
def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def register(module: Module) -> None:
    """Makes a module known in this process, without an entry point: for experiments and tests. Raises BadModule if its
    record breaks the contract of modules."""
    if module.key in _builtin_keys():
        raise BadOptions("MODULES_CLASH", f"there is a module {module.key!r} already", module=module.key)
    check_module(module)
    _registered[module.key] = module
    for clear in ON_REGISTER:
        clear()


def known_modules() -> list[str]:
    """Keys of all modules that can be switched on."""
    return sorted(_builtin_keys() | set(_entry_points()) | set(_registered))


def module_text(key: str) -> str:
    """What the file of a module says first: its name, then its rule in the game's own words. Empty for a module that
    has no file, because it was registered."""
    if key in _registered:
        return ""
    if key in _builtin_keys():
        return _own_file(key).__doc__ or ""
    return import_module(_entry_points()[key].module).__doc__ or "" if key in _entry_points() else ""


def _own_file(key: str) -> ModuleType:
    return import_module(f"{modules.__name__}.{key}")


def load_module(key: str) -> Module:
    """The record of a module by its key. Raises BadModule if it breaks the contract of modules."""
    if key in _registered:
        return _registered[key]
    if key in _builtin_keys():
        module = _own_file(key).MODULE
    elif key in _entry_points():
        module = _entry_points()[key].load()
    else:
        raise BadOptions("MODULE_UNKNOWN", f"no module {key!r}", module=key)
    if not isinstance(module, Module) or module.key != key:
        raise BadOptions("MODULE_UNKNOWN", f"{key!r} does not lead to a module record of that key", module=key)
    if _checked.get(key) is not module:
        check_module(module)
        _checked[key] = module
    return module


def third_party_modules() -> list[Module]:
    """The records of all modules that do not stand in this library: registered, or announced by other packages."""
    return [load_module(key) for key in known_modules() if key not in _builtin_keys()]
