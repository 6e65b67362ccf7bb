"""28 What lies on both halves of a project fares as on any tile; each piece stays on its half."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alhambra import Game
from alhambra.base.build import add_wooden_walls
from alhambra.modules.city_walls import Walls
from alhambra.modules.extensions import Extensions
from alhambra.modules.menagerie import Menagerie
from alhambra.modules.palace_staff import Staff
from alhambra.modules.treasure_chamber import Chamber
from tests.rules.modules.major_construction_projects_table import KEY, VERTICAL
from tests.rules.modules.menagerie_table import put as put_animals
from tests.rules.modules.palace_staff_table import house, served, stand_at
from tests.rules.overlays import (
    test_animal,
    test_chest,
    test_extension,
    test_handyman,
    test_major_domo,
    test_servant,
    test_wooden_wall,
)
from tests.rules.overlays.fates import Overlay, check
from tests.rules.overlays.ways import BUILT

HALVES = ("pavilion", "arcades")
LOWER = (BUILT[0], BUILT[1] + 1)


def chests(game: Game, _seat: int, tile: str) -> None:
    """A chest stands in each half."""
    kept = game.module_state(Chamber)
    bag = list(kept.bag)
    for name in HALVES:
        bag.remove(name)
    kept.bag, kept.put = tuple(bag), {tile: HALVES}


def servants(game: Game, _seat: int, tile: str) -> None:
    """A servant lives in each half."""
    for part, name in enumerate(HALVES):
        house(game, tile, name, part)


def animals(game: Game, _seat: int, tile: str) -> None:
    """An animal lies on each half."""
    put_animals(game, tile, "dove", 0)
    put_animals(game, tile, "monkey", 1)


def extensions(game: Game, _seat: int, tile: str) -> None:
    """Each half is extended."""
    kept = game.module_state(Extensions)
    for name in HALVES:
        slot = next(slot for slot, lying in kept.lying.items() if lying == name)
        kept.lying = {other: lying for other, lying in kept.lying.items() if other != slot}
    kept.attached = {tile: HALVES}


def wall(game: Game, seat: int, tile: str) -> None:
    """A wooden wall stands at the southern side of the lower half."""
    game.module_state(Walls).left -= 1
    add_wooden_walls(game, seat, tile, ("S",), part=1, event="wall_built")


def on_project(overlay: Overlay, **changes: object) -> Overlay:
    """The overlay lies on a project."""
    return replace(overlay, modules=(*overlay.modules, KEY), tile=VERTICAL, **changes)  # type: ignore[arg-type]


OVERLAYS = {
    "chest": on_project(
        test_chest.OVERLAY, put=chests, lies=lambda game, tile: game.module_state(Chamber).put.get(tile) == HALVES
    ),
    "servant": on_project(
        test_servant.OVERLAY,
        put=servants,
        lies=lambda game, tile: game.module_state(Staff).housed.get(tile) == ((0, HALVES[0]), (1, HALVES[1])),
        home=lambda game: not served(game) and not any(piece.startswith("servant") for piece in game.state.box),
    ),
    "animal": on_project(
        test_animal.OVERLAY,
        put=animals,
        lies=lambda game, tile: game.module_state(Menagerie).lying.get(tile) == ((0, "dove"), (1, "monkey")),
    ),
    "extension": on_project(
        test_extension.OVERLAY,
        put=extensions,
        lies=lambda game, tile: game.module_state(Extensions).attached.get(tile) == HALVES,
    ),
    "wooden_wall": on_project(test_wooden_wall.OVERLAY, put=wall),
    "handyman": on_project(test_handyman.OVERLAY),
    "major_domo": on_project(test_major_domo.OVERLAY, put=lambda game, seat, _tile: stand_at(game, LOWER, seat)),
}
STAYING = ("added", "removed", "relocated", "stowed", "resigned")
CASES = [
    *(
        (name, way, "stays")
        for name in ("servant", "animal", "extension", "wooden_wall", "handyman")
        for way in STAYING
    ),
    *((name, "boxed", "leaves") for name in ("servant", "animal", "extension", "wooden_wall")),
    ("handyman", "boxed", "returns"),
    *(("chest", way, "returns") for way in ("removed", "relocated", "stowed", "boxed")),
    ("chest", "resigned", "stays"),
    *(("major_domo", way, "locked") for way in ("removed", "relocated", "stowed", "boxed")),
]


@pytest.mark.parametrize(("overlay", "way", "expected"), CASES)
def test_what_lies_on_both_halves_of_a_project(overlay: str, way: str, expected: str) -> None:
    check(OVERLAYS[overlay], way, expected)
