"""Set up a part of `.venv`, showing progress: `make` calls this before whatever needs the part.

    python3 scripts/environment.py build     what builds the wheel
    python3 scripts/environment.py run       the servers and the command line, and the project itself
    python3 scripts/environment.py test      what `make quick` and `make test` need as well
    python3 scripts/environment.py dev       everything: browser driver, generators, linters, load tests

Each part adds to those before it. All of them are pinned by hash; the locks of the smaller parts are made from
`requirements.lock` (`scripts/locks.py`), so no two of them name different versions. A part that is complete leaves a
file behind, written last: after an interruption the part is set up again, and an environment that does not work any
more is made anew.

Runs on a bare Python 3.11, before anything is installed: the standard library only.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCKS = {
    "build": ROOT / "locks" / "build.lock",
    "run": ROOT / "locks" / "run.lock",
    "test": ROOT / "locks" / "test.lock",
    "dev": ROOT / "requirements.lock",
}
"""By part. Each part contains those before it."""
EDITABLE = ("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
PACKAGES = tuple(str(ROOT / folder) for folder in ("rules", "proto", "runtime", "service", "gateway", "cli"))
"""What is compiled ahead, so that the first start is as quick as the next ones, also where Python is told to write no
compiled files."""
OLDEST = (3, 11)
LAST_LINES = 30
"""How much of pip's output is shown when it fails."""


class SetupFailed(Exception):
    """The environment could not be set up. The message says why, and what to do."""


class Progress:
    """One line that is overwritten on a terminal; elsewhere one line for each step."""

    def __init__(self) -> None:
        self._terminal = sys.stdout.isatty()
        self._began = time.monotonic()

    def step(self, text: str) -> None:
        """Say what is being done now."""
        print(text, flush=True) if not self._terminal else self._show(text)

    def detail(self, text: str) -> None:
        """Say how far it has come; on a terminal only."""
        if self._terminal:
            self._show(text)

    def end(self, text: str) -> None:
        """Say that it is done, and how long it took."""
        if self._terminal:
            self._show("")
        print(f"{text} ({time.monotonic() - self._began:.0f} s)", flush=True)

    @staticmethod
    def _show(text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{text[:width]:<{width}}\r", end="", flush=True)


def main() -> None:
    """Set up one part."""
    part = sys.argv[1] if len(sys.argv) == 2 else ""
    if part not in LOCKS:
        sys.exit(f"usage: {Path(__file__).name} {{{','.join(LOCKS)}}}")
    if sys.version_info < OLDEST:
        sys.exit("Python 3.11 or newer is needed: try  make PYTHON=python3.12 …")
    os.umask(0o022)
    try:
        set_up(part, Progress())
    except SetupFailed as fault:
        sys.exit(f"\n{fault}")
    except KeyboardInterrupt:
        sys.exit("\nInterrupted. The same command goes on with the set-up.")


def set_up(part: str, progress: Progress) -> None:
    """Install what is missing for this part and for those before it, which it contains."""
    parts = list(LOCKS)[: list(LOCKS).index(part) + 1]
    if all(_stamp(each) == _complete(each) for each in parts):
        return
    if not _works():
        progress.step("Creating .venv …")
        shutil.rmtree(VENV, ignore_errors=True)
        _run(
            [sys.executable, "-m", "venv", str(VENV)],
            "The environment cannot be created. On Debian and Ubuntu, install python3-venv.",
        )
    for each in parts:
        _stamp_file(each).unlink(missing_ok=True)
    _install(part, progress)
    if part != "build":
        progress.detail("Installing the project itself …")
        _run([*_pip(), "install", *EDITABLE], "The project cannot be installed.")
        _run([str(PYTHON), "-m", "compileall", "-q", "-j", "0", *PACKAGES], "The project does not compile.")
    for each in parts:
        _stamp_file(each).write_text(_complete(each), encoding="ascii")
    progress.end(f"Set up .venv with {_count(part)} pinned packages")


def _install(part: str, progress: Progress) -> None:
    """Install the packages of a lock, and count them while pip fetches them."""
    total = _count(part)
    progress.step(f"Installing {total} pinned packages …")
    command = [*_pip(), "install", "--require-hashes", "--requirement", str(LOCKS[part])]
    said: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        assert pip.stdout is not None
        seen = 0
        for line in pip.stdout:
            said.append(line)
            if found := re.match(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)==", line):
                seen += 1
                progress.detail(f"Fetching {seen} of {total}: {found[1]}")
            elif line.startswith("Installing collected packages"):
                progress.detail(f"Installing {line.count(',') + 1} packages …")
    if pip.returncode:
        raise SetupFailed("".join(said[-LAST_LINES:]) + "\nThe packages cannot be installed; pip says why above.")


def _pip() -> list[str]:
    return [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input"]


def _works() -> bool:
    """Return whether the environment is there and can install; an interrupted or moved one cannot."""
    if not PYTHON.exists():
        return False
    question = "import pip, sys; print(sys.prefix, sys.version_info[:2] >= (3, 11))"
    answer = subprocess.run([str(PYTHON), "-c", question], capture_output=True, text=True, check=False)
    return answer.returncode == 0 and answer.stdout.split() == [str(VENV), "True"]


def _run(command: list[str], fault: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SetupFailed("\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:]) + f"\n{fault}")


def _count(part: str) -> int:
    return len(re.findall(r"^[a-z0-9][\w.-]*==", LOCKS[part].read_text(encoding="utf-8"), re.MULTILINE))


# -- What is complete --------------------------------------------------------------------------------------------------


def _complete(part: str) -> str:
    """Return what the file of a complete part holds: a digest of its lock, of what the project declares, and of where
    the environment is, because it does not work elsewhere."""
    digest = hashlib.sha256(LOCKS[part].read_bytes() + str(VENV).encode())
    if part != "build":
        digest.update((ROOT / "pyproject.toml").read_bytes())
    return digest.hexdigest()


def _stamp_file(part: str) -> Path:
    return VENV / f".{part}"


def _stamp(part: str) -> str:
    try:
        return _stamp_file(part).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""


if __name__ == "__main__":
    main()
