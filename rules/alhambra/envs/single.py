"""Alhambra as a Gymnasium environment: one agent against players of this library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import gymnasium

from ..game import Game
from ..players import PLAYERS, Player, Table, apply_action
from .aec import ILLEGAL_REWARD, draw
from .rewards import Rewards
from .spaces import checked_form, observation, observation_space
from .stepper import Stepper, options_of

__all__ = ["SingleAgentEnv"]


class SingleAgentEnv(gymnasium.Env[Any, int]):
    """One seat of a game; the other seats belong to players by their names in `alhambra.players.PLAYERS`."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012, an instance variable of the base class

    def __init__(
        self,
        seats: int = 2,
        *,
        opponents: str | Sequence[str] = "random",
        seat: int | None = None,
        modules: Iterable[str] = (),
        preset: str | None = None,
        observations: str = "flat",
        reward: str = "rank",
        render_mode: str | None = None,
        **rules: Any,
    ) -> None:
        self.render_mode = render_mode
        self.reward = reward
        self.form = checked_form(observations)
        names = [opponents] if isinstance(opponents, str) else list(opponents)
        for name in names:
            if name not in PLAYERS:
                raise ValueError(f"unknown player {name!r}; known are {', '.join(PLAYERS)}")
        self._opponents = [PLAYERS[names[number % len(names)]] for number in range(seats - 1)]
        needed = {option: value for kind in self._opponents for option, value in kind.required_options.items()}
        self._options = options_of(seats, "environment", modules, preset, **{**needed, **rules})
        if seat is not None and not 0 <= seat < seats:
            raise ValueError(f"no seat {seat} in a game for {seats}")
        self._fixed_seat = seat
        self.seat = seat or 0
        """The agent's seat in this episode."""
        stepper = Stepper(Game.new(self._options))
        self.observation_space = observation_space(stepper.observer, self.form)
        self.action_space: Any = gymnasium.spaces.Discrete(len(stepper.space))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a new game. Without a fixed seat, the agent's seat is drawn."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(2**62))
        rng = Random(number)
        seats = len(self._options.seats)
        self.seat = rng.randrange(seats) if self._fixed_seat is None else self._fixed_seat
        others = iter(self._opponents)
        players = [Player() if seat == self.seat else next(others)() for seat in range(seats)]
        self._table, self._rng = Table(players), rng
        quiet = not any(kind.undoes for kind in self._opponents)
        self.stepper = Stepper(Game.new(self._options.with_seed(f"environment {number}"), quiet=quiet))
        self._rewards = Rewards(self.reward, self.game)
        self._let_others_play()
        return self._seen(), self._info()

    @property
    def game(self) -> Game:
        """The game that is played. It is quiet unless an opponent undoes moves, and holds hidden information."""
        return self.stepper.game

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action of the agent. When it finishes a move, the other seats play until the agent is asked again."""
        if int(action) not in self.stepper.legal:
            return self._seen(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal_action": True}
        reward = 0.0
        if self.stepper.step(int(action)) is not None:
            reward = self._rewards.after_move(self.game)[self.seat] + self._let_others_play()
        over = self.game.over
        ranked = bool(self.game.state.ranking)
        return self._seen(), reward, over and ranked, over and not ranked, self._info()

    def _let_others_play(self) -> float:
        """Let the other seats play until the agent is asked or the game is over. Return the agent's reward."""
        game, reward, moved = self.game, 0.0, False
        while game.decision is not None and game.decision.seat != self.seat:
            apply_action(game, self._table.next(game, self._rng))
            reward += self._rewards.after_move(game)[self.seat]
            moved = True
        if moved:
            self.stepper.refresh()
        return reward

    def _seen(self) -> Any:
        return observation(self.stepper, self.seat, self.form)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.stepper.mask(self.seat), "seat": self.seat}

    def render(self) -> str | None:
        """Return the Alhambras and the scores as text, in the mode `ansi`."""
        return draw(self.game) if self.render_mode == "ansi" else None
