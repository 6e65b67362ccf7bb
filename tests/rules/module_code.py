"""The code of the modules and of the core, as the tests of the laws of modules read it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from alhambra import EDITIONS, Module, Ruleset, load_module
from alhambra.components import component_data
from alhambra.effects import effects_of, printed_effects
from alhambra.module import TileKind
from alhambra.ruleset import compile_ruleset
from scripts.module_files import MODULES, module_files

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "rules" / "alhambra"
FILES = module_files()
SOURCES = [path for paths in FILES.values() for path in paths]
MAIN = {key: paths[0] for key, paths in FILES.items()}
"""The file with the record of each module."""
ALL_KEYS = tuple(component_data()["modules"])
"""The 43 modules of the rulebooks in their order, written or not."""
EDITION = next(iter(EDITIONS))
each_module = pytest.mark.parametrize("key", FILES)


@cache
def syntax(path: Path) -> ast.Module:
    """The syntax of a file, parsed once."""
    return ast.parse(path.read_text(encoding="utf-8"), path.name)


def nodes(key: str) -> Iterator[ast.AST]:
    """The syntax of all files of a module."""
    for path in FILES[key]:
        yield from ast.walk(syntax(path))


def definition_of(key: str) -> Module:
    """The record of a module."""
    return load_module(key)


def definitions() -> list[Module]:
    """The records of all modules of this library."""
    return [definition_of(key) for key in FILES]


def calls_of(tree: ast.AST, name: str) -> list[ast.Call]:
    """The calls of a function in a piece of code, by the name that the code writes."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == name]


def core_files() -> list[Path]:
    """The files of the rules that belong to no module."""
    return [path for path in sorted(RULES.rglob("*.py")) if not path.is_relative_to(MODULES)]


def compiled(keys: tuple[str, ...], seats: int) -> Ruleset:
    """The rules of a game with these modules, compiled afresh."""
    return compile_ruleset.__wrapped__(seats, EDITION, tuple(sorted(keys)))


def effects_allowed(kind: TileKind) -> tuple[str, ...]:
    """The columns of the printed purchase table that apply to tiles of a kind."""
    return effects_of(kind, tuple(printed_effects()))
