"""Everything that must hold before a change is taken: `make check`, which `.ci/run` calls.

All steps are run, also after one that failed; the end says how each of them went. The exit code is 1 if a step failed,
and INCOMPLETE if nothing failed but some tests could not be run on this machine: the tests name them.

A test that fails among others is repeated alone. One that then passes twice is unsteady: the end names it, and it has
to be mended, but it does not hold up a change that it says nothing about.

python -m scripts.check WORKERS
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.sizes import INCOMPLETE, missing_programs

ROOT = Path(__file__).resolve().parents[1]
FAILED = 1
"""The exit code of a run with failed tests."""
MOST_REPEATED = 3
"""With more failures than this, chance is no likely reason, and nothing is repeated."""
REPETITIONS = 2


def main() -> None:
    """Run the steps and exit with what they came to."""
    workers = sys.argv[1] if len(sys.argv) > 1 else "2"
    results: list[tuple[str, int, str, float]] = []

    def step(name: str, *command: str) -> None:
        print(f"\n=== {name} ===", flush=True)
        began = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        add(name, code, "", began)

    def add(name: str, code: int, remark: str, began: float) -> None:
        said = {0: "passed", INCOMPLETE: "passed, but not everything could be run (see NOT RUN above)"}
        word = said.get(code, f"FAILED with exit code {code}")
        results.append((name, code, word + remark, time.monotonic() - began))

    print("\n=== Tests ===", flush=True)
    began = time.monotonic()
    code, unsteady = run_tests(ROOT, "--size=check", parallel=("-n", workers, "--dist", "worksteal"))
    add("Tests", code, "".join(f"\n    UNSTEADY: {test}" for test in unsteady), began)
    step("Style, format and types", "make", "--no-print-directory", "lint")
    step("Wheel in empty environments", "scripts/check_wheel.sh")

    print("\n=== make check ===")
    for name, _, said, seconds in results:
        print(f"{name:28} {seconds:6.0f} s  {said}")
    codes = {code for _, code, _, _ in results}
    sys.exit(0 if codes == {0} else INCOMPLETE if codes <= {0, INCOMPLETE} else 1)


def run_tests(folder: Path, *options: str, parallel: Sequence[str] = ()) -> tuple[int, list[str]]:
    """Run the tests of a folder, and repeat alone what failed, if that is little. Returns the exit code, and the tests
    that failed and then passed each time."""
    pytest = (sys.executable, "-m", "pytest", *options)
    with TemporaryDirectory() as cache:
        kept = ("-o", f"cache_dir={cache}")
        code = subprocess.run((*pytest, *parallel, *kept), cwd=folder, check=False).returncode
        failures = Path(cache) / "v/cache/lastfailed"
        failed = list(json.loads(failures.read_text(encoding="utf-8"))) if failures.exists() else []
    if code != FAILED or not 0 < len(failed) <= MOST_REPEATED:
        return code, []
    for _ in range(REPETITIONS):
        print(f"\n=== Repeated alone: {', '.join(failed)} ===", flush=True)
        if subprocess.run((*pytest, *failed), cwd=folder, check=False).returncode:
            return FAILED, []
    return INCOMPLETE if missing_programs() else 0, failed


if __name__ == "__main__":
    main()
