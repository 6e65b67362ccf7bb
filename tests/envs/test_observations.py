"""Observations hold what a seat sees, and nothing that it cannot know."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from alhambra import known_modules
from alhambra.envs import Stepper
from alhambra.envs.observations import CONTEXT_ROWS, TILE_COLUMNS, WINDOW
from tests.envs.random_games import new_game, positions

MODULES = list(known_modules())


def assert_nothing_leaks(modules: list[str], seats: int, every: int, most: int) -> None:
    rng = Random("leaks")
    for stepper in positions(modules, seats, "leaks", every, most):
        for seat in range(seats):
            other = Stepper(stepper.game.determinize(seat, rng))
            mine, theirs = stepper.arrays(seat), other.arrays(seat)
            assert mine.keys() == theirs.keys()
            for name, array in mine.items():
                assert np.array_equal(array, theirs[name]), name
            assert np.array_equal(stepper.mask(seat), other.mask(seat))
            assert np.array_equal(stepper.vector(seat), other.vector(seat))


@pytest.mark.parametrize("seats", [2, 4])
def test_in_the_base_game_a_seat_cannot_tell_a_determinization_from_the_game(seats: int) -> None:
    assert_nothing_leaks([], seats, every=23, most=250)


def test_with_all_modules_a_seat_cannot_tell_a_determinization_from_the_game() -> None:
    assert_nothing_leaks(MODULES, 3, every=61, most=370)


@pytest.mark.check_only
@pytest.mark.parametrize("module", MODULES)
def test_with_each_module_a_seat_cannot_tell_a_determinization_from_the_game(module: str) -> None:
    assert_nothing_leaks([module], 2 + MODULES.index(module) % 5, every=17, most=300)


def test_masks_stay_equal_in_determinizations_while_a_move_is_chosen() -> None:
    rng = Random("prefix")
    for stepper in positions(["bonus_cards", "thieves"], 3, "prefix", every=19, most=200):
        seat = stepper.seat
        other = Stepper(stepper.game.determinize(seat, rng))
        while True:
            assert stepper.legal == other.legal
            action = rng.choice(stepper.legal)
            assert other.choice is not None
            other.choice.choose(action)
            assert stepper.choice is not None
            stepper.choice.choose(action)
            if stepper.choice.move is not None:
                assert stepper.choice.move == other.choice.move
                break
        stepper.refresh()


def test_the_own_hand_is_counted_by_kind_of_card_and_other_hands_by_number() -> None:
    stepper = Stepper(new_game())
    for seat in range(3):
        hand = stepper.game.state.seats[seat].hand
        arrays = stepper.arrays(seat)
        counted = {card: int(count) for card, count in zip(stepper.observer.cards, arrays["hand"], strict=True)}
        assert all(counted[card] == hand.count(card) for card in stepper.observer.cards)
        assert arrays["hands"][0] == len(hand)
        assert arrays["hands"][1] == len(stepper.game.state.seats[(seat + 1) % 3].hand)


def test_every_visible_tile_has_its_place_and_no_tile_of_the_tower_has_one() -> None:
    for stepper in positions([], 3, "tiles", every=40, most=300):
        game = stepper.game
        rows = dict(zip(stepper.observer.tiles, stepper.arrays(1)["tiles"].tolist(), strict=True))
        for tile in game.state.tower:
            assert rows[tile] == [0] * len(TILE_COLUMNS)
        for seat, owner in enumerate(game.state.seats):
            for placed in owner.board.placed.values():
                where, place, _, x, y, rotation, _ = rows[placed.tile.id]
                assert (where, place) == (5, 1 + (seat - 1) % 3)
                assert (x, y, rotation) == (placed.x, placed.y, placed.rotation)


def test_the_drawn_board_shows_types_and_walls_around_the_fountain() -> None:
    stepper = Stepper(new_game())
    planes = stepper.arrays(0)["boards"]
    middle = WINDOW // 2
    assert planes.shape == (6, WINDOW, WINDOW)
    assert planes[0, middle, middle] == 1
    assert planes[0].sum() == 1


def test_the_actions_taken_for_a_move_are_seen_by_the_mover_alone() -> None:
    stepper = Stepper(new_game())
    seat = stepper.seat
    taking = stepper.space.action("verb", "take_money")
    assert stepper.step(taking) is None
    assert stepper.arrays(seat)["move"][taking] == 1
    assert stepper.vector(seat)[-len(stepper.space) :][taking] > 0
    assert not stepper.arrays((seat + 1) % 3)["move"].any()
    assert not stepper.mask((seat + 1) % 3).any()


def test_the_vector_holds_the_arrays_divided_by_their_bounds() -> None:
    stepper = Stepper(new_game(["squares"]))
    arrays, vector = stepper.arrays(0), stepper.vector(0)
    observer = stepper.observer
    joined = [(arrays[name] / observer.bounds[name]).ravel() for name in observer.shapes]
    assert np.allclose(vector, np.concatenate(joined))
    assert vector.dtype == np.float32
    assert len(vector) == observer.size


def test_returned_arrays_can_be_changed_without_harm() -> None:
    stepper = Stepper(new_game())
    for array in stepper.arrays(0).values():
        array[...] = 7
    stepper.vector(0)[:] = 7
    assert stepper.arrays(0)["table"].tolist() != [7] * 8
    assert not (stepper.vector(0) == 7).all()


@pytest.mark.parametrize(
    ("seats", "most"), [(3, 150), pytest.param(6, 4_000, marks=pytest.mark.check_only)], ids=["short", "long"]
)
def test_all_pieces_and_facts_of_all_modules_find_a_row(seats: int, most: int) -> None:
    for stepper in positions(MODULES, seats, "rows", every=25, most=most):
        arrays = stepper.arrays(0)
        view = stepper.game.view(0)
        listed = sum(len(pieces) for pieces in view["pieces"].values())
        assert np.count_nonzero(arrays["pieces"][:, 0]) == listed
        assert arrays["facts"][-1].sum() == 0
        assert arrays["context"][CONTEXT_ROWS - 1].sum() == 0
