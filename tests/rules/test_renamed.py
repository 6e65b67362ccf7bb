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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LaidBoards", boards.StandaloneBoards),
        ("Lot", boards.PlacedPart),
        ("Placed", boards.PlacedTile),
        ("lots", boards.placed_parts),
        ("wooden_walls", boards.wooden_walls_by_cell),
    ],
)
def test_boards_offers_its_old_names(old: str, new: object) -> None:
    with pytest.warns(DeprecationWarning, match=rf"alhambra\.boards\.{old}"):
        assert getattr(boards, old) is new


def test_boards_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'castles'"):
        _ = boards.castles
