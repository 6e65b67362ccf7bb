"""The example bot in JavaScript plays in the arena."""

from __future__ import annotations

from alhambra_cli.tournament.play import Bench
from tests.gateway.node import NODE

from .test_play import EXAMPLES, bench, game_of

__all__ = ["bench"]


def test_the_example_in_javascript_plays_to_the_end_and_beats_random(bench: Bench) -> None:
    game = game_of(bench, f'dora=cmd:"{NODE}" "{EXAMPLES / "line_bot.js"}"', "random")
    assert game.faults == ()
    assert game.places == (1, 2)
    assert game.differences() == []
