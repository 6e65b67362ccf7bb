"""The library is used through its public parts: `alhambra` itself, and the parts that its docstring lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import alhambra

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "rules" / "alhambra"
OUTSIDE = ("runtime", "service", "gateway", "cli", "loadtests", "bench", "scripts", "examples")
INNER = (
    *(ROOT / "bench" / "rules.py", ROOT / "bench" / "odd_tiles.py"),
    ROOT / "scripts" / "train_learned.py",
)
"""They measure inner functions of the library or make its data, so they import them."""
PARTS = re.findall(r"^    `alhambra\.(\w+)`", alhambra.__doc__ or "", re.MULTILINE)
NAMED_TUPLE = {"_asdict", "_fields", "_make", "_replace"}
"""Public in spite of their names."""
IMPORTED_FOR_ITS_EFFECT = {"envs.openspiel"}
"""Documented for users, who import it and use nothing of it: it registers the game with OpenSpiel."""
TWO_SCREENS = 120


def offered(part: str) -> set[str]:
    """What `alhambra` or one of its public parts offers."""
    return {*import_module(f"alhambra.{part}" if part else "alhambra").__all__}


def sources() -> list[Path]:
    return [path for folder in OUTSIDE for path in sorted((ROOT / folder).rglob("*.py")) if path not in INNER]


def imported(tree: ast.AST) -> Iterator[tuple[int, str, str]]:
    """Every import from the library: its line, the part, and the name in it ("" for the part itself)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for entry in node.names:
                package, _, part = entry.name.partition(".")
                if package == "alhambra":
                    yield node.lineno, part, ""
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            package, _, part = node.module.partition(".")
            if package == "alhambra":
                yield from ((node.lineno, part, entry.name) for entry in node.names)


def faults_of(tree: ast.AST) -> list[str]:
    """What a file imports from the library although it is not public."""
    found = []
    for line, part, name in imported(tree):
        if part in IMPORTED_FOR_ITS_EFFECT and not name:
            continue
        if part and part not in PARTS:
            found.append(f"line {line}: alhambra.{part} is not public")
        elif name and name not in offered(part) and not (part == "" and name in PARTS):
            found.append(f"line {line}: alhambra{'.' if part else ''}{part} does not offer {name}")
    return found


def private_names() -> set[str]:
    """Every name with a leading underscore that the library gives to an attribute, function or class."""
    found = set()
    for path in LIBRARY.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found.add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def test_the_public_surface_fits_two_screens() -> None:
    assert len((LIBRARY / "__init__.py").read_text(encoding="utf-8").splitlines()) <= TWO_SCREENS
    assert len(PARTS) <= 13


@pytest.mark.parametrize("part", ["", *PARTS])
def test_every_public_part_has_what_it_lists(part: str) -> None:
    module = import_module(f"alhambra.{part}" if part else "alhambra")
    assert offered(part)
    assert [name for name in offered(part) if not hasattr(module, name)] == []


def test_nothing_outside_the_library_imports_its_inner_modules() -> None:
    assert len(sources()) > 100
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sources()}
    assert {str(path.relative_to(ROOT)): faults for path, tree in trees.items() if (faults := faults_of(tree))} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from alhambra.base.payment.rules import judge",
        "import alhambra.placement.grid",
        "from alhambra import undo",
        "from alhambra.moves import CELL_LIMIT",
    ],
)
def test_an_inner_module_is_noticed(line: str) -> None:
    assert faults_of(ast.parse(line))


def test_nothing_outside_the_library_uses_its_private_attributes() -> None:
    private = private_names() - NAMED_TUPLE
    found = []
    for path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in private and not _own(node):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno} {ast.unparse(node)}")
    assert found == []


def _own(node: ast.Attribute) -> bool:
    """Whether it is an attribute of the object's own class, which may have the same name."""
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
