"""In these tests the example modules are known."""

from __future__ import annotations

import pytest

from alhambra import registry
from tests.rules.example_modules import register_examples


@pytest.fixture(autouse=True)
def examples_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples are known in these tests only."""
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
