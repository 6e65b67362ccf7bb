"""Notices a game that does not come back from a move.

A move that loops inside the engine never returns, so a count of moves cannot see it. A timer of the process's own CPU
time can: it does not run while the machine does something else.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

MOVE_SECONDS = 10.0
"""CPU time for one action with its checks. The slowest, an undo that replays thousands of moves, takes about two."""


class NotEnded(AssertionError):
    """A game goes on for ever, or does not come back from a move."""


class Patience:
    """Raises NotEnded in the middle of whatever runs for too long after `renew`: for more than `seconds` of CPU time,
    MOVE_SECONDS if not given. Does nothing outside of the main thread and where the system has no such timer."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = MOVE_SECONDS if seconds is None else seconds
        self._armed = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self._before: Any = None

    def __enter__(self) -> Patience:
        if self._armed:
            self._before = signal.signal(signal.SIGPROF, self._lose)
            self.renew()
        return self

    def renew(self) -> None:
        """Start counting anew."""
        if self._armed:
            signal.setitimer(signal.ITIMER_PROF, self.seconds)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._armed:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, self._before)

    def _lose(self, _signal: int, _frame: FrameType | None) -> None:
        raise NotEnded(f"a move did not come back within {self.seconds:g} seconds of CPU time")
