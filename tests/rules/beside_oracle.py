"""What bazaars, bathhouses and wells bring, once more and from the text of the rules alone.

Nothing here knows the code under test: an Alhambra is a dict from cells to what can be read there, and every question
is answered by walking from cell to cell.
"""

from __future__ import annotations

from typing import NamedTuple

Cell = tuple[int, int]
WAYS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class Standing(NamedTuple):
    """What lies in a cell: the building type that counts, empty for everything else; whether it fills the cell."""

    type: str = ""
    full: bool = True


Alhambra = dict[Cell, Standing]


def bazaar(alhambra: Alhambra, cell: Cell, colours: list[str]) -> int:
    """Buildings of its colours on the eight cells around, times the number of different ones of its colours there."""
    x, y = cell
    buildings, different = 0, []
    for at in [(x - 1, y - 1), (x, y - 1), (x + 1, y - 1), (x - 1, y), (x + 1, y)] + [
        (x + i, y + 1) for i in (-1, 0, 1)
    ]:
        found = alhambra.get(at, Standing()).type
        if found in colours:
            buildings += 1
            if found not in different:
                different.append(found)
    return buildings * len(different)


def looking(side: str, degrees: int) -> tuple[int, int]:
    """The step in which a printed side looks once its tile was turned clockwise."""
    for _ in range(degrees // 90):
        side = {"N": "E", "E": "S", "S": "W", "W": "N"}[side]
    return WAYS[side]


def bathhouse(alhambra: Alhambra, cell: Cell, sides: dict[str, str], degrees: int) -> int:
    """For each side the distance of the first building of its type; a gap ends the look."""
    total = 0
    for side, wanted in sides.items():
        dx, dy = looking(side, degrees)
        for distance in range(1, 200):
            met = alhambra.get((cell[0] + dx * distance, cell[1] + dy * distance))
            if met is None or not met.full:
                break
            if met.type == wanted:
                total += distance
                break
    return total


def well(alhambra: Alhambra, cell: Cell, number: int, arrow: str, degrees: int) -> int:
    """Its number if exactly as many tiles lie before the arrow."""
    dx, dy = looking(arrow, degrees)
    tiles = 0
    at = (cell[0] + dx, cell[1] + dy)
    while at in alhambra and alhambra[at].full:
        tiles += 1
        at = (at[0] + dx, at[1] + dy)
    return number if tiles == number else 0
