"""When a seat is in its own turn: from START to LATE, and by wish through a later phase."""

from __future__ import annotations

import pytest

from alhambra.base.turn_order import TURN_PHASES, in_own_turn, soonest
from tests.rules.situations import table

OWN = ("START", "MAIN", "PLACE", "LATE")


@pytest.mark.rule("00.59", "99.1")
def test_the_phases_of_a_turn_come_in_their_order() -> None:
    assert (*OWN, "MONEY", "SCORING", "MARKET", "AFTER", "WINDOW") == TURN_PHASES


@pytest.mark.rule("99.2")
@pytest.mark.parametrize("phase", [*TURN_PHASES, "SETUP", "END"])
def test_the_active_seat_is_in_its_own_turn_until_the_refills_begin(phase: str) -> None:
    game = table()
    game.state.phase = phase
    assert in_own_turn(game, 0) == (phase in OWN)
    assert not in_own_turn(game, 1)


def test_what_is_gained_while_the_market_is_refilled_still_belongs_to_the_turn_if_asked_for() -> None:
    game = table()
    game.state.phase = "MARKET"
    assert in_own_turn(game, 0, through="MARKET")
    game.state.phase = "AFTER"
    assert not in_own_turn(game, 0, through="MARKET")
    assert not in_own_turn(game, 1, through="WINDOW")


@pytest.mark.parametrize(("phase", "first"), [("START", 0), ("MARKET", 1), ("WINDOW", 1)])
def test_the_seat_whose_turn_comes_soonest_is_the_active_one_while_it_is_its_turn(phase: str, first: int) -> None:
    game = table()
    game.state.phase = phase
    assert soonest(game)[0] == first
