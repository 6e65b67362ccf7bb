"""Where falcons may sit and what they score, written from the rules page alone.

It reads the tiles of an Alhambra one by one and knows nothing of how the module looks at them.
"""

from __future__ import annotations

from alhambra import Game
from alhambra.components import module_data

STANDARD = {"pavilion", "seraglio", "arcades", "chambers", "garden", "tower"}
"""The first words of the names of standard buildings."""


def grid(game: Game, seat: int) -> dict[tuple[int, int], str]:
    """By cell: the name of the tile that covers it."""
    found: dict[tuple[int, int], str] = {}
    for name, placed in game.state.seats[seat].board.placed.items():
        for part in placed.tile.parts:
            dx, dy = part.dx, part.dy
            for _ in range(placed.rotation // 90):
                dx, dy = -dy, dx
            found[placed.x + dx, placed.y + dy] = name
    return found


def legal_falcons(game: Game, seat: int, sitting: dict[str, tuple[int, tuple[int, int]]]) -> set[tuple[str, int, int]]:
    """Every falcon of the supply with the north-western cell of every point that it may be put on."""
    cells = grid(game, seat)
    taken = [where for owner, where in sitting.values() if owner == seat]
    found = set()
    for x, y in cells:
        tiles = [cells.get(cell, "") for cell in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))]
        heads = [tile.split("-")[0] for tile in tiles]
        if any(head != "start" and head not in STANDARD for head in heads) or (x, y) in taken:
            continue
        shown = {head for tile, head in zip(tiles, heads, strict=True) if tile not in game.state.covered}
        for falcon in module_data("falconers")["tiles"]:
            if falcon["id"] not in sitting and all(colour in shown for colour in falcon["colours"]):
                found.add((falcon["id"], x, y))
    return found


def points_for(falcons: list[str]) -> int:
    """What the falcons of one player score: n falcons of a colour are worth n times n + 1."""
    colours = [name.split("_")[1] for name in falcons]
    return sum(colours.count(colour) * (colours.count(colour) + 1) for colour in set(colours))
