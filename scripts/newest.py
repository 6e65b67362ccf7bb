"""Tests the servers with the newest releases of the packages whose versions are capped in `pyproject.toml`.

    python -m scripts.newest            install them into a temporary environment, run the tests, say what would break
    python -m scripts.newest TEST…      run these tests instead

`make newest` calls this. It installs the pinned packages of `locks/test.lock`; then the packages of NEWEST are
upgraded to their newest releases, without the bounds of `pyproject.toml`. `.venv` is not changed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("rules", "proto", "runtime", "service", "gateway", "cli", ".")
GRPC = ("grpcio", "grpcio-health-checking", "grpcio-reflection", "grpcio-status", "grpcio-tools")
NEWEST = (*GRPC, "protobuf", "gunicorn", "redis[hiredis]", "flask", "werkzeug")
TESTS = (
    "tests/gateway/test_grpc_parts.py",
    "tests/gateway/test_gunicorn_parts.py",
    "tests/gateway/test_json_messages.py",
    "tests/gateway/test_middleware.py",
    "tests/gateway/test_routes.py",
    "tests/gateway/test_streams.py",
    "tests/gateway/test_upstream.py",
    "tests/gateway/test_url_map.py",
    "tests/service/test_grpc_internals.py",
    "tests/service/test_server.py",
    "tests/service/store",
)
"""Tests of the code that depends on these packages: private parts of gRPC and gunicorn, URL map, store connections."""


def main() -> None:
    tests = sys.argv[1:] or [test for test in TESTS if (ROOT / test).exists()]
    with tempfile.TemporaryDirectory(prefix="alhambra-newest-") as folder:
        python = Path(folder) / "bin" / "python"
        print("Creating a temporary environment …", flush=True)
        venv.create(folder, with_pip=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet", "install"]
        subprocess.run([*pip, "--require-hashes", "--requirement", str(ROOT / "locks" / "test.lock")], check=True)
        before = versions(python)
        print(f"Installing the newest {', '.join(NEWEST)} …", flush=True)
        upgraded = subprocess.run([*pip, "--upgrade", "--upgrade-strategy", "eager", *NEWEST], check=False)
        if upgraded.returncode:
            sys.exit("The newest releases cannot be installed together; pip says why above.")
        after = versions(python)
        changed = {name: new for name, new in after.items() if before.get(name) != new}
        path = os.pathsep.join(str(ROOT / source) for source in SOURCES)
        words = [str(python), "-m", "pytest", "-q", "-n", "2", "--size=check", "-p", "no:cacheprovider", *tests]
        done = subprocess.run(
            words, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
        )
    report(before, changed, done)


def versions(python: Path) -> dict[str, str]:
    """The versions of all installed packages, by name."""
    listed = subprocess.run(
        [str(python), "-m", "pip", "list", "--format", "freeze"], check=True, capture_output=True, text=True
    )
    return dict(line.split("==", 1) for line in listed.stdout.splitlines() if "==" in line)


def report(before: dict[str, str], changed: dict[str, str], done: subprocess.CompletedProcess[str]) -> None:
    """Print which versions were tested and which tests failed; exit with the code of pytest."""
    for name, version in sorted(changed.items()):
        print(f"  {name} {before.get(name, '(not installed)')} → {version}")
    if not changed:
        print("  The pinned versions are the newest ones.")
    failed = re.findall(r"^(?:FAILED|ERROR) (.*)$", done.stdout, re.MULTILINE)
    if done.returncode == 0:
        print("Nothing breaks: all tests passed.")
    elif failed:
        print(f"With these versions {len(failed)} tests fail:")
        print("\n".join(f"  {line}" for line in failed))
    else:
        print(done.stdout[-4_000:] + done.stderr[-4_000:])
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
