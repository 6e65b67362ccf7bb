"""No dead code in the contract and in modules: every hook is used, every function is reached from a record."""

from __future__ import annotations

import ast
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from alhambra import Module
from alhambra.base import BASE
from alhambra.hook_types import REACTIONS
from alhambra.module import DecisionKind, Licence, Modify, Permit, TileKind, Verb
from tests.rules.example_modules import CAMELS, EXAMPLES
from tests.rules.module_code import FILES, MAIN, SOURCES, core_files, definitions, each_module, syntax

NO_HOOKS = {"number", "key", "migrations"}

# -- Hooks -------------------------------------------------------------------------------------------------------------


def used(owner: type, things: list[Any]) -> set[str]:
    """The fields of a record that some of these fill with more than the default."""
    needed = {part.name for part in fields(owner) if part.default is MISSING and part.default_factory is MISSING}
    filled = {
        part.name
        for part in fields(owner)
        if any(getattr(thing, part.name) not in (None, (), {}, False, 0, "") for thing in things)
    }
    return needed | filled


def everybody() -> list[Module]:
    """The base game, the modules, the examples of the tests."""
    return [BASE, *definitions(), *EXAMPLES, CAMELS]


def test_every_hook_of_the_contract_is_used_somewhere() -> None:
    unused = {field.name for field in fields(Module)} - used(Module, everybody()) - NO_HOOKS
    assert sorted(unused) == []


@pytest.mark.parametrize(
    ("owner", "field"),
    [(Verb, "verbs"), (DecisionKind, "decisions"), (Modify, "modify"), (Permit, "permits"), (TileKind, "kinds")],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_every_part_of_a_hook_is_used_somewhere(owner: type, field: str) -> None:
    things = [thing for module in everybody() for thing in getattr(module, field)]
    assert sorted({part.name for part in fields(owner)} - used(owner, things)) == []


def test_every_reaction_is_used_somewhere() -> None:
    assert {what for module in everybody() for what in module.reactions} == set(REACTIONS)


def test_every_part_of_a_licence_is_used_somewhere() -> None:
    """Licences are made when they are asked for: their parts stand in the calls of the code."""
    filled = set()
    sources = [*core_files(), *SOURCES, *Path(__file__).with_name("example_modules").glob("*.py")]
    for path in sources:
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Licence":
                filled |= {keyword.arg for keyword in node.keywords}
                filled |= {part.name for part in fields(Licence)[: len(node.args)]}
    assert sorted({part.name for part in fields(Licence)} - filled) == []


# -- Functions ---------------------------------------------------------------------------------------------------------

Place = tuple[str, str]
"""A name at the top of a file of a module: the file's own name, and the name."""


def imported_names(tree: ast.Module) -> dict[str, Place]:
    """By the name that a file gives it: what the file imports from a file beside it; a whole file has no name in it."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            for alias in node.names:
                place = (node.module, alias.name) if node.module else (alias.name, "")
                found[alias.asname or alias.name] = place
    return found


def places_named(file: str, node: ast.AST, imported: dict[str, Place]) -> set[Place]:
    """The top names that a piece of code uses, of its own file and of those beside it."""
    found = set[Place]()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
            beside, name = imported.get(inner.value.id, ("", "x"))
            found |= set() if name else {(beside, inner.attr)}
        elif isinstance(inner, ast.Name):
            found.add(imported.get(inner.id, (file, inner.id)))
    return found


def names_made(node: ast.AST) -> set[str]:
    """The names that a statement at the top of a file gives: a function, a class, a constant."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    names = {inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}
    return names - {"__all__"}


@each_module
def test_every_function_of_a_module_is_reached_from_its_record(key: str) -> None:
    """So every question is asked from a step, a verb or a hook, and nothing lies about unused."""
    bodies: dict[Place, set[Place]] = {}
    for path in FILES[key]:
        imported = imported_names(syntax(path))
        for node in syntax(path).body:
            used = places_named(path.stem, node, imported)
            for name in names_made(node):
                bodies[path.stem, name] = bodies.get((path.stem, name), set()) | used
    reached, waiting = set[Place](), [(MAIN[key].stem, "MODULE")]
    while waiting:
        found = waiting.pop()
        if found not in reached:
            reached.add(found)
            waiting += bodies.get(found, ())
    assert sorted(set(bodies) - reached) == []
