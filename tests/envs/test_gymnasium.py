"""Gymnasium's own checks, vector environments, and play against players of the library."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from alhambra import known_modules
from alhambra.envs import SingleAgentEnv

MODULES = list(known_modules())
NAME = "alhambra.envs:Alhambra-v1"


def play(env: SingleAgentEnv, seed: int = 0) -> float:
    """Play an episode with random legal actions; the sum of its rewards."""
    rng = Random(seed)
    _, info = env.reset(seed=seed)
    total, ended = 0.0, False
    while not ended:
        action = rng.choice(np.flatnonzero(info["action_mask"]).tolist())
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
        ended = terminated or truncated
    return total


@pytest.mark.parametrize("observations", ["dict", "flat", "vector"])
def test_every_form_passes_the_checks_without_a_warning(observations: str) -> None:
    check_env(gymnasium.make(NAME, observations=observations).unwrapped)


@pytest.mark.parametrize(
    "modules",
    [MODULES[5:10], MODULES, *(pytest.param([module], marks=pytest.mark.check_only) for module in MODULES)],
    ids=lambda modules: "+".join(modules)[:30],
)
def test_modules_pass_the_checks_without_a_warning(modules: list[str]) -> None:
    check_env(gymnasium.make(NAME, modules=modules).unwrapped)


@pytest.mark.parametrize("mode", ["sync", pytest.param("async", marks=pytest.mark.check_only)])
def test_environments_can_be_stepped_in_parallel(mode: str) -> None:
    envs = gymnasium.make_vec(NAME, num_envs=2, vectorization_mode=mode, opponents="peer")
    try:
        seen, _ = envs.reset(seed=3)
        for _ in range(10):
            seen, rewards, *_ = envs.step(np.array([mask.argmax() for mask in seen["action_mask"]]))
            assert rewards.shape == (2,)
    finally:
        envs.close()


@pytest.mark.parametrize("opponents", ["random", "peer", ["peer", "greedy"]])
def test_an_episode_against_any_players_ends(opponents: Any) -> None:
    env = SingleAgentEnv(3 if isinstance(opponents, list) else 2, opponents=opponents, turn_limit=30)
    play(env)
    assert env.game.over


def test_the_agent_is_asked_for_its_own_seat_alone() -> None:
    env = SingleAgentEnv(3, opponents="random", seat=1)
    _, info = env.reset(seed=1)
    assert info["seat"] == env.stepper.seat == 1


def test_without_a_fixed_seat_it_is_drawn() -> None:
    env = SingleAgentEnv(3)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(12)} == {0, 1, 2}


def test_rewards_by_gain_sum_to_the_final_score() -> None:
    env = SingleAgentEnv(2, opponents="random", reward="gain", seat=0)
    assert play(env) == env.game.scores[0]


def test_an_illegal_action_ends_the_episode_with_reward_minus_one() -> None:
    env = SingleAgentEnv()
    env.reset(seed=0)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal_action"]) == (-1.0, True, True)


def test_an_unknown_opponent_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown player"):
        SingleAgentEnv(opponents="grandmaster")
