"""Registry of modules: those in `modules/`, and those that other packages announce by an entry point.

A built-in module is a file `modules/key.py`, or a folder `modules/key/` with its definition in `__init__.py`. The key
is the name of the file or folder. Names that start with `_` are ignored.

A third-party module is announced in its package's metadata: group `alhambra.modules`, name = key, value = location of
its `Module` (`camels.rules:MODULE`). It is imported when a game uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from . import modules
from .module import Module
from .module_check import check_module
from .violations import BadOptions

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "alhambra.modules"
ON_REGISTER: list[Callable[[], None]] = []
"""Functions called when a module is registered; they clear caches that may hold another module with its key."""
_registered: dict[str, Module] = {}
_checked: dict[str, Module] = {}
"""Modules that passed `check_module`, by key."""


@cache
def _builtin_keys() -> frozenset[str]:
    return frozenset(found.name for found in iter_modules(modules.__path__) if not found.name.startswith("_"))


@cache
def _entry_points() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # a slow import, and most games need only built-in modules

    return {point.name: point for point in entry_points(group=GROUP)}


def register(module: Module) -> None:
    """Register a module in this process without an entry point, for experiments and tests. Raise BadModule if it breaks
    the contract of modules."""
    if module.key in _builtin_keys():
        raise BadOptions("MODULES_CLASH", f"module {module.key!r} already exists", module=module.key)
    check_module(module)
    _registered[module.key] = module
    for clear in ON_REGISTER:
        clear()


def known_modules() -> list[str]:
    """Return the keys of all modules that can be switched on."""
    return sorted(_builtin_keys() | set(_entry_points()) | set(_registered))


def module_text(key: str) -> str:
    """Return the docstring of a module's file: its name and its rule. Empty for a registered module."""
    if key in _registered:
        return ""
    if key in _builtin_keys():
        return _own_file(key).__doc__ or ""
    return import_module(_entry_points()[key].module).__doc__ or "" if key in _entry_points() else ""


def _own_file(key: str) -> ModuleType:
    return import_module(f"{modules.__name__}.{key}")


def load_module(key: str) -> Module:
    """Return a module by its key. Raise BadModule if it breaks the contract of modules."""
    if key in _registered:
        return _registered[key]
    if key in _builtin_keys():
        module = _own_file(key).MODULE
    elif key in _entry_points():
        module = _entry_points()[key].load()
    else:
        raise BadOptions("MODULE_UNKNOWN", f"unknown module {key!r}", module=key)
    if not isinstance(module, Module) or module.key != key:
        raise BadOptions("MODULE_UNKNOWN", f"{key!r} does not lead to a Module with that key", module=key)
    if _checked.get(key) is not module:
        check_module(module)
        _checked[key] = module
    return module


def third_party_modules() -> list[Module]:
    """Return all modules that are not built in: registered ones, and those of other packages."""
    return [load_module(key) for key in known_modules() if key not in _builtin_keys()]
