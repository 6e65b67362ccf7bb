"""Check that a version can be released, and say what was checked and what could not be.

python -m scripts.release               everything
python -m scripts.release --quick       only what needs no build: version, changelog, files, kept games
python -m scripts.release --build DIST  check nothing; build the packages and the list of what servers run with

Nothing is published or tagged. The exit status is 1 if something speaks against the release. What could not be checked,
such as an interpreter that this machine does not have, is listed at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
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
from tests.gateway.product import running

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""The versions of CPython that pyproject.toml names."""
PLAYERS = 2
"""Seats of the games of the client libraries."""
MINUTES = 60.0
BUILD, INSTALL = 10 * MINUTES, 15 * MINUTES
"""Time limits, in seconds."""
PYPI, NPM = "pypi", "npm"
"""The folders of the packages, by the registry that takes them."""
OVERLAYS = "deploy/kubernetes/overlays"
NAMES_THE_VERSION = {
    "deploy/compose.yaml": r"image: alhambra-\w+:(\S+)",
    "deploy/Dockerfile": r"--tag alhambra-\w+:(\S+)",
    f"{OVERLAYS}/production/kustomization.yaml": r"newTag: ([^}\s]+)",
    f"{OVERLAYS}/trial/kustomization.yaml": r"newTag: ([^}\s]+)",
    "docs/images/run.svg": r">Alhambra (\d[^<]*)<",
}
"""The files that name the version beside those of packages, and where it stands in them."""
DESCRIPTORS = "proto/alhambra_api/v1/descriptors.binpb"
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
            found = act()
            self.good.append(f"{name}: {found} ({time.monotonic() - began:.0f} s)")
            print(f"  {found}", flush=True)
        except Against as fault:
            self.against.append(f"{name}: {fault}")
            print("  speaks against the release; see below", flush=True)
        except Unknown as fault:
            self.unknown.append(f"{name}: {fault}")
            print("  could not be checked; see below", flush=True)

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


def client_versions(root: Path = ROOT) -> dict[str, str]:
    """The versions of the client libraries, by the file that holds it."""
    python, npm = "clients/python/alhambra_client/transport.py", "clients/typescript/package.json"
    named = re.search(r'^VERSION = "(.*)"$', (root / python).read_text(encoding="utf-8"), re.MULTILINE)
    return {python: named[1] if named else "none", npm: json.loads((root / npm).read_text(encoding="utf-8"))["version"]}


def version_is_one(root: Path = ROOT) -> str:
    """The version is a plain one, and that of the client libraries, of the images of deploy/ and of the picture of
    `make run`."""
    found = version(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", found):
        raise Against(f"{found} is not three numbers.")
    for path, pattern in NAMES_THE_VERSION.items():
        named = set(re.findall(pattern, (root / path).read_text(encoding="utf-8")))
        if named != {found}:
            raise Against(f"{path} names {', '.join(sorted(named)) or 'no version'}, not {found}.")
    for path, of_client in client_versions(root).items():
        if of_client != found:
            raise Against(f"{path} has the version {of_client}, not {found}.")
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


def contract_is_kept(root: Path = ROOT) -> str:
    """The contract of this version is kept for later ones, which are compared with it."""
    now, kept = root / DESCRIPTORS, root / f"proto/frozen/v1-{version(root)}.binpb"
    if not kept.exists() or kept.read_bytes() != now.read_bytes():
        raise Against(
            f"{kept.relative_to(root)} is not the present contract: run  cp {DESCRIPTORS} proto/frozen/{kept.name}"
        )
    return f"{kept.relative_to(root)}, {kept.stat().st_size // 1024} KB"


# -- The product -----------------------------------------------------------------------------------------------------


def built(folder: Path) -> str:
    """Build sdists and wheels of the project and of the Python client, and the package of the JavaScript client."""
    for source in (ROOT, ROOT / "clients/python"):
        _run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder / PYPI), str(source)], BUILD)
    _run([sys.executable, "-m", "scripts.typescript_client", "--pack", str(folder / NPM)], BUILD)
    found = sorted(path for registry in (PYPI, NPM) for path in (folder / registry).iterdir())
    return ", ".join(f"{path.name} ({path.stat().st_size // 1024} KB)" for path in found)


def listed(folder: Path) -> str:
    """List the packages that servers run with, in the format CycloneDX: from the lock, with its hashes."""
    folder.mkdir(exist_ok=True)
    words = ["--pyproject", "pyproject.toml", "--output-reproducible", "--output-file", str(folder / "sbom.cdx.json")]
    _run([sys.executable, "-m", "cyclonedx_py", "requirements", *words, "locks/run.lock"], BUILD)
    return f"{len(json.loads((folder / 'sbom.cdx.json').read_bytes())['components'])} packages"


def interpreter(minor: str) -> str:
    """A CPython of this version: on the path, of pyenv or uv, or unpacked from Debian; Unknown if there is none."""
    try:
        return _run([str(ROOT / "scripts/cpython.sh"), minor], INSTALL).strip()
    except Against as fault:
        raise Unknown(f"there is no CPython {minor}: {fault}") from None


def installed(product: Path, minor: str) -> str:
    """Install the wheel or the sdist into empty environments of an interpreter and play a game."""
    python = interpreter(minor)
    return _played(_run([str(ROOT / "scripts/check_wheel.sh"), str(product)], INSTALL, {"PYTHON": python}))


def client_installed(product: Path, minor: str, address: str, folder: Path) -> str:
    """Install wheel or sdist of the Python client into an empty environment and play a game against a server."""
    environment = folder / f"{product.suffix[1:]}-{minor}"
    _run([interpreter(minor), "-m", "venv", str(environment)], INSTALL)
    python = str(environment / "bin" / "python")
    _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(product)], INSTALL)
    script = shutil.copy(ROOT / "scripts/client_game.py", environment)  # beside nothing of the project
    return _played(_run([python, str(script), address], INSTALL, {"PYTHONPATH": ""}))


def npm_installed(package: Path, address: str, folder: Path) -> str:
    """Install the package of the JavaScript client into an empty folder and let its bot play against a server."""
    from tests.gateway import node

    (folder / "package.json").write_text('{"private": true, "type": "module"}\n', encoding="utf-8")
    words = ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", str(package)]
    _run([str(node.NODE), str(node.NPM), *words], INSTALL, folder=folder)
    script = shutil.copy(folder / "node_modules/alhambra-client/examples/node-bot.mjs", folder)
    told = _run([str(node.NODE), str(script), address], INSTALL, folder=folder).splitlines()
    if len(told) < PLAYERS:
        raise Against(f"the bot did not say who won, but {told}.")
    return f"{_run([str(node.NODE), '--version'], INSTALL).strip()}: a game, {told[0]}"


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


def _run(
    command: list[str], seconds: float, variables: Mapping[str, str] | None = None, folder: Path | None = None
) -> str:
    """Run a command and return what it prints; Against if it fails or takes too long."""
    environment = {**os.environ, **(variables or {})}
    name = Path(command[0]).name
    try:
        done = subprocess.run(
            command, cwd=folder or ROOT, env=environment, capture_output=True, text=True, timeout=seconds, check=False
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
    parser.add_argument("--build", type=Path, metavar="DIST", help="only build, into this folder")
    given = parser.parse_args()
    if given.build:
        print(f"{listed(given.build)} in the list, {built(given.build)}")
        return 0
    found = Findings()
    found.check("Version", version_is_one)
    found.check("Changelog", changelog_is_dated)
    found.check("Working tree", tree_is_clean)
    found.check("Games for later versions", games_are_kept)
    found.check("Contract for later versions", contract_is_kept)
    if not given.quick:
        with tempfile.TemporaryDirectory() as folder:
            _check_product(found, Path(folder))
    print("\n".join(found.lines()))
    return 1 if found.against else 0


def _check_product(found: Findings, folder: Path) -> None:
    dist = folder / "dist"
    found.check("Build", lambda: built(dist))
    found.check("List of packages", lambda: listed(dist))
    for product in sorted((dist / PYPI).glob("alhambra_rules-*")):
        kind = "Wheel" if product.suffix == ".whl" else "Sdist"
        for minor in PYTHONS:
            found.check(f"{kind} on CPython {minor}", partial(installed, product, minor))
    for wheel in (dist / PYPI).glob("alhambra_rules-*.whl"):
        found.check("Library on PyPy", partial(on_pypy, wheel, folder / "pypy"))
    with running() as server:
        _check_clients(found, dist, server.http, folder)


def _check_clients(found: Findings, dist: Path, address: str, folder: Path) -> None:
    for product in sorted((dist / PYPI).glob("alhambra_client-*")):
        kind = "wheel" if product.suffix == ".whl" else "sdist"
        for minor in PYTHONS:
            found.check(
                f"Python client, {kind} on CPython {minor}",
                partial(client_installed, product, minor, address, folder),
            )
    for package in (dist / NPM).glob("*.tgz"):
        (folder / "npm").mkdir()
        found.check("JavaScript client", partial(npm_installed, package, address, folder / "npm"))


if __name__ == "__main__":
    sys.exit(main())
