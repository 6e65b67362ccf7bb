"""Everything that must hold before a change is taken: `make check`, which `.ci/run` calls.

All steps are run, also after one that failed; the end says how each of them went. The exit code is 1 if a step failed,
and INCOMPLETE if nothing failed but some tests could not be run on this machine: the tests name them.

python -m scripts.check WORKERS
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests.sizes import INCOMPLETE

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Run the steps and exit with what they came to."""
    workers = sys.argv[1] if len(sys.argv) > 1 else "2"
    tests = ("-m", "pytest", "-n", workers, "--dist", "worksteal", "--size=check")
    steps = {
        "Tests": (sys.executable, *tests),
        "Style, format and types": ("make", "--no-print-directory", "lint"),
        "Wheel in empty environments": ("scripts/check_wheel.sh",),
    }
    results = []
    for name, command in steps.items():
        print(f"\n=== {name} ===", flush=True)
        began = time.monotonic()
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
        word = {0: "passed", INCOMPLETE: "passed, but not everything could be run (see NOT RUN above)"}
        results.append((name, code, word.get(code, f"FAILED with exit code {code}"), time.monotonic() - began))
    print("\n=== make check ===")
    for name, _, said, seconds in results:
        print(f"{name:28} {seconds:6.0f} s  {said}")
    codes = {code for _, code, _, _ in results}
    sys.exit(0 if codes == {0} else INCOMPLETE if codes <= {0, INCOMPLETE} else 1)


if __name__ == "__main__":
    main()
