"""Games played through the encoding, and what can be chosen in a position."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from alhambra import Game, Move, Options
from alhambra.envs import ActionSpace, Stepper
from alhambra.envs.move_choice import MoveChoice


def new_game(modules: Iterable[str] = (), seats: int = 3, seed: str = "encoding") -> Game:
    return Game.new(Options(seats, seed, modules=modules))


def positions(modules: Iterable[str], seats: int, seed: str, every: int, most: int) -> Iterator[Stepper]:
    """Play a game with random actions, and yield it before every `every`-th move, up to `most` moves."""
    rng = Random(seed)
    stepper = Stepper(new_game(modules, seats, seed))
    for number in range(most):
        if stepper.game.over:
            return
        if number % every == 0:
            yield stepper
        while stepper.step(rng.choice(stepper.legal)) is None:
            pass


def reachable(game: Game, space: ActionSpace, most: int) -> list[Move]:
    """Return the moves that series of legal actions lead to, at least `most` of them if there are as many."""
    found: list[Move] = []

    def follow(actions: list[int]) -> None:
        choice = MoveChoice(game, space)
        for action in actions:
            choice.choose(action)
        if choice.move is not None:
            found.append(choice.move)
            return
        assert choice.options, f"no action is legal after {[space.describe(action) for action in choice.taken]}"
        for option in choice.options:
            if len(found) < most:
                follow([*actions, option])

    follow([])
    return found


def chosen(game: Game, space: ActionSpace, move: Move) -> Move | None:
    """Return the move that the actions of a move lead to; None if one of them is illegal."""
    assert game.decision is not None
    sequence = space.encode(move, game.decision.seat)
    choice = MoveChoice(game, space)
    while choice.move is None:
        action = sequence[len(choice.taken)]
        if action not in choice.options:
            return None
        choice.choose(action)
    return choice.move
