"""Random games with every example keep all invariants."""

from __future__ import annotations

import pytest

from alhambra import Options
from tests.conformance.invariants import Watch
from tests.rules.example_modules import EXAMPLES

# -- Random games ------------------------------------------------------------------------------------------------------

FOR_THREE = {"example_masons", "example_fortunes", "example_cellars", "example_seers"}
"""Where it matters that more than one seat is hidden; all others play with Dirk."""


@pytest.mark.parametrize("key", [module.key for module in EXAMPLES])
def test_a_game_with_an_example_keeps_all_invariants(key: str) -> None:
    watch = Watch(Options(seats=2 + (key in FOR_THREE), seed=key, modules=[key]), 7, every=5)
    game = watch.play()
    played = [entry.move for entry in game.log if entry.move is not None]
    expected = {
        "example_ladders": any(move.choice == "ladder" for move in played),
        "example_tools": {item for move in played for item in move.items} == {"purse", "turntable"},
        "example_masons": any(move.verb in ("add", "remove", "swap") and move.cards for move in played),
        "example_parcels": {"choose", "give_to_dirk"} <= set(watch.verbs),
        "example_vows": watch.verbs["vow"] > 0,
        "example_fortunes": watch.verbs["keep_fortune"] > 0,
        "example_carters": {"move_tile", "choose"} <= set(watch.verbs),
        "example_hermits": watch.verbs["meditate"] > 0,
        "example_heralds": watch.verbs["take_open"] > 0,
        "example_kiosks": watch.verbs["set_up"] > 0,
        "example_cellars": watch.verbs["hide"] == 3,
        "example_seers": watch.verbs["keep_card"] > 0,
        "example_stands": {"booths"} < {move.slot for move in played if move.tile and move.verb == "buy"},
        "example_flags": watch.decisions["take_back"] > 0,
        "example_scaffolds": watch.verbs["finish"] > 0,
        "example_trowels": any(move.items == ("trowel",) for move in played),
    }
    assert expected.get(key, True), "the game never came to what the example is about"


def test_a_game_with_all_of_them_keeps_all_invariants() -> None:
    modules = [module.key for module in EXAMPLES]
    watch = Watch(Options(seats=2, seed="all of them", modules=modules), 11, every=5)
    watch.play()
    assert {"vow", "look", "choose", "keep_fortune", "ring", "record"} <= set(watch.verbs)
