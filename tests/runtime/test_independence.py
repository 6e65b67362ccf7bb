"""Every package may import the runtime, so it imports none of them, and nothing that a plain installation lacks."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import alhambra_runtime

FILES = sorted(Path(alhambra_runtime.__file__).parent.glob("*.py"))
LATE = {"prometheus_client"}
"""Imported when it is used."""


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {entry.name.partition(".")[0] for entry in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_kit_imports_the_standard_library_and_itself(path: Path) -> None:
    assert imported(path) - sys.stdlib_module_names <= LATE


def test_importing_the_kit_imports_no_other_package() -> None:
    code = f"import sys; sys.path.insert(0, {str(FILES[0].parents[1])!r})\n"
    code += "\n".join(f"import alhambra_runtime.{path.stem}" for path in FILES if path.stem != "__init__")
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, timeout=60)
