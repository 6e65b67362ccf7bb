"""A module may hand out its own data in a view: the view gets a copy."""

from __future__ import annotations

from alhambra import Game, Options
from tests.rules.example_modules.parcels import Parcels


def test_a_view_has_a_copy_of_what_a_module_shows() -> None:
    game = Game.new(Options(seats=2, seed="parcels", modules=["example_parcels"]))
    kept = game.module_state(Parcels)
    kept.on = {"garden-10": "parcel-1"}
    shown = game.view(None)["slices"]["example_parcels"]["on"]
    assert shown == kept.on
    shown.clear()
    assert kept.on == {"garden-10": "parcel-1"}
