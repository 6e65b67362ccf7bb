"""OpenSpiel's own tests, information states, resampling, and three of its algorithms. Only `make check` runs it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr

from alhambra import known_modules
from alhambra.envs.openspiel import SHORT_NAME

MODULES = list(known_modules())


def load(**parameters: Any) -> Any:
    return pyspiel.load_game(SHORT_NAME, parameters)


def played(game: Any, actions: int, seed: int = 0) -> Any:
    """Return a state after the deal and some random actions."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    state.apply_action(1)
    for _ in range(actions):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("players", "turn_limit"), [(2, 1_000), (3, 30), (6, 12)])
def test_random_games_pass_the_tests_of_openspiel(players: int, turn_limit: int) -> None:
    game = load(players=players, turn_limit=turn_limit)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_short_games_pass_with_serialization() -> None:
    pyspiel.random_sim_test(load(turn_limit=5, deals=7), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("modules", [MODULES[:6], MODULES], ids=["six", "all"])
def test_modules_pass_the_tests_of_openspiel(modules: list[str]) -> None:
    game = load(players=3, modules=",".join(modules), turn_limit=6)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_a_resampled_state_has_the_same_information_state_and_actions() -> None:
    game = load(modules="bonus_cards,thieves")
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    for actions in range(20, 200, 13):
        state = played(game, actions)
        player = state.current_player()
        other = state.resample_from_infostate(player, sampler)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.legal_actions() == state.legal_actions()
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert str(other) != str(state)


def test_information_states_remember_what_was_told_and_done() -> None:
    game = load()
    one, other = played(game, 40, seed=1), played(game, 40, seed=2)
    for player in range(2):
        assert one.information_state_string(player) != other.information_state_string(player)
    again = played(game, 40, seed=1)
    assert again.information_state_string(0) == one.information_state_string(0)


def test_an_unfinished_move_is_known_to_its_player_alone() -> None:
    state = played(load(), 0)
    player = state.current_player()
    before = [state.information_state_string(seat) for seat in range(2)]
    state.apply_action(state.get_game().space.action("verb", "take_money"))
    after = [state.information_state_string(seat) for seat in range(2)]
    assert state.current_player() == player
    assert after[player] != before[player]
    assert after[1 - player] == before[1 - player]


def test_a_clone_goes_its_own_way() -> None:
    state = played(load(), 33)
    text = str(state)
    copy = state.clone()
    assert str(copy) == text
    assert copy.legal_actions() == state.legal_actions()
    copy.apply_action(copy.legal_actions()[0])
    assert str(state) == text


def test_returns_sum_to_zero() -> None:
    state = played(load(), 10_000)
    assert state.is_terminal()
    assert sum(state.returns()) == 0
    assert sorted(state.returns()) in ([-1, 1], [0, 0])


def test_outcome_sampling_mccfr_runs() -> None:
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(load(turn_limit=2, deals=2))
    for _ in range(6):
        solver.iteration()
    state = played(load(turn_limit=2, deals=2), 0)
    policy = solver.average_policy().action_probabilities(state)
    assert set(policy) == set(state.legal_actions())
    assert sum(policy.values()) == pytest.approx(1)


def rollouts() -> Any:
    return mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))


def test_information_set_mcts_finds_a_legal_action() -> None:
    game = load(turn_limit=12)
    state = played(game, 8)
    bot = ismcts.ISMCTSBot(game=game, uct_c=1.5, evaluator=rollouts(), max_simulations=10)
    assert bot.step(state) in state.legal_actions()


def test_mcts_finds_a_legal_action() -> None:
    game = load(turn_limit=12)
    state = played(game, 8)
    assert mcts.MCTSBot(game, 1.5, 10, rollouts()).step(state) in state.legal_actions()
