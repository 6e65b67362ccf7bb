"""Sockets that send or read badly do not slow down the others. `python -m tests.gateway.attacks` has the full size."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import pytest

from .attacks.calls import Calls
from .attacks.horde import NAMES, horde
from .product import Product, Running, gateway
from .tables import RestGame

SOCKETS = 200
"""More than there are threads for plain calls, replaced ones included."""
CALLS = 40
RATIO = 8.0
"""Generous: other tests run on the same cores. An attack that succeeds stops all calls for seconds."""


@pytest.fixture(scope="module")
def front(product: Product) -> Iterator[Running]:
    """One process, behind a proxy on this machine."""
    with gateway(product.grpc, "--trusted-proxies", "127.0.0.1/32") as found:
        yield found


@pytest.mark.parametrize(
    ("name", "spread"), [*((name, False) for name in NAMES), ("dribbled_body", True), ("dribbled_chunks", True)]
)
def test_calls_are_answered_during_an_attack(front: Running, name: str, spread: bool) -> None:
    path = RestGame(front.client()).path
    quiet, loud = Calls(), Calls()
    quiet.make(front.http, path, CALLS)
    with horde(name, front.http, SOCKETS, spread=spread):
        loud.make(front.http, path, CALLS)
    assert loud.refused == 0
    assert loud.median < RATIO * quiet.p99
    assert median(loud.health) < RATIO * quiet.p99
