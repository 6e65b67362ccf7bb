"""The page about writing modules is true: its blocks run in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from alhambra import Options, registry
from tests.conformance.invariants import Watch

PAGE = Path(__file__).resolve().parents[1] / "docs" / "writing-a-module.md"


def test_the_example_of_the_page_runs_and_keeps_all_invariants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 5
    names: dict[str, object] = {"__name__": "bakers"}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec", dont_inherit=True), names)
    watch = Watch(Options(seats=3, seed="bread", modules=["bakers"]), 1, every=10)
    game = watch.play()
    assert watch.verbs["eat_loaf"] > 0
    assert "gains: bakers.praise" in game.ruleset.explain("scoring")
