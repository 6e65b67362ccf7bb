"""The nine wishes of the caliph once more, by brute force and from the rules page alone.

An Alhambra is a dict from cells to the set of its walls, as in `oracles.py`, with the types of its buildings beside it.
Nothing here knows the code under test. All tiles are those of the base game, and the fountain is one of them.
"""

from __future__ import annotations

from functools import cache

from alhambra.components import Cell
from tests.rules.oracles import FOUNTAIN, Alhambra, _ends, beside

Types = dict[Cell, str]
VARIETY = {2: 1, 3: 3, 4: 6, 5: 10, 6: 15}


def expected(alhambra: Alhambra, types: Types) -> dict[str, int]:
    """The points of every task."""
    return {
        "task_rows": 3 * lines_of_three(set(alhambra)),
        "task_columns": 3 * lines_of_three({(y, x) for x, y in alhambra}),
        "task_adjacent_pairs": 3
        * sum(pairs(frozenset(c for c in types if types[c] == t)) for t in set(types.values())),
        "task_second_wall": ([*sorted(walls(alhambra), reverse=True), 0, 0])[1],
        "task_diagonal": 2 * longest_diagonal(set(alhambra)),
        "task_double_walls": 3 * double_walls(alhambra),
        "task_types": VARIETY.get(len(set(types.values())), 0),
        "task_distance": farthest(alhambra),
        "task_grids": 2 * blocks(set(alhambra)),
    }


def lines_of_three(cells: set[Cell]) -> int:
    """Rows written as texts: those in which three tiles stand side by side."""
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    across = range(min(xs), max(xs) + 1)
    texts = ["".join("#" if (x, y) in cells else " " for x in across) for y in range(min(ys), max(ys) + 1)]
    return sum("###" in text for text in texts)


@cache
def pairs(cells: frozenset[Cell]) -> int:
    """The first cell is in no pair, or in a pair with its neighbour to the east or to the south."""
    if len(cells) < 2:
        return 0
    x, y = min(cells)
    left = cells - {(x, y)}
    joined = [1 + pairs(left - {other}) for other in ((x + 1, y), (x, y + 1)) if other in left]
    return max(pairs(left), *joined, 0)


def walls(alhambra: Alhambra) -> list[int]:
    """The lengths of all outer walls: lines of the outline that hang together."""
    lines = [
        _ends(cell, side)
        for cell, standing in alhambra.items()
        for side, other in beside(cell)
        if side in standing and other not in alhambra
    ]
    groups: list[list[tuple[Cell, Cell]]] = []
    for line in lines:
        touching = [group for group in groups if any(set(line) & set(other) for other in group)]
        groups = [group for group in groups if group not in touching]
        groups.append([line, *(other for group in touching for other in group)])
    return [len(group) for group in groups]


def longest_diagonal(cells: set[Cell]) -> int:
    """From every cell as far as it goes, down to the right and down to the left."""
    best = 0
    for x, y in cells:
        for dx in (1, -1):
            length = 0
            while (x + dx * length, y + length) in cells:
                length += 1
            best = max(best, length)
    return best


def double_walls(alhambra: Alhambra) -> int:
    """Every double wall is seen from both of its tiles."""
    return (
        sum(
            side in standing and other in alhambra
            for cell, standing in alhambra.items()
            for side, other in beside(cell)
        )
        // 2
    )


def farthest(alhambra: Alhambra) -> int:
    """Ways that get longer step by step until no tile is new."""
    reached, steps = {FOUNTAIN}, 0
    while True:
        new = {
            other
            for cell in reached
            for side, other in beside(cell)
            if side not in alhambra[cell] and other in alhambra and other not in reached
        }
        if not new:
            return steps
        reached |= new
        steps += 1


def blocks(cells: set[Cell]) -> int:
    """Corners of the lattice that four tiles share."""
    corners = {(x + dx, y + dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)}
    return sum(all((x - dx, y - dy) in cells for dx in (0, 1) for dy in (0, 1)) for x, y in corners)
