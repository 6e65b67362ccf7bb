"""30 The fruit of a tile, for every way in which the tile can move.

A fruit lies on a tile only while that tile lies on the market. Whoever acquires the tile plants the fruit on the own
board before the tile goes anywhere.
"""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.base.supply import without
from alhambra.modules.orchards import Orchards
from tests.rules.overlays.fates import Overlay, check, go, ready, setting, shown_on
from tests.rules.overlays.table import cells_of, ways_of
from tests.rules.overlays.ways import FULL, WAYS, settle
from tests.rules.situations import hand, market, pieces, play

KEY = "orchards"


def clear(game: Game) -> None:
    """All fruits are in the supply."""
    kept = game.module_state(Orchards)
    kept.supply, kept.on_tiles = tuple(sorted((*kept.supply, *kept.on_tiles.values()))), {}


def lay(game: Game, _seat: int, tile: str) -> None:
    """A fig lies on the tile."""
    kept = game.module_state(Orchards)
    kept.supply = without(kept.supply, ("fig",))
    kept.on_tiles = {**kept.on_tiles, tile: "fig"}


def planted(game: Game, seat: int) -> list[str]:
    """The fruits that everybody sees on the board of the seat."""
    return [piece["piece"] for piece in pieces(game, KEY, seat=seat, choice="planted")]


OVERLAY = Overlay(
    modules=(KEY,),
    put=lay,
    lies=lambda game, tile: tile in game.module_state(Orchards).on_tiles,
    seen=lambda game, tile: shown_on(game, KEY, "orchard_fruit", tile),
    home=lambda game: game.module_state(Orchards).supply.count("fig") == 8,
    clear=clear,
)


@pytest.mark.parametrize(("way", "expected"), cells_of("fruit", "test_fruit_fares_as_its_cell_says"))
def test_fruit_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


@pytest.mark.parametrize("way", ways_of("fruit", "test_fruit_is_planted_before_the_tile_goes"))
def test_fruit_is_planted_before_the_tile_goes(way: str) -> None:
    """The buyer chooses the group, whatever becomes of the tile afterwards."""
    bought = way in ("placed", "reserved", "given")
    if bought:
        game = setting(OVERLAY, WAYS[way])
        market(game, **{**FULL, "denar": OVERLAY.tile})
        lay(game, 0, OVERLAY.tile)
        hand(game, 0, "denar-8 denar-9")
        play(game, "buy market-denar denar-8 denar-9")
        assert game.decision is not None
        assert game.decision.kind == "plant_fruit"
        settle(game, "place_tiles")
    else:
        game = ready(OVERLAY, way)
    go(game, way, OVERLAY.tile)
    owner = WAYS[way].owner
    assert planted(game, owner) == ["fig"]
    assert not OVERLAY.lies(game, OVERLAY.tile)
    assert not OVERLAY.seen(game, OVERLAY.tile)


def test_fruit_on_the_board_of_a_seat_that_resigned_stays_there() -> None:
    game = ready(OVERLAY, "resigned", put=False)
    kept = game.module_state(Orchards)
    kept.supply = without(kept.supply, ("fig",))
    slot = next(piece["slot"] for piece in pieces(game, KEY, seat=0, piece="fig", kind="orchard_field", choice="free"))
    kept.planted = ({**kept.planted[0], slot: ("fig",)}, *kept.planted[1:])
    go(game, "resigned", OVERLAY.tile)
    assert planted(game, 0) == ["fig"]
