"""Wall clocks of single processes that can be set while they run, by a small preloaded library (`clock.c`)."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")
COMPILER = "cc"


class Clock:
    """The clock of one process and its children."""

    def __init__(self, folder: Path, library: Path | None) -> None:
        self._file = folder / "clock"
        self._library = library
        self._ahead = 0
        self.set(0)

    def set(self, ahead: int) -> None:
        """Let the clock be so many seconds ahead of the true time, or behind it."""
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("q", ahead))
        self._ahead = ahead

    def advance(self, seconds: int) -> None:
        """Set the clock forward, from where it is."""
        self.set(self._ahead + seconds)

    @property
    def variables(self) -> Mapping[str, str]:
        """What a process must have in its environment to see this clock."""
        if self._library is None:
            return {}
        return {"LD_PRELOAD": str(self._library), "FAULTS_CLOCK": str(self._file)}


def available() -> bool:
    """Return whether clocks can be set here: on Linux with a C compiler."""
    return sys.platform == "linux" and shutil.which(COMPILER) is not None


def compiled(folder: Path) -> Path | None:
    """Compile the library into a folder; None if that is not possible here."""
    if not available():
        return None
    library = folder / "clock.so"
    subprocess.run([COMPILER, "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return library
