"""One server for all tests of the TypeScript library that need no settings of their own."""

from collections.abc import Iterator

import pytest

from tests.gateway.product import Product, running

PAGE_ORIGIN_VARIABLE = "ALHAMBRA_GATEWAY_CORS_ORIGINS"


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    """Service and gateway, one worker each, that pages of every origin may call; each test uses games of its own."""
    with running("--workers", "1", variables={PAGE_ORIGIN_VARIABLE: "*"}) as found:
        yield found
