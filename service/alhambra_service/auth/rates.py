"""Rate limits of callers: an average per second, and the calls of BURST_SECONDS at once.

The cost of a call is in `CALL_COSTS`; most cost 1. It is charged before the call begins. When the call has ended, its
CPU time is charged too, if it used more than CALL_CPU_SECONDS for each 1 that it paid; the caller then waits until the
debt is paid off. So the rate limits calls and CPU time.

Each process counts for itself and remembers RATED_CALLERS callers; the one whose last call is oldest is forgotten
first.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

from .. import limits


class Rates:
    """A bucket for each caller, filled by time and emptied by calls. Threads may share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, size: int = limits.RATED_CALLERS) -> None:
        self._clock = clock
        self._size = size
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, who: str, per_second: float, cost: float = 1.0) -> float:
        """Return 0 if the call may be made now, and take its cost; otherwise return how many seconds to wait."""
        with self._lock:
            left, full = self._left(who, per_second)
            needed = min(cost, full)  # a full bucket is enough for any call
            allowed = left >= needed
            self._keep(who, left - cost if allowed else left)
        return 0.0 if allowed else (needed - left) / per_second

    def charge(self, who: str, per_second: float, cost: float) -> None:
        """Charge the rest of the cost of a call. The bucket may go below empty, by at most DEBT_SECONDS."""
        with self._lock:
            left, _ = self._left(who, per_second)
            self._keep(who, max(left - cost, -per_second * limits.DEBT_SECONDS))

    @staticmethod
    def most(per_second: float) -> float:
        """Return how many calls a caller may make at once, within BURST_SECONDS."""
        return max(1.0, per_second * limits.BURST_SECONDS)

    def _left(self, who: str, per_second: float) -> tuple[float, float]:
        """Return what is in a bucket now, and its capacity."""
        full = self.most(per_second)
        now = self._now = self._clock()
        left, since = self._buckets.get(who, (full, now))
        return min(full, left + (now - since) * per_second), full

    def _keep(self, who: str, left: float) -> None:
        self._buckets[who] = (left, self._now)
        self._buckets.move_to_end(who)
        if len(self._buckets) > self._size:
            self._buckets.popitem(last=False)


@lru_cache(limits.RATED_CALLERS)
def network_of(address: str) -> str:
    """Return the text by which an address is counted: IPv4 addresses, also if they are written as IPv6, by themselves;
    IPv6 addresses by their network (IPV6_PREFIX); other texts, such as "local", by themselves."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Network((found, limits.IPV6_PREFIX), strict=False))
    return str(found)
