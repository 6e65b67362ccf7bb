"""Nothing is lost and nothing is done twice, whatever the network and the server do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from alhambra_service.store import EmbeddedStore
from tests.gateway.product import Product
from tests.service.watchers import Place

from .control import Control
from .node_tests import ADDRESS, CONTROL, every_test, run_test

FILE = "faults.test.mjs"
LOST_MOVES = "has lost"
"""Tests with these words in their names need a store that can lose moves."""


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place | None]:
    """A service whose store can lose moves, for the tests that need it."""
    if LOST_MOVES not in request.getfixturevalue("name"):
        yield None
        return
    with EmbeddedStore(tmp_path / "store", fsync="always") as store:
        found = Place(store.url)
        yield found
        found.stop()


@pytest.fixture
def control(product: Product, place: Place | None, tmp_path: Path) -> Iterator[Control]:
    found = Control(product.http, tmp_path / "data", place)
    yield found
    found.close()


@every_test(FILE)
def test_faults(name: str, control: Control) -> None:
    run_test(FILE, name, {ADDRESS: control.proxy.http, CONTROL: control.http})
