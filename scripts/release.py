"""Check that a version can be released, and say what was checked and what could not be.

python -m scripts.release               everything
python -m scripts.release --quick       only what needs no build: version, changelog, files, kept games

Nothing is published or tagged. The exit status is 1 if something speaks against the release. What could not be checked,
such as an interpreter that this machine does not have, is listed at the end.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.compat.corpus import archive, read_corpus

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
"""The versions of CPython that pyproject.toml names."""
PLACES = (".pyenv/versions/{}*/bin/python", ".local/share/uv/python/cpython-{}*/bin/python")
"""Where an interpreter may be that the path does not lead to: patterns below the home folder."""
MINUTES = 60.0
BUILD, INSTALL = 10 * MINUTES, 15 * MINUTES
"""Time limits, in seconds."""
DATED = r"^## \[{}\] - \d{{4}}-\d\d-\d\d$"


class Against(Exception):
    """Something speaks against the release. The message is a sentence."""


class Unknown(Exception):
    """Something cannot be checked on this machine. The message says why."""


@dataclass
class Findings:
    """What was checked, what speaks against the release, what could not be checked: one sentence each."""

    good: list[str] = field(default_factory=list)
    against: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def check(self, name: str, act: Callable[[], str]) -> None:
        """Make one check; it returns what it found, or raises."""
        began = time.monotonic()
        print(f"{name} …", flush=True)
        try:
            self.good.append(f"{name}: {act()} ({time.monotonic() - began:.0f} s)")
        except Against as fault:
            self.against.append(f"{name}: {fault}")
        except Unknown as fault:
            self.unknown.append(f"{name}: {fault}")

    def lines(self) -> Iterator[str]:
        """The report."""
        for heading, found in (
            ("Checked", self.good),
            ("Could not be checked", self.unknown),
            ("Speaks against the release", self.against),
        ):
            if found:
                yield from ("", f"{heading}:", *(f"  {line}" for line in found))


# -- The files -----------------------------------------------------------------------------------------------------


def version(root: Path = ROOT) -> str:
    """The version of the project."""
    found: str = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return found


def version_is_one(root: Path = ROOT) -> str:
    """The version is a plain one, and the images of deploy/ have it as their tag."""
    found = version(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", found):
        raise Against(f"{found} is not three numbers.")
    tags = set(re.findall(r"image: alhambra-\w+:(\S+)", (root / "deploy/compose.yaml").read_text(encoding="utf-8")))
    if tags != {found}:
        raise Against(f"deploy/compose.yaml names images of {', '.join(sorted(tags)) or 'no version'}, not {found}.")
    return found


def changelog_is_dated(root: Path = ROOT) -> str:
    """The changelog has a section for the version, with a date, and nothing is left under Unreleased."""
    text, found = (root / "CHANGELOG.md").read_text(encoding="utf-8"), version(root)
    if not re.search(DATED.format(re.escape(found)), text, re.MULTILINE):
        raise Against(f"CHANGELOG.md has no section '## [{found}] - YYYY-MM-DD'.")
    unreleased = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if unreleased and unreleased[1].strip():
        raise Against("CHANGELOG.md still lists something under [Unreleased].")
    return f"section {found} with a date"


def tree_is_clean(root: Path = ROOT) -> str:
    """Everything is committed, and the version was not tagged before."""
    changed = _git(root, "status", "--porcelain")
    if changed:
        raise Against(f"{len(changed.splitlines())} files are not committed, such as {changed.splitlines()[0][3:]}.")
    tag = f"v{version(root)}"
    if _git(root, "tag", "--list", tag):
        raise Against(f"The tag {tag} exists already.")
    return _git(root, "rev-parse", "--short", "HEAD")


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unknown(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.rstrip()


def games_are_kept(root: Path = ROOT) -> str:
    """Stored games of this version are kept for later ones."""
    path = archive(version(root), root / "tests/compat/games")
    if not path.exists():
        raise Against(f"{path.relative_to(root)} is missing: run  make compat")
    return f"{sum(1 for _ in read_corpus(path))} files in {path.relative_to(root)}, {path.stat().st_size // 1024} KB"


# -- The product -----------------------------------------------------------------------------------------------------


def built(folder: Path) -> str:
    """Build the sdist, and the wheel from it."""
    _run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder)], BUILD)
    return ", ".join(f"{path.name} ({path.stat().st_size // 1024} KB)" for path in sorted(folder.iterdir()))


def interpreter(minor: str) -> str:
    """A CPython of this version, on the path or in one of the places; Unknown if there is none."""
    found = (str(path) for place in PLACES for path in sorted(Path.home().glob(place.format(minor))))
    wanted = f"import sys; sys.exit(sys.implementation.name != 'cpython' or sys.version_info[:2] != {_pair(minor)})"
    for path in (f"python{minor}", *found):
        try:
            if not subprocess.run([path, "-c", wanted], capture_output=True, timeout=MINUTES, check=False).returncode:
                return path
        except OSError:
            continue
    raise Unknown(f"no CPython {minor} is on the path or of pyenv or uv.")


def _pair(minor: str) -> tuple[int, ...]:
    return tuple(map(int, minor.split(".")))


def installed(product: Path, minor: str) -> str:
    """Install the wheel or the sdist into empty environments of an interpreter and play a game."""
    python = interpreter(minor)
    return _played(_run([str(ROOT / "scripts/check_wheel.sh"), str(product)], INSTALL, {"PYTHON": python}))


def on_pypy(wheel: Path, folder: Path) -> str:
    """Play with the library of the wheel under PyPy. It needs nothing but its files."""
    try:
        pypy = _run([str(ROOT / "scripts/pypy.sh")], INSTALL).strip().splitlines()[-1]
    except Against as fault:
        raise Unknown(f"there is no PyPy: {fault}") from None
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    return _played(_run([pypy, str(ROOT / "scripts/short_game.py")], INSTALL, {"PYTHONPATH": str(folder)}))


def _played(output: str) -> str:
    """The line in which `short_game.py` says what it played."""
    return next(line.strip() for line in output.splitlines() if ": a game of" in line)


def _run(command: list[str], seconds: float, variables: Mapping[str, str] | None = None) -> str:
    """Run a command and return what it prints; Against if it fails or takes too long."""
    environment = {**os.environ, **(variables or {})}
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise Against(f"{name} took more than {seconds:.0f} s.") from None
    if done.returncode:
        raise Against(f"{name} failed: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout


def main() -> int:
    """Make all checks and print the report; 1 if something speaks against the release."""
    parser = argparse.ArgumentParser(description="Check that this version can be released.")
    parser.add_argument("--quick", action="store_true", help="build and install nothing")
    given = parser.parse_args()
    found = Findings()
    found.check("Version", version_is_one)
    found.check("Changelog", changelog_is_dated)
    found.check("Working tree", tree_is_clean)
    found.check("Games for later versions", games_are_kept)
    if not given.quick:
        with tempfile.TemporaryDirectory() as folder:
            _check_product(found, Path(folder))
    print("\n".join(found.lines()))
    return 1 if found.against else 0


def _check_product(found: Findings, folder: Path) -> None:
    dist = folder / "dist"
    found.check("Build", lambda: built(dist))
    for product in sorted(dist.glob("alhambra_rules-*")):
        kind = "Wheel" if product.suffix == ".whl" else "Sdist"
        for minor in PYTHONS:
            found.check(f"{kind} on CPython {minor}", partial(installed, product, minor))
    for wheel in dist.glob("*.whl"):
        found.check("Library on PyPy", partial(on_pypy, wheel, folder / "pypy"))


if __name__ == "__main__":
    sys.exit(main())
