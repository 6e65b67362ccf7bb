"""PettingZoo's own tests, and what it leaves open: rewards, the end of a game, illegal actions."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from alhambra import Game, Options, known_modules
from alhambra.envs import AlhambraEnv, aec_env
from alhambra.envs.rewards import by_rank

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its example environments warn if pygame is installed
    from pettingzoo.test import api_test, seed_test
    from pettingzoo.utils import wrappers

MODULES = list(known_modules())
UNNAMED = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""Warnings about every observation with a mask, except those of games that PettingZoo knows by name."""


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        for message in UNNAMED:
            warnings.filterwarnings("ignore", message)
        yield


def play(env: Any, seed: int = 0) -> dict[str, float]:
    """Play a game with random legal actions; the sum of each agent's rewards."""
    rng = Random(seed)
    env.reset(seed=seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(max_iter=100_000):
        _, reward, terminated, truncated, info = env.last(observe=False)
        totals[agent] += reward
        env.step(None if terminated or truncated else rng.choice(np.flatnonzero(info["action_mask"]).tolist()))
    return totals


def test_the_vector_form_passes_the_api_test_without_a_warning() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        api_test(aec_env(observations="vector"), num_cycles=60)


@pytest.mark.parametrize("observations", ["dict", "flat"])
def test_forms_with_a_mask_pass_the_api_test(observations: str) -> None:
    with quiet():
        api_test(aec_env(observations=observations), num_cycles=40)


@pytest.mark.parametrize(
    "modules",
    [MODULES[:5], MODULES, *(pytest.param([module], marks=pytest.mark.check_only) for module in MODULES)],
    ids=lambda modules: "+".join(modules)[:30],
)
def test_modules_pass_the_api_test(modules: list[str]) -> None:
    with quiet():
        api_test(aec_env(modules=modules, observations="vector"), num_cycles=30)


def test_equal_seeds_give_equal_games() -> None:
    with quiet():
        seed_test(lambda: aec_env(observations="flat"), num_cycles=60)


def test_resets_without_a_seed_continue_the_series_of_a_seed() -> None:
    envs = [AlhambraEnv(seats=2) for _ in range(2)]
    seeds: list[list[str]] = []
    for env in envs:
        env.reset(seed=5)
        seeds.append([env.game.options.seed])
        env.reset()
        seeds[-1].append(env.game.options.seed)
    assert seeds[0] == seeds[1]
    assert seeds[0][0] != seeds[0][1]


def test_rewards_by_rank_sum_to_zero_and_lie_between_minus_one_and_one() -> None:
    totals = play(AlhambraEnv(seats=4, reward="rank"))
    assert sum(totals.values()) == pytest.approx(0)
    assert max(totals.values()) <= 1
    assert min(totals.values()) >= -1


@pytest.mark.parametrize("reward", ["points", "gain"])
def test_rewards_by_points_sum_to_the_final_scores(reward: str) -> None:
    env = AlhambraEnv(seats=3, reward=reward)
    totals = play(env)
    assert [totals[f"seat_{seat}"] for seat in range(3)] == list(env.game.scores)


def test_equal_places_share_their_rewards() -> None:
    game = Game.new(Options(3, "places"))
    game.state.ranking = ((1, 1), (0, 2), (2, 2))
    assert by_rank(game) == [-0.5, 1.0, -0.5]


def test_a_game_that_reaches_its_turn_limit_is_truncated() -> None:
    env = AlhambraEnv(seats=2, turn_limit=1)
    env.reset(seed=0)
    rng = Random(0)
    while not any(env.truncations.values()):
        env.step(rng.choice(env.stepper.legal))
    assert not any(env.terminations.values())


def test_without_guards_an_illegal_action_raises_an_error() -> None:
    env = AlhambraEnv()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="illegal action"):
        env.step(0)


@pytest.mark.parametrize("action", [0, -1, 10**6, np.int64(0)])
def test_with_guards_an_illegal_action_ends_the_game_with_reward_minus_one(action: Any) -> None:
    env = aec_env(observations="flat")
    env.reset(seed=0)
    agent = env.agent_selection
    env.last()
    with contextlib.redirect_stderr(io.StringIO()):
        env.step(action)
    assert all(env.terminations.values())
    assert env._cumulative_rewards == {name: -1.0 if name == agent else 0.0 for name in env.possible_agents}
    for _ in env.possible_agents:
        env.step(None)
    assert not env.agents


def test_guards_behave_as_the_wrappers_of_pettingzoo_do() -> None:
    guarded = aec_env(seats=2, turn_limit=9)
    wrapped = wrappers.OrderEnforcingWrapper(
        wrappers.TerminateIllegalWrapper(AlhambraEnv(seats=2, turn_limit=9), illegal_reward=-1)
    )
    with contextlib.redirect_stderr(io.StringIO()):
        for illegal_after in (3, 60, 10_000):
            assert list(told(guarded, illegal_after)) == list(told(wrapped, illegal_after))


def told(env: Any, illegal_after: int) -> Iterator[Any]:
    """Play a game, with an illegal action after some steps, and yield what is told of every agent."""
    rng = Random(3)
    env.reset(seed=3)
    for number, agent in enumerate(env.agent_iter(max_iter=100_000)):
        seen, reward, terminated, truncated, _ = env.last()
        yield agent, reward, terminated, truncated, seen["action_mask"].tolist(), dict(env.rewards), list(env.agents)
        if terminated or truncated:
            env.step(None)
        else:
            legal = np.flatnonzero(seen["action_mask"]).tolist()
            env.step(0 if number == illegal_after and 0 not in legal else rng.choice(legal))


@pytest.mark.parametrize("method", ["last", "render", "observe", "step"])
def test_guards_refuse_calls_before_the_first_reset(method: str) -> None:
    env = aec_env()
    with pytest.raises(AttributeError if method == "last" else AssertionError):
        getattr(env, method)(*(["seat_0"] if method in {"observe", "step"} else []))


def test_a_step_after_the_last_one_changes_nothing() -> None:
    env = aec_env(seats=2, turn_limit=1)
    play(env)
    with contextlib.redirect_stderr(io.StringIO()):
        env.step(0)
    assert not env.agents


def test_a_preset_stands_for_its_modules() -> None:
    env = AlhambraEnv(preset="first_game")
    assert env.game.ruleset.keys


@pytest.mark.parametrize("wrong", [{"reward": "luck"}, {"observations": "picture"}])
def test_unknown_options_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="unknown"):
        AlhambraEnv(**wrong)


def test_the_table_can_be_drawn_as_text() -> None:
    env = AlhambraEnv(render_mode="ansi")
    env.reset(seed=0)
    assert "market:" in str(env.render())
