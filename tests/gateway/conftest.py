"""One product for all tests of the gateway that need no settings of their own: a real service, a real gateway, HTTP."""

from collections.abc import Iterator

import pytest

from .http import Client
from .product import Product, running


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    """Service and gateway, one worker each; each test uses games of its own."""
    with running("--workers", "1") as found:
        yield found


@pytest.fixture
def client(product: Product) -> Iterator[Client]:
    """A client without a token, with a connection of its own."""
    with Client(product.http) as found:
        yield found
