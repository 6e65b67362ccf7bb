"""09 The city walls: several wooden walls on one tile, and the inner sides of a project."""

from __future__ import annotations

import pytest

from alhambra.modules.city_walls import SHOWN
from tests.rules.modules.city_walls_table import build, edges, project, walls
from tests.rules.situations import alhambra, events_of, fact, legal, play, refused, reserve


@pytest.mark.rule("09.12")
def test_a_second_card_leaves_the_wooden_walls_of_the_first_where_they_are() -> None:
    game = walls("N", "E")
    alhambra(game, 0, {(1, 0): "garden-10"})
    game.state.actions = 4
    build(game, "N", "garden-10")
    build(game, "E", "garden-10")
    assert edges(game, 1, 0) == "wwoo"
    play(game, "remove garden-10")
    play(game, "add garden-10 @1,0")
    assert edges(game, 1, 0) == "wwoo"


def test_both_wooden_walls_of_a_tile_in_reserve_stand_once_it_is_built() -> None:
    game = walls("N", "E")
    reserve(game, 0, "garden-10")
    game.state.actions = 3
    build(game, "N", "garden-10")
    build(game, "E", "garden-10")
    play(game, "add garden-10 @1,0")
    assert edges(game, 1, 0) == "wwoo"


@pytest.mark.rule("09.26")
@pytest.mark.parametrize(
    ("tile", "first", "second", "inner"),
    [("project_garden_tower", "garden", "tower", "SN"), ("project_seraglio_pavilion", "seraglio", "pavilion", "EW")],
)
def test_of_the_sides_of_a_project_only_the_inner_one_of_each_half_takes_no_wall(
    tile: str, first: str, second: str, inner: str
) -> None:
    game = walls("N", "E", "S", "W", modules=("major_construction_projects",))
    project(game, tile)
    parts = game.ruleset.tiles[tile].parts
    for half, closed, part in zip((first, second), inner, parts, strict=True):
        for number, side in enumerate("NESW"):
            text, nouns = f"build_wall {tile}", {"piece": f"wallcard_{side}", "type": half}
            if side == closed:
                assert fact(refused(game, text, **nouns), "WALL_REFUSED")["because"] == "inner"
            elif part.edges[number] == "w":
                assert fact(refused(game, text, **nouns), "WALL_REFUSED")["because"] == "covered"
            else:
                assert legal(game, text, **nouns)


def test_a_wall_on_half_a_project_is_told_with_the_half_and_others_without() -> None:
    game = walls("N", "E", modules=("major_construction_projects",))
    alhambra(game, 0, {(1, 0): "garden-10"})
    project(game, "project_garden_tower")
    game.state.actions = 3
    told = play(game, "build_wall project_garden_tower", piece="wallcard_E", type="tower")
    assert events_of(told, "wall_built")[0]["type"] == "tower"
    told = play(game, "build_wall garden-10", piece="wallcard_N")
    assert events_of(told, "wall_built") == [
        {"seat": 0, "piece": "wallcard_N", "tile": "garden-10", "sides": SHOWN["wallcard_N"]}
    ]


def test_a_wall_card_refused_names_what_was_sent() -> None:
    game = walls("N", modules=("major_construction_projects",))
    alhambra(game, 0, {(1, 0): "garden-10"})
    project(game, "project_garden_tower")
    unknown = refused(game, "build_wall garden-10", piece="wallcard_X")
    assert fact(unknown, "ID_UNKNOWN") == {"id": "wallcard_X"}
    assert fact(refused(game, "build_wall tower-11", piece="wallcard_N"), "NOT_THERE") == {
        "id": "tower-11",
        "place": "alhambra",
    }
    missing = refused(game, "build_wall project_garden_tower", piece="wallcard_N")
    assert fact(missing, "NOUN_MISSING") == {"noun": "type"}
    surplus = refused(game, "build_wall garden-10", piece="wallcard_N", type="garden")
    assert fact(surplus, "NOUN_UNEXPECTED") == {"noun": "type"}
