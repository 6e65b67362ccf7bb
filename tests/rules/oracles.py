"""The construction rules once more, by brute force and from the text alone.

Nothing here knows the code under test: an Alhambra is a dict from cells to the set of its walls, and every question is
answered by looking at all of it. Slow, and meant to be obviously right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from alhambra.components import BASE_TILES, SIDES, Cell, Tile

Walls = frozenset[str]
Alhambra = dict[Cell, Walls]

TOWARDS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
ACROSS = {"N": "S", "S": "N", "E": "W", "W": "E"}
FOUNTAIN = (0, 0)
START: Alhambra = {FOUNTAIN: frozenset()}


def walls_of(tile: Tile) -> Walls:
    """The walls printed on a tile of the base game."""
    return frozenset(side for side, letter in zip(SIDES, tile.parts[0].edges, strict=True) if letter == "w")


def beside(cell: Cell) -> Iterator[tuple[str, Cell]]:
    """The four neighbouring cells."""
    for side, (dx, dy) in TOWARDS.items():
        yield side, (cell[0] + dx, cell[1] + dy)


def edges_match(alhambra: Alhambra) -> bool:
    """Both tiles at a shared edge have a wall there, or neither has."""
    return all(
        (side in walls) == (ACROSS[side] in alhambra[other])
        for cell, walls in alhambra.items()
        for side, other in beside(cell)
        if other in alhambra
    )


def all_on_foot(alhambra: Alhambra) -> bool:
    """Every tile can be reached from the fountain without crossing a wall."""
    seen, ahead = {FOUNTAIN}, [FOUNTAIN]
    while ahead:
        cell = ahead.pop()
        for side, other in beside(cell):
            if other in alhambra and other not in seen and side not in alhambra[cell]:
                seen.add(other)
                ahead.append(other)
    return len(seen) == len(alhambra)


def holes(alhambra: Alhambra) -> set[Cell]:
    """The empty cells that the flood from outside does not reach."""
    xs, ys = {x for x, _ in alhambra}, {y for _, y in alhambra}
    box = {(x, y) for x in range(min(xs) - 1, max(xs) + 2) for y in range(min(ys) - 1, max(ys) + 2)} - alhambra.keys()
    ahead = [(min(xs) - 1, min(ys) - 1)]
    dry = box - set(ahead)
    while ahead:
        for _, other in beside(ahead.pop()):
            if other in dry:
                dry.remove(other)
                ahead.append(other)
    return dry


def is_sound(alhambra: Alhambra) -> bool:
    """Does the Alhambra satisfy every construction rule?"""
    return edges_match(alhambra) and all_on_foot(alhambra) and not holes(alhambra)


def cells_around(alhambra: Alhambra) -> set[Cell]:
    """The empty cells that share an edge with a tile."""
    return {other for cell in alhambra for _, other in beside(cell)} - alhambra.keys()


def legal_cells(alhambra: Alhambra, walls: Walls) -> set[Cell]:
    """Every cell where a tile with these walls may be built."""
    return {cell for cell in cells_around(alhambra) if is_sound({**alhambra, cell: walls})}


def may_remove(alhambra: Alhambra, cell: Cell) -> bool:
    """May the tile here be taken off?"""
    return is_sound({other: walls for other, walls in alhambra.items() if other != cell})


def longest_wall(alhambra: Alhambra) -> int:
    """Outer walls as lines between the corners of the lattice: the most lines that hang together.

    In an Alhambra without holes no corner is touched by more than two lines of the outline, so lines that hang
    together are a run.
    """
    lines = [
        _ends(cell, side)
        for cell, walls in alhambra.items()
        for side, other in beside(cell)
        if side in walls and other not in alhambra
    ]
    best = 0
    while lines:
        group, corners = 1, set(lines.pop())
        while joined := [line for line in lines if corners & set(line)]:
            group += len(joined)
            corners.update(corner for line in joined for corner in line)
            lines = [line for line in lines if line not in joined]
        best = max(best, group)
    return best


def _ends(cell: Cell, side: str) -> tuple[Cell, Cell]:
    x, y = cell
    corners = {"N": ((0, 0), (1, 0)), "E": ((1, 0), (1, 1)), "S": ((0, 1), (1, 1)), "W": ((0, 0), (0, 1))}
    (ax, ay), (bx, by) = corners[side]
    return (x + ax, y + ay), (x + bx, y + by)


def random_growth(
    rng: Random, size: int, tiles: Mapping[str, Tile] = BASE_TILES
) -> Iterator[tuple[Alhambra, Tile, set[Cell], Cell]]:
    """Build an Alhambra of up to `size` tiles from the base game, legally and by chance. Yields before each step
    the Alhambra, the next tile, where it may be built, and where it will be."""
    alhambra = dict(START)
    stock = list(tiles.values())
    rng.shuffle(stock)
    while stock and len(alhambra) < size:
        tile = stock.pop()
        legal = legal_cells(alhambra, walls_of(tile))
        if legal:
            cell = rng.choice(sorted(legal))
            yield dict(alhambra), tile, legal, cell
            alhambra[cell] = walls_of(tile)
