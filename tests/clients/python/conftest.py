"""One server for all tests of the client library that need no settings of their own."""

from collections.abc import Iterator

import pytest

from alhambra_client import Client
from tests.gateway.product import Product, running


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    """Service and gateway, one worker each; each test uses games of its own."""
    with running("--workers", "1") as found:
        yield found


@pytest.fixture
def client(product: Product) -> Iterator[Client]:
    with Client(product.http, language="en") as found:
        yield found
