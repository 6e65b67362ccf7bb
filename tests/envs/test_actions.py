"""Every legal move has one series of actions, and every series of legal actions is a legal move."""

from __future__ import annotations

from itertools import islice

import pytest

from alhambra import Move, known_modules
from alhambra.envs import END, ActionSpace
from alhambra.envs.actions import absolute_seat, relative_seat
from alhambra.envs.move_choice import MoveChoice
from tests.envs.random_games import chosen, new_game, positions, reachable

MODULES = list(known_modules())
FEW = 300
"""The most moves of a position in which all are compared; in others, a sample is."""
SAMPLED = 37


def assert_complete(modules: list[str], seats: int, every: int, most: int) -> None:
    for stepper in positions(modules, seats, "complete", every, most):
        game, space = stepper.game, stepper.space
        listed = list(islice(game.moves(), FEW))
        if len(listed) < FEW:
            found = reachable(game, space, FEW + 1)
            assert len(found) == len(set(found))
            assert set(found) == set(listed)
        else:
            for move in islice(game.moves(), 0, 3_000, SAMPLED):
                assert chosen(game, space, move) == move


@pytest.mark.parametrize("seats", [2, 3])
def test_in_the_base_game_the_actions_lead_to_exactly_the_legal_moves(seats: int) -> None:
    assert_complete([], seats, every=11, most=200)


def test_with_all_modules_the_actions_lead_to_exactly_the_legal_moves() -> None:
    assert_complete(MODULES, 3, every=29, most=300)


@pytest.mark.check_only
@pytest.mark.parametrize("module", MODULES)
def test_with_each_module_the_actions_lead_to_exactly_the_legal_moves(module: str) -> None:
    assert_complete([module], 2 + MODULES.index(module) % 5, every=13, most=250)


@pytest.mark.check_only
def test_in_a_long_game_with_all_modules_the_actions_lead_to_exactly_the_legal_moves() -> None:
    assert_complete(MODULES, 4, every=23, most=3_000)


def test_a_move_is_read_back_from_its_actions() -> None:
    for stepper in positions(MODULES, 4, "read back", every=17, most=300):
        assert stepper.game.decision is not None
        seat = stepper.game.decision.seat
        for move in islice(stepper.game.moves(), 0, 500, 7):
            assert stepper.space.decode(stepper.space.encode(move, seat), seat) == move


def test_an_action_means_the_same_in_every_game_of_a_ruleset() -> None:
    one, other = (new_game(["squares"], seed=seed).ruleset.table(ActionSpace) for seed in "ab")
    assert one.meanings == other.meanings
    assert one.meanings[END] == ("end", None)
    assert one.describe(one.action("slot", "market-denar")) == "slot market-denar"


def test_the_base_game_for_three_has_411_actions() -> None:
    assert len(new_game().ruleset.table(ActionSpace)) == 411


def test_a_payment_is_chosen_card_by_card_and_ends_only_when_it_is_enough() -> None:
    game = new_game()
    space = game.ruleset.table(ActionSpace)
    game.state.market = ("arcades-8-e", "", "", "")
    game.state.seats[game.state.active].hand = ("gulden-3", "gulden-4", "gulden-4", "gulden-5")
    three, four, five = (space.action("cards", f"gulden-{value}") for value in (3, 4, 5))
    choice = MoveChoice(game, space)
    choice.choose(space.action("verb", "buy"))
    assert choice.options == [three, four], "a five is not enough, and smaller cards are chosen before it"
    choice.choose(four)
    assert choice.options == [four, five]
    choice.choose(four)
    assert choice.options == [five, END]


def test_cards_of_a_payment_that_leaves_no_choice_are_not_asked_for() -> None:
    game = new_game()
    space = game.ruleset.table(ActionSpace)
    game.state.market = ("arcades-8-e", "", "", "")
    game.state.seats[game.state.active].hand = ("gulden-4", "gulden-5")
    choice = MoveChoice(game, space)
    choice.choose(space.action("verb", "buy"))
    assert choice.move == Move("buy", slot="market-gulden", cards=("gulden-4", "gulden-5"))


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    game = new_game()
    space = game.ruleset.table(ActionSpace)
    choice = MoveChoice(game, space)
    before = list(choice.options)
    with pytest.raises(ValueError, match="illegal action"):
        choice.choose(END)
    assert choice.options == before
    assert not choice.taken


@pytest.mark.parametrize("mover", range(3))
def test_a_seat_is_named_by_its_distance_from_the_mover(mover: int) -> None:
    assert relative_seat(mover, mover, 3) == 0
    assert [absolute_seat(relative_seat(seat, mover, 3), mover, 3) for seat in range(3)] == [0, 1, 2]


def test_dirk_keeps_his_number() -> None:
    assert relative_seat(2, 1, 2) == absolute_seat(2, 1, 2) == 2
