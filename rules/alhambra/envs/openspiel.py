"""Alhambra as an OpenSpiel game: `import alhambra.envs.openspiel`, then `pyspiel.load_game("python_alhambra")`.

The first node is a chance node: it draws one of `deals` seeds, and everything hidden follows from the seed. After it,
players choose actions as in the other environments (`actions.py`). Returns are by rank, so they sum to 0.

An information state is everything that the player was told since the game began, and the actions that it has taken:
perfect recall. `resample_from_infostate` replaces everything that the player cannot know (`Game.determinize`).
"""

from __future__ import annotations

import json
from hashlib import blake2b
from random import Random
from typing import Any

import numpy as np
import pyspiel

from ..events import Event
from ..game import Game
from ..options import EDITIONS, TURN_LIMIT
from ..ruleset import rules_for
from .actions import ActionSpace
from .observations import Observer
from .rewards import by_rank
from .stepper import Stepper, options_of

__all__ = ["SHORT_NAME", "AlhambraGame", "AlhambraState"]

SHORT_NAME = "python_alhambra"
MOST_ACTIONS = 1_000_000
"""An upper bound of the actions in a game; games end long before."""
PARAMETERS: dict[str, Any] = {
    "players": 2,
    "modules": "",  # keys, separated by commas
    "preset": "",
    "edition": next(iter(EDITIONS)),
    "turn_limit": TURN_LIMIT,
    "deals": 1_000,  # outcomes of the chance node
    "seed": "openspiel",  # changes all deals
}
GAME_TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Alhambra",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=6,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class AlhambraGame(pyspiel.Game):
    """The game with its parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**PARAMETERS, **(params or {})}
        modules = [key for key in chosen["modules"].split(",") if key]
        rules = {name: chosen[name] for name in ("edition", "turn_limit")}
        self.options = options_of(chosen["players"], chosen["seed"], modules, chosen["preset"] or None, **rules)
        self.deals: int = chosen["deals"]
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.space),
            max_chance_outcomes=self.deals,
            num_players=chosen["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_ACTIONS,
        )
        super().__init__(GAME_TYPE, info, params or {})

    @property
    def space(self) -> ActionSpace:
        """The actions. A property, because OpenSpiel stores what the game holds."""
        return rules_for(self.options).table(ActionSpace)

    @property
    def observer(self) -> Observer:
        """The layout of observations."""
        return rules_for(self.options).table(Observer)

    def new_initial_state(self) -> AlhambraState:
        """Return the state before the deal."""
        return AlhambraState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> AlhambraObserver:
        """Return an observer: of the current position, or with perfect recall."""
        return AlhambraObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class Play:
    """A dealt game, and what every player was told. Its deep copy is a clone, which OpenSpiel relies on."""

    def __init__(self, game: Game) -> None:
        self.stepper = Stepper(game)
        self.asked: list[int] = []
        """The actions taken for the move that is being chosen, without those that were not asked for."""
        self._told: list[tuple[int, tuple[int, ...], list[Event]]] = [(-1, (), game.events)]
        """For the deal and every move: the mover, its actions, and the events."""
        self._digests: dict[int, tuple[int, bytes]] = {}
        """By player: a digest of what it was told, and up to where."""

    def step(self, action: int) -> None:
        """Take an action."""
        seat = self.stepper.seat
        self.asked.append(action)
        if self.stepper.step(action) is not None:
            self._told.append((seat, tuple(self.asked), self.stepper.game.events))
            self.asked = []

    def __deepcopy__(self, _memo: Any) -> Play:
        return self._continued(self.stepper.game.clone())

    def _continued(self, game: Game) -> Play:
        """Return the same play in a copy of the game or in a determinization."""
        copy = Play.__new__(Play)
        copy.stepper = Stepper(game)
        copy.asked = []
        copy._told = list(self._told)
        copy._digests = dict(self._digests)
        for action in self.asked:
            copy.step(action)
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_play, (self.stepper.game.to_bytes(), self.asked, self._told)

    def resampled(self, player: int, rng: Random) -> Play:
        """Return a play that the player cannot tell from this one."""
        return self._continued(self.stepper.game.determinize(player, rng))

    def information_state(self, player: int) -> str:
        """Return the information state of a player: a digest of everything it was told and did, then the actions of its
        unfinished move."""
        done, digest = self._digests.get(player, (0, b""))
        for mover, actions, events in self._told[done:]:
            own = list(actions) if mover == player else []
            told = [event.seen_by(player) for event in events]
            text = json.dumps([own, told], sort_keys=True, default=str)
            digest = blake2b(digest + text.encode(), digest_size=16).digest()
        self._digests[player] = (len(self._told), digest)
        choosing = self.stepper.choice is not None and self.stepper.seat == player
        taken = " ".join(map(str, self.asked)) if choosing else "-"
        return f"player {player} after {len(self._told) - 1} moves: {digest.hex()} {taken}"


def _read_play(game: bytes, asked: list[int], told: list[tuple[int, tuple[int, ...], list[Event]]]) -> Play:
    """Return a play that OpenSpiel has stored."""
    play = Play(Game.from_bytes(game))
    play._told = told
    for action in asked:
        play.step(action)
    return play


class AlhambraState(pyspiel.State):
    """A position in a game."""

    def __init__(self, game: AlhambraGame) -> None:
        super().__init__(game)
        self.play: Play | None = None

    def current_player(self) -> int:
        """Return the seat to act, chance before the deal, or the mark of a finished game."""
        if self.play is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.play.stepper.game.over else self.play.stepper.seat

    def _legal_actions(self, player: int) -> list[int]:
        assert self.play is not None
        return sorted(self.play.stepper.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, all equally likely."""
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self.play is None:
            options = self.get_game().options
            self.play = Play(Game.new(options.with_seed(f"{options.seed} {action}")))
        else:
            self.play.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return f"deal {action}"
        return str(self.get_game().space.describe(action))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.play is not None and self.play.stepper.game.over

    def returns(self) -> list[float]:
        """Return the rewards by rank; zeros before the end."""
        return by_rank(self.play.stepper.game) if self.play is not None else [0.0] * self.num_players()

    def resample_from_infostate(self, player_id: int, _probability_sampler: Any) -> AlhambraState:
        """Return a state with everything resampled that the player cannot know."""
        state: AlhambraState = self.clone()
        if state.play is not None:
            state.play = state.play.resampled(player_id, Random(_probability_sampler()))
        return state

    def __str__(self) -> str:
        if self.play is None:
            return "before the deal"
        game = self.play.stepper.game
        taken = [self.play.stepper.space.describe(action) for action in self.play.asked]
        return f"{game.state_bytes().hex()} {taken}"


class AlhambraObserver:
    """The interface of OpenSpiel's observers: a tensor with named parts, and a text."""

    def __init__(self, game: AlhambraGame, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"Observations have no parameters, but there are {params}.")
        self._recall: bool = kind.perfect_recall
        shapes = {} if self._recall else game.observer.shapes
        self.tensor = np.zeros(0 if self._recall else game.observer.size, np.float32)
        self.dict: dict[str, Any] = {}
        start = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def set_from(self, state: AlhambraState, player: int) -> None:
        """Fill the tensor with what the player sees."""
        self.tensor.fill(0)
        if state.play is not None and not self._recall:
            self.tensor[:] = state.play.stepper.vector(player)

    def string_from(self, state: AlhambraState, player: int) -> str:
        """Return what the player sees as text; with perfect recall, its information state."""
        if state.play is None:
            return "before the deal"
        if self._recall:
            return state.play.information_state(player)
        view = state.play.stepper.game.view(player)
        taken = state.play.asked if state.current_player() == player else []
        return json.dumps([view, taken], sort_keys=True, default=str)


pyspiel.register_game(GAME_TYPE, AlhambraGame)
