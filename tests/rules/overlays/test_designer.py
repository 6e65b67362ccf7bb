"""35 The palace designer, for every way in which a tile can move: the one that he stands on, or one beside it."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.palace_designers import Designers
from tests.rules.modules.designers_table import KEY, stand, where
from tests.rules.overlays.fates import Overlay, asked_to_lay, check, ready, shown_on
from tests.rules.overlays.table import cells_of, ways_of
from tests.rules.overlays.ways import BUILT, FIRST, WAYS, in_alhambra
from tests.rules.situations import play, points


def lies(game: Game, tile: str) -> bool:
    """By the state, a designer stands on the tile."""
    seat = in_alhambra(game, tile)
    return seat is not None and game.module_state(Designers).cells[seat] in game.state.seats[seat].board.cells_of(tile)


OVERLAY = Overlay(
    modules=(KEY,),
    put=lambda game, seat, _tile: stand(game, seat, BUILT, "N"),
    lies=lies,
    seen=lambda game, tile: shown_on(game, KEY, "designer", tile),
    home=lambda game: set(game.module_state(Designers).cells) == {(0, 0)},
)


@pytest.mark.parametrize(("way", "expected"), cells_of("designer", "test_designer_fares_as_its_cell_says"))
def test_designer_fares_as_its_cell_says(way: str, expected: str) -> None:
    check(OVERLAY, way, expected)


@pytest.mark.parametrize("way", ways_of("designer", "test_designer_of_a_lost_tile_goes_anywhere"))
def test_designer_of_a_lost_tile_goes_anywhere(way: str) -> None:
    """His tile left the Alhambra: his owner says where he stands from then on, and no points are scored."""
    game, first = ready(OVERLAY, way), WAYS[way].first
    assert first is not None
    text, nouns = first(game, OVERLAY.tile)
    events = play(game, text, **nouns)
    if way in ("stowed", "boxed"):
        events += WAYS[way].then(game, OVERLAY.tile)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("move_designer", 0)
    cells = {move.cell for move in game.moves()}
    assert {(0, 0), FIRST} <= cells
    play(game, "move_designer @1,0", side="W")
    assert where(game) == (FIRST, "W")
    assert not points(events, "designer")


@pytest.mark.parametrize("way", ways_of("designer", "test_designer_steps_onto_a_tile_built_beside_him"))
def test_designer_steps_onto_a_tile_built_beside_him(way: str) -> None:
    """At his feet the tile brings two points."""
    if way == "added":
        game, verb = ready(OVERLAY, way, put=False), "add"
    else:
        game, verb = asked_to_lay(OVERLAY, way, put=False), "place"
    assert game.decision is not None
    seat = game.decision.seat
    stand(game, seat, (0, 0), "E")
    events = play(game, f"{verb} {OVERLAY.tile} @1,0")
    assert points(events, "designer") == {seat: 2}
    play(game, "face_designer", side="S")
    assert where(game, seat) == (FIRST, "S")
    assert OVERLAY.seen(game, OVERLAY.tile)
