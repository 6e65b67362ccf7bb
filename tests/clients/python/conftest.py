"""A client of the product that all tests share."""

from collections.abc import Iterator

import pytest

from alhambra_client import Client
from tests.gateway.product import Product


@pytest.fixture
def client(product: Product) -> Iterator[Client]:
    with Client(product.http, language="en") as found:
        yield found
