"""43 The caliph's guidelines.

Before the game three of nine wishes of the caliph are drawn and lie open. At the end of the game, together with the
third scoring, every player scores each of the three:

    rows            3 points for each row with three or more tiles side by side
    columns         3 points for each column with three or more tiles one below the other
    adjacent_pairs  3 points for every two standard buildings of the same type side by side; each is in one pair only
    second_wall     a point for each segment of the second longest outer wall
    diagonal        2 points for each tile of the longest diagonal without a gap
    double_walls    3 points for each double wall between two tiles
    types           1, 3, 6, 10 or 15 points for 2, 3, 4, 5 or 6 different building types
    distance        a point for each tile on the shortest way from the fountain to the farthest tile
    grids           2 points for each block of two by two tiles; a tile may be in several blocks

The fountain is a tile like the others. Camps and watchtowers are none, but one may walk over a watchtower.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..base.scoring import count_buildings, score, type_at
from ..board import FOUNTAIN, Board
from ..components import STEP, WALL, Cell, module_data
from ..declarations import PieceKind, outline_of
from ..game import Game
from ..module import Module, Step
from ..placement.contacts import SIDE_INDEX
from ..placement.outline import wall_runs

DATA = module_data("caliphs_guidelines")
TASKS: dict[str, dict[str, Any]] = {f"task_{tile['id']}": tile for tile in DATA["tiles"]}
"""By piece, which is also the reason of the score lines: what is printed on it."""
MIN_RUN: int = DATA["min_run"]
LAST_SCORING = 3
STANDARD = "standard"


@dataclass(slots=True)
class Wishes:
    """The three tasks that the caliph has set."""

    tasks: tuple[str, ...] = ()


def draw_tasks(game: Game) -> None:
    """Draw the tasks; the others go back into the box."""
    kept = game.module_state(Wishes)
    kept.tasks = tuple(game.chance("caliphs_guidelines/draw").shuffled(TASKS)[: DATA["drawn"]])
    game.emit("tasks_drawn", pieces=kept.tasks)


def put_back(game: Game) -> None:
    """No task is set."""
    game.module_state(Wishes).tasks = ()


# -- What a task counts --------------------------------------------------------------------------------------------


def full_cells(board: Board) -> set[Cell]:
    """Return the cells of all tiles but camps and watchtowers."""
    return {cell for cell, part in board.cells.items() if board.full(part)}


def longest_runs(cells: Iterable[Cell], step: Cell) -> dict[Cell, int]:
    """Return by the cell where it begins the length of each run of cells without a gap in the direction of the
    step."""
    dx, dy = step
    there = set(cells)
    runs = {}
    for x, y in there:
        if (x - dx, y - dy) not in there:
            length = 1
            while (x + dx * length, y + dy * length) in there:
                length += 1
            runs[x, y] = length
    return runs


def rows(board: Board) -> int:
    """Return the number of rows with a run that is long enough. A row counts once, even with two such runs (43.26)."""
    runs = longest_runs(full_cells(board), (1, 0))
    return len({y for (_, y), length in runs.items() if length >= MIN_RUN})


def columns(board: Board) -> int:
    """Return the number of columns with a run that is long enough. A column counts once, even with two such runs."""
    runs = longest_runs(full_cells(board), (0, 1))
    return len({x for (x, _), length in runs.items() if length >= MIN_RUN})


def adjacent_pairs(game: Game, seat: int) -> int:
    """Return the most pairs of finished standard buildings of one type that lie side by side, each building in one
    pair."""
    by_type: dict[str, set[Cell]] = defaultdict(set)
    for cell, part in game.state.seats[seat].board.cells.items():
        if part.tile.kind == STANDARD:
            by_type[type_at(game, part)].add(cell)
    return sum(most_pairs(cells) for name, cells in by_type.items() if name)


def most_pairs(cells: set[Cell]) -> int:
    """Return the most pairs of neighbouring cells without a cell in two pairs. Neighbours differ like the colours of a
    chess board, so every augmenting path begins on one colour: each dark cell looks for a partner in turn."""
    partner: dict[Cell, Cell] = {}

    def find_partner(cell: Cell, tried: set[Cell]) -> bool:
        for dx, dy in STEP.values():
            other = (cell[0] + dx, cell[1] + dy)
            if other in cells and other not in tried:
                tried.add(other)
                if other not in partner or find_partner(partner[other], tried):
                    partner[other] = cell
                    return True
        return False

    return sum(find_partner(cell, set()) for cell in sorted(cells) if sum(cell) % 2)


def second_wall(board: Board) -> int:
    """Return the length of the second longest run of outer walls, apart from the longest; it may be as long."""
    runs = wall_runs(board)
    return runs[1].length if len(runs) > 1 else 0


def diagonal(board: Board) -> int:
    """Return the length of the longest run from corner to corner, in either direction."""
    cells = full_cells(board)
    return max(max(longest_runs(cells, step).values()) for step in ((1, 1), (1, -1)))


def double_walls(board: Board) -> int:
    """Return the number of edges between two tiles with a wall on either side, wooden ones included; a gate does not
    matter (43.18)."""
    found = 0
    for (x, y), part in board.cells.items():
        for side in ("E", "S"):
            dx, dy = STEP[side]
            other = board.at(x + dx, y + dy)
            if other is not None and other.tile.id != part.tile.id:
                index = SIDE_INDEX[side]
                found += part.edges[index] == other.edges[index ^ 2] == WALL
    return found


def types(game: Game, seat: int) -> int:
    """Return how many building types stand finished in the Alhambra."""
    return sum(count > 0 for count in count_buildings(game, seat).values())


def distance(board: Board) -> int:
    """Return how many tiles the shortest way to the farthest tile has, the fountain not counted, the farthest tile
    counted."""
    steps, ahead = {FOUNTAIN: 0}, [FOUNTAIN]
    for cell in ahead:
        for beyond in board.walk(*cell):
            if beyond not in steps:
                steps[beyond] = steps[cell] + 1
                ahead.append(beyond)
    return max(steps.get(cell, 0) for cell in full_cells(board))


def grids(board: Board) -> int:
    """Return the number of blocks of two by two tiles."""
    cells = full_cells(board)
    return sum({(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= cells for x, y in cells)


SEEN_ON_THE_BOARD: dict[str, Callable[[Board], int]] = {
    f"task_{count.__name__}": count for count in (rows, columns, second_wall, diagonal, double_walls, distance, grids)
}
"""By task: what is counted for it, if tiles and gates alone decide."""
BY_TYPES: dict[str, Callable[[Game, int], int]] = {f"task_{count.__name__}": count for count in (adjacent_pairs, types)}
"""By task: what is counted for it, if building types decide."""


def counted(game: Game, seat: int, task: str) -> int:
    """Return how much a seat has of what a task asks for."""
    by_types = BY_TYPES.get(task)
    if by_types is not None:
        return by_types(game, seat)
    return game.state.seats[seat].board.cached(SEEN_ON_THE_BOARD[task])


def worth(task: str, count: int) -> int:
    """Return the points that a task gives for what was counted."""
    printed = TASKS[task]
    if printed["points"] is None:
        return int(printed["table"].get(str(count), 0))
    return int(printed["points"]) * count


def score_tasks(game: Game, number: int) -> None:
    """With the third scoring every seat scores every task. Dirk has no Alhambra and scores none."""
    if number == LAST_SCORING:
        for task in game.module_state(Wishes).tasks:
            for seat in range(len(game.state.seats)):
                count = counted(game, seat, task)
                points = worth(task, count)
                if points:
                    score(game, seat, points, task, scoring=number, piece=task, count=count)


def public_pieces(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the tasks beside the market."""
    for task in game.module_state(Wishes).tasks:
        yield {"kind": "task", "piece": task}


MODULE = Module(
    number=43,
    key="caliphs_guidelines",
    events={"tasks_drawn": "The three tasks of the game were drawn."},
    scores={
        "task_rows": "Rows with three or more tiles side by side.",
        "task_columns": "Columns with three or more tiles one below the other.",
        "task_adjacent_pairs": "Pairs of neighbouring standard buildings of one type.",
        "task_second_wall": "The second longest outer wall.",
        "task_diagonal": "Tiles of the longest diagonal.",
        "task_double_walls": "Double walls.",
        "task_types": "Different building types.",
        "task_distance": "Tiles on the shortest way to the farthest tile.",
        "task_grids": "Blocks of two by two tiles.",
    },
    piece_kinds=(
        PieceKind(
            "task",
            "A task that the caliph has set, named by `piece`.",
            outline_of("task"),
            individual=True,
        ),
    ),
    state=Wishes,
    pieces=tuple(TASKS),
    steps=(Step("setup.deal", draw_tasks), Step("scoring.gains", score_tasks)),
    undrawn=put_back,
    public_pieces=public_pieces,
)
