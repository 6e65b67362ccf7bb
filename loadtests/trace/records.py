"""Records of calls: one line of JSON for each call and process, in a folder that all processes of a run share.

All times are those of the monotonic clock, which the processes of a machine share. Records are written twice a second,
because processes of the product end without exit handlers.
"""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

FOLDER_VARIABLE = "ALHAMBRA_LOADTEST_TRACE"
"""The environment variable that names the folder. Without it, nothing is recorded."""
WRITE_SECONDS = 0.5
_NANO = 1e-9
_SCHEDSTAT = Path("/proc/thread-self/schedstat")
"""Of the calling thread: nanoseconds on a core, nanoseconds of waiting for one, and how often it ran."""


class Recorder:
    """Collects the records of this process and writes them from its own thread, which starts with the first record: a
    process that forks before has none."""

    def __init__(self, role: str) -> None:
        self._role = role
        self._records: list[dict[str, Any]] = []
        self._started = 0
        """The process that writes."""

    def add(self, **record: Any) -> None:
        """Record a call."""
        self._records.append(record)
        if self._started != os.getpid():
            self._started = os.getpid()
            threading.Thread(target=self._write_regularly, name="trace", daemon=True).start()

    def _write_regularly(self) -> None:
        path = Path(os.environ[FOLDER_VARIABLE], f"{self._role}.{os.getpid()}.jsonl")
        while True:
            time.sleep(WRITE_SECONDS)
            records, self._records = self._records, []
            if records:
                with path.open("a", encoding="utf-8") as lines:
                    lines.writelines(f"{json.dumps(record)}\n" for record in records)


class Spent:
    """What the calling thread has used since this object was made."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self._cpu, self._waited = time.thread_time(), waited_for_core()

    def so_far(self, prefix: str = "") -> dict[str, float]:
        """Return when it began and ended, its CPU time, and how long it was ready to run and had no core. Both lie
        between the first and the last look at the clock, so that they are not longer than the time between them."""
        waited, cpu = waited_for_core() - self._waited, time.thread_time() - self._cpu
        return {
            f"{prefix}began": self.began,
            f"{prefix}ended": time.monotonic(),
            f"{prefix}cpu": cpu,
            f"{prefix}core_wait": waited,
        }


def waited_for_core() -> float:
    """Return the seconds that the calling thread was ready to run while other threads had the cores; 0 if the system
    does not count them."""
    try:
        return int(_SCHEDSTAT.read_bytes().split()[1]) * _NANO
    except (OSError, IndexError):
        return 0.0
