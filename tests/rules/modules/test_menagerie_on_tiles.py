"""36 The menagerie: what becomes of the animals on a tile, whichever way the tile goes."""

from __future__ import annotations

import pytest

from alhambra import Game, registry
from alhambra.modules.menagerie import Menagerie
from alhambra.modules.personal_building_market import PLACES
from tests.rules.example_modules import register_examples
from tests.rules.modules.characters_table import asked, give
from tests.rules.modules.menagerie_table import FULL, menagerie, on, put, scoring
from tests.rules.modules.personal_market_table import stall
from tests.rules.situations import (
    alhambra,
    end_game,
    events_of,
    hand,
    hold_scoring,
    market,
    pieces,
    play,
    points,
    reserve,
    tower,
)

GARDEN = "garden-10"
PAIR = ["dove", "dove"]
NEIGHBOURS = {(1, 0): "arcades-9", (2, 0): GARDEN}


def bought(seats: int = 3, *others: str) -> Game:
    """Seat 0 has bought a garden with two doves and is about to place it."""
    game = menagerie(seats, *others)
    market(game, **{**FULL, "denar": GARDEN})
    put(game, GARDEN, "dove dove")
    hand(game, 0, "denar-9 denar-2")
    play(game, "buy market-denar denar-9 denar-2")
    return game


def built(seats: int = 3, *others: str) -> Game:
    """Two doves lie on a garden at the east end of the Alhambra of seat 0."""
    game = menagerie(seats, *others)
    alhambra(game, 0, NEIGHBOURS)
    put(game, GARDEN, "dove dove")
    return game


def shown(game: Game) -> list[dict[str, object]]:
    """Where everybody sees the doves."""
    return [
        {key: value for key, value in piece.items() if key != "kind"}
        for piece in pieces(game, "menagerie", piece="dove")
    ]


@pytest.mark.rule("36.4")
def test_animals_bought_and_placed_with_their_garden() -> None:
    game = bought()
    play(game, f"place {GARDEN} @1,0")
    assert shown(game) == [{"piece": "dove", "seat": 0, "cell": (1, 0)}] * 2
    assert points(scoring(game, 1), "animals") == {0: 2}


@pytest.mark.rule("36.4")
def test_animals_bought_with_their_garden_cost_nothing() -> None:
    game = menagerie()
    market(game, **{**FULL, "denar": GARDEN})
    put(game, GARDEN, "dove dove")
    hand(game, 0, "denar-9 denar-1")
    (paid,) = events_of(play(game, "buy market-denar denar-9 denar-1"), "paid")
    assert (paid["due"], paid["exact"]) == (10, True)


@pytest.mark.rule("36.30")
def test_animals_reserved_with_their_garden_score_nothing() -> None:
    game = bought()
    play(game, f"reserve {GARDEN}")
    assert shown(game) == [{"piece": "dove", "tile": GARDEN}] * 2
    assert not points(scoring(game, 1), "animals")


@pytest.mark.rule("36.30")
def test_animals_added_from_the_reserve_with_their_garden() -> None:
    game = menagerie()
    reserve(game, 0, GARDEN)
    put(game, GARDEN, "dove dove")
    play(game, f"add {GARDEN} @1,0")
    assert shown(game) == [{"piece": "dove", "seat": 0, "cell": (1, 0)}] * 2
    assert asked(game) == ("action", 1), "with an empty hand no animal is led"


@pytest.mark.rule("36.30")
def test_animals_removed_go_into_the_reserve_with_any_tile() -> None:
    game = built()
    put(game, "arcades-9", "monkey")
    play(game, f"remove {GARDEN}")
    assert on(game, GARDEN) == PAIR
    assert GARDEN in game.state.seats[0].reserve
    assert on(game, "arcades-9") == ["monkey"]


@pytest.mark.rule("36.30")
def test_animals_swapped_stay_with_the_removed_tile() -> None:
    game = built()
    reserve(game, 0, "garden-11")
    play(game, "swap garden-11 @2,0")
    assert on(game, GARDEN) == PAIR
    assert on(game, "garden-11") == []
    assert GARDEN in game.state.seats[0].reserve


@pytest.mark.rule("36.30")
def test_animals_relocated_travel_with_their_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    game = built(3, "example_carters")
    play(game, f"move_tile {GARDEN} @0,1", items=("cart",))
    assert shown(game) == [{"piece": "dove", "seat": 0, "cell": (0, 1)}] * 2


@pytest.mark.rule("36.19")
def test_animals_on_both_halves_of_a_project_go_along_and_stay_on_their_halves() -> None:
    game = menagerie(3, "major_construction_projects")
    project = "project_garden_pavilion"
    board = alhambra(game, 0, {})
    board.place(game.ruleset.tiles[project], 1, 0)
    put(game, project, "dove", part=0)
    put(game, project, "monkey", part=1)
    play(game, f"remove {project}")
    assert game.module_state(Menagerie).lying[project] == ((0, "dove"), (1, "monkey"))
    board = game.state.seats[0].board
    assert project not in board.placed


@pytest.mark.rule("36.21", "41.19")
def test_animals_sold_from_a_personal_market_go_to_the_buyer() -> None:
    game = menagerie(3, "personal_building_market")
    stall(game, 1, gulden=GARDEN)
    put(game, GARDEN, "dove dove")
    hand(game, 0, f"{PLACES[0]}-9 {PLACES[0]}-2")
    play(game, f"buy {PLACES[0]}-9 {PLACES[0]}-2", slot=f"personal-1-{PLACES[0]}")
    play(game, f"place {GARDEN} @1,0")
    assert shown(game) == [{"piece": "dove", "seat": 0, "cell": (1, 0)}] * 2


@pytest.mark.rule("36.10")
def test_animals_given_to_dirk_leave_the_game_at_once() -> None:
    game = bought(2)
    events = play(game, f"give_to_dirk {GARDEN}")
    assert events_of(events, "animals_boxed") == [{"tile": GARDEN, "pieces": ("dove", "dove")}]
    assert shown(game) == []
    assert [piece for piece in game.state.box if piece == "dove"] == PAIR


@pytest.mark.rule("36.22")
def test_animals_given_to_dirk_on_any_other_tile_leave_the_game_too() -> None:
    game = menagerie(2, "personal_building_market")
    stall(game, 1, gulden="arcades-9")
    put(game, "arcades-9", "monkey")
    hand(game, 0, f"{PLACES[0]}-9 {PLACES[0]}-2")
    play(game, f"buy {PLACES[0]}-9 {PLACES[0]}-2", slot=f"personal-1-{PLACES[0]}")
    play(game, "give_to_dirk arcades-9")
    assert on(game, "arcades-9") == []


@pytest.mark.rule("36.31")
def test_animals_boxed_with_a_tile_that_finds_no_place_at_a_personal_market() -> None:
    game = bought(3, "personal_building_market")
    stall(game, 0, gulden="tower-12", dirham="tower-13-e", denar="garden-11", dukat="pavilion-8")
    put(game, "garden-11", "monkey")
    events = play(game, f"reserve {GARDEN}", slot=f"personal-0-{PLACES[2]}")
    assert events_of(events, "animals_boxed") == [{"tile": "garden-11", "pieces": ("monkey",)}]
    assert on(game, GARDEN) == PAIR
    game = bought(3, "personal_building_market")
    stall(game, 0, gulden="tower-12", dirham="tower-13-e", denar="garden-11", dukat="pavilion-8")
    play(game, f"box {GARDEN}")
    assert on(game, GARDEN) == []


@pytest.mark.rule("36.23")
def test_animals_sunk_into_the_tower_by_the_dancer_go_back_to_the_supply() -> None:
    game = menagerie(3, "characters")
    give(game, 1, "dancer")
    market(game, **{**FULL, "denar": GARDEN})
    put(game, GARDEN, "dove dove")
    tower(game, "tower-12")
    play(game, "take_money dukat-5")
    assert asked(game) == ("start", 1)
    events = play(game, "dance market-denar")
    assert events_of(events, "animals_returned") == [{"tile": GARDEN, "pieces": ("dove", "dove")}]
    assert on(game, GARDEN) == []
    assert game.module_state(Menagerie).returned == ("dove", "dove")
    assert game.module_state(Menagerie).supply.count("dove") == 3


@pytest.mark.rule("36.23")
def test_animals_come_anew_with_a_garden_that_leaves_the_tower_again() -> None:
    game = menagerie()
    game.state.tower = (GARDEN, *(tile for tile in game.state.tower if tile != GARDEN))
    game.module_state(Menagerie).returned = ("dove", "dove")
    tower(game, GARDEN)
    market(game, **{**FULL, "denar": ""})
    play(game, "take_money dukat-5")
    assert len(on(game, GARDEN)) == 2


@pytest.mark.rule("36.25")
def test_animals_bought_out_of_turn_by_a_vizier_are_laid_with_their_garden() -> None:
    game = menagerie(3, "viziers_favour")
    market(game, **{**FULL, "denar": GARDEN})
    put(game, GARDEN, "dove dove")
    hand(game, 1, "denar-9 denar-1")
    play(game, "take_money dukat-5")
    assert asked(game) == ("window", 1)
    play(game, "buy market-denar denar-1 denar-9")
    play(game, f"place {GARDEN} @1,0")
    assert shown(game) == [{"piece": "dove", "seat": 1, "cell": (1, 0)}] * 2


@pytest.mark.rule("36.12")
def test_animals_left_over_at_the_end_leave_the_game_if_the_garden_is_not_built() -> None:
    game = menagerie()
    market(game, denar=GARDEN)
    put(game, GARDEN, "dove dove")
    hand(game, 2, "denar-9")
    end_game(game)
    events = play(game, f"leave {GARDEN}")
    assert events_of(events, "animals_boxed") == [{"tile": GARDEN, "pieces": ("dove", "dove")}]
    assert not points(events, "animals")


@pytest.mark.rule("36.37")
def test_animals_pending_when_their_owner_resigns_leave_the_game() -> None:
    game = bought()
    game.resign(0)
    assert on(game, GARDEN) == []
    assert game.state.box.count("dove") == 2


@pytest.mark.rule("36.37")
def test_animals_in_the_alhambra_of_a_seat_that_resigned_stay() -> None:
    game = built()
    game.resign(0)
    assert on(game, GARDEN) == PAIR
    assert points(hold_scoring(game, 1), "animals") == {0: 2}


@pytest.mark.rule("36.24")
def test_animals_on_the_market_stay_on_their_tile_when_spaces_are_swapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    game = menagerie(3, "example_porters")
    market(game, **{**FULL, "denar": GARDEN})
    put(game, GARDEN, "dove dove")
    play(game, "swap_market market-gulden", items=("porter",))
    play(game, "swap_with market-denar")
    assert game.state.market[0] == GARDEN
    assert on(game, GARDEN) == PAIR


@pytest.mark.rule("36.19")
def test_animals_walk_across_the_halves_of_a_project() -> None:
    game = menagerie(3, "major_construction_projects")
    project = "project_garden_pavilion"
    board = alhambra(game, 0, {})
    board.place(game.ruleset.tiles[project], 1, 0)
    put(game, project, "dove", part=0)
    hand(game, 0, "denar-1")
    play(game, "take_money dukat-5")
    play(game, "lead_animals denar-1")
    play(game, "step dove @1,0", side="E")
    assert game.module_state(Menagerie).lying[project] == ((1, "dove"),)
