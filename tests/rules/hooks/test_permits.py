"""A module may let a construction rule be broken at a price."""

from __future__ import annotations

from typing import Any

from alhambra import Game
from tests.rules.hooks.asking import asked
from tests.rules.situations import (
    alhambra,
    codes,
    events_of,
    fact,
    hand,
    legal,
    market,
    play,
    refused,
    table,
    take_turn,
)

# -- A rule relaxed at a price ---------------------------------------------------------------------------------------


def walled(**options: Any) -> Game:
    """Seat 0 is to place a tower that would stand behind walls only."""
    game = table(modules=["example_ladders"], **options)
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    market(game, denar="tower-10-w")
    hand(game, 0, "denar-5 denar-6 gulden-3 dukat-7")
    play(game, "buy market-denar denar-5 denar-6")
    return game


def test_with_a_permit_a_rule_may_be_broken_and_its_price_is_due() -> None:
    game = walled()
    assert codes(refused(game, "place tower-10-w @2,0")) == ["NOT_REACHABLE"]
    events = play(game, "place tower-10-w @2,0", choice="ladder")
    assert events_of(events, "ladder_set") == [{"seat": 0, "cell": (2, 0), "card": "gulden-3"}]
    assert game.state.seats[0].hand == ("dukat-7",)
    assert "gulden-3" in game.state.discard
    assert "tower-10-w" in game.state.seats[0].board.placed


def test_a_permit_lifts_its_own_code_only() -> None:
    faults = refused(walled(), "place tower-10-w @0,1", choice="ladder")
    assert codes(faults) == ["NO_EFFECT"]
    faults = refused(walled(), "place tower-10-w @5,5", choice="ladder")
    assert codes(faults) == ["NO_EFFECT", "NO_CONTACT"]
    faults = refused(walled(), "place tower-10-w @-1,0", choice="gate")
    assert "NOUN_MALFORMED" in codes(faults)


def test_a_permit_that_is_not_needed_is_refused_as_without_effect() -> None:
    faults = refused(walled(), "place tower-10-w @0,1", choice="ladder")
    assert fact(faults, "NO_EFFECT") == {"id": "ladder"}
    assert faults[0].noun == "choice"


def test_without_its_price_a_permit_is_refused() -> None:
    game = walled()
    hand(game, 0)
    faults = refused(game, "place tower-10-w @2,0", choice="ladder")
    assert fact(faults, "CONDITION_UNMET") == {"what": "ladder", "need": 1, "have": 0}


def test_a_permit_holds_for_adding_and_swapping_too() -> None:
    game = walled()
    play(game, "reserve tower-10-w")
    while asked(game) != ("action", 0):
        take_turn(game)
    assert legal(game, "add tower-10-w @2,0", choice="ladder")
    assert not legal(game, "add tower-10-w @2,0")


def test_what_was_built_by_a_permit_stays_legal_afterwards() -> None:
    game = walled()
    play(game, "place tower-10-w @2,0", choice="ladder")
    board = game.state.seats[0].board
    assert (2, 0) in board.walk(1, 0)
    assert board.violations(game.ruleset.tiles["garden-10"], 3, 0) == []
