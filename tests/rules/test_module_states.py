"""Module states are shared by clones and copied when one of the games asks for them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Game, Options, known_modules
from alhambra.module_states import ModuleStates
from alhambra.modules.squares import Stacks


def game_with(*modules: str) -> Game:
    return Game.new(Options(seats=3, seed="shared", modules=modules))


def change(game: Game) -> None:
    game.module_state(Stacks).stacks = {"changed": ()}


def is_changed(game: Game) -> bool:
    return "changed" in game.module_state(Stacks).stacks


@pytest.mark.parametrize("generations", [1, 2])
def test_a_change_in_a_clone_does_not_reach_the_game_it_comes_from(generations: int) -> None:
    game = game_with("squares")
    copy = game.clone() if generations == 1 else game.clone().clone()
    change(copy)
    assert is_changed(copy)
    assert not is_changed(game)
    assert not is_changed(game.clone())


def test_a_change_in_a_game_does_not_reach_an_earlier_clone_of_it() -> None:
    game = game_with("squares")
    change(game)  # the game has a state of its own now, which the first clone shares
    copy = game.clone()
    game.module_state(Stacks).stacks = {}
    assert is_changed(copy)
    assert not is_changed(game)


def test_a_clone_has_the_changes_that_were_made_before() -> None:
    game = game_with("squares")
    change(game)
    assert is_changed(game.clone())
    assert game.clone().state_bytes() == game.state_bytes()


def test_states_asked_for_twice_are_the_same_object() -> None:
    copy = game_with("squares").clone()
    assert copy.module_state(Stacks) is copy.module_state(Stacks)


def test_writing_and_sorting_states_copies_none() -> None:
    copy = game_with("menagerie").clone()
    copy.state_bytes()
    copy.play(copy.random_move(Random(1)))  # sorts the dictionaries of all states
    assert copy.state.module_states.to_read()
    assert dict(copy.state.module_states.own) == {}


def test_states_of_modules_are_a_mapping() -> None:
    one, two = Stacks({"one": ()}), Stacks({"two": ()})
    states = ModuleStates({"one": one})
    states["two"] = two
    assert dict(states) == {"one": one, "two": two} == states.to_read()
    assert (len(states), "two" in states, "three" in states) == (2, True, False)
    assert states == ModuleStates({"two": two, "one": one})
    with pytest.raises(TypeError):
        del states["one"]


@pytest.fixture(scope="module")
def everything() -> Game:
    game = game_with(*known_modules())
    rng = Random(5)
    for _ in range(60):
        game.play(game.random_move(rng))
    return game


def test_games_cloned_before_every_move_end_like_one_that_is_never_cloned(everything: Game) -> None:
    """Each clone goes on for some moves by itself, so that anything shared by mistake would change."""
    plain, cloned = everything.clone(), everything.clone()
    first, second, other = Random(9), Random(9), Random(10)
    for _ in range(150):
        if plain.over:
            break
        plain.play(plain.random_move(first))
        before = cloned.clone()
        cloned.play(cloned.random_move(second))
        kept = before.state_bytes()
        stray = before.clone()
        for _ in range(2):
            if not stray.over:
                stray.play(stray.random_move(other))
        assert before.state_bytes() == kept
        assert cloned.state_bytes() == plain.state_bytes()


def fields_of(game: Game) -> dict[tuple[str, str], Any]:
    return {
        (key, name): getattr(kept, name)
        for key, kept in game.state.module_states.to_read().items()
        for name in type(kept).__slots__
    }


def test_a_clone_shares_the_values_of_all_fields(everything: Game) -> None:
    copy = everything.clone()
    assert all(copy.module_state(type(kept)) is not kept for kept in everything.state.module_states.values())
    mine, others = fields_of(everything), fields_of(copy)
    assert all(others[name] is value for name, value in mine.items())
