"""Modules react when a tile is laid, acquired or given away, in the order that their records tell."""

from __future__ import annotations

from dataclasses import replace

from alhambra import Game, Module, register
from alhambra.modules.characters import Characters
from alhambra.modules.personal_building_market import PLACES, Markets
from tests.rules.example_modules.customs import CUSTOMS
from tests.rules.example_modules.parcels import Parcels
from tests.rules.hooks.asking import asked
from tests.rules.situations import (
    codes,
    dirk,
    display,
    end_game,
    events_of,
    hand,
    hold_scoring,
    market,
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)

# -- laid, acquired, given ---------------------------------------------------------------------------------------------


def parcels(game: Game) -> Parcels:
    return game.module_state(Parcels)


def courtyard(seats: int = 2, *modules: str) -> Game:
    """Seat 0 can buy garden-10 with a parcel on it that is worth three points; the market is full without it."""
    game = table(seats, modules=["example_parcels", *modules])
    market(game, gulden="tower-11", dirham="tower-12", denar="garden-10", dukat="arcades-9")
    hand(game, 0, "denar-5 denar-6")
    kept = parcels(game)
    everything = sorted((*kept.stock, *kept.on.values()))
    everything.remove("parcel-3")
    kept.stock, kept.on = tuple(everything), {"garden-10": "parcel-3"}
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    return game


def test_when_a_tile_is_laid_on_the_market_modules_react_to_it() -> None:
    game = courtyard()
    market(game, gulden="tower-11", dirham="tower-12")
    tower(game, "garden-11 arcades-10")
    top = parcels(game).stock[-1]
    events = take_turn(game)
    assert events_of(events, "parcel_laid") == [{"tile": "garden-11", "piece": top, "space": 2}]
    assert parcels(game).on["garden-11"] == top
    assert "arcades-10" not in parcels(game).on


def test_when_the_market_is_filled_at_setup_modules_react_too() -> None:
    game = table(modules=["example_parcels"], dealt=True, seed="a garden")
    gardens = [tile for tile in game.state.market if tile.startswith("garden")]
    assert gardens, "another seed, please"
    assert sorted(parcels(game).on) == sorted(gardens)
    assert game.view(None)["slices"]["example_parcels"]["stock"] == 12 - len(gardens)


def test_a_buyer_is_asked_about_what_comes_with_the_tile_before_the_purchase_goes_on() -> None:
    game = courtyard()
    hand(game, 0, "denar-4 denar-6")
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("parcel", 0)
    assert game.decision is not None
    assert game.decision.context["how"] == "buy"
    assert game.state.actions == 0
    events = play(game, "choose", choice="keep")
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]
    assert parcels(game).owners == {"garden-10": 0}


def test_who_gets_a_tile_that_is_left_over_is_asked_too_and_the_rest_is_given_out_afterwards() -> None:
    game = courtyard(3)
    market(game, denar="garden-10", dukat="arcades-9")
    hand(game, 0)
    hand(game, 1, "denar-5")
    hand(game, 2, "dukat-5")
    events = end_game(game)
    assert asked(game) == ("parcel", 1)
    assert [event["tile"] for event in events_of(events, "leftover_awarded")] == ["garden-10"]
    events = play(game, "choose", choice="keep")
    assert [event["tile"] for event in events_of(events, "leftover_awarded")] == ["arcades-9"]
    play(game, "place garden-10 @1,0")
    events = play(game, "place arcades-9 @1,0")
    assert points(events, "parcels") == {1: 3}


def test_a_tile_that_is_given_to_dirk_loses_what_came_with_it() -> None:
    game = courtyard()
    play(game, "buy market-denar denar-5 denar-6")
    play(game, "choose", choice="keep")
    events = play(game, "give_to_dirk garden-10")
    assert events_of(events, "parcel_lost") == [{"tile": "garden-10", "piece": "parcel-3"}]
    assert (parcels(game).on, parcels(game).owners, parcels(game).lost) == ({}, {}, ("parcel-3",))


def test_modules_hear_of_every_tile_that_dirk_gets_from_the_tower() -> None:
    heard: list[str] = []
    register(Module(999, "example_ear", reactions={"given": lambda _game, tile: heard.append(tile)}))
    game = table(2, modules=["example_ear"])
    assert len(heard) == 6, "his first tiles, at setup"
    dirk(game)
    heard.clear()
    tower(game, "tower-11 tower-12 garden-10 garden-11 arcades-9 arcades-10 chambers-10 chambers-11")
    hold_scoring(game, 1)
    assert heard
    assert tuple(heard) == game.state.dirk


def test_a_tile_that_goes_back_into_the_tower_gives_back_what_lay_on_it() -> None:
    game = courtyard(3, "characters")
    game.state.deck = tuple(card for card in game.state.deck if card != "dancer")
    game.state.piles = (len(game.state.deck),)
    game.module_state(Characters).owners = {"dancer": 1}
    tower(game, "arcades-10")
    before = len(parcels(game).stock)
    take_turn(game)
    play(game, "dance market-denar")
    assert game.state.tower[0] == "garden-10"
    assert parcels(game).on == {}
    assert len(parcels(game).stock) == before + 1


def test_a_tile_that_leaves_the_game_takes_along_what_lay_on_it() -> None:
    game = courtyard(3)
    market(game, denar="garden-10")
    hand(game, 0)
    hand(game, 1, "denar-5")
    end_game(game)
    play(game, "choose", choice="keep")
    events = play(game, "leave garden-10")
    assert events_of(events, "boxed") == [{"seat": 1, "tile": "garden-10"}]
    assert events_of(events, "parcel_lost") == [{"tile": "garden-10", "piece": "parcel-3"}]
    assert points(events, "parcels") == {}


def with_an_ear_for_the_box() -> tuple[Game, list[str]]:
    """Seat 0 has bought a garden and a watchtower; all places of its own market are taken."""
    heard: list[str] = []
    register(Module(998, "example_bin", reactions={"boxed": lambda _game, tile: heard.append(tile)}))
    game = table(3, modules=["example_bin", "personal_building_market", "watchtowers"])
    market(game, denar="garden-10")
    hand(game, 0, "denar-9 denar-8")
    taken = ("arcades-9", "arcades-10", "chambers-10", "chambers-11")
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in taken)
    markets = game.module_state(Markets)
    markets.lying = (taken, *markets.lying[1:])
    play(game, "buy market-denar denar-9 denar-8", choice="watchtower")
    return game, heard


def test_modules_hear_of_a_tile_that_another_one_pushes_out_of_the_game() -> None:
    game, heard = with_an_ear_for_the_box()
    play(game, "reserve garden-10", slot=f"personal-0-{PLACES[1]}")
    assert heard == ["arcades-10"]


def test_modules_hear_of_everything_that_a_seat_has_not_placed_when_it_resigns() -> None:
    game, heard = with_an_ear_for_the_box()
    game.resign(0)
    assert heard == ["garden-10", "watchtower_garden_1"]


def test_what_was_refused_is_lost_at_once() -> None:
    game = courtyard()
    play(game, "buy market-denar denar-5 denar-6")
    assert codes(refused(game, "choose", choice="burn")) == ["NOUN_MALFORMED"]
    events = play(game, "choose", choice="refuse")
    assert events_of(events, "parcel_lost") == [{"tile": "garden-10", "piece": "parcel-3"}]


def test_a_question_to_a_seat_that_resigns_is_withdrawn() -> None:
    game = courtyard(3)
    play(game, "buy market-denar denar-5 denar-6")
    assert asked(game) == ("parcel", 0)
    game.resign(0)
    assert parcels(game).owners == {}
    assert asked(game) == ("action", 1)


# -- after -------------------------------------------------------------------------------------------------------------


def with_a_kept_parcel() -> Game:
    game = courtyard(3, "example_customs")
    play(game, "buy market-denar denar-5 denar-6")
    play(game, "choose", choice="keep")
    play(game, "place garden-10 @1,0")
    hand(game, 0)
    hand(game, 1)
    game.state.covered = ("garden-10",)
    return game


def final_score(game: Game) -> tuple[int, ...]:
    """Nobody has anything but parcels."""
    for owner in game.state.seats:
        owner.score = 0
    display(game, "gulden-1")
    market(game)
    end_game(game)
    assert game.over
    return game.scores


def test_a_module_comes_after_one_with_a_higher_number_if_it_says_so() -> None:
    game = with_a_kept_parcel()
    assert game.ruleset.keys == ("example_parcels", "example_customs")
    lines = game.ruleset.explain("scoring").splitlines()
    assert [line for line in lines if "gains" in line] == [
        "  gains: example_parcels.open_parcels",
        "  gains: example_customs.pay_customs",
    ]
    assert final_score(game) == (1, 0, 0)


def test_without_saying_so_its_number_would_decide_and_the_outcome_be_another() -> None:
    register(replace(CUSTOMS, after=()))
    game = with_a_kept_parcel()
    assert game.ruleset.keys == ("example_customs", "example_parcels")
    assert final_score(game) == (3, 0, 0)


def test_a_module_may_come_after_one_that_is_not_on() -> None:
    assert table(modules=["example_customs", "example_vows"]).ruleset.keys == ("example_customs", "example_vows")
