"""The process of an attack: it says `ready` when the attack goes on, and ends when its input does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE = 60.0


@contextmanager
def attacking(module: str, words: Sequence[str], report: Callable[[str], object] = str) -> Iterator[str]:
    """Run a module with these arguments while the block runs. Yield what it says behind `ready`. `report` gets the line
    that it says at its end."""
    command = [sys.executable, "-m", module, *words]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            ready, _, more = process.stdout.readline().partition(" ")
            assert ready.strip() == "ready"
            yield more.strip()
        finally:
            process.stdin.close()
            report(process.stdout.readline())
            process.wait(PATIENCE)
