"""The servers and their runtime are kept in rooms: folders of a dozen files that import each other in one direction.

`docs/architecture.md` has a section for each package here, with a table for each room. The section is a promise: a
newcomer finds every file in it, and no file that is gone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
MOST_FILES = 12
FEWEST_LINES = 30
GROUND = ""
"""The files beside the rooms: every room may import them."""


@dataclass(frozen=True)
class Package:
    """A package in rooms."""

    folder: str
    section: str
    """Its heading in `docs/architecture.md`."""
    rooms: tuple[str, ...]
    """From the ground up: a room imports itself and those before it."""
    tables: frozenset[str] = frozenset()
    """Files that may be short, because they are tables."""

    @property
    def path(self) -> Path:
        return ROOT / self.folder

    @property
    def name(self) -> str:
        return self.path.name

    def files(self) -> list[str]:
        """Its files as paths from the package, without those that only open a folder."""
        found = (path.relative_to(self.path) for path in self.path.rglob("*.py") if path.name != "__init__.py")
        return sorted(path.as_posix() for path in found)

    def room(self, path: str) -> str:
        """The room of a file, or of a module that is spelt like one."""
        first, slash, _ = path.partition("/")
        return first if slash else GROUND


PACKAGES = [
    Package("runtime/alhambra_runtime", "Inside the runtime", (GROUND,)),
    Package(
        "service/alhambra_service",
        "Inside the service",
        (GROUND, "store", "messages", "boards", "auth", "events", "games", "streams", "rpc", "process"),
    ),
    Package(
        "gateway/alhambra_gateway",
        "Inside the gateway",
        (
            GROUND,
            *("json_messages", "refusals", "connections", "routing", "upstream", "streams", "middleware"),
            *("openapi", "pages", "process"),
        ),
        frozenset({"environ_keys.py"}),
    ),
]
each_package = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)


def section(package: Package) -> str:
    """What the page says about a package."""
    found = PAGE.read_text("utf-8").partition(f"\n### {package.section}\n")[2]
    return re.split(r"^##?#? ", found, maxsplit=1, flags=re.MULTILINE)[0]


def imported(package: Package, path: str) -> Iterator[str]:
    """What a file imports from its own package at run time, as paths from the package. Imports for types alone make
    nothing run, so they do not count."""
    tree = ast.parse((package.path / path).read_text("utf-8"))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    here = [package.name, *path.split("/")[:-1]]
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (_within(package, entry.name) for entry in node.names if entry.name.startswith(package.name))
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module.partition(".")[0] == package.name:
                yield from (_within(package, f"{module}.{entry.name}") for entry in node.names)


def _within(package: Package, dotted: str) -> str:
    """`package.room.file.name` as `room/file/name`; a name of a file of the ground floor as the file alone."""
    first, *rest = dotted.split(".")[1:] or [""]
    return f"{first}/{'/'.join(rest)}" if (package.path / first).is_dir() else first


@each_package
def test_the_page_names_every_file_and_no_other(package: Package) -> None:
    named = re.findall(r"^\| `([\w/]+\.py)` \| \S", section(package), re.MULTILINE)
    assert sorted(named) == package.files()


@each_package
def test_the_page_shows_the_rooms_from_the_ground_up_with_their_files(package: Package) -> None:
    heading, order, strangers = "", [], []
    for line in section(package).splitlines():
        if line.startswith("#### "):
            heading = line.removeprefix("#### ").strip("`") if "`" in line else ""
            order.append(package.room(heading))
        elif (row := re.match(r"\| `([\w/]+\.py)`", line)) and row[1].rpartition("/")[0] != heading.rstrip("/"):
            strangers.append(row[1])
    assert list(dict.fromkeys(order)) == list(package.rooms)
    assert strangers == []


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
    assert {path for path, count in lines.items() if count < FEWEST_LINES} == package.tables


@each_package
def test_every_folder_is_a_room_or_lies_in_one(package: Package) -> None:
    assert {package.room(path) for path in package.files()} == set(package.rooms)


@each_package
def test_layers_import_each_other_in_one_direction(package: Package) -> None:
    height = {room: number for number, room in enumerate(package.rooms)}
    upwards = {
        f"{path} imports {other}"
        for path in package.files()
        for other in imported(package, path)
        if height[package.room(other)] > height[package.room(path)]
    }
    assert upwards == set()
