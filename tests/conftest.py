"""For all tests: the size of a run, what its games may spend, one running product and one browser."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.budget import SPENT, Spend, Spending
from tests.sizes import CHECK_ONLY, SIZES, Sizes

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

    from tests.gateway.product import Product


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that choose the size of a run, and the tests of one statement of the rules."""
    parser.addoption("--size", choices=SIZES, help="how much to run: make quick, make test or make check")
    parser.addoption("--rule", metavar="NN.k", help="run only the tests that name this statement of docs/rules")


def pytest_configure(config: pytest.Config) -> None:
    """Measure the run, and take its tests by its size."""
    config.addinivalue_line("markers", "needs(*programs): programs of the system that a test needs")
    config.addinivalue_line("markers", f"{CHECK_ONLY}: a test that `make quick` and `make test` leave to `make check`")
    config.pluginmanager.register(Spending(), "spending")
    config.pluginmanager.register(Sizes(config.getoption("--size")), "sizes")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect tests without the garbage collector, and keep it from visiting them again and again while they run.

    Modules and tests stay until the end: half a million objects that each full collection would look at."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that name the statement, if one is asked for."""
    if statement := config.getoption("--rule"):
        named = [item for item in items if any(statement in mark.args for mark in item.iter_markers("rule"))]
        config.hook.pytest_deselected(items=[item for item in items if item not in named])
        items[:] = named


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    """Service and gateway, one worker each, for all tests that need no settings of their own; each uses games of its
    own."""
    from tests.gateway.product import running  # tests of the rules need none of its packages

    with running("--workers", "1") as found:
        yield found


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """One Playwright for all tests in browsers: a process cannot have a second one."""
    from playwright.sync_api import sync_playwright  # the smaller sizes do not install it

    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all tests in a browser."""
    from scripts.browser import start_browser

    found = start_browser(playwright)
    yield found
    found.close()


@pytest.fixture
def spend(request: pytest.FixtureRequest) -> Spend:
    """Report what a test played: the group in `tests/budget.py`, games, moves."""

    def report(group: str, games: int, moves: int) -> None:
        request.node.user_properties.append((SPENT, [group, games, moves]))

    return report
