"""05 The city gates: where the cards are, and what everybody is told when one is used."""

from __future__ import annotations

from random import Random

import pytest

from alhambra.invariants import Invariants, census
from tests.rules.modules.city_gates_table import asked, gates, lie_open, two_walls
from tests.rules.situations import deck, display, events_of, fact, kinds, play, refused


@pytest.mark.rule("05.2", "05.8", "05.11")
def test_no_gate_card_is_lost_in_the_deck_open_in_a_hand_or_used() -> None:
    game = gates()
    assert census(game)["gate"] == 3
    lie_open(game)
    assert census(game)["gate"] == 3
    display(game, "dukat-1")
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    assert census(game)["gate"] == 3


@pytest.mark.rule("05.5")
def test_a_gate_card_is_revealed_before_it_lies_open() -> None:
    game = gates(cards="")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "gate denar-9")
    told = [kind for kind in kinds(play(game, "take_money dukat-1")) if kind in ("card_revealed", "gate_opened")]
    assert told[:2] == ["card_revealed", "gate_opened"]


@pytest.mark.rule("05.36", "05.38")
def test_a_gate_elsewhere_is_refused_with_the_side_that_was_named() -> None:
    game = gates()
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    named = {"cell": [2, 0], "side": "E", "because": "no_double_wall"}
    assert fact(refused(game, "set_gate @2,0", side="E"), "GATE_REFUSED") == named


@pytest.mark.rule("05.38")
def test_while_the_builder_chooses_the_tile_may_lie_where_nobody_can_walk_yet() -> None:
    game = gates()
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    assert asked(game) == ("placing_gate", 0)
    assert (2, 0) not in game.board(0).walk(1, 0)
    Invariants(game, Random(1)).check_boards()


@pytest.mark.rule("05.49")
def test_for_a_builder_who_resigns_the_gate_stands_on_the_first_possible_wall() -> None:
    game = gates()
    two_walls(game)
    play(game, "add tower-9-nw @2,0", choice="gate")
    first = game.legal_moves()[0]
    events = events_of(game.resign(0), "gate_set")
    assert events == [{"seat": 0, "cell": first.cell, "side": first.side, "forced": True}]
