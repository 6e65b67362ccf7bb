"""The construction rules for tiles of every kind once more, by geometry and from the text alone.

Every cell is cut into four triangles by its diagonals, one at each side. A full tile fills all four; a watchtower fills
the two at its legs, which is its half of the cell; a camp fills all four of a cell that nobody walks on. Air and feet
go from triangle to triangle. Nothing here knows the code under test but the letters that are printed on the tiles: an
Alhambra is a dict from cells to what lies there, and every question is answered by looking at all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from alhambra.components import Cell, Tile

SIDES = "NESW"
TOWARDS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
ACROSS = {"N": "S", "E": "W", "S": "N", "W": "E"}
BESIDE = {"N": "WE", "E": "NS", "S": "EW", "W": "SN"}
"""Within a cell each triangle has one at its left and one at its right."""
Triangle = tuple[int, int, str]


class Piece(NamedTuple):
    """What lies in one cell: a building, square or start tile (or half a double tile), a camp, or a watchtower."""

    tile: str
    kind: str
    """building, camp or tower."""
    walls: frozenset[str]
    """Sides with a wall, a wooden one or a printed one."""
    printed: frozenset[str]
    """Sides with a printed wall."""
    bastions: frozenset[str]
    filled: frozenset[str]
    """The triangles of the cell that it fills."""
    type: str
    """The building type that can be seen: none for squares, camps, the start tile."""


Alhambra = dict[Cell, Piece]
Gates = frozenset[frozenset[Cell]]
"""Each gate by the two cells that it joins."""


def laid(tile: Tile, cell: Cell, rotation: int = 0, wooden_walls: Sequence[int] = ()) -> Alhambra:
    """What would lie where: the tile turned clockwise about its first cell, its wooden walls with it."""
    found = {}
    for number, part in enumerate(tile.parts):
        dx, dy = part.dx, part.dy
        for _ in range(rotation // 90):
            dx, dy = -dy, dx
        turned = {SIDES[(place + rotation // 90) % 4]: letter for place, letter in enumerate(part.edges)}
        wooden = wooden_walls[number] if wooden_walls else 0
        sticking = {SIDES[(place + rotation // 90) % 4] for place in range(4) if wooden >> place & 1}
        printed = frozenset(side for side, letter in turned.items() if letter == "w")
        voids = {side for side, letter in turned.items() if letter == "v"}
        bastions = frozenset(side for side, letter in turned.items() if letter == "b")
        kind = "tower" if voids else "camp" if bastions else "building"
        seen = part.type if tile.kind in ("standard", "project") else ""
        walls = printed | (sticking if kind == "building" else set())
        colour = part.type if kind == "tower" else seen
        found[cell[0] + dx, cell[1] + dy] = Piece(
            tile.id, kind, frozenset(walls), printed, bastions, frozenset(set(SIDES) - voids), colour
        )
    return found


def beyond(cell: Cell, side: str) -> Cell:
    """The cell on that side."""
    dx, dy = TOWARDS[side]
    return cell[0] + dx, cell[1] + dy


def contacts(alhambra: Alhambra) -> Iterator[tuple[Cell, str, Piece, Piece]]:
    """Every pair of different tiles that touch with a whole side, from both sides: cell, side, and the two."""
    for cell, here in alhambra.items():
        for side in here.filled:
            there = alhambra.get(beyond(cell, side))
            if there is not None and ACROSS[side] in there.filled and there.tile != here.tile:
                yield cell, side, here, there


def may_touch(side: str, here: Piece, there: Piece) -> bool:
    """Buildings: a wall on both sides, or on neither. Towers: their legs are open. Camps: bastion to wall, and green to
    green (08); never to a tower (22)."""
    back = ACROSS[side]
    if here.kind == there.kind == "camp":
        return side not in here.bastions and back not in there.bastions
    if "camp" in (here.kind, there.kind):
        camp, toward, other, facing = (here, side, there, back) if here.kind == "camp" else (there, back, here, side)
        return other.kind == "building" and toward in camp.bastions and facing in other.walls
    return (side in here.walls) == (back in there.walls)


def touching_is_allowed(alhambra: Alhambra) -> bool:
    """No two tiles touch that may not."""
    return all(may_touch(side, here, there) for _, side, here, there in contacts(alhambra))


def on_foot(alhambra: Alhambra, gates: Gates) -> set[Triangle]:
    """The triangles that one reaches from the fountain."""
    ground = {(*cell, at) for cell, piece in alhambra.items() if piece.kind != "camp" for at in piece.filled}
    seen: set[Triangle] = {(0, 0, side) for side in SIDES}
    ahead = list(seen)
    while ahead:
        x, y, at = ahead.pop()
        for step in ((x, y, BESIDE[at][0]), (x, y, BESIDE[at][1]), (*beyond((x, y), at), ACROSS[at])):
            if step in ground and step not in seen and not _barred(alhambra, gates, (x, y), at, step):
                seen.add(step)
                ahead.append(step)
    return seen


def _barred(alhambra: Alhambra, gates: Gates, cell: Cell, at: str, step: Triangle) -> bool:
    there = (step[0], step[1])
    if there == cell or frozenset((cell, there)) in gates:
        return False
    walls = at in alhambra[cell].walls, ACROSS[at] in alhambra[there].walls
    # Inside a double tile only a wall on both halves counts.
    return all(walls) if alhambra[cell].tile == alhambra[there].tile else any(walls)


def everybody_walks(alhambra: Alhambra, gates: Gates) -> bool:
    """Every tile but the camps can be reached."""
    reached = {(x, y) for x, y, _ in on_foot(alhambra, gates)}
    return all(cell in reached for cell, piece in alhambra.items() if piece.kind != "camp")


def has_hole(alhambra: Alhambra) -> bool:
    """Is any air cut off from the outside? Looked at with the camps, and as if there were none (08.38)."""
    without = {cell: piece for cell, piece in alhambra.items() if piece.kind != "camp"}
    return _stale_air(without) or (len(without) < len(alhambra) and _stale_air(alhambra))


def _stale_air(alhambra: Alhambra) -> bool:
    xs, ys = {x for x, _ in alhambra}, {y for _, y in alhambra}
    box = ((x, y) for x in range(min(xs) - 1, max(xs) + 2) for y in range(min(ys) - 1, max(ys) + 2))
    solid = {(*cell, at) for cell, piece in alhambra.items() for at in piece.filled}
    stale = {(*cell, at) for cell in box for at in SIDES} - solid
    ahead: list[Triangle] = [(min(xs) - 1, min(ys) - 1, "N")]
    stale.discard(ahead[0])
    while ahead:
        x, y, at = ahead.pop()
        for step in ((x, y, BESIDE[at][0]), (x, y, BESIDE[at][1]), (*beyond((x, y), at), ACROSS[at])):
            if step in stale:
                stale.remove(step)
                ahead.append(step)
    return bool(stale)


def everything_leans(alhambra: Alhambra) -> bool:
    """A bastion of every camp touches a wall (08.35), a leg of every watchtower a building of its colour (22.10)."""
    held = {here.tile for _, side, here, there in contacts(alhambra) if _holds(side, here, there)}
    return all(piece.tile in held for piece in alhambra.values() if piece.kind != "building")


def _holds(side: str, here: Piece, there: Piece) -> bool:
    if here.kind == "camp":
        return side in here.bastions and there.kind == "building" and ACROSS[side] in there.walls
    open_there = ACROSS[side] not in there.walls
    return here.kind == "tower" and there.kind == "building" and open_there and there.type == here.type


def is_sound(alhambra: Alhambra, gates: Gates = frozenset()) -> bool:
    """Does the Alhambra satisfy every construction rule?"""
    return (
        touching_is_allowed(alhambra)
        and everything_leans(alhambra)
        and everybody_walks(alhambra, gates)
        and not has_hole(alhambra)
    )


def may_build(alhambra: Alhambra, gates: Gates, new: Alhambra) -> bool:
    """May this be built: on free cells, and the Alhambra is sound afterwards?"""
    if new.keys() & alhambra.keys():
        return False
    near = {cell: piece for cell, piece in alhambra.items() if any(beyond(cell, side) in new for side in SIDES)}
    # Far from everything else the answer is known before the whole Alhambra was looked at.
    return bool(near) and touching_is_allowed({**near, **new}) and is_sound({**alhambra, **new}, gates)


def gates_for(alhambra: Alhambra, gates: Gates, new: Alhambra) -> list[frozenset[Cell]]:
    """Where a gate may stand so that this may be built though nobody could walk there (05): on a double wall of printed
    walls between the new tile and one that was there."""
    after = {**alhambra, **new}
    if new.keys() & alhambra.keys() or any(piece.kind == "camp" for piece in new.values()):
        return []
    places = [
        frozenset((cell, beyond(cell, side)))
        for cell, side, here, there in contacts(after)
        if cell in new and there.kind == "building" and side in here.printed and ACROSS[side] in there.printed
    ]
    if not places or not touching_is_allowed(after) or not everything_leans(after) or has_hole(after):
        return []
    if everybody_walks(after, gates):
        return []
    return [place for place in places if everybody_walks(after, gates | {place})]


def locked(alhambra: Alhambra, gates: Gates, tile: str) -> bool:
    """The start tile, watchtowers, and the tiles under a gate are never redesigned."""
    cells = {cell for cell, piece in alhambra.items() if piece.tile == tile}
    stands = (0, 0) in cells or any(alhambra[cell].kind == "tower" for cell in cells)
    return stands or any(cells & gate for gate in gates)


def without(alhambra: Alhambra, tile: str) -> Alhambra:
    """The Alhambra without a tile."""
    return {cell: piece for cell, piece in alhambra.items() if piece.tile != tile}


def may_remove(alhambra: Alhambra, gates: Gates, tile: str) -> bool:
    """May a built tile be taken off?"""
    return not locked(alhambra, gates, tile) and is_sound(without(alhambra, tile), gates)


def may_swap(alhambra: Alhambra, gates: Gates, tile: str, new: Alhambra) -> bool:
    """May this lie in exactly the place of a built tile instead?"""
    rest = without(alhambra, tile)
    same = alhambra.keys() - rest.keys() == new.keys()
    return same and not locked(alhambra, gates, tile) and is_sound({**rest, **new}, gates)


def box_around(cells: Iterable[Cell], margin: int) -> list[Cell]:
    """Every cell of the rectangle around these, and as many further ones at its rim."""
    xs, ys = zip(*cells, strict=True)
    rows, columns = range(min(ys) - margin, max(ys) + margin + 1), range(min(xs) - margin, max(xs) + margin + 1)
    return [(x, y) for y in rows for x in columns]
