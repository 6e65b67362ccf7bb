"""A tile is moved inside its Alhambra: lifted, everything that follows from that, laid; legal at both moments."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game, Module, Move, Options, register
from alhambra.components import Cell
from alhambra.invariants import Invariants, census
from tests.rules.example_modules.carters import Carters, lay_cat
from tests.rules.hooks.asking import asked, verbs
from tests.rules.modules.street_trader_table import disc, house
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    table,
)

CART = ("cart",)
LINE: dict[Cell, str] = {(1, 0): "garden-11", (2, 0): "tower-12"}
"""The tower stands at the end, the garden between it and the fountain."""
PROJECT = "project_pavilion_arcades"
"""A double tile, one half above the other, with a wall along the whole east side."""


def with_cart(*modules: str, tiles: dict[Cell, str] = LINE, seats: int = 3, **options: Any) -> Game:
    game = table(seats, modules=["example_carters", *modules], **options)
    alhambra(game, 0, tiles)
    display(game, "gulden-1")
    return game


def where(game: Game, tile: str) -> Cell:
    placed = game.state.seats[0].board.placed[tile]
    return placed.x, placed.y


@pytest.mark.rule("31.15", "99.66")
def test_a_tile_is_lifted_and_laid_elsewhere_and_takes_no_action() -> None:
    game = with_cart()
    events = play(game, "move_tile tower-12 @0,1", items=CART)
    assert events_of(events, "lifted") == [{"seat": 0, "tile": "tower-12", "cell": (2, 0)}]
    assert events_of(events, "moved") == [{"seat": 0, "tile": "tower-12", "cell": (0, 1)}]
    assert where(game, "tower-12") == (0, 1)
    assert game.state.seats[0].pending == ()
    assert game.module_state(Carters).carts[0] == 5
    assert asked(game) == ("action", 0)
    assert game.state.actions == 1


def test_it_counts_as_a_free_redesign_of_the_turn() -> None:
    game = with_cart()
    play(game, "move_tile tower-12 @0,1", items=CART)
    assert game.view(1)["turn"]["used"] == ["redesign"]


def test_the_same_licence_allows_the_other_redesigns() -> None:
    game = with_cart()
    play(game, "remove tower-12", items=CART)
    assert game.state.seats[0].reserve == ("tower-12",)


def test_it_needs_a_licence_that_allows_it() -> None:
    game = with_cart("example_trowels")
    assert codes(refused(game, "move_tile tower-12 @0,1")) == ["NOUN_MISSING"], "an action alone does not"
    assert codes(refused(game, "move_tile tower-12 @0,1", items=("trowel",))) == ["NOT_THERE"]
    assert legal(game, "remove tower-12", items=("trowel",))


@pytest.mark.rule("99.66")
def test_the_rules_must_hold_with_the_tile_lifted() -> None:
    game = with_cart()
    faults = refused(game, "move_tile garden-11 @3,0", items=CART)
    assert "NOT_REACHABLE" in codes(faults), "the tower could not be reached without the garden"


def test_the_rules_must_hold_with_the_tile_laid() -> None:
    game = with_cart()
    assert codes(refused(game, "move_tile tower-12 @5,5", items=CART)) == ["NO_CONTACT"]
    assert codes(refused(game, "move_tile tower-12 @1,0", items=CART)) == ["PLACE_TAKEN"]
    assert codes(refused(game, "move_tile tower-12 @3,0", items=CART)) == ["NO_CONTACT"], "its old cell is empty then"


def test_the_old_place_is_no_other_place() -> None:
    game = with_cart()
    assert fact(refused(game, "move_tile tower-12 @2,0", items=CART), "NO_EFFECT") == {"id": [2, 0]}


@pytest.mark.rule("99.66")
def test_a_tile_of_two_cells_may_overlap_its_old_place() -> None:
    game = with_cart("major_construction_projects", tiles={})
    board = game.state.seats[0].board.copy()
    board.put(game.ruleset.tiles[PROJECT], 1, 0)
    game.state.seats[0].board = board
    assert not legal(game, f"move_tile {PROJECT} @1,0", items=CART)
    play(game, f"move_tile {PROJECT} @1,-1", items=CART)
    assert where(game, PROJECT) == (1, -1)


@pytest.mark.rule("00.26", "99.66")
def test_the_fountain_and_locked_tiles_stay() -> None:
    game = with_cart()
    start = game.state.seats[0].board.start.id
    assert codes(refused(game, f"move_tile {start} @0,1", items=CART)) == ["LOCKED"]
    assert codes(refused(game, "move_tile garden-10 @0,1", items=CART)) == ["NOT_THERE"], "it is not built"
    unknown = Move("move_tile", tile="garden-99", cell=(0, 1), items=CART)
    assert fact(refused(game, unknown), "ID_UNKNOWN") == {"id": "garden-99"}


@pytest.mark.rule("99.66")
def test_every_relocation_and_no_other_is_drawn_at_random() -> None:
    game, chance = with_cart(tiles={(1, 0): "garden-11", (0, 1): "tower-12"}), Random(7)
    listed = {found for found in game.moves() if found.verb == "move_tile"}
    drawn = {game.sample_move("move_tile", chance.randrange) for _ in range(40 * len(listed))}
    assert drawn == listed
    assert {found.tile for found in listed} == {"garden-11", "tower-12"}


@pytest.mark.rule("99.66")
def test_where_a_tile_has_no_other_place_no_relocation_is_listed_or_drawn() -> None:
    game = with_cart(tiles={(1, 0): "arcades-4-nes"})
    assert not [found for found in game.moves() if found.verb == "move_tile"], "only its west side is open"
    assert game.sample_move("move_tile", Random(1).randrange) is None


@pytest.mark.rule("99.66")
def test_without_a_licence_no_relocation_is_drawn() -> None:
    game = with_cart()
    game.module_state(Carters).carts = (0, 0, 0)
    assert game.sample_move("move_tile", Random(1).randrange) is None
    assert "move_tile" not in verbs(game)


@pytest.mark.rule("00.35")
def test_a_tile_may_not_be_turned_on_the_way() -> None:
    game = with_cart()
    assert codes(refused(game, "move_tile tower-12 @0,1", items=CART, rotation=90)) == ["ROTATION_REFUSED"]


def test_a_tile_that_was_laid_turned_is_upright_again() -> None:
    game = with_cart("example_tools", tiles={(1, 0): "garden-11"})
    board = game.state.seats[0].board.copy()
    board.put(game.ruleset.tiles["tower-11-n"], 2, 0, 90)
    game.state.seats[0].board = board
    assert "EDGE_MISMATCH" in codes(refused(game, "move_tile tower-11-n @0,1", items=CART)), "its wall is to the north"
    play(game, "move_tile tower-11-n @0,-1", items=CART)
    assert game.state.seats[0].board.placed["tower-11-n"].rotation == 0


# -- Between lifting and laying --------------------------------------------------------------------------------------


def lifted(seats: int = 3, **options: Any) -> Game:
    """The tower is lifted, and its owner is asked where the cat goes that lay on it."""
    game = with_cart(seats=seats, **options)
    lay_cat(game, 0, "tower-12")
    play(game, "move_tile tower-12 @0,1", items=CART)
    assert asked(game) == ("cat", 0)
    return game


@pytest.mark.rule("99.66")
def test_what_follows_from_lifting_is_asked_before_the_tile_is_laid() -> None:
    game = lifted()
    assert game.decision is not None
    assert "tower-12" not in game.decision.context["choices"]
    assert codes(refused(game, "choose", choice="tower-12")) == ["NOUN_MALFORMED"]
    events = play(game, "choose", choice="garden-11")
    assert kinds(events)[:1] == ["moved"]
    assert where(game, "tower-12") == (0, 1)


@pytest.mark.rule("99.66")
@pytest.mark.parametrize(("cat", "gained"), [("garden-11", {}), ("start_1", {0: 1})])
def test_building_in_is_judged_by_how_things_are_after_lifting(cat: str, gained: dict[int, int]) -> None:
    game = lifted()
    cat = game.state.seats[0].board.start.id if cat == "start_1" else cat
    assert points(play(game, "choose", choice=cat), "cat") == gained


@pytest.mark.rule("99.79")
def test_meanwhile_the_tile_is_pending_and_can_go_nowhere_else() -> None:
    game = lifted(seats=2)
    assert game.view(1)["seats"][0]["pending"] == ["tower-12"]
    assert verbs(game) == {"choose"}
    for verb in ("reserve", "give_to_dirk"):
        assert codes(refused(game, f"{verb} tower-12")) == ["VERB_NOT_OFFERED"]


def test_meanwhile_every_invariant_holds_and_the_game_survives_its_bytes() -> None:
    game = lifted()
    Invariants(game, Random(1), leaks_every=1).check()
    assert game.with_state(game.state_bytes()).state_bytes() == game.state_bytes()
    sample = game.with_state(game.state_bytes())
    play(sample, "choose", choice="garden-11")
    assert where(sample, "tower-12") == (0, 1)


@pytest.mark.rule("00.61")
def test_a_seat_that_resigns_meanwhile_takes_the_tile_out_of_the_game() -> None:
    game = lifted()
    before = census(game)
    game.resign(0)
    assert "tower-12" in game.state.box
    assert "tower-12" not in game.state.seats[0].board.placed
    assert asked(game)[1] == 1
    assert census(game) == before


def test_a_bought_tile_that_is_pending_stays_so() -> None:
    game = with_cart()
    market(game, denar="garden-10")
    hand(game, 0, "denar-1 denar-9")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "move_tile tower-12 @0,1", items=CART)
    assert game.state.seats[0].pending == ("garden-10",)


def test_the_whole_relocation_is_taken_back_at_once() -> None:
    game = Game.new(Options(seats=2, seed="carts", modules=["example_carters"], undo="free_moves"))
    chance = Random(3)
    while not any(move.verb == "move_tile" for move in game.legal_moves()):
        game.play(game.random_move(chance))
    assert game.decision is not None
    seat, before = game.decision.seat, game.state_bytes()
    game.apply(next(move for move in game.legal_moves() if move.verb == "move_tile"))
    assert game.state_bytes() != before
    game.undo(seat)
    assert game.state_bytes() == before


@pytest.mark.rule("00.8", "99.66")
def test_what_reacts_to_building_finds_the_tile_in_one_place_only() -> None:
    found: list[tuple[bool, tuple[str, ...]]] = []

    def look(game: Game, seat: int, tile: str, _how: str) -> None:
        owner = game.state.seats[seat]
        found.append((tile in owner.board.placed, owner.pending))

    register(Module(number=996, key="example_onlooker", reactions={"built": look, "unbuilt": look}))
    game = with_cart("example_onlooker")
    play(game, "move_tile tower-12 @0,1", items=CART)
    assert found == [(False, ("tower-12",)), (True, ())]


# -- With modules that react to building and lifting -----------------------------------------------------------------


@pytest.mark.rule("99.66")
def test_a_resident_moves_out_and_the_disc_makes_way() -> None:
    game = with_cart("street_trader")
    disc(game, 0, (0, 1), "tower", "garden")
    house(game, "tower-12")
    events = play(game, "move_tile tower-12 @0,1", items=CART)
    assert [event["tile"] for event in events_of(events, "resident_left")] == ["tower-12"]
    assert asked(game) == ("resident", 0)


@pytest.mark.rule("99.66")
def test_wooden_walls_go_along() -> None:
    game = with_cart("city_walls")
    game.state.wooden_walls = {"tower-12": (0b0010,)}
    board = game.state.seats[0].board.copy()
    board.add_wooden_walls("tower-12", (0b0010,))
    game.state.seats[0].board = board
    play(game, "move_tile tower-12 @0,1", items=CART)
    assert game.state.seats[0].board.placed["tower-12"].wooden_walls == (0b0010,)
