"""Notices about many games, whatever the network and the server do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gateway.product import Product

from .control import Control
from .node_tests import ADDRESS, CONTROL, every_test, run_test

FILE = "notices.test.mjs"


@pytest.fixture
def control(product: Product, tmp_path: Path) -> Iterator[Control]:
    found = Control(product.http, tmp_path / "data")
    yield found
    found.close()


@every_test(FILE)
def test_notices(name: str, control: Control) -> None:
    run_test(FILE, name, {ADDRESS: control.proxy.http, CONTROL: control.http})
