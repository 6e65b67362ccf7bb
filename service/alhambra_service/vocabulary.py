"""The words that a module speaks and shows, asked of the module itself.

The rules keep no list of the kinds of events and reasons; each module says them where they happen. A word is a module's
if one of its functions holds it as a constant. What a module shows is asked of a game in which it is on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from alhambra import Game, Module, Options, base, load_module
from alhambra.base import BASE
from alhambra.registry import WHEN_REGISTERED

from . import limits

SEED = "a game to be looked at"
SEATS = 3
DEPTH = 3
"""How deep functions stand in a record: record, verb or step, partial."""


@lru_cache(maxsize=limits.BOARD_RULES)
def shown_words(key: str) -> tuple[str, ...]:
    """The names of what a module shows in views."""
    game = Game.new(Options(SEATS, SEED, modules=[key]))
    views = [game.view(viewer)["slices"].get(key, {}) for viewer in (None, 0)]
    return tuple(dict.fromkeys(name for view in views for name in view))


@lru_cache(maxsize=limits.BOARD_RULES)
def spoken_words(key: str) -> frozenset[str]:
    """Every text that stands in the functions of a module's own files; those of the base game are its whole package
    and the engine."""
    own = _base_files() if key == BASE.key else _files(load_module(key)) - _base_files()
    return frozenset(word for file in own for word in _constants_of(file))


WHEN_REGISTERED.extend((shown_words.cache_clear, spoken_words.cache_clear))


def _base_files() -> frozenset[str]:
    package = f"{base.__name__}."
    engine = {kind.__module__ for kind in Game.__mro__ if kind is not object}
    return frozenset({*engine, *(name for name in sys.modules if name.startswith(package))})


def _files(record: Module) -> frozenset[str]:
    """The Python modules in which the functions of a record stand."""
    return frozenset(function.__module__ for function in _functions(record, DEPTH))


def _functions(value: Any, depth: int) -> Iterator[FunctionType]:
    if isinstance(value, FunctionType):
        yield value
    elif depth and isinstance(value, tuple | list):
        for entry in value:
            yield from _functions(entry, depth)
    elif depth and isinstance(value, dict):
        yield from _functions(tuple(value.values()), depth)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _functions(getattr(value, field.name), depth - 1)


def _constants_of(file: str) -> frozenset[str]:
    found = set[str]()
    for value in vars(sys.modules[file]).values():
        members = vars(value).values() if isinstance(value, type) else [value]
        for member in members:
            function = getattr(member, "__func__", member)
            if isinstance(function, FunctionType) and function.__module__ == file:
                defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
                found.update(word for word in (*defaults, *_constants(function.__code__)) if isinstance(word, str))
    return frozenset(found)


def _constants(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, CodeType):
            yield from _constants(constant)
