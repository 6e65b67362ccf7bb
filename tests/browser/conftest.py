"""One product and one Chromium for all tests in the browser. Each test has windows of its own, which share nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error

from scripts.polite import PoliteClient
from tests import bakers
from tests.gateway.http import Client
from tests.gateway.product import Product, running

from .person import PATIENCE_MS, Person

Arrive = Callable[..., Person]
WITHOUT_STEPS = """try { localStorage["alhambra.wishes"] ??= '{"pace": "%s"}' } catch {}"""
"""The reader's pace: most tests do not wait for the moves of others to be shown step by step."""
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product, with a module of a third party beside its own and bots that think for a moment only."""
    site = tmp_path_factory.mktemp("site")
    bakers.install(site)
    variables = {
        "PYTHONPATH": os.pathsep.join([str(site), str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "ALHAMBRA_BOTS_EASY_SECONDS": "0.02",
        "ALHAMBRA_DRAIN_SECONDS": "0",
        "ALHAMBRA_GATEWAY_DRAIN_SECONDS": "0",
    }
    with running("--workers", "1", variables=variables) as found:
        yield found


@pytest.fixture
def client(product: Product) -> Iterator[Client]:
    with PoliteClient(product.http) as found:
        yield found


@pytest.fixture
def arrive(product: Product, browser: Browser) -> Iterator[Arrive]:
    """Opens a window for a person. Whatever a page complains about fails the test."""
    complaints: list[str] = []
    contexts = []

    def open_window(width: int = 1280, height: int = 800, pace: str = "none", **wishes: Any) -> Person:
        # Playwright does not see the requests of a page behind a service worker.
        wishes = {"locale": "en-GB", "service_workers": "block", **wishes}
        context = browser.new_context(viewport={"width": width, "height": height}, **wishes)
        context.add_init_script(WITHOUT_STEPS % pace)
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
    meant = ("Failed to load resource", "Service Worker registration blocked by Playwright")
    return kind in ("error", "warning") and not text.startswith(meant)
