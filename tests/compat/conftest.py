"""What all tests of other versions need."""

from collections.abc import Iterator

import pytest

from tests.compat.lamps import forget


@pytest.fixture(autouse=True)
def without_lamps_afterwards() -> Iterator[None]:
    """Whichever version of the example module a test registers, other tests do not see it."""
    yield
    forget()
