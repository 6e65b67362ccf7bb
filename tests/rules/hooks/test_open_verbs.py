"""Verbs that a decision keeps open by one value of the game (`DecisionKind.open_by`)."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Game, Options, known_modules

EVERYTHING = tuple(known_modules())


@pytest.mark.parametrize("modules", [(), EVERYTHING], ids=["base", "everything"])
def test_kept_verbs_are_those_that_the_decision_opens_at_every_position(modules: tuple[str, ...]) -> None:
    kept = set()
    game = Game.new(Options(seats=3, seed="open verbs", modules=modules), quiet=True)
    rng = Random(9)
    while not game.over and game.version < 400:
        decision = game.decision
        assert decision is not None
        question = game.question()
        if question.open is not None and question.open_by is not None:
            opened = [name for name, verb in question.named.items() if question.open(game, decision, verb)]
            assert [verb.name for verb in question.verbs if verb.name in game._offered(decision)] == opened
            kept.add(decision.kind)
        game.play(game.random_move(rng))
    assert kept == ({"action", "start"} if modules else {"action"})
