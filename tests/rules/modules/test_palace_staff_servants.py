"""29 The palace staff: where the servants are, and what everybody sees of them and of the walk."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game
from alhambra.components import TYPES
from alhambra.invariants import census
from alhambra.modules.palace_staff import Staff
from tests.rules.modules.palace_staff_table import KEY, LINE, house, sent, served, staffed, stand_at
from tests.rules.situations import alhambra, deck, display, events_of, hand, pieces, play, take_turn

PRINTED = {"pavilion": 7, "seraglio": 7, "arcades": 9, "chambers": 9, "garden": 11, "tower": 11}


def servants(game: Game) -> dict[str, int]:
    """All servants, wherever they are, by colour."""
    found = Counter({thing: count for thing, count in census(game).items() if thing.startswith("servant_")})
    return {name: found[f"servant_{name}"] for name in TYPES}


@pytest.mark.rule("29.1")
def test_fifty_four_servants_are_open_face_down_in_a_building_or_out_of_the_game() -> None:
    game = sent()
    assert servants(game) == PRINTED
    play(game, "step", side="E")
    assert served(game) == {"garden-10": ["garden"]}
    assert servants(game) == PRINTED


@pytest.mark.rule("29.5")
def test_every_step_is_told_with_its_cell() -> None:
    game = sent("denar-2")
    told = [event for side in ("E", "E", "W") for event in events_of(play(game, "step", side=side), "stepped")]
    assert told == [{"seat": 0, "cell": cell} for cell in ((1, 0), (2, 0), (1, 0))]


@pytest.mark.rule("29.4", "29.5")
def test_only_the_own_major_domo_walks_and_the_others_stay_where_they_are() -> None:
    game = staffed(turn_of=1)
    for seat, cell in ((0, (2, 0)), (1, (0, 0)), (2, (3, 0))):
        alhambra(game, seat, LINE if seat == 1 else {})
        stand_at(game, cell, seat)
    play(game, "take_money denar-2")
    play(game, "step", side="E")
    assert game.module_state(Staff).cells == ((2, 0), (1, 0), (3, 0))


@pytest.mark.rule("29.32")
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_everybody_sees_the_open_servants_and_how_many_lie_face_down(viewer: int | None) -> None:
    game = staffed(open_servants="garden garden tower")
    assert pieces(game, KEY, viewer, kind="servant") == [
        {"kind": "servant", "type": "garden", "amount": 2},
        {"kind": "servant", "type": "tower"},
        {"kind": "servant", "amount": 51, "choice": "face_down"},
    ]


@pytest.mark.rule("29.30", "29.32")
def test_when_no_servant_is_left_face_down_none_is_shown_there() -> None:
    game = staffed(open_servants="garden tower")
    game.module_state(Staff).supply = ("pavilion",)
    assert pieces(game, KEY, kind="servant", choice="face_down") == [{"kind": "servant", "choice": "face_down"}]
    take_turn(game)
    assert pieces(game, KEY, kind="servant", choice="face_down") == []


@pytest.mark.rule("29.7", "29.32")
def test_servants_that_were_turned_up_cannot_be_taken_back() -> None:
    game = staffed(open_servants="garden tower")
    display(game, "denar-6")
    deck(game, only=True)
    play(game, "take_money denar-6")
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


@pytest.mark.rule("29.31")
def test_a_tile_without_servants_that_leaves_the_game_takes_none_along() -> None:
    game = staffed()
    alhambra(game, 0, LINE)
    house(game, "garden-10", "garden")
    hand(game, 0, "gulden-9 gulden-3")
    play(game, "buy market-gulden gulden-3 gulden-9")
    game.resign(0)
    assert "tower-11" in game.state.box
    assert not [piece for piece in game.state.box if piece.startswith("servant_")]
    assert served(game) == {"garden-10": ["garden"]}
