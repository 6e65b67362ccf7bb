"""The window between turns: after a run of interrupts all are asked again, from the player due next on."""

from __future__ import annotations

import pytest

from tests.rules.hooks.asking import asked
from tests.rules.modules.thieves_table import all_pass, finish, held, steal, thieves
from tests.rules.situations import play


@pytest.mark.rule("01.37", "10.25")
def test_after_the_only_thief_of_a_seat_those_who_passed_before_it_are_asked_again_first() -> None:
    game = thieves(4)
    held(game, s0="denar", s2="denar", s3="dirham")
    finish(game)
    assert asked(game) == ("window", 2)
    play(game, "pass")
    assert asked(game) == ("window", 3)
    steal(game, "dirham-4")
    assert all_pass(game) == [2, 0]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.25")
def test_a_seat_with_thieves_left_is_asked_on_before_those_who_passed() -> None:
    game = thieves(4)
    held(game, s0="denar", s2="denar", s3="dirham denar")
    finish(game)
    play(game, "pass")
    steal(game, "dirham-4")
    assert all_pass(game) == [3, 2, 3, 0]
    assert asked(game) == ("action", 1)
