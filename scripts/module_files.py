"""The source files of each module: one file `modules/key.py`, or the folder `modules/key/` with a file per idea.

The documentation and the laws of the tests read modules from here, so that both know the same files.
"""

from __future__ import annotations

from pathlib import Path

MODULES = Path(__file__).resolve().parents[1] / "rules" / "alhambra" / "modules"


def key_of(path: Path) -> str:
    """The key of the module that a file belongs to; empty if the file belongs to no module."""
    if not path.is_relative_to(MODULES):
        return ""
    key = path.relative_to(MODULES).parts[0].removesuffix(".py")
    return "" if key.startswith("_") else key


def module_files() -> dict[str, list[Path]]:
    """By key of a module of this library, in alphabetical order: its files. The first one holds its record."""
    found: dict[str, list[Path]] = {}
    # Sorted as text, `modules/key/__init__.py` comes before the files beside it.
    for path in sorted(MODULES.rglob("*.py"), key=lambda path: (key_of(path), path.as_posix())):
        if key_of(path):
            found.setdefault(key_of(path), []).append(path)
    return found
