"""38 Buildings of power: a game with dice is replayed."""

from __future__ import annotations

from random import Random

from alhambra import Game
from tests.rules.modules.powers_table import powers


def test_dice_are_the_same_when_the_game_is_replayed() -> None:
    game = Game.new(powers().options)
    rng = Random(1)
    while not game.over:
        game.apply(game.random_move(rng))
    assert Game.replay(game.options, game.log) == game
