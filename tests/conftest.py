"""For all tests: what they spend is measured, and bounded where they play games."""

from __future__ import annotations

import pytest

from tests.budget import SPENT, Spend, Spending


def pytest_configure(config: pytest.Config) -> None:
    """Measure the run."""
    config.pluginmanager.register(Spending(), "spending")


@pytest.fixture
def spend(request: pytest.FixtureRequest) -> Spend:
    """Report what a test played: the group in `tests/budget.py`, games, moves."""

    def report(group: str, games: int, moves: int) -> None:
        request.node.user_properties.append((SPENT, [group, games, moves]))

    return report
