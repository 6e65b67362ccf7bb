"""How often somebody may call: so many calls a second on average, and a few seconds' worth of them at once.

Counted in each process by itself, in a bounded memory: where thousands of strangers call, the one that was quiet for
longest is forgotten first.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from . import limits


class Rates:
    """A bucket for each caller, filled by time and emptied by calls. Safe to share between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, size: int = limits.RATED_CALLERS) -> None:
        self._clock = clock
        self._size = size
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, who: str, per_second: float) -> float:
        """0 if the call may be made now, and it is counted; otherwise how many seconds to wait."""
        full = max(1.0, per_second * limits.BURST_SECONDS)
        now = self._clock()
        with self._lock:
            left, since = self._buckets.get(who, (full, now))
            left = min(full, left + (now - since) * per_second)
            allowed = left >= 1
            self._buckets[who] = (left - 1 if allowed else left, now)
            self._buckets.move_to_end(who)
            if len(self._buckets) > self._size:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) / per_second
