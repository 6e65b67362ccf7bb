"""Bitboards: fast construction checks for boards with camps, watchtowers, double tiles and gates.

A bitboard is a set of cells in one integer (`grid.Extent`). There is one for each edge letter and side: the cells that
show this letter on this side. Shifted by one cell, it is the set of cells with such a neighbour, so contacts are
checked for all cells at once; `_faced` is the table of allowed contacts as masks.

"Empty space" means empty cells and the void halves of watchtowers. For a legal board the following holds; the tests
confirm it with a geometric oracle:

- A new tile is reachable if one can walk into one of its cells from a neighbour, and from there into the other.
- A new cell encloses something if the empty space at its sides falls into more than one run. Two neighbouring sides
  belong to one run if empty space leads around the corner between them. The void half of the new tile joins the runs
  at its two void sides, and needs empty space at one of them.
- A double tile encloses nothing if its halves can be laid one after the other, in some order.
- Camps count twice: as built, and as empty space (08.38).
- A tile can be removed if empty space touches it in both counts, all other tiles stay connected, and every camp still
  touches something.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from ..components import BASTION, GREEN, LEG, OPEN, STEP, VOID, WALL, Cell
from ..fast_tuple import new_tuple
from .contacts import Edge, Form
from .grid import Extent

_CLASS = {OPEN: 0, LEG: 0, WALL: 1, BASTION: 2, GREEN: 3, VOID: 4}
"""Letters with the same contacts share bitboards."""
_BASTION, _GREEN, _VOID = 2, 3, 4
_STEPS = tuple(STEP.values())
_FIRST_VOID = {"llvv": 2, "vllv": 3, "vvll": 0, "lvvl": 1}
"""The first of a watchtower's two void sides, clockwise."""
Mask: TypeAlias = tuple[int, int, int]
"""The fields of `Fit`."""
PerSide: TypeAlias = tuple[int, int, int, int]
"""One bitboard per side, in the order N E S W."""


class Fit(NamedTuple):
    """Cells where one cell of a tile could lie, judging by its contacts."""

    refused: int
    """A side would have a forbidden contact."""
    touched: int
    """It would touch a walkable tile."""
    entered: int
    """One could walk in; for a camp: it would touch something."""


class Sites(NamedTuple):
    """Cells where a tile could be built, for its first part."""

    legal: int
    unreached: int
    """Cells where the tile is only not reachable on foot."""


class EmptySides(NamedTuple):
    """Cells where a new cell would have no empty space, by side."""

    blocked: PerSide
    """No empty space at this side."""
    breaks: PerSide
    """Empty space at this side, but not around the corner clockwise to the next side."""


class Bitboards:
    """The tiles of one board, immutable: changes return new bitboards."""

    __slots__ = (
        "_empty_sides",
        "_facing",
        "_fits",
        "_holes",
        "_sites",
        "_steps",
        "built",
        "camps",
        "extent",
        "gates",
        "letters",
    )

    def __init__(self, extent: Extent, built: int, camps: int, letters: tuple[int, ...], gates: PerSide) -> None:
        self.extent = extent
        self.built = built
        self.camps = camps
        """The built cells that are not walkable."""
        self.letters = letters
        """Bitboards by class of letters, four each."""
        self.gates = gates
        """The cells with a gate on this side. A gate is set on both of its cells."""
        self._facing: tuple[tuple[Mask, ...], ...] | None = None
        self._steps: PerSide | None = None
        self._fits: dict[str, Fit] = {}
        self._sites: dict[Form, Sites] = {}
        self._empty_sides: dict[bool, EmptySides] = {}
        self._holes: dict[tuple[int | None, bool, int | None], int] = {}

    @staticmethod
    def of(forms: Iterable[tuple[int, int, Form]], passages: Iterable[Edge]) -> Bitboards:
        """Return the bitboards of these tiles, each given by the cell of its first part and its form."""
        tiles = tuple(forms)
        extent = Extent.of(Extent.SIZES[0])
        while not all(_holds(extent, x, y, form) for x, y, form in tiles):
            extent = extent.wider()
        bitboards = Bitboards(extent, 0, 0, (0,) * 20, (0, 0, 0, 0))
        for x, y, form in tiles:
            bitboards = bitboards._toggled(x, y, form)
        return bitboards.with_gates(passages)

    def with_tile(self, x: int, y: int, form: Form) -> Bitboards | None:
        """Return the bitboards with one more tile; None if it is too close to the border of the extent."""
        return self._toggled(x, y, form) if _holds(self.extent, x, y, form) else None

    def without_tile(self, x: int, y: int, form: Form, passages: Iterable[Edge]) -> Bitboards:
        """Return the bitboards without a tile, and with the remaining gates."""
        without = self._toggled(x, y, form)
        return without.with_gates(passages) if any(self.gates) else without

    def with_gates(self, passages: Iterable[Edge]) -> Bitboards:
        """Return the bitboards with gates on exactly these edges."""
        gates = [0, 0, 0, 0]
        for x, y, side in passages:
            bit = 1 << self.place(x, y)
            if side == "E":
                gates[1] |= bit
                gates[3] |= bit << 1
            else:
                gates[2] |= bit
                gates[0] |= bit << self.extent.size
        return Bitboards(self.extent, self.built, self.camps, self.letters, (gates[0], gates[1], gates[2], gates[3]))

    def _toggled(self, x: int, y: int, form: Form) -> Bitboards:
        """Return the bitboards with the bits of one tile toggled: added or removed."""
        letters = list(self.letters)
        covered = 0
        for dx, dy, edges in form.parts:
            bit = 1 << self.place(x + dx, y + dy)
            covered |= bit
            for side, letter in enumerate(edges):
                letters[4 * _CLASS[letter] + side] ^= bit
        camps = self.camps if form.walkable else self.camps ^ covered
        return Bitboards(self.extent, self.built ^ covered, camps, tuple(letters), self.gates)

    def place(self, x: int, y: int) -> int:
        """Return the bit number of a cell."""
        return self.extent.origin + y * self.extent.size + x

    def has(self, cells: int, x: int, y: int) -> bool:
        """Return whether the set contains this cell. Cells outside the extent are in no set."""
        reach = self.extent.reach
        return -reach <= x <= reach >= y >= -reach and bool(cells >> self.place(x, y) & 1)

    def cells_in(self, found: int) -> list[Cell]:
        """Return the cells of a set, row by row."""
        return self.extent.cells_in(found)

    # -- Building -----------------------------------------------------------------------------------------------------

    def sites(self, form: Form) -> Sites:
        """Return where a tile of this form could be built."""
        found = self._sites.get(form)
        if found is None:
            found = self._sites[form] = self._single_sites(form) if len(form.parts) == 1 else self._double_sites(form)
        return found

    def _single_sites(self, form: Form) -> Sites:
        edges = form.parts[0][2]
        refused, touched, entered = self.fit(edges)
        void = _FIRST_VOID.get(edges) if VOID in edges else None
        refused |= self.built | self._enclosing(void, False)
        if self.camps and form.walkable:
            refused |= self._enclosing(void, True)
        sound = self.extent.within & ~refused
        legal = sound & entered
        return new_tuple(Sites, (legal, sound & touched & ~legal if form.walkable else 0))

    def _double_sites(self, form: Form) -> Sites:
        (_, _, edges), (dx, dy, other_edges) = form.parts
        one, other = self.fit(edges), self.fit(other_edges)
        step = dy * self.extent.size + dx
        towards = _STEPS.index((dx, dy))
        sound = self.extent.within & ~(self.built | one.refused)
        sound &= _from(self.extent.within & ~(self.built | other.refused), step)
        for outline in (False, True) if self.camps else (False,):
            first = self._enclosing(None, outline)
            sound &= ~(first | _from(self._enclosing(None, outline, towards ^ 2), step)) | ~(
                _from(first, step) | self._enclosing(None, outline, towards)
            )
        entered = one.entered | _from(other.entered, step)
        if _walled_inside(form):
            entered = one.entered & _from(other.entered, step)
        touched = one.touched | _from(other.touched, step)
        return new_tuple(Sites, (sound & entered, sound & touched & ~entered))

    def fit(self, edges: str) -> Fit:
        """Return where a cell with these edge letters could lie, judging by contacts only; built cells are not
        excluded."""
        found = self._fits.get(edges)
        if found is None:
            north, east, south, west = self._facing or self._find_facing()
            refused, touched, entered = north[_CLASS[edges[0]]]
            for side, letter in ((east, edges[1]), (south, edges[2]), (west, edges[3])):
                more = side[_CLASS[letter]]
                refused |= more[0]
                touched |= more[1]
                entered |= more[2]
            found = self._fits[edges] = new_tuple(Fit, (refused, touched, entered))
        return found

    def _find_facing(self) -> tuple[tuple[Mask, ...], ...]:
        """Return by side and class of letters what a neighbour there means for a new cell with this letter."""
        size, letters, gates = self.extent.size, self.letters, self.gates
        bastions, greens = letters[8:12], letters[12:16]
        if not self.camps:
            bastions = greens = (0, 0, 0, 0)
        self._facing = (
            _faced(letters[2] << size, letters[6] << size, bastions[2] << size, greens[2] << size, gates[0]),
            _faced(letters[3] >> 1, letters[7] >> 1, bastions[3] >> 1, greens[3] >> 1, gates[1]),
            _faced(letters[0] >> size, letters[4] >> size, bastions[0] >> size, greens[0] >> size, gates[2]),
            _faced(letters[1] << 1, letters[5] << 1, bastions[1] << 1, greens[1] << 1, gates[3]),
        )
        return self._facing

    def _enclosing(self, void: int | None, outline: bool, filled: int | None = None) -> int:
        """Return the cells where a new cell would cut off empty space from the outside. `void` is the first of its two
        void sides; with `outline`, camps count as empty space; `filled` is the side at which the other half of the tile
        lies."""
        key = (void, outline, filled)
        found = self._holes.get(key)
        if found is not None:
            return found
        blocked, breaks = self._empty_sides.get(outline) or self._find_empty_sides(outline)
        changed: list[int] = [*breaks]
        sealed = 0
        if void is not None:
            before, after = blocked[void], blocked[void - 3]
            sealed = before & after
            changed[void] = after ^ sealed
        elif filled is not None:
            changed[filled] = 0
            changed[filled - 1] = self.extent.within & ~blocked[filled - 1]
        north, east, south, west = changed
        found = self._holes[key] = north & east | south & west | (north | east) & (south | west) | sealed
        return found

    def _find_empty_sides(self, outline: bool) -> EmptySides:
        size = self.extent.size
        built = self.built & ~self.camps if outline else self.built
        voids = self.letters[4 * _VOID :]
        # By side: the cells without empty space there.
        north, east, south, west = (built & ~void for void in voids) if any(voids) else (built,) * 4
        above, right, below, left = south << size, west >> 1, north >> size, east << 1
        # A corner is closed by any of four sides that end in it: two of the diagonal cell, one of each neighbour.
        air = new_tuple(
            EmptySides,
            (
                (above, right, below, left),
                (
                    ((left | west | south | below) << size - 1 | right) & ~above,
                    ((above | left | north | west) >> size + 1 | below) & ~right,
                    ((right | east | north | above) >> size - 1 | left) & ~below,
                    ((below | right | south | east) << size + 1 | above) & ~left,
                ),
            ),
        )
        self._empty_sides[outline] = air
        return air

    # -- Redesign -----------------------------------------------------------------------------------------------------

    def can_replace(self, x: int, y: int, old: Form, new: Form) -> bool:
        """Return whether a tile may replace a built one that covers the same cells. Requires `can_be_swapped`."""
        if new.walkable and old.walkable:
            # Matching sides change neither paths nor outline.
            outside = new if len(new.parts) == 1 else _without_inside(new)
            return not any(self.has(self.fit(edges).refused, x + dx, y + dy) for dx, dy, edges in outside.parts)
        refused, _, entered = self.fit(new.parts[0][2])
        if not self.has(entered & ~refused, x, y):
            return False
        if new.walkable:
            return not self.has(self._enclosing(None, True), x, y)
        place = 1 << self.place(x, y)
        return not old.walkable or (self._touches_empty(place, True) and self._connected_without(place))

    def can_remove(self, x: int, y: int, form: Form) -> bool:
        """Return whether this tile may be removed."""
        leaving = 0
        for dx, dy, _ in form.parts:
            leaving |= 1 << self.place(x + dx, y + dy)
        if not self._touches_empty(leaving, False):
            return False
        if self.camps and not self._camps_stand_without(leaving):
            return False
        if not form.walkable:
            return True
        return (not self.camps or self._touches_empty(leaving, True)) and self._connected_without(leaving)

    def _touches_empty(self, leaving: int, outline: bool) -> bool:
        """Return whether empty space touches these cells."""
        north, east, south, west = (self._empty_sides.get(outline) or self._find_empty_sides(outline)).blocked
        return bool(leaving & ~(north & east & south & west))

    def _camps_stand_without(self, leaving: int) -> bool:
        """Return whether every other camp still touches something."""
        size = self.extent.size
        gone = leaving << size, leaving >> 1, leaving >> size, leaving << 1
        leaning = leaving
        for side, faced in enumerate(self._facing or self._find_facing()):
            for kind in (_BASTION, _GREEN):
                leaning |= self.letters[4 * kind + side] & faced[kind][2] & ~gone[side]
        return not self.camps & ~leaning

    def _connected_without(self, leaving: int) -> bool:
        """Return whether all other tiles can be reached from the fountain."""
        north, east, south, west = self._steps or self._find_steps()
        if not leaving & (leaving - 1) and sum(leaving & step != 0 for step in (north, east, south, west)) < 2:
            return True  # a single cell with at most one connection
        size = self.extent.size
        remaining = self.built & ~(self.camps | leaving)
        reached, before = 1 << self.extent.origin, 0
        while reached != before:
            before = reached
            reached |= (
                (reached & north) >> size | (reached & east) << 1 | (reached & south) << size | (reached & west) >> 1
            ) & remaining
        return reached == remaining

    def _find_steps(self) -> PerSide:
        """Return the cells that one can leave on foot to the N, E, S, W."""
        facing = self._facing or self._find_facing()
        north, east, south, west = (self.letters[side] & facing[side][0][2] | self.gates[side] for side in range(4))
        self._steps = north, east, south, west
        return self._steps


def can_be_swapped(old: Form, new: Form) -> bool:
    """Return whether `Bitboards.can_replace` can judge the swap: neither tile has a void side, and no wall inside the
    new one blocks a path that the old one left open."""
    if VOID in old.parts[0][2] + new.parts[0][2]:
        return False
    return not _walled_inside(new) or _walled_inside(old)


def _walled_inside(form: Form) -> bool:
    """Return whether there is a wall between the two halves."""
    if len(form.parts) == 1:
        return False
    (_, _, edges), (dx, dy, _) = form.parts
    return edges[_STEPS.index((dx, dy))] == WALL


def _without_inside(form: Form) -> Form:
    """Return a double tile without contacts between its halves."""
    (_, _, edges), (dx, dy, other_edges) = form.parts
    towards = _STEPS.index((dx, dy))
    edges = edges[:towards] + VOID + edges[towards + 1 :]
    other_edges = other_edges[: towards ^ 2] + VOID + other_edges[(towards ^ 2) + 1 :]
    return Form(((0, 0, edges), (dx, dy, other_edges)), form.walkable)


def _faced(opens: int, walls: int, bastions: int, greens: int, gates: int) -> tuple[Mask, ...]:
    """Return the contacts of a new cell at one side, by class of its letter, as masks. The arguments are the cells with
    such a neighbour there; void halves are no neighbours."""
    camps = bastions | greens
    return (
        (walls | camps, opens, opens),
        (opens | greens, walls, walls & gates),
        (opens | camps, 0, walls),
        (opens | walls | bastions, 0, greens),
        (0, 0, 0),
    )


def _from(cells: int, step: int) -> int:
    """Return the cells from which this step leads into the set."""
    return cells >> step if step > 0 else cells << -step


def _holds(extent: Extent, x: int, y: int, form: Form) -> bool:
    """Return whether the tile fits into the extent. Three cells at the border stay free, so that a double tile fits
    beside it and no shift wraps around."""
    far = extent.reach - 1
    return extent.size == extent.SIZES[-1] or all(-far < x + dx < far > y + dy > -far for dx, dy, _ in form.parts)
