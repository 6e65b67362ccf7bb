"""One product and one Chromium for all tests in the browser. Each test has windows of its own, which share nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

from scripts.browser import start_browser
from tests.gateway.http import Client
from tests.gateway.product import Product, running

from .person import PATIENCE_MS, Person

Arrive = Callable[..., Person]


@pytest.fixture(scope="session")
def product() -> Iterator[Product]:
    with running("--workers", "1") as found:
        yield found


@pytest.fixture
def client(product: Product) -> Iterator[Client]:
    with Client(product.http) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = start_browser(playwright)
        yield found
        found.close()


@pytest.fixture
def arrive(product: Product, browser: Browser) -> Iterator[Arrive]:
    """Opens a window for a person. Whatever a page complains about fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_window(width: int = 1280, height: int = 800, **wishes: Any) -> Person:
        wishes = {"locale": "en-GB", **wishes}
        context = browser.new_context(viewport={"width": width, "height": height}, **wishes)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if _is_complaint(said.type, said.text) else None)
        return Person(page, product.http)

    yield open_window
    for context in contexts:
        try:
            context.close()
        except Error as error:  # a browser that has died says so in the test itself
            complaints.append(str(error))
    assert complaints == []


def _is_complaint(kind: str, text: str) -> bool:
    """Whether a page complains. That a call was refused or cut off is written by the browser itself, and meant."""
    return kind in ("error", "warning") and not text.startswith("Failed to load resource")
