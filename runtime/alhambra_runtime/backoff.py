"""Back-off: pauses between attempts that grow while attempts keep failing.

backoff = Backoff()
while not connect():
    time.sleep(backoff.pause())
"""

from __future__ import annotations

FIRST_SECONDS = 0.2
LONGEST_SECONDS = 10.0
QUIET_SECONDS = 30.0


class Backoff:
    """The pauses of one thing that is tried again: each is twice as long as the one before, up to a limit."""

    def __init__(self, first: float = FIRST_SECONDS, longest: float = LONGEST_SECONDS) -> None:
        self._first = self._next = first
        self._longest = longest

    def pause(self, worked_seconds: float = 0.0) -> float:
        """Return how many seconds to wait before the next attempt. The first pause is returned again after an attempt
        that worked for more than QUIET_SECONDS before it failed."""
        if worked_seconds > QUIET_SECONDS:
            self.reset()
        pause = self._next
        self._next = min(2 * pause, self._longest)
        return pause

    def reset(self) -> None:
        """Return to the first pause, because an attempt succeeded."""
        self._next = self._first
