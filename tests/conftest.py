"""For all tests: the size of a run, and what its games may spend."""

from __future__ import annotations

import pytest

from tests.budget import SPENT, Spend, Spending
from tests.sizes import CHECK_ONLY, SIZES, Sizes


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that chooses the size of a run."""
    parser.addoption("--size", choices=SIZES, help="how much to run: make quick, make test or make check")


def pytest_configure(config: pytest.Config) -> None:
    """Measure the run, and take its tests by its size."""
    config.addinivalue_line("markers", "needs(*programs): programs of the system that a test needs")
    config.addinivalue_line("markers", f"{CHECK_ONLY}: a test that `make quick` and `make test` leave to `make check`")
    config.pluginmanager.register(Spending(), "spending")
    config.pluginmanager.register(Sizes(config.getoption("--size")), "sizes")


@pytest.fixture
def spend(request: pytest.FixtureRequest) -> Spend:
    """Report what a test played: the group in `tests/budget.py`, games, moves."""

    def report(group: str, games: int, moves: int) -> None:
        request.node.user_properties.append((SPENT, [group, games, moves]))

    return report
