"""09 The city walls: where cards and walls are, and what everybody sees of them."""

from __future__ import annotations

import pytest

from alhambra import Game, Options
from alhambra.invariants import census
from alhambra.modules.city_walls import SHOWN, Walls
from tests.rules.modules.city_walls_table import build, project, walls
from tests.rules.situations import codes, events_of, pieces, play, refused, reserve


@pytest.mark.rule("09.4")
def test_chance_decides_which_wall_cards_lie_deepest() -> None:
    deepest = set()
    for number in range(8):
        game = Game.new(Options(3, f"walls {number}", modules=["city_walls"]))
        deepest.add(frozenset([card for card in game.state.deck if card in SHOWN][:2]))
    assert len(deepest) > 2


@pytest.mark.rule("09.1", "09.35")
def test_no_wall_card_is_lost_in_the_deck_open_or_used() -> None:
    game = walls("N", "ES")
    for sides in ("N", ""):
        found = census(game)
        assert {card: found[card] for card in SHOWN} == dict.fromkeys(SHOWN, 1)
        if sides:
            build(game, sides, "start-0")


@pytest.mark.rule("09.41")
def test_walls_on_a_tile_in_the_reserve_are_seen_by_all_and_none_on_a_tile_without() -> None:
    game = walls("ES")
    reserve(game, 0, "garden-10 tower-11")
    build(game, "ES", "garden-10")
    for viewer in (None, 0, 1):
        assert [piece for piece in pieces(game, "city_walls", viewer, kind="wall") if "tile" in piece] == [
            {"kind": "wall", "seat": 0, "tile": "garden-10", "side": "E"},
            {"kind": "wall", "seat": 0, "tile": "garden-10", "side": "S"},
        ]


@pytest.mark.rule("09.26", "09.41")
def test_walls_on_a_project_that_is_not_built_are_seen_on_their_half() -> None:
    game = walls("ES", modules=("major_construction_projects",))
    project(game, "project_garden_tower")
    build(game, "ES", "project_garden_tower", type="tower")
    seen = [piece for piece in pieces(game, "city_walls", kind="wall") if "tile" in piece]
    assert {(piece["tile"], piece["type"], piece["side"]) for piece in seen} == {
        ("project_garden_tower", "tower", "E"),
        ("project_garden_tower", "tower", "S"),
    }


@pytest.mark.rule("09.2", "09.39", "09.41")
def test_when_all_wooden_walls_are_used_none_is_shown_beside_the_market() -> None:
    game = walls("N")
    game.module_state(Walls).left = 1
    assert pieces(game, "city_walls", kind="wall") == [{"kind": "wall"}]
    build(game, "N", "start-0")
    assert pieces(game, "city_walls", kind="wall") == []


@pytest.mark.rule("09.26")
def test_a_wall_goes_on_the_half_of_the_project_that_was_named_not_on_that_of_another() -> None:
    game = walls("E", modules=("major_construction_projects",))
    game.state.seats[0].pending = ("project_pavilion_tower", "project_garden_pavilion")
    events = play(game, "build_wall project_garden_pavilion", piece="wallcard_E", type="pavilion")
    assert game.state.wooden_walls == {"project_garden_pavilion": (0, 2)}
    (told,) = events_of(events, "wall_built")
    assert (told["tile"], told["type"], told["sides"]) == ("project_garden_pavilion", "pavilion", ("E",))


@pytest.mark.rule("09.26")
def test_no_wall_is_built_between_halves_that_lie_side_by_side() -> None:
    game = walls("E", "W", modules=("major_construction_projects",))
    tile = "project_garden_pavilion"
    project(game, tile)
    for sides, half in (("E", "garden"), ("W", "pavilion")):
        faults = refused(game, f"build_wall {tile}", piece=f"wallcard_{sides}", type=half)
        assert codes(faults) == ["WALL_REFUSED"]
    build(game, "E", tile, type="pavilion")
