"""Tests of the library that are written for Node.js: each one is a test of pytest, too.

A file `NAME.test.mjs` holds them as `test("a fact", …)`. Each runs in a process of its own, with variables that say
where its server is.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.gateway.node import NODE

FOLDER = Path(__file__).parent
LIBRARY = FOLDER.parents[2] / "clients" / "typescript"
ADDRESS, CONTROL = "ALHAMBRA_ADDRESS", "ALHAMBRA_CONTROL"
"""The variables: the address of a server, and the address at which a test asks for faults."""
PATIENCE = 240.0
"""Enough for a whole game, or a server that starts again, on a busy machine."""
_NAME = re.compile(r'^test\("([^"]+)"', re.MULTILINE)


def every_test(file: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return the decorator for a test that is run once for each test in a file, with its name."""
    names = _NAME.findall((FOLDER / file).read_text("utf-8"))
    assert len(names) == len(set(names)) > 0
    return pytest.mark.parametrize("name", names, ids=[re.sub(r"\W+", "_", name) for name in names])


def run_test(file: str, name: str, variables: Mapping[str, str] | None = None) -> None:
    """Run one test of a file; fails with everything it said if it fails, or if there is no such test."""
    pattern = re.sub(r"[^\w ]", ".", name)
    words = [f"--test-name-pattern=^{pattern}$", "--test-reporter=tap", str(FOLDER / file)]
    said = run(words, FOLDER, variables)
    assert re.search(r"^# pass 1$", said, re.MULTILINE), said


def run(words: list[str], folder: Path, variables: Mapping[str, str] | None = None) -> str:
    """Return what a program of Node.js prints; fails with everything it said if it fails."""
    done = subprocess.run(
        [NODE, *words],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **(variables or {})},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout
