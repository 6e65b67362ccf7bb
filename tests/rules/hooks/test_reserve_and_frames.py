"""Another reserve, a question inside a frame, and all the examples in one game."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Options
from tests.rules.example_modules.shelves import shelf_of
from tests.rules.hooks.asking import asked
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
    market,
    play,
    refused,
    table,
    take_turn,
)

# -- Another reserve -------------------------------------------------------------------------------------------------


def shelved(*tiles: str) -> Game:
    """Seat 0 has these tiles on its shelves and is to place garden-10."""
    game = table(modules=["example_shelves"])
    market(game, denar="garden-10")
    hand(game, 0, "denar-5 denar-6")
    for tile in tiles:
        game.state.tower = tuple(other for other in game.state.tower if other != tile)
        game.ruleset.reserve.stow(game, 0, tile)
    play(game, "buy market-denar denar-5 denar-6")
    return game


def test_another_reserve_may_want_a_place_named() -> None:
    game = shelved("tower-11")
    assert [found.slot for found in game.moves() if found.verb == "reserve"] == ["shelf-2", "shelf-3"]
    assert codes(refused(game, "reserve garden-10")) == ["NOUN_MISSING"]
    assert codes(refused(game, "reserve garden-10", slot="shelf-9")) == ["NOT_THERE"]
    assert fact(refused(game, "reserve garden-10", slot="shelf-1"), "PLACE_TAKEN") == {"slot": "shelf-1"}
    play(game, "reserve garden-10", slot="shelf-3")
    assert shelf_of(game, 0) == ("tower-11", "", "garden-10")
    assert game.state.seats[0].reserve == ()


def test_a_full_one_may_give_something_up() -> None:
    game = shelved("tower-11", "tower-12", "garden-11")
    play(game, "reserve garden-10", slot="shelf-2")
    assert shelf_of(game, 0) == ("tower-11", "garden-10", "garden-11")
    assert "tower-12" in game.state.box


@pytest.mark.rule("99.67")
def test_redesigns_take_from_it_and_put_into_it() -> None:
    game = shelved("tower-11")
    play(game, "place garden-10 @1,0")
    while asked(game) != ("action", 0):
        take_turn(game)
    sample = game.clone()
    play(game, "swap tower-11 @1,0")
    assert shelf_of(game, 0) == ("garden-10", "", "")
    play(sample, "remove garden-10")
    assert shelf_of(sample, 0) == ("tower-11", "garden-10", "")
    assert game.view(None)["seats"][0]["reserve"] == ["garden-10"]


def test_what_a_seat_that_resigns_has_not_placed_does_not_come_there() -> None:
    game = shelved()
    game.resign(0)
    assert shelf_of(game, 0) == ("", "", "")
    assert "garden-10" in game.state.box


# -- A question inside a frame ---------------------------------------------------------------------------------------


def recorded() -> Game:
    game = table(modules=["example_notary"])
    market(game, denar="garden-10")
    hand(game, 0, "denar-4 denar-6")
    display(game, "gulden-1")
    play(game, "buy market-denar denar-4 denar-6")
    assert asked(game) == ("notary", 0)
    return game


def test_a_question_in_the_middle_of_a_purchase_delays_what_comes_after_it() -> None:
    game = recorded()
    assert game.state.actions == 0
    events = play(game, "record")
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]
    assert asked(game) == ("action", 0)


def test_a_game_stored_in_the_middle_of_a_purchase_goes_on_as_if_it_had_not_been() -> None:
    game = recorded()
    again = Game.from_bytes(game.to_bytes())
    play(game, "record")
    play(again, "record")
    assert again == game


# -- All together ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_with_all_examples_plays_to_the_end_and_replays(seats: int) -> None:
    modules = ["example_bells", "example_ladders", "example_bargains", "example_shelves", "example_notary"]
    game = Game.new(Options(seats=seats, seed=f"all {seats}", modules=modules))
    rng = Random(seats)
    while not game.over:
        game.apply(game.random_move(rng))
    assert Game.replay(game.options, game.log) == game


def test_a_leftover_tile_may_be_built_by_a_permit() -> None:
    game = table(modules=["example_ladders"])
    alhambra(game, 1, {(1, 0): "garden-9-e"})
    market(game, denar="tower-10-w")
    hand(game, 1, "denar-1")
    display(game, "gulden-1")
    end_game(game)
    play(game, "place tower-10-w @2,0", choice="ladder")
    assert game.over
