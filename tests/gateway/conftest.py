"""A client over HTTP of the product that all tests share: a real service, a real gateway."""

from collections.abc import Iterator

import pytest

from .http import Client
from .product import Product


@pytest.fixture
def client(product: Product) -> Iterator[Client]:
    """A client without a token, with a connection of its own."""
    with Client(product.http) as found:
        yield found
