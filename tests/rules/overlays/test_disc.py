"""12 The street trader's disc beside an Alhambra, for every way in which a tile can move."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.invariants import census
from tests.rules.modules.street_trader_table import KEY, aboard, disc, where
from tests.rules.overlays.fates import Overlay, asked_to_lay, go, ready
from tests.rules.overlays.table import ways_of
from tests.rules.overlays.ways import FIRST, MOVED
from tests.rules.situations import pieces, play

BESIDE = (3, 0)
"""A cell that only the tile that moves adjoins."""


def lay(game: Game, seat: int, _tile: str) -> None:
    """The disc lies at the east end of the Alhambra, beside the tile that is about to move."""
    disc(game, seat, BESIDE, "arcades", "garden", "tower")


OVERLAY = Overlay(
    modules=(KEY,),
    put=lay,
    lies=lambda game, _tile: where(game, 0) == BESIDE,
    seen=lambda game, _tile: bool(pieces(game, KEY, kind="disc", seat=0, cell=BESIDE)),
    home=lambda _game: False,
)


def asked(game: Game) -> tuple[str, int] | None:
    return None if game.decision is None else (game.decision.kind, game.decision.seat)


@pytest.mark.rule("12.33")
@pytest.mark.parametrize("way", ways_of("disc", "test_disc_stays_where_it_lies"))
def test_disc_stays_where_it_lies(way: str) -> None:
    """Neither is it moved, though no tile may adjoin it any more, nor does it ask anything."""
    game = ready(OVERLAY, way, put=False)
    lay(game, 0, OVERLAY.tile)
    go(game, way, OVERLAY.tile)
    assert asked(game) not in (("resident", 0), ("lay_disc", 0))
    assert OVERLAY.lies(game, OVERLAY.tile)
    assert OVERLAY.seen(game, OVERLAY.tile)


@pytest.mark.rule("12.4")
@pytest.mark.parametrize("way", ways_of("disc", "test_disc_is_set_aside_when_a_tile_is_built_on_its_cell"))
def test_disc_is_set_aside_when_a_tile_is_built_on_its_cell(way: str) -> None:
    """A resident of the colour may move in; the replacement comes from the supply."""
    if way == "relocated":
        game, cell = ready(OVERLAY, way, put=False), MOVED
        text, nouns = f"move_tile {OVERLAY.tile} @0,1", {"items": ("contractor",)}
    elif way == "added":
        game, cell = ready(OVERLAY, way, put=False), FIRST
        text, nouns = f"add {OVERLAY.tile} @1,0", {}
    else:
        game, cell = asked_to_lay(OVERLAY, way, put=False), FIRST
        text, nouns = f"place {OVERLAY.tile} @1,0", {}
    assert game.decision is not None
    seat = game.decision.seat
    disc(game, seat, cell, "arcades", "garden", "tower")
    before = census(game)
    play(game, text, **nouns)
    assert asked(game) == ("resident", seat)
    assert where(game, seat) is None
    assert pieces(game, KEY, kind="disc", seat=seat) == [
        {"kind": "disc", "seat": seat, "residents": ("arcades", "garden", "tower")}
    ]
    play(game, "move_in")
    play(game, "take_resident", type="chambers")
    assert census(game) == before
    assert sorted(aboard(game, seat)) == ["arcades", "chambers", "tower"]
    assert pieces(game, KEY, kind="resident", seat=seat, cell=cell)
    if way == "left_over":
        assert where(game, seat) is None, "it does not return any more"
    elif way != "relocated":
        assert asked(game) == ("lay_disc", seat)
