"""Alhambra as a PettingZoo environment: every seat is an agent, and they act one after another."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import gymnasium
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from ..game import Game
from .actions import ENCODING_VERSION
from .rewards import Rewards
from .spaces import checked_form, observation, observation_space
from .stepper import Stepper, options_of

__all__ = ["ILLEGAL_REWARD", "AlhambraEnv", "GuardedEnv", "aec_env"]

ILLEGAL_REWARD = -1.0
"""The reward for an illegal action, which ends the game."""


class AlhambraEnv(AECEnv[str, Any, int]):
    """Alhambra for 2 to 6 agents, `seat_0` to `seat_5`. An illegal action raises ValueError."""

    metadata = {  # noqa: RUF012, because the base class has an instance variable of this name
        "name": f"alhambra_v{ENCODING_VERSION}",
        "render_modes": ["ansi"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        seats: int = 3,
        *,
        modules: Iterable[str] = (),
        preset: str | None = None,
        observations: str = "dict",
        reward: str = "rank",
        render_mode: str | None = None,
        **rules: Any,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.reward = reward
        self.form = checked_form(observations)
        self._options = options_of(seats, "environment", modules, preset, **rules)
        self._rng: Random | None = None
        self._start("environment")
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seen = observation_space(self.stepper.observer, self.form)
        self._observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self._action_spaces = {
            agent: gymnasium.spaces.Discrete(len(self.stepper.space)) for agent in self.possible_agents
        }

    def _start(self, seed: str) -> None:
        self.stepper = Stepper(Game.new(self._options.with_seed(seed), quiet=True))
        self._rewards = Rewards(self.reward, self.game)

    @property
    def game(self) -> Game:
        """The game that is played. It is quiet, and holds hidden information."""
        return self.stepper.game

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of the agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Return the space of the agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. The same seed gives the same games, one after another; without a seed, the next one."""
        if seed is not None or self._rng is None:
            self._rng = Random(seed)
        self._start(f"environment {self._rng.getrandbits(63)}")
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._rewarded = False
        """Whether the last step finished a move, so that `rewards` may not be zero."""
        self._select()

    def step(self, action: int | None) -> None:
        """Take an action for the selected agent. A move takes several; the same agent stays selected until then."""
        agent = self.agent_selection
        if self._is_over(agent):
            self._was_dead_step(action)
            return
        assert action is not None
        finished = self.stepper.step(int(action)) is not None
        self._cumulative_rewards[agent] = 0.0
        if not finished:  # the same agent goes on, and nobody has gained anything
            if self._rewarded:
                self.rewards = dict.fromkeys(self.possible_agents, 0.0)
                self._rewarded = False
            self._select()
            return
        self.infos[agent] = {}
        self.rewards = dict(zip(self.possible_agents, self._rewards.after_move(self.game), strict=True))
        self._rewarded = True
        if self.game.over:
            ended = self.truncations if not self.game.state.ranking else self.terminations
            ended.update(dict.fromkeys(self.agents, True))
        self._select()
        self._accumulate_rewards()
        if self.game.over:
            self._deads_step_first()

    def _is_over(self, agent: str) -> bool:
        return self.terminations[agent] or self.truncations[agent]

    def _select(self) -> None:
        if self.stepper.choice is not None:
            self.agent_selection = agent = self.possible_agents[self.stepper.seat]
            self.infos[agent] = {"action_mask": self.stepper.mask(self.stepper.seat)}

    def observe(self, agent: str) -> Any:
        """Return what the agent sees."""
        return observation(self.stepper, self._seats[agent], self.form)

    def render(self) -> str | None:
        """Return the Alhambras and the scores as text, in the mode `ansi`."""
        if self.render_mode != "ansi":
            return None
        return draw(self.game)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""


def draw(game: Game) -> str:
    """Return the market, the scores and the Alhambras of a game as text."""
    lines = [
        f"market: {' '.join(tile or '-' for tile in game.state.market)}",
        f"display: {' '.join(game.state.display)}",
    ]
    for seat, owner in enumerate(game.state.seats):
        lines += [f"seat {seat}: {owner.score} points, {len(owner.hand)} cards", str(owner.board)]
    return "\n".join(lines)


class GuardedEnv(AlhambraEnv):
    """The environment with the checks of PettingZoo's usual wrappers (TerminateIllegal, OrderEnforcing): an illegal
    action ends the game, and methods called in the wrong order raise errors.

    It is a class of its own, because wrappers look up every attribute through each other, which takes a tenth of a
    step."""

    def observe(self, agent: str) -> Any:
        """Return what the agent sees."""
        if self._rng is None:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def render(self) -> str | None:
        """Return the Alhambras and the scores as text, in the mode `ansi`."""
        if self._rng is None:
            EnvLogger.error_render_before_reset()
        return super().render()

    def step(self, action: int | None) -> None:
        """Take an action for the selected agent. An illegal one ends the game with the reward ILLEGAL_REWARD."""
        if self._rng is None:
            EnvLogger.error_step_before_reset()
        elif not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
        elif action is None or self._is_over(self.agent_selection) or int(action) in self.stepper.legal:
            super().step(action)
        else:
            self._end_by_illegal_action(self.agent_selection)

    def _end_by_illegal_action(self, agent: str) -> None:
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = {**dict.fromkeys(self.agents, 0.0), agent: ILLEGAL_REWARD}
        self._accumulate_rewards()
        self._deads_step_first()


def aec_env(**options: Any) -> GuardedEnv:
    """Return the environment with the checks that PettingZoo's environments usually have. For the options, see
    AlhambraEnv."""
    return GuardedEnv(**options)
