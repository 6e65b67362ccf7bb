"""29 The palace staff: what becomes of the servants of a tile, whichever way the tile goes."""

from __future__ import annotations

import pytest

from alhambra import Game, registry
from alhambra.modules.palace_staff import Staff
from alhambra.modules.personal_building_market import PLACES
from tests.rules.example_modules import register_examples
from tests.rules.modules.characters_table import asked
from tests.rules.modules.palace_staff_table import KEY, LINE, house, served, staffed, stand_at
from tests.rules.modules.personal_market_table import stall
from tests.rules.situations import alhambra, codes, hand, pieces, play, refused, reserve

TOWER = "tower-12"
SERVED = {TOWER: ["tower"]}


def built(seats: int = 3, *others: str) -> Game:
    """A servant lives in the tower at the east end of the Alhambra of seat 0."""
    game = staffed(seats, *others)
    alhambra(game, 0, LINE)
    house(game, TOWER, "tower")
    return game


def sold(seats: int = 3) -> Game:
    """Seat 0 has bought a tower with a servant from the personal market of seat 1."""
    game = staffed(seats, "personal_building_market")
    stall(game, 1, gulden=TOWER)
    house(game, TOWER, "tower")
    hand(game, 0, f"{PLACES[0]}-9 {PLACES[0]}-4")
    play(game, f"buy {PLACES[0]}-9 {PLACES[0]}-4", slot=f"personal-1-{PLACES[0]}")
    return game


def where(game: Game) -> list[dict[str, object]]:
    """Where everybody sees the servant of the tower."""
    lying = pieces(game, KEY, kind="servant", type="tower")
    return [piece for piece in lying if "cell" in piece or "tile" in piece]


@pytest.mark.rule("29.9")
def test_servants_removed_go_into_the_reserve_with_their_tile() -> None:
    game = built()
    play(game, f"remove {TOWER}")
    assert served(game) == SERVED
    assert where(game) == [{"kind": "servant", "type": "tower", "tile": TOWER}]


@pytest.mark.rule("29.9")
def test_servants_added_come_back_with_their_tile() -> None:
    game = staffed()
    reserve(game, 0, TOWER)
    house(game, TOWER, "tower")
    play(game, f"add {TOWER} @1,0")
    assert where(game) == [{"kind": "servant", "type": "tower", "seat": 0, "cell": (1, 0)}]


def test_servants_swapped_stay_with_the_removed_tile() -> None:
    game = built()
    reserve(game, 0, "garden-11")
    play(game, "swap garden-11 @4,0")
    assert served(game) == SERVED
    assert TOWER in game.state.seats[0].reserve


@pytest.mark.rule("29.28")
def test_servants_relocated_travel_with_their_tile_but_not_under_the_major_domo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    game = built(3, "example_carters")
    stand_at(game, (4, 0))
    assert codes(refused(game, f"move_tile {TOWER} @0,1", items=("cart",))) == ["LOCKED"]
    stand_at(game, (3, 0))
    play(game, f"move_tile {TOWER} @0,1", items=("cart",))
    assert where(game) == [{"kind": "servant", "type": "tower", "seat": 0, "cell": (0, 1)}]


@pytest.mark.rule("29.31", "41.19")
def test_servants_sold_from_a_personal_market_travel_with_their_tile_and_are_placed_with_it() -> None:
    game = sold()
    play(game, f"place {TOWER} @1,0")
    assert where(game) == [{"kind": "servant", "type": "tower", "seat": 0, "cell": (1, 0)}]


def test_servants_sold_and_reserved_stay_on_their_tile() -> None:
    game = sold()
    play(game, f"reserve {TOWER}", slot=f"personal-0-{PLACES[0]}")
    assert served(game) == SERVED


@pytest.mark.rule("29.31")
def test_servants_given_to_dirk_with_their_tile_stay_on_it() -> None:
    game = sold(2)
    play(game, f"give_to_dirk {TOWER}")
    assert served(game) == SERVED
    assert TOWER in game.state.dirk


@pytest.mark.rule("29.31")
def test_servants_boxed_with_their_tile_leave_the_game() -> None:
    game = built(3, "personal_building_market")
    stall(game, 0, gulden="tower-13-e", dirham="garden-11", denar="pavilion-8", dukat="arcades-4-nes")
    play(game, f"remove {TOWER}")
    assert asked(game) == ("stow", 0)
    play(game, f"box {TOWER}")
    assert served(game) == {}
    assert "servant_tower" in game.state.box
    assert "tower" not in game.module_state(Staff).housed


def test_servants_replaced_at_a_full_personal_market_leave_the_game_with_their_tile() -> None:
    game = built(3, "personal_building_market")
    stall(game, 0, gulden="tower-13-e", dirham="garden-11", denar="pavilion-8", dukat="arcades-4-nes")
    house(game, "garden-11", "garden")
    play(game, f"remove {TOWER}")
    play(game, f"reserve {TOWER}", slot=f"personal-0-{PLACES[1]}")
    assert served(game) == SERVED


def test_servants_pending_when_their_owner_resigns_leave_the_game() -> None:
    game = sold()
    game.resign(0)
    assert served(game) == {}
    assert "servant_tower" in game.state.box


@pytest.mark.rule("29.33")
def test_servants_and_the_major_domo_of_a_seat_that_resigned_stay() -> None:
    game = built()
    stand_at(game, (1, 0))
    game.resign(0)
    assert served(game) == SERVED
    assert pieces(game, KEY, kind="major_domo", seat=0) == [{"kind": "major_domo", "seat": 0, "cell": (1, 0)}]
