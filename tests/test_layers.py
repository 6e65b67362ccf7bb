"""Packages and their layers import each other in one direction: as the tables of `docs/architecture.md` say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
MOST_WORDS = 1_500
MOST_FILES = 12
FEWEST_LINES = 30
BOTTOM = "."
"""The layer of the files beside the folders: every folder may import them."""
TABLE_FILES = {"alhambra_gateway": {"environ_keys.py"}}
"""Files that may be short, because they are tables."""


@cache
def page() -> str:
    return PAGE.read_text("utf-8")


def package_imports() -> dict[Path, set[str]]:
    """The folder of each package, with the packages that it may import."""
    rows = re.findall(r"^\| `(alhambra\w*)` \| `(\w+)/` \| [^|]+ \| ([^|]+) \|$", page(), re.MULTILINE)
    return {ROOT / folder / name: {*re.findall(r"`(\w+)`", allowed)} for name, folder, allowed in rows}


def layers_of(server: str) -> tuple[str, ...]:
    """The layers of a server, from the bottom: a layer imports itself and those before it."""
    table = page().partition(f"\n| layer of the {server} | contents |\n|---|---|\n")[2].partition("\n\n")[0]
    return tuple(name.rstrip("/") for name in re.findall(r"^\| `([\w./]+)` \|", table, re.MULTILINE))


@dataclass(frozen=True)
class Package:
    """A package in layers."""

    path: Path
    layers: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.name

    def files(self) -> list[str]:
        """Its files as paths from the package, without those that only open a folder."""
        found = (path.relative_to(self.path) for path in self.path.rglob("*.py") if path.name != "__init__.py")
        return sorted(path.as_posix() for path in found)

    def layer(self, path: str) -> str:
        """The layer of a file, or of a module that is spelt like one."""
        first, slash, _ = path.partition("/")
        return first if slash else BOTTOM


PACKAGES = [
    Package(ROOT / "runtime" / "alhambra_runtime", (BOTTOM,)),
    Package(ROOT / "service" / "alhambra_service", layers_of("service")),
    Package(ROOT / "gateway" / "alhambra_gateway", layers_of("gateway")),
]
each_package = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)


def imports(file: Path) -> Iterator[tuple[int, str]]:
    """What a file imports at run time: the level of the import (0 if absolute), and the dotted name. Imports for types
    alone make nothing run, so they do not count."""
    tree = ast.parse(file.read_text("utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from ((0, entry.name) for entry in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = f"{node.module}." if node.module else ""
            yield from ((node.level, f"{start}{entry.name}") for entry in node.names)


def imported(package: Package, path: str) -> Iterator[str]:
    """What a file imports from its own package, as paths from the package."""
    here = [package.name, *path.split("/")[:-1]]
    for level, name in imports(package.path / path):
        dotted = ".".join([*here[: len(here) - level + 1], name]) if level else name
        if dotted.partition(".")[0] == package.name:
            yield _within(package, dotted)


def _within(package: Package, dotted: str) -> str:
    """`package.layer.file.name` as `layer/file/name`; a name in a file of the bottom layer as the file alone."""
    first, *rest = dotted.split(".")[1:] or [""]
    return f"{first}/{'/'.join(rest)}" if (package.path / first).is_dir() else first


def test_the_page_is_short() -> None:
    assert len(page().split()) <= MOST_WORDS


def test_the_page_lists_every_package_and_its_table_names_no_other() -> None:
    found = {init.parent for folder in ROOT.iterdir() for init in folder.glob("alhambra*/__init__.py")}
    assert set(package_imports()) == found
    assert set().union(*package_imports().values()) <= {path.name for path in found}


@pytest.mark.parametrize("path", package_imports(), ids=lambda path: path.name)
def test_a_package_imports_only_the_packages_that_the_page_allows(path: Path) -> None:
    allowed = {path.name, *package_imports()[path]}
    known = {package.name for package in package_imports()}
    foreign = {
        f"{file.relative_to(ROOT)} imports {name}"
        for file in path.rglob("*.py")
        for level, name in imports(file)
        if not level and (first := name.partition(".")[0]) in known and first not in allowed
    }
    assert foreign == set()


@each_package
def test_no_folder_holds_more_than_a_dozen_files(package: Package) -> None:
    folders: dict[str, int] = {}
    for path in package.files():
        folder = path.rpartition("/")[0]
        folders[folder] = folders.get(folder, 0) + 1
    assert {folder: files for folder, files in folders.items() if files > MOST_FILES} == {}


@each_package
def test_no_file_is_too_small_to_be_one(package: Package) -> None:
    lines = {path: len((package.path / path).read_text("utf-8").splitlines()) for path in package.files()}
    assert {path for path, count in lines.items() if count < FEWEST_LINES} == TABLE_FILES.get(package.name, set())


@each_package
def test_every_folder_is_a_layer_of_the_page_or_lies_in_one(package: Package) -> None:
    assert {package.layer(path) for path in package.files()} == set(package.layers)


@each_package
def test_layers_import_each_other_in_one_direction(package: Package) -> None:
    height = {layer: number for number, layer in enumerate(package.layers)}
    upwards = {
        f"{path} imports {other}"
        for path in package.files()
        for other in imported(package, path)
        if height[package.layer(other)] > height[package.layer(path)]
    }
    assert upwards == set()
