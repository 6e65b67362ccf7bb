"""Public names of version 0.1.0 that were renamed: they still work, with a warning."""

from __future__ import annotations

import importlib
import sys

import pytest

from alhambra import boards, export


def test_the_module_record_is_export_under_its_old_name() -> None:
    sys.modules.pop("alhambra.record", None)
    with pytest.warns(DeprecationWarning, match=r"alhambra\.export"):
        record = importlib.import_module("alhambra.record")
    assert all(getattr(record, name) is getattr(export, name) for name in export.__all__)
    assert record.Retracing is export.LogReplay


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("boards", "LaidBoards", "StandaloneBoards"),
        ("boards", "Lot", "PlacedPart"),
        ("boards", "Placed", "PlacedTile"),
        ("boards", "lots", "placed_parts"),
        ("boards", "wooden_walls", "wooden_walls_by_cell"),
        ("payments", "Found", "PaymentStep"),
        ("payments", "Place", "PaymentPosition"),
        ("payments", "walk", "iterate_payments"),
        ("players", "Chance", "Rng"),
        ("players", "perform", "apply_action"),
    ],
)
def test_old_names_still_work(part: str, old: str, new: str) -> None:
    module = importlib.import_module(f"alhambra.{part}")
    with pytest.warns(DeprecationWarning, match=rf"alhambra\.{part}\.{old} is now called {new}"):
        assert getattr(module, old) is getattr(module, new)
    assert new in module.__all__


def test_other_names_are_missing_as_usual() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'castles'"):
        _ = boards.castles
