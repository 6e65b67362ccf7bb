"""Plain calls and questions for health, with the time that each takes."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from ..http import Client

HEALTH = ("/healthz", "/readyz")
FRESH_EACH = 5
"""Every fifth call opens a connection of its own."""


@dataclass
class Calls:
    """How long calls took, in seconds."""

    seconds: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    refused: int = 0

    def make(self, base: str, path: str, count: int) -> None:
        """Makes plain calls, and asks for health now and then."""
        with Client(base) as client:
            for number in range(count):
                fresh = number % FRESH_EACH == 0
                with Client(base) as other:
                    self.seconds.append(self._time(other if fresh else client, path))
                    if fresh:
                        self.health += [self._time(other, each) for each in HEALTH]

    def _time(self, client: Client, path: str) -> float:
        began = time.perf_counter()
        self.refused += client.get(path).status != 200
        return time.perf_counter() - began

    @property
    def median(self) -> float:
        return sorted(self.seconds)[len(self.seconds) // 2]

    @property
    def p99(self) -> float:
        return sorted(self.seconds)[int(0.99 * len(self.seconds))]
