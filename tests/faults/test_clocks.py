"""The clock of a process can be set while it runs, and its monotonic clock goes on as before."""

import os
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .clocks import Clock, compiled

DAY = 86_400
PROGRAM = "import time\nwhile True:\n    input(); print(time.time(), time.monotonic(), flush=True)"


@pytest.mark.needs("cc")
def test_a_process_sees_its_clock_jump(tmp_path: Path) -> None:
    library = compiled(tmp_path)
    assert library is not None, "a C compiler is missing: scripts/system_packages.sh installs one"
    clock = Clock(tmp_path, library)
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **clock.variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        for ahead in (0, 2 * DAY, -DAY, 0):
            clock.set(ahead)
            assert process.stdin is not None
            assert process.stdout is not None
            print(file=process.stdin, flush=True)
            wall, steady = map(float, process.stdout.readline().split())
            assert abs(wall - ahead - time.time()) < DAY / 24
            assert abs(steady - time.monotonic()) < DAY / 24
    finally:
        process.kill()
        process.communicate()


def test_a_clock_goes_forward_from_where_it_is(tmp_path: Path) -> None:
    clock = Clock(tmp_path, None)
    clock.advance(DAY)
    clock.advance(5)
    assert struct.unpack("q", (tmp_path / "clock").read_bytes()) == (DAY + 5,)
