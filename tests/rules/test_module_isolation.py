"""Modules stand apart: no other code names a module or asks which modules are on, and no module imports another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.module_files import MODULES, key_of
from tests.rules.module_code import (
    ALL_KEYS,
    FILES,
    MAIN,
    ROOT,
    RULES,
    SOURCES,
    calls_of,
    core_files,
    definition_of,
    each_module,
    nodes,
    syntax,
)

CODE_FOLDERS = ("rules", "cli", "scripts", "bench", "service", "gateway", "runtime", "proto", ".ci")
CODE_SUFFIXES = (".py", ".sh", ".proto", ".toml", ".lua", "")
"""Data (.json) and tests may name modules; code may not."""
RECORD_MAY_NAME = ("after",)


def line_of(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 1))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{line_of(node)}"


# -- Nobody names a module ---------------------------------------------------------------------------------------------


def code_files() -> Iterator[Path]:
    """Every code file of the project but tests and the module files themselves."""
    for folder in CODE_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in CODE_SUFFIXES and "__pycache__" not in path.parts:
                yield path
    yield from (ROOT / name for name in ("Makefile", "pyproject.toml"))


def docstrings(tree: ast.AST) -> set[ast.AST]:
    """Texts that stand alone: they are prose for readers."""
    return {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def words_of(text: str) -> set[str]:
    """The words that a string names: none if it is a sentence, else its parts (`invaders.open_attack` names two)."""
    return set() if re.search(r"\s", text) else set(re.findall(r"\w+", text))


def named(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every word that the code of a file names: in strings, as variables, functions, arguments, attributes, imports."""
    prose = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in prose:
            yield from ((node, word) for word in words_of(node.value))
        elif isinstance(node, ast.Name):
            yield node, node.id
        elif isinstance(node, ast.Attribute):
            yield node, node.attr
        elif isinstance(node, ast.arg | ast.keyword):
            yield node, node.arg or ""
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield node, node.name
        elif isinstance(node, ast.alias):
            yield from ((node, word) for word in f"{node.name}.{node.asname or ''}".split(".") if word)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node, word) for word in (node.module or "").split("."))


def said(path: Path, keys: set[str]) -> Iterator[tuple[int, str]]:
    """Keys of several words in plain text, comments and docstrings included: no ordinary word looks like that."""
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(key for key in keys if '_' in key)) or '(?!)'})(?!\w)")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        yield from ((number, found) for found in pattern.findall(line))


def in_the_record(tree: ast.Module) -> set[ast.AST]:
    """Everything inside `after` of the module's record."""
    (made,) = calls_of(tree, "Module")
    allowed = [keyword.value for keyword in made.keywords if keyword.arg in RECORD_MAY_NAME]
    return {node for value in allowed for node in ast.walk(value)}


def namings(path: Path, keys: set[str]) -> list[str]:
    """Where a file names one of the modules, apart from what a record may name."""
    others = keys - {key_of(path)}
    if path.suffix != ".py":
        return [f"{path.relative_to(ROOT)}:{line} {word}" for line, word in said(path, others)]
    tree = syntax(path)
    allowed = in_the_record(tree) if path in MAIN.values() else set()
    # A variable that is called `change` names no module; a text or an import of that word does.
    telling = (ast.Constant, ast.alias, ast.ImportFrom)
    found = {
        (line_of(node), word)
        for node, word in named(tree)
        if word in others and node not in allowed and ("_" in word or isinstance(node, telling))
    }
    lines = {line_of(node) for node in allowed if isinstance(node, ast.Constant)}
    found |= {(line, word) for line, word in said(path, others) if line not in lines}
    return [f"{path.relative_to(ROOT)}:{line} {word}" for line, word in sorted(found)]


def imports_modules(path: Path, node: ast.ImportFrom) -> bool:
    """Whether an import leads to a module's file from outside: to another module, or to all of them."""
    inside = len(path.relative_to(MODULES).parts)
    parts = ((node.module or "") + ".").split(".")
    if node.level == 0:
        return parts[:2] == ["alhambra", "modules"] or ast.unparse(node) == "from alhambra import modules"
    if node.level <= inside:
        return node.level == inside
    return parts[0] == "modules" or (not node.module and "modules" in {alias.name for alias in node.names})


def test_no_module_imports_another() -> None:
    found = []
    for path in SOURCES:
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.ImportFrom) and imports_modules(path, node):
                found.append(place(path, node))
            elif isinstance(node, ast.Import):
                found += [place(path, node) for alias in node.names if alias.name.startswith("alhambra.modules")]
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "load_module")):
                found.append(place(path, node))
    assert found == []


@pytest.mark.parametrize(
    ("path", "line", "found"),
    [
        ("bakers.py", "from .camels import ride", True),
        ("bakers.py", "from . import camels", True),
        ("bakers.py", "from .. import modules", True),
        ("bakers.py", "from ..modules.camels import ride", True),
        ("bakers.py", "from alhambra.modules.camels import ride", True),
        ("bakers.py", "from alhambra import modules", True),
        ("bakers.py", "from ..game import Game", False),
        ("bakers/oven.py", "from .flour import mill", False),
        ("bakers/oven.py", "from . import flour", False),
        ("bakers/oven.py", "from ..camels import ride", True),
        ("bakers/oven.py", "from .. import camels", True),
        ("bakers/oven.py", "from ... import modules", True),
        ("bakers/oven.py", "from ...modules import camels", True),
        ("bakers/oven.py", "from ...game import Game", False),
    ],
)
def test_an_import_of_another_module_is_found_from_a_file_and_from_a_folder(path: str, line: str, found: bool) -> None:
    (node,) = ast.parse(line).body
    assert isinstance(node, ast.ImportFrom)
    assert imports_modules(MODULES / path, node) == found


def test_no_code_file_names_a_module_be_it_written_or_still_to_come() -> None:
    outside = [path for path in code_files() if not path.is_relative_to(MODULES)]
    assert [naming for path in outside for naming in namings(path, set(ALL_KEYS))] == []


@each_module
def test_a_module_names_others_only_in_its_record(key: str) -> None:
    assert [naming for path in FILES[key] for naming in namings(path, set(ALL_KEYS))] == []


@each_module
def test_a_record_names_only_modules_that_exist_and_never_itself(key: str) -> None:
    for name in RECORD_MAY_NAME:
        listed = getattr(definition_of(key), name)
        assert set(listed) <= set(ALL_KEYS) - {key}
        assert len(set(listed)) == len(listed)


# -- The core never asks which modules are on --------------------------------------------------------------------------

TABLES_OF_MODULES = {"keys", "modules", "state_types", "module_keys", "variants"}
"""What a ruleset, a state or the options hold by module: asking what is in it asks which modules are on."""
REGISTRY = RULES / "registry.py"
"""It looks modules up by key, whether they are on or not."""
MAY_SHOW_KEYS = {"views.py", "ruleset.py"}
"""A view lists the keys, a ruleset makes them."""
MAY_READ_THE_CHOICE = {"options.py", "notation.py", "export.py", "ruleset.py", "standalone_boards.py"}
"""The options hold which modules were chosen; they are written, read, and handed to the compiler."""


def without_calls(tree: ast.AST) -> Iterator[ast.Attribute]:
    """Attributes that are not called: `ruleset.keys`, but not `table.keys()`."""
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node) not in called)


def asks_for_modules(node: ast.Compare) -> bool:
    """`x in ruleset.keys`, `game.ruleset.modules == …`, `record.key == "…"`, `record.number > 3` and the like."""
    compares_sets = any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops)
    for side in (node.left, *node.comparators):
        for inner in without_calls(side):
            if inner.attr in ("key", "number") and ast.unparse(inner.value) in ("record", "module", "self"):
                return True
            if inner.attr in TABLES_OF_MODULES and (compares_sets or inner.attr in ("keys", "modules")):
                return True
        if compares_sets and "known_modules" in ast.unparse(side):
            return True
    return False


def test_the_core_never_tests_which_modules_are_on() -> None:
    asking = [
        place(path, node)
        for path in core_files()
        if path != REGISTRY
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.Compare) and asks_for_modules(node)
    ]
    assert asking == []


def test_the_registry_knows_which_modules_there_are_and_nothing_of_a_game() -> None:
    imported = {node.module for node in ast.walk(syntax(REGISTRY)) if isinstance(node, ast.ImportFrom) and node.level}
    assert imported <= {None, "module", "module_check", "violations"}


def test_no_module_tests_which_modules_are_on() -> None:
    tables = TABLES_OF_MODULES - {"variants"}
    asking = [
        place(path, node)
        for path in SOURCES
        for node in without_calls(syntax(path))
        if node.attr in tables | {"options"}
    ]
    assert asking == []


@each_module
def test_a_module_asks_only_for_its_own_variants(key: str) -> None:
    texts = [node.value for node in nodes(key) if isinstance(node, ast.Constant)]
    asked = [text for text in texts if isinstance(text, str) and re.fullmatch(r"[a-z_]+\.[a-z_]+", text)]
    variants = {f"{key}.{variant}" for variant in definition_of(key).variants}
    declared = definition_of(key).stages
    stages = {step.stage for step in definition_of(key).steps}.union(
        *((own.name, own.after, own.before) for own in declared)
    )
    assert set(asked) <= variants | stages
    uses = any(node.attr == "variants" for path in FILES[key] for node in without_calls(syntax(path)))
    assert uses == bool(variants)


def test_the_keys_of_a_ruleset_are_only_shown() -> None:
    reading = [
        place(path, node)
        for path in core_files()
        for node in without_calls(syntax(path))
        if node.attr == "keys" and path.name not in MAY_SHOW_KEYS
    ]
    assert reading == []


def test_the_choice_of_modules_is_only_written_read_and_compiled() -> None:
    reading = [
        place(path, node)
        for path in core_files()
        for node in without_calls(syntax(path))
        if node.attr == "modules"
        and ast.unparse(node.value).endswith("options")
        and path.name not in MAY_READ_THE_CHOICE
    ]
    assert reading == []


def test_the_core_asks_a_record_only_whether_it_uses_a_hook() -> None:
    """`if record.tower is not None`: any other condition on a record would ask which module it is."""
    wrong = []
    for path in core_files():
        tree = syntax(path)
        tests = [node.test for node in ast.walk(tree) if isinstance(node, ast.If | ast.IfExp)]
        tests += [test for node in ast.walk(tree) if isinstance(node, ast.comprehension) for test in node.ifs]
        for test in tests:
            for inner in without_calls(test):
                if inner.attr in ("key", "number") and ast.unparse(inner.value) == "record":
                    wrong.append(place(path, inner))
    assert wrong == []
