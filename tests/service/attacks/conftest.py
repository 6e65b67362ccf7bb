"""A whole service in this process, and good callers of each of its pools."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import grpc
import pytest

from alhambra_service import limits
from alhambra_service.config import Settings
from alhambra_service.process.service import Service
from alhambra_service.rpc.pending_calls import PendingCalls
from alhambra_service.store import EmbeddedStore

from ..store.servers import PATIENCE
from .installation import Callers

SECONDS = 0.5
SLOWER = 10.0
"""How much slower a call may become: generous, the tests of others run on the same cores."""
NOISE_SECONDS = 0.05
TRIES = 6


class Attacked:
    """A service under attack."""

    def __init__(self, service: Service, port: int) -> None:
        self._server = service._server
        self.port = port
        self.callers = Callers(self.channel, connections=2)
        self._without = self._felt()

    @property
    def pending(self) -> PendingCalls:
        """Where its calls wait for their messages."""
        return self._server.pending

    def channel(self) -> grpc.Channel:
        """A connection of its own."""
        return grpc.insecure_channel(f"127.0.0.1:{self.port}", [("grpc.use_local_subchannel_pool", 1)])

    def answers_as_before(self) -> bool:
        """Whether calls of every pool are answered, about as fast as before the attack. An attack that works slows all
        calls down as long as it lasts; other tests on the same cores, for a moment."""
        return any(self._as_fast_as_before() for _ in range(TRIES))

    def _as_fast_as_before(self) -> bool:
        felt = self._felt()
        return all(felt[pool] <= SLOWER * usual + NOISE_SECONDS for pool, usual in self._without.items())

    def _felt(self) -> dict[str, float]:
        return {pool: median(times) for pool, times in self.callers.took(SECONDS).items()}


@pytest.fixture
def attacked(embedded: EmbeddedStore, monkeypatch: pytest.MonkeyPatch) -> Iterator[Attacked]:
    """A service as an operator starts it, which ends no call for its silence before a test is ready for that."""
    monkeypatch.setattr(limits, "MESSAGE_SECONDS", PATIENCE)
    settings = Settings(listen="127.0.0.1:0", reflection=True, durability="always")
    service = Service(settings, embedded.url)
    here = Attacked(service, service.start())
    yield here
    here.callers.close()
    service.stop(0.0, 0.2)
