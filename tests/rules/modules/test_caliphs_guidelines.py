"""43 The caliph's guidelines: three of nine tasks, scored by everybody with the third scoring."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

import pytest

from alhambra import Board, Game, Options
from alhambra.boards import LaidTile, StandaloneBoards
from alhambra.components import BASE_TILES, Cell, Tile
from alhambra.handbook import module_page
from alhambra.modules.caliphs_guidelines import MIN_RUN, TASKS, Wishes, counted, most_pairs, worth
from alhambra.texts import languages, name_of, tell_event, text
from tests.rules.caliphs_guidelines_oracle import expected
from tests.rules.modules.building_sites_table import lay_site
from tests.rules.oracles import random_growth, walls_of
from tests.rules.samples import NW, building, camp, project, watchtower
from tests.rules.situations import (
    alhambra,
    end_game,
    events_of,
    hand,
    hold_scoring,
    market,
    pieces,
    play,
    points,
    table,
)

OPEN = (
    *("arcades-9", "arcades-10", "chambers-10", "chambers-11", "garden-10", "garden-11"),
    *("tower-11", "tower-12", "pavilion-8", "seraglio-9"),
)
"""Tiles without walls."""


def wishes(seats: int = 3, *tasks: str, modules: tuple[str, ...] = ()) -> Game:
    """A table with these tasks."""
    game = table(seats, modules=["caliphs_guidelines", *modules])
    game.module_state(Wishes).tasks = tuple(f"task_{task}" for task in tasks)
    return game


def built(game: Game, *cells: Cell) -> None:
    """Seat 0 has tiles without walls on these cells."""
    alhambra(game, 0, dict(zip(cells, OPEN, strict=False)))


def count(game: Game, task: str) -> int:
    """What a task counts in the Alhambra of seat 0."""
    return counted(game, 0, f"task_{task}")


def laid(*tiles: tuple[Tile, Cell, int]) -> Game:
    """Seat 0 has these tiles, each with its cell and rotation; the construction rules are not asked."""
    game = wishes()
    board = Board(game.state.seats[0].board.start)
    for tile, cell, rotation in tiles:
        board.put(tile, *cell, rotation)
    game.state.seats[0].board = board
    return game


def lay(game: Game, tiles: Mapping[Cell, Tile]) -> None:
    """Seat 0 has these tiles; the construction rules are not asked."""
    board = Board(game.state.seats[0].board.start)
    for cell, tile in tiles.items():
        board.put(tile, *cell)
    game.state.seats[0].board = board


# -- The draw, and when tasks are scored ------------------------------------------------------------------------------


@pytest.mark.rule("43.2", "43.32")
def test_three_different_tasks_lie_open_from_the_start() -> None:
    game = Game.new(Options(seats=3, seed="wishes", modules=["caliphs_guidelines"]))
    tasks = game.module_state(Wishes).tasks
    assert len(set(tasks)) == 3
    assert set(tasks) <= set(TASKS)
    assert events_of(game.events, "tasks_drawn") == [{"pieces": tasks}]
    for viewer in (None, 0):
        assert pieces(game, "caliphs_guidelines", viewer) == [{"kind": "task", "piece": task} for task in tasks]


@pytest.mark.rule("43.1", "43.2")
def test_every_task_can_be_drawn() -> None:
    drawn = set()
    for number in range(60):
        drawn |= {*Game.new(Options(2, f"wishes {number}", modules=["caliphs_guidelines"])).module_state(Wishes).tasks}
    assert drawn == set(TASKS)


@pytest.mark.rule("43.3")
def test_tasks_are_scored_only_with_the_third_scoring() -> None:
    for number in (1, 2):
        game = wishes(3, "types", "diagonal", "distance")
        built(game, (1, 0), (2, 0), (3, 0))
        assert not [line for line in events_of(hold_scoring(game, number), "scored") if "task" in line["reason"]]
    game = wishes(3, "types", "diagonal", "distance")
    built(game, (1, 0), (2, 0), (3, 0))
    events = end_game(game)
    assert points(events, "task_types") == {0: 1}
    assert points(events, "task_diagonal") == {0: 2, 1: 2, 2: 2}
    assert points(events, "task_distance") == {0: 3}


@pytest.mark.rule("43.3")
def test_only_the_drawn_tasks_are_scored() -> None:
    game = wishes(3, "types", "diagonal", "distance")
    built(game, (1, 0), (-1, 0), (1, 1), (0, 1))
    lines = events_of(end_game(game), "scored")
    tasks = {line["reason"] for line in lines if line["reason"].startswith("task_")}
    assert tasks == {"task_types", "task_diagonal", "task_distance"}
    assert all(
        line["scoring"] == 3 and line["frame"] == "S4" and line["piece"] == line["reason"]
        for line in lines
        if line["reason"] in tasks
    )


@pytest.mark.rule("43.13")
def test_dirk_scores_no_task() -> None:
    game = wishes(2, "types", "diagonal", "grids")
    lines = events_of(end_game(game), "scored")
    assert {line["seat"] for line in lines if line["reason"].startswith("task_")} == {0, 1}


@pytest.mark.rule("43.14")
def test_a_leftover_tile_that_is_built_counts_for_the_tasks() -> None:
    game = wishes(3, "rows")
    built(game, (1, 0))
    market(game, denar="tower-12")
    hand(game, 0, "denar-9")
    end_game(game)
    assert points(play(game, "place tower-12 @2,0"), "task_rows") == {0: 3}


@pytest.mark.rule("43.33")
def test_a_seat_that_resigned_scores_the_tasks_and_does_not_win() -> None:
    game = wishes(3, "grids")
    built(game, (1, 0), (0, 1), (1, 1))
    game.resign(0)
    market(game)
    events = end_game(game)
    assert points(events, "task_grids") == {0: 2}
    assert 0 not in events_of(events, "game_ended")[0]["winners"]


@pytest.mark.rule("43.20")
def test_points_for_tasks_come_before_the_attack() -> None:
    game = wishes(3, "types", "diagonal", "grids", modules=("invaders",))
    built(game, (1, 0), (2, 0))
    reasons = [line["reason"] for line in events_of(end_game(game), "scored") if line["seat"] == 0]
    assert "attack" in reasons
    assert reasons.index("task_diagonal") < reasons.index("attack")


@pytest.mark.rule("43.34")
def test_boards_without_a_game_have_no_tasks() -> None:
    boards = StandaloneBoards(2, modules=["caliphs_guidelines"])
    boards.lay(0, [LaidTile("garden-11", (1, 0))])
    assert [event.public["reason"] for event in boards.score_lines(3)] == ["majority"]


# -- Each task --------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("43.12", "43.21")
def test_three_blocks_of_four_are_worth_6() -> None:
    """Worked example T1: three blocks, in which tiles are used several times."""
    game = wishes(3, "grids")
    built(game, (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1))
    assert points(end_game(game), "task_grids") == {0: 6}


# worked example
@pytest.mark.rule("43.4", "43.22", "43.25")
def test_two_rows_of_three() -> None:
    """Worked example T2: a rectangle of two rows of three."""
    game = wishes(3, "rows", "columns", "grids")
    built(game, (1, 0), (2, 0), (0, 1), (1, 1), (2, 1))
    events = end_game(game)
    assert points(events, "task_rows") == {0: 6}
    assert points(events, "task_columns") == {}
    assert points(events, "task_grids") == {0: 4}


# worked example
@pytest.mark.rule("43.10", "43.23")
def test_four_building_types_are_worth_6() -> None:
    """Worked example T3: four different types."""
    game = wishes(3, "types")
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "chambers-10", (3, 0): "garden-10", (4, 0): "tower-11"})
    assert points(end_game(game), "task_types") == {0: 6}


# worked example
@pytest.mark.rule("43.11", "43.24")
def test_a_corridor_of_five_tiles_is_worth_5() -> None:
    """Worked example T4: five tiles in a line from the fountain."""
    game = wishes(3, "distance")
    built(game, (1, 0), (2, 0), (3, 0), (4, 0), (5, 0))
    assert points(end_game(game), "task_distance") == {0: 5}


@pytest.mark.rule("43.26")
def test_a_row_with_two_runs_counts_once() -> None:
    game = wishes(3, "rows")
    built(game, (-1, 0), (1, 0), (1, 1), (2, 1), (3, 1), (3, 0), (4, 0), (5, 0))
    assert count(game, "rows") == 2, "the row of both runs, and the one below"


@pytest.mark.rule("43.5")
def test_columns_are_rows_turned() -> None:
    game = wishes(3, "columns")
    built(game, (0, 1), (0, 2), (1, 0))
    assert (count(game, "columns"), count(game, "rows")) == (1, 0)


@pytest.mark.rule("43.26")
def test_a_column_with_two_runs_counts_once() -> None:
    game = wishes(3, "columns")
    built(game, (0, -1), (0, 1), (1, 1), (1, 2), (1, 3), (0, 3), (0, 4), (0, 5))
    assert count(game, "columns") == 2, "the column of both runs, and the one beside it"


@pytest.mark.rule("43.6", "43.27")
@pytest.mark.parametrize(("size", "expected_points"), [(1, 0), (2, 3), (3, 3), (4, 6)])
def test_a_building_is_in_one_pair_only(size: int, expected_points: int) -> None:
    game = wishes(3, "adjacent_pairs")
    gardens = ("garden-10", "garden-11", "garden-12-s", "garden-10-n")[:size]
    alhambra(game, 0, {(x, 0): tile for x, tile in enumerate(gardens, start=1)})
    assert worth("task_adjacent_pairs", count(game, "adjacent_pairs")) == expected_points


@pytest.mark.rule("43.27")
def test_the_most_pairs_are_counted_whatever_the_order() -> None:
    assert most_pairs({(1, 0), (2, 0), (2, 1), (3, 0), (4, 0)}) == 2
    assert most_pairs({(0, 0), (1, 0), (2, 0), (3, 0), (1, 1), (2, 1)}) == 3


@pytest.mark.rule("43.27")
def test_a_wall_between_two_buildings_does_not_matter_for_a_pair() -> None:
    game = wishes(3, "adjacent_pairs")
    lay(game, {(1, 0): BASE_TILES["garden-9-e"], (2, 0): BASE_TILES["garden-10-w"]})
    assert count(game, "adjacent_pairs") == 1


@pytest.mark.rule("43.16")
def test_pairs_are_made_of_finished_standard_buildings() -> None:
    game = wishes(3, "adjacent_pairs", modules=("squares",))
    game.state.tower = (*game.state.tower, "square_garden_3")
    alhambra(game, 0, {(1, 0): "garden-10", (1, 1): "square_garden_3"})
    assert count(game, "adjacent_pairs") == 0
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "garden-11"})
    assert count(game, "adjacent_pairs") == 1
    game.state.covered = ("garden-11",)
    assert count(game, "adjacent_pairs") == 0


@pytest.mark.rule("43.16", "43.17")
def test_a_magical_building_and_a_ground_make_no_pair_with_a_building_of_their_type() -> None:
    game = wishes(3, "adjacent_pairs", modules=("magical_buildings", "new_building_grounds"))
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "magical_garden"})
    assert count(game, "adjacent_pairs") == 0
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "ground_10_1"})
    game.state.types = {"ground_10_1": "garden"}
    assert count(game, "adjacent_pairs") == 0
    assert count(game, "types") == 1, "a garden all the same"


@pytest.mark.rule("43.16")
def test_a_building_of_power_makes_a_pair_like_the_building_that_it_replaces() -> None:
    game = wishes(3, "adjacent_pairs", modules=("buildings_of_power",))
    alhambra(game, 0, {(1, 0): "garden-10", (2, 0): "power_wisdom_garden-11"})
    assert count(game, "adjacent_pairs") == 1


@pytest.mark.rule("43.7", "43.28")
def test_the_second_wall_may_be_as_long_as_the_longest() -> None:
    game = wishes(3, "second_wall")
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    assert count(game, "second_wall") == 0
    alhambra(game, 0, {(1, 0): "garden-9-e", (-1, 0): "chambers-9-w"})
    events = end_game(game)
    assert points(events, "wall") == points(events, "task_second_wall") == {0: 1}


@pytest.mark.rule("43.8", "43.25", "43.29")
def test_the_fountain_alone_is_a_diagonal_of_one() -> None:
    assert count(wishes(), "diagonal") == 1


@pytest.mark.rule("43.29")
def test_a_diagonal_goes_from_corner_to_corner_without_a_gap() -> None:
    game = laid(*((building(), cell, 0) for cell in ((1, 1), (-1, -1), (3, 3), (1, -1))))
    assert count(game, "diagonal") == 3


@pytest.mark.rule("43.9", "43.18", "43.30")
def test_a_double_wall_counts_once_with_or_without_a_gate() -> None:
    game = laid((building("E"), (1, 0), 0), (building("W"), (2, 0), 0))
    assert count(game, "double_walls") == 1
    game.state.seats[0].board.add_passage(1, 0, "E")
    assert count(game, "double_walls") == 1
    assert worth("task_double_walls", 1) == 3


@pytest.mark.rule("43.18")
def test_wooden_walls_make_double_walls() -> None:
    first, second = building(), building()
    game = laid((first, (1, 0), 0), (second, (2, 0), 0))
    assert count(game, "double_walls") == 0
    board = game.state.seats[0].board
    board.add_wooden_walls(first.id, (2,))
    board.add_wooden_walls(second.id, (8,))
    assert count(game, "double_walls") == 1


@pytest.mark.rule("43.15", "43.18")
def test_a_bastion_against_a_wall_is_no_double_wall_and_a_camp_is_no_tile() -> None:
    game = laid((building("E"), (1, 0), 0), (camp("W"), (2, 0), 0), (building(), (0, 1), 0), (camp("N"), (1, 1), 0))
    assert count(game, "double_walls") == 0
    assert count(game, "rows") == 0
    assert count(game, "grids") == 0


@pytest.mark.rule("43.10")
def test_one_type_or_none_is_worth_nothing_and_six_are_worth_15() -> None:
    assert [worth("task_types", number) for number in range(7)] == [0, 0, 1, 3, 6, 10, 15]


@pytest.mark.rule("43.17")
def test_an_unfinished_building_has_no_type() -> None:
    game = wishes(3, "types")
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "chambers-10"})
    game.state.covered = ("arcades-9",)
    assert count(game, "types") == 1


@pytest.mark.rule("43.19", "43.31")
def test_the_way_goes_around_walls_and_through_gates() -> None:
    game = laid(
        (building("E"), (1, 0), 0), (building("W"), (2, 0), 0), (building(), (1, 1), 0), (building(), (2, 1), 0)
    )
    assert count(game, "distance") == 4
    game.state.seats[0].board.add_passage(1, 0, "E")
    assert count(game, "distance") == 3


@pytest.mark.rule("43.19")
def test_a_watchtower_is_a_tile_on_the_way_but_not_its_end() -> None:
    assert count(laid((watchtower(), (1, 0), NW)), "distance") == 0
    assert count(laid((watchtower(), (1, 0), NW), (building(), (1, -1), 0)), "distance") == 2


@pytest.mark.rule("43.15")
def test_a_watchtower_is_no_tile_of_a_row() -> None:
    assert count(laid((building(), (-1, 0), 0), (watchtower(), (1, 0), NW)), "rows") == 0


@pytest.mark.rule("43.15", "43.30")
def test_a_project_is_two_tiles_in_a_row_but_has_no_double_wall_inside() -> None:
    game = laid((project("E", "W"), (1, 0), 0))
    assert count(game, "rows") == 1
    assert count(game, "double_walls") == 0


@pytest.mark.rule("43.15")
def test_squares_are_tiles_of_a_column() -> None:
    game = wishes(3, "columns", modules=("squares",))
    game.state.tower = (*game.state.tower, "square_garden_3")
    alhambra(game, 0, {(1, 0): "garden-10", (1, -1): "arcades-9", (1, 1): "square_garden_3"})
    assert count(game, "columns") == 1


# -- Against the page, by brute force ---------------------------------------------------------------------------------


@pytest.mark.rule("43.4", "43.5", "43.6", "43.7", "43.8", "43.9", "43.10", "43.11", "43.12", "43.31")
@pytest.mark.parametrize("seed", range(8))
def test_all_tasks_agree_with_the_page_on_random_alhambras(seed: int) -> None:
    rng, game = Random(seed), wishes()
    tiles: dict[Cell, Tile] = {}
    for walls, tile, _, cell in random_growth(rng, 24):
        types = {at: built.type for at, built in tiles.items()}
        assert walls == {(0, 0): frozenset(), **{at: walls_of(built) for at, built in tiles.items()}}
        lay(game, tiles)
        assert {task: worth(task, counted(game, 0, task)) for task in TASKS} == expected(walls, types)
        tiles[cell] = tile


# -- What players are told --------------------------------------------------------------------------------------------


def figures(sentence: str) -> list[int]:
    """The numbers in a text, the smallest first."""
    return sorted(map(int, re.findall(r"\d+", sentence)))


def printed_figures(task: str) -> list[int]:
    """The points on a task; for the types also how many of them each is for."""
    printed = TASKS[task]
    if printed["points"] is not None:
        return [int(printed["points"])]
    return sorted(int(number) for entry in printed["table"].items() for number in entry)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("task", TASKS)
def test_the_text_of_a_task_says_what_it_pays(task: str, language: str) -> None:
    length = [MIN_RUN] if task in ("task_rows", "task_columns") else []
    assert figures(text(f"thing.{task}.text", language)) == sorted(printed_figures(task) + length)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("task", TASKS)
def test_the_tasks_are_announced_with_what_they_pay(task: str, language: str) -> None:
    told = tell_event("tasks_drawn", {"pieces": (task,)}, language)
    assert name_of(task, language) in told
    if TASKS[task]["points"] is None:
        table = {int(count): points for count, points in TASKS[task]["table"].items()}
        assert figures(told) == sorted([*table.values(), min(table), max(table)])
    else:
        assert figures(told) == printed_figures(task)


@pytest.mark.parametrize("language", languages())
def test_the_short_rule_says_what_every_task_pays(language: str) -> None:
    flat = [task["points"] for task in TASKS.values() if task["points"] is not None]
    flat.remove(TASKS["task_columns"]["points"])  # told together with the rows
    table = TASKS["task_types"]["table"].values()
    assert figures(text("module.caliphs_guidelines.rule", language)) == sorted([*flat, min(table), max(table)])


@pytest.mark.parametrize("language", languages())
def test_the_page_of_the_module_explains_every_task(language: str) -> None:
    (section,) = (one for one in module_page("caliphs_guidelines", language).sections if one.key == "pieces")
    told = {entry.key: entry.text for entry in section.entries}
    assert {task: told[task] for task in TASKS} == {task: text(f"thing.{task}.text", language) for task in TASKS}


@pytest.mark.rule("43.16", "43.17", "23.1")
def test_two_sites_side_by_side_are_no_pair_while_they_are_unfinished() -> None:
    game = wishes(3, "adjacent_pairs", modules=("building_sites",))
    alhambra(game, 0, {(1, 0): "arcades-9", (2, 0): "seraglio-9"})
    lay_site(game, 0, "arcades-9", "dukat")
    lay_site(game, 0, "seraglio-9", "denar")
    assert count(game, "adjacent_pairs") == 0
