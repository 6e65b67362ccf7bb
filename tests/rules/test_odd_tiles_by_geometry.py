"""Tiles of every kind against the geometric oracle, on Alhambras grown by chance: camps, watchtowers, double tiles,
turned tiles, wooden walls, gates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from importlib import import_module
from random import Random

import pytest

from alhambra import Board, Game, Options, Tile, known_modules
from alhambra.base.build import builds, lock_of, module_faults
from alhambra.base.redesign import removal_faults
from alhambra.components import Cell
from alhambra.placement import bitboards as planes_module
from alhambra.placement.bitboards import Bitboards, Fit
from alhambra.placement.contacts import Form
from alhambra.placement.rules import check_placement, check_swap, is_legal, legal_cells, may_remove, places_for

from . import odd_oracle as oracle
from .samples import building, camp, project, watchtower

BOARDS = 250
"""How many Alhambras the test compares; `python -m tests.conformance --only oracles` compares 50,000."""
LONGEST = 22
"""Steps in which one Alhambra grows."""
TYPES = ("garden", "tower", "arcades")
GATE = "gate"


def pool(rng: Random) -> list[Tile]:
    """Tiles of every kind, with walls by chance."""
    found: list[Tile] = []
    for _ in range(40):
        walls = ["".join(side for side in "NESW" if rng.random() < 0.35) for _ in range(3)]
        found += [building(walls[0], rng.choice(TYPES)), building(walls[1], rng.choice(TYPES))]
        found.append(watchtower(rng.choice(TYPES)))
        found.append(camp(rng.choice(("N", "E", "S", "W", "NE", "ES", "SW", "NW"))))
        found.append(project(walls[2], rng.choice(("", "N", "ES", "W")), down=rng.random() < 0.5))
    return found


def game_with(tiles: Iterable[Tile]) -> Game:
    """A game with every module, whose first seat holds a gate card, and which knows these tiles."""
    game = Game.new(Options(seats=2, seed="odd tiles", modules=tuple(known_modules())))
    game.ruleset = copy(game.ruleset)
    game.ruleset.tiles = {**game.ruleset.tiles, **{tile.id: tile for tile in tiles}}
    game.state.seats[0].hand = (GATE,)
    return game


class Growth:
    """One Alhambra, for the engine and for the oracle."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.stock = pool(rng)
        rng.shuffle(self.stock)
        self.game = game_with(self.stock)
        self.board = Board()
        self.game.state.seats[0].board = self.board
        self.alhambra = oracle.laid(self.board.start, (0, 0))
        self.gates: oracle.Gates = frozenset()
        self.dense = rng.random() < 0.5
        if rng.random() < 0.2:
            self._begin_with_a_courtyard()

    def _begin_with_a_courtyard(self) -> None:
        """Seven tiles around a cell, with a camp in it that a building west of it would wall in; or eight, and a
        building. By chance alone this takes thousands of boards."""
        around = [((1, 0), "S"), ((2, 0), ""), ((2, 1), "W"), ((2, 2), ""), ((1, 2), "N"), ((0, 2), "")]
        if full := self.rng.random() < 0.5:
            around = [*((cell, "") for cell, _ in around), ((0, 1), "")]
        begun = [(building(walls), cell) for cell, walls in around]
        begun.append((building() if full else camp("NESW"), (1, 1)))
        self.game.ruleset.tiles.update({tile.id: tile for tile, _ in begun})
        for tile, cell in begun:
            self._put(tile, cell, 0)

    def draw(self) -> tuple[Tile, int]:
        """The next tile, with wooden walls now and then, and how it is turned."""
        tile = self.stock.pop()
        if tile.kind in ("standard", "project") and self.rng.random() < 0.2:
            # The second half of a double tile lies to the east or south of the first: no wooden wall goes inside.
            masks = (self.rng.choice((0, 1, 8)), self.rng.choice((0, 2, 4)))[: len(tile.parts)]
            self.game.state.wooden_walls = {**self.game.state.wooden_walls, tile.id: masks}
        turned = tile.rotatable or self.rng.random() < 0.25
        return tile, self.rng.choice((0, 90, 180, 270)) if turned and tile.walkable else 0

    def wooden_walls(self, tile: Tile) -> tuple[int, ...]:
        """The wooden walls of a tile."""
        return self.game.state.wooden_walls.get(tile.id, ())

    def compare(self, tile: Tile, rotation: int, *, gates: bool) -> list[Cell]:
        """Every answer of engine and oracle about one tile; returns the legal cells."""
        wooden_walls = self.wooden_walls(tile)
        box = oracle.box_around(self.alhambra, 2)
        lying = {cell: oracle.laid(tile, cell, rotation, wooden_walls) for cell in box}
        expected = [cell for cell in box if oracle.may_build(self.alhambra, self.gates, lying[cell])]
        by_rules = legal_cells(self.board, tile, rotation, wooden_walls)
        found = [cell for cell in by_rules if not self._module_faults(tile, cell, rotation)]
        assert found == expected, self.told("placement", tile, rotation, set(found) ^ set(expected))
        for cell in self.rng.sample(box, 8):
            self._compare_place(tile, rotation, cell, lying[cell], legal=cell in expected)
        if gates and (tile.rotatable or not rotation) and not _walled_inside(tile):
            self._compare_builds(tile, rotation, expected, lying)
        self._compare_redesign(tile, rotation)
        return expected

    def _module_faults(self, tile: Tile, cell: Cell, rotation: int) -> bool:
        return bool(module_faults(self.game, 0, self.board, tile, cell, rotation))

    def _compare_place(self, tile: Tile, rotation: int, cell: Cell, new: oracle.Alhambra, *, legal: bool) -> None:
        codes = {fault.code for fault in check_placement(self.board, tile, *cell, rotation, self.wooden_walls(tile))}
        assert is_legal(self.board, tile, *cell, rotation, self.wooden_walls(tile)) == (not codes)
        free = not new.keys() & self.alhambra.keys()
        assert ("PLACE_TAKEN" in codes) == (not free)
        if free:
            holed = oracle.has_hole({**self.alhambra, **new})
            assert ("HOLE" in codes) == holed, self.told("hole", tile, rotation, cell)
            apart = not oracle.touching_is_allowed({**self.alhambra, **new})
            assert bool(codes & {"EDGE_MISMATCH", "CONTACT_FORBIDDEN"}) == apart, self.told(
                "sides", tile, rotation, cell
            )
            lost = codes & {"NOT_REACHABLE", "NO_CONTACT"}
            if not apart and tile.walkable:
                walks = oracle.everybody_walks({**self.alhambra, **new}, self.gates)
                assert bool(lost) == (not walks), self.told("on foot", tile, rotation, cell)
            assert (not codes and not self._module_faults(tile, cell, rotation)) == legal

    def _compare_builds(
        self, tile: Tile, rotation: int, expected: list[Cell], lying: dict[Cell, oracle.Alhambra]
    ) -> None:
        ways = [way for way in builds(self.game, 0, self.board, tile) if (way[1] or 0) == rotation]
        assert [cell for cell, _, _, choice in ways if choice is None] == expected
        by_gate = {cell for cell, _, _, choice in ways if choice == GATE}
        gated = {cell for cell, new in lying.items() if oracle.gates_for(self.alhambra, self.gates, new)}
        assert by_gate == gated, self.told("gate", tile, rotation, by_gate ^ gated)

    def _compare_redesign(self, tile: Tile, rotation: int) -> None:
        built = list(self.board.placed)
        wooden_walls = self.wooden_walls(tile)
        for old in self.rng.sample(built, min(5, len(built))):
            may = oracle.may_remove(self.alhambra, self.gates, old)
            assert (not removal_faults(self.game, 0, old)) == may, self.told("removal", tile, rotation, old)
            assert may_remove(self.board, old) or not may
            placed = self.board.placed[old]
            anywhere = (oracle.laid(tile, cell, rotation, wooden_walls) for cell in self.board.cells_of(old))
            may = any(oracle.may_swap(self.alhambra, self.gates, old, new) for new in anywhere)
            fits = not check_swap(self.board, old, tile, rotation, wooden_walls)
            assert fits == (old in places_for(self.board, tile, [placed], rotation, wooden_walls))
            cell = next((c for c in self.board.cells_of(old) if self._covers(old, tile, c, rotation)), (0, 0))
            judged = fits and not module_faults(self.game, 0, self.board, tile, cell, rotation, old)
            assert (judged and lock_of(self.game, 0, old) is None) == may, self.told("swap", tile, rotation, old)

    def _covers(self, old: str, tile: Tile, cell: Cell, rotation: int) -> bool:
        return oracle.laid(tile, cell, rotation).keys() == {*self.board.cells_of(old)}

    def told(self, what: str, tile: Tile, rotation: int, where: object) -> str:
        """The disagreement, for a person."""
        edges = [part.edges for part in tile.parts]
        return f"{what}: {tile.kind} {edges} turned by {rotation}, {self.wooden_walls(tile)} at {where}\n{self.board}"

    # -- Changing both in the same way --------------------------------------------------------------------------------

    def grow(self, tile: Tile, rotation: int, legal: list[Cell]) -> None:
        """Builds the tile where it may lie, with a gate if need be."""
        rng, wooden_walls = self.rng, self.wooden_walls(tile)
        if legal:
            rng.shuffle(legal)
            # Half of them in the narrowest place: there are the holes and the pockets.
            self._put(tile, max(legal, key=self._crowd) if self.dense else legal[0], rotation)
        elif not _walled_inside(tile):
            for cell in rng.sample(oracle.box_around(self.alhambra, 2), 12):
                new = oracle.laid(tile, cell, rotation, wooden_walls)
                if places := oracle.gates_for(self.alhambra, self.gates, new):
                    self._put(tile, cell, rotation)
                    self._set_gate(rng.choice(sorted(places, key=sorted)))
                    break

    def _crowd(self, cell: Cell) -> int:
        return sum(other in self.alhambra for other in oracle.box_around([cell], 1))

    def _put(self, tile: Tile, cell: Cell, rotation: int) -> None:
        self.board.put(tile, *cell, rotation, self.wooden_walls(tile))
        self.alhambra.update(oracle.laid(tile, cell, rotation, self.wooden_walls(tile)))

    def _set_gate(self, place: frozenset[Cell]) -> None:
        (x, y), (other_x, _) = sorted(place)
        self.board.add_passage(x, y, "E" if other_x > x else "S")
        self.gates |= {place}

    def shrink(self) -> None:
        """Takes a tile off that may leave."""
        old = self.rng.choice(list(self.board.placed))
        if oracle.may_remove(self.alhambra, self.gates, old):
            self.board.remove(old)
            self.alhambra = oracle.without(self.alhambra, old)

    def wall_up(self) -> None:
        """Puts a wooden wall on a built tile, on a side where nothing touches it."""
        placed = self.rng.choice(list(self.board.placed.values()))
        tile, old = placed.tile, self.wooden_walls(placed.tile) or (0,) * len(placed.tile.parts)
        masks = (self.rng.choice((1, 2, 4, 8)), *old[1:])
        walled = oracle.laid(tile, (placed.x, placed.y), placed.rotation, tuple(map(int.__or__, old, masks)))
        after = {**self.alhambra, **walled}
        if tile.kind in ("standard", "start") and oracle.is_sound(after, self.gates):
            self.board.add_wooden_walls(tile.id, masks)
            self.game.state.wooden_walls = {
                **self.game.state.wooden_walls,
                tile.id: self.board.placed[tile.id].wooden_walls,
            }
            self.alhambra = after


def _walled_inside(tile: Tile) -> bool:
    """No printed double tile has a wall inside, so whether a gate helps there is left open."""
    return len(tile.parts) > 1 and "w" in tile.parts[0].edges[1:3]


def compare_odd_tiles(count: int, seed: str = "odd tiles") -> int:
    """Grow Alhambras until `count` have been compared; returns how many."""
    rng = Random(seed)
    compared = 0
    while compared < count:
        growth = Growth(rng)
        for _ in range(rng.randint(3, LONGEST)):
            tile, rotation = growth.draw()
            legal = growth.compare(tile, rotation, gates=rng.random() < 0.3)
            growth.grow(tile, rotation, legal)
            if rng.random() < 0.15:
                growth.shrink()
            if rng.random() < 0.15:
                growth.wall_up()
            compared += 1
    return compared


def test_tiles_of_every_kind_obey_the_geometric_oracle() -> None:
    assert compare_odd_tiles(BOARDS) >= BOARDS


# -- The comparison bites ----------------------------------------------------------------------------------------------


def _fit_without(*forgotten: str) -> Callable[[Bitboards, str], Fit]:
    fit = Bitboards.fit

    def broken(bitboards: Bitboards, edges: str) -> Fit:
        return fit(bitboards, edges)._replace(**dict.fromkeys(forgotten, 0))

    return broken


def _enclosing_nothing(*, outline: bool) -> Callable[..., int]:
    enclosing = Bitboards._enclosing

    def broken(bitboards: Bitboards, void: int | None, camps_are_air: bool, *more: int) -> int:
        return 0 if camps_are_air == outline else enclosing(bitboards, void, camps_are_air, *more)

    return broken


def _walking_through_every_double_wall(bitboards: Bitboards, edges: str) -> Fit:
    fit = bitboards._fits.get(edges) or _FIT(bitboards, edges)
    return fit._replace(entered=fit.touched) if not {"b", "g"} & {*edges} else fit


_FIT = Bitboards.fit
BREAKS: dict[str, tuple[object, str, object]] = {
    "sides that may not touch do": (Bitboards, "fit", _fit_without("refused")),
    "every double wall is a way": (Bitboards, "fit", _walking_through_every_double_wall),
    "holes are built around": (Bitboards, "_enclosing", _enclosing_nothing(outline=False)),
    "holes are filled with camps": (Bitboards, "_enclosing", _enclosing_nothing(outline=True)),
    "void halves are walled in": (planes_module, "_FIRST_VOID", {}),
    "a removal cuts tiles off": (Bitboards, "_connected_without", lambda *_given: True),
    "a removal leaves a hole": (Bitboards, "_touches_empty", lambda *_given, **_more: True),
    "a removal leaves a camp alone": ("alhambra.base.redesign", "judged_by_modules", lambda *_given: False),
    "a swap looks at its sides only": (
        Bitboards,
        "can_replace",
        lambda p, x, y, _old, new: not p.has(_refused(p, new), x, y),
    ),
    "gates are closed": (Bitboards, "with_gates", lambda bitboards, _passages: bitboards),
    "nothing needs to lean": ("alhambra.base.build", "standing_faults", lambda *_given: []),
    "gates stand anywhere": ("alhambra.modules.city_gates", "_gate_sides", lambda *_given: [((0, 0), "N")]),
}


def _refused(bitboards: Bitboards, form: Form) -> int:
    return bitboards.fit(form.parts[0][2]).refused


SEEDS = {
    "holes are built around": 2,
    "holes are filled with camps": 1,
    "void halves are walled in": 2,
    "a removal leaves a hole": 17,
    "a removal leaves a camp alone": 3,
    "gates are closed": 49,
}
"""Seeds whose first boards already show the broken rule; 0 for the others."""


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_rule_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, attribute, broken = BREAKS[name]
    target = import_module(where) if isinstance(where, str) else where
    monkeypatch.setattr(target, attribute, broken)
    with pytest.raises(AssertionError):
        compare_odd_tiles(4 * BOARDS, f"odd tiles {SEEDS.get(name, 0)}")
