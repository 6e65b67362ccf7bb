"""35 Palace designers: points for building beside them, at once, and where they stand afterwards."""

from __future__ import annotations

import pytest

from alhambra import Game, Move, Options
from tests.rules.designers_oracle import Follower
from tests.rules.hooks.asking import asked
from tests.rules.modules.designers_table import KEY, designers, stand, where
from tests.rules.modules.street_trader_table import at_hand
from tests.rules.situations import (
    codes,
    events_of,
    hold_scoring,
    kinds,
    pieces,
    play,
    points,
    refused,
    reserve,
    take_turn,
)

# -- Setting up --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("35.2", "35.28")
def test_every_seat_puts_its_designer_on_the_start_tile_before_the_market_is_filled() -> None:
    game = Game.new(Options(seats=3, seed="feet", modules=[KEY]))
    for seat, side in enumerate("ESW"):
        assert asked(game) == ("face_designer", seat)
        assert game.state.market == ("", "", "", "")
        events = play(game, "face_designer", side=side)
        start = f"start-{seat}"
        assert events_of(events, "designer_placed") == [{"seat": seat, "tile": start, "cell": (0, 0), "side": side}]
    assert asked(game)[0] == "action"
    assert all(game.state.market)
    assert [where(game, seat) for seat in range(3)] == [((0, 0), side) for side in "ESW"]


@pytest.mark.rule("35.14", "12.42")
def test_residents_are_picked_before_the_designers_are_placed() -> None:
    game = Game.new(Options(seats=2, seed="order", modules=[KEY, "street_trader"]))
    seen = []
    while game.state.turn == 0 and asked(game)[0] != "action":
        seen.append(asked(game)[0])
        game.apply(next(iter(game.moves())))
    assert seen == sorted(seen, key=["pick_residents", "face_designer"].index)
    assert seen.count("face_designer") == 2


@pytest.mark.rule("35.30")
def test_everybody_sees_where_the_designers_stand() -> None:
    game = designers()
    stand(game, 1, (0, 0), "W")
    assert pieces(game, KEY, None, seat=1) == [{"kind": "designer", "seat": 1, "cell": (0, 0), "side": "W"}]
    assert len(pieces(game, KEY)) == 3


# -- Points ------------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("35.3", "35.4", "35.16")
@pytest.mark.parametrize(("cell", "gained"), [((1, -1), 2), ((2, 0), 1), ((1, 1), 1)])
def test_chambers_at_the_feet_bring_2_points_and_at_another_edge_1(cell: tuple[int, int], gained: int) -> None:
    """Worked example: the designer stands on a seraglio with the feet at its upper edge."""
    game = designers(tiles={(1, 0): "seraglio-9"})
    stand(game, 0, (1, 0), "N")
    at_hand(game, "chambers-11")
    events = play(game, f"place chambers-11 @{cell[0]},{cell[1]}")
    assert points(events, "designer") == {0: gained}
    assert game.scores[0] == gained
    assert asked(game) == ("face_designer", 0)
    play(game, "face_designer", side="S")
    assert where(game) == (cell, "S"), "the designer stands on the chambers"


@pytest.mark.rule("35.5", "35.17")
def test_a_building_elsewhere_brings_nothing_and_the_designer_stays() -> None:
    """Worked example: the new tile does not touch the designer's tile."""
    game = designers(tiles={(1, 0): "seraglio-9", (2, 0): "garden-11"})
    at_hand(game, "chambers-11")
    events = play(game, "place chambers-11 @3,0")
    assert points(events, "designer") == {}
    assert where(game) == ((0, 0), "N")
    assert asked(game)[0] == "action"


@pytest.mark.rule("35.18")
def test_a_corner_is_no_edge() -> None:
    game = designers(tiles={(1, 0): "seraglio-9"})
    at_hand(game, "chambers-11")
    assert points(play(game, "place chambers-11 @1,1"), "designer") == {}


@pytest.mark.rule("35.18")
def test_a_wall_on_the_edge_does_not_matter() -> None:
    game = designers(tiles={(0, 1): "garden-11", (-1, 1): "arcades-9", (0, 2): "chambers-9-w"})
    stand(game, 0, (0, 2), "W")
    at_hand(game, "tower-13-e")
    assert points(play(game, "place tower-13-e @-1,2"), "designer") == {0: 2}, "a double wall lies between them"


@pytest.mark.rule("35.29")
def test_the_points_count_at_once_and_are_told_as_such() -> None:
    game = designers()
    at_hand(game, "chambers-11")
    events = play(game, "place chambers-11 @0,-1")
    assert events_of(events, "scored") == [
        {
            **{"seat": 0, "scoring": 0, "frame": "now", "reason": "designer", "points": 2},
            "tile": "chambers-11",
        }
    ]


@pytest.mark.rule("35.25")
def test_several_tiles_of_one_turn_can_bring_a_chain_of_points() -> None:
    game = designers()
    at_hand(game, "chambers-11", "garden-11", "tower-12")
    for tile, row, side in (("chambers-11", -1, "N"), ("garden-11", -2, "E"), ("tower-12", -3, "W")):
        events = play(game, f"place {tile} @0,{row}")
        assert asked(game) == ("face_designer", 0), "before the next tile"
        play(game, "face_designer", side=side)
        assert points(events, "designer") == {0: 1 if tile == "tower-12" else 2}
    assert where(game) == ((0, -3), "W")


@pytest.mark.rule("35.19", "35.30")
def test_the_designer_must_move_onto_the_new_tile() -> None:
    game = designers()
    at_hand(game, "chambers-11")
    play(game, "place chambers-11 @0,-1")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert [move.side for move in game.moves()] == ["N", "E", "S", "W"], "also towards the neighbour"
    assert pieces(game, KEY, None, seat=0) == [{"kind": "designer", "seat": 0, "cell": (0, -1)}]


@pytest.mark.rule("35.20")
def test_only_the_four_edges_of_the_tile_can_be_named() -> None:
    game = designers()
    at_hand(game, "chambers-11")
    play(game, "place chambers-11 @0,-1")
    assert codes(refused(game, "face_designer", side="NE")) == ["NOUN_MALFORMED"]
    assert codes(refused(game, "face_designer @0,-1", side="N")) == ["NOUN_UNEXPECTED"]


@pytest.mark.rule("35.19")
def test_the_feet_towards_a_neighbour_never_bring_2_points() -> None:
    game = designers(tiles={(0, -1): "chambers-11"})
    stand(game, 0, (0, -1), "S")
    at_hand(game, "garden-11")
    assert points(play(game, "place garden-11 @0,-2"), "designer") == {0: 1}


@pytest.mark.rule("35.9")
def test_nothing_is_scored_for_designers_in_scorings() -> None:
    game = designers(tiles={(0, -1): "chambers-11"})
    for number in (1, 2):
        assert points(hold_scoring(game, number), "designer") == {}


@pytest.mark.rule("35.6")
def test_another_seats_building_brings_nothing() -> None:
    game = designers()
    at_hand(game, "chambers-11")
    events = play(game, "place chambers-11 @0,-1")
    assert list(points(events, "designer")) == [0]
    assert where(game, 1) == ((0, 0), "N")


# -- Without the designer's tile ---------------------------------------------------------------------------------------


@pytest.mark.rule("35.7", "35.26")
def test_the_designer_may_be_put_on_any_tile_when_the_tile_is_removed() -> None:
    game = designers(tiles={(0, -1): "chambers-11", (1, 0): "tower-12"})
    stand(game, 0, (0, -1), "N")
    events = play(game, "remove chambers-11")
    assert asked(game) == ("move_designer", 0)
    assert where(game) == (None, "")
    assert pieces(game, KEY, None, seat=0) == [{"kind": "designer", "seat": 0}]
    cells = {move.cell for move in game.moves()}
    assert cells == {(0, 0), (1, 0)}, "the start tile too"
    assert len(list(game.moves())) == 8
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert codes(refused(game, "move_designer @0,-1", side="N")) == ["NOT_THERE"]
    assert codes(refused(game, "move_designer @1,0", side="SE")) == ["NOUN_MALFORMED"]
    events += play(game, "move_designer @1,0", side="W")
    assert where(game) == ((1, 0), "W")
    assert points(events, "designer") == {}
    assert asked(game) == ("action", 1)


@pytest.mark.rule("35.8")
def test_another_tile_may_leave_without_a_question() -> None:
    game = designers(tiles={(0, -1): "chambers-11", (1, 0): "tower-12"})
    stand(game, 0, (0, -1), "N")
    play(game, "remove tower-12")
    assert asked(game) == ("action", 1)
    assert where(game) == ((0, -1), "N")


@pytest.mark.rule("35.32")
def test_a_seat_that_resigns_is_not_waited_for() -> None:
    game = designers(tiles={(0, -1): "chambers-11"})
    stand(game, 0, (0, -1), "N")
    play(game, "remove chambers-11")
    game.resign(0)
    assert asked(game) == ("action", 1)
    assert where(game)[0] is None


@pytest.mark.rule("35.32")
def test_no_designer_is_set_out_for_a_seat_that_resigned_before() -> None:
    game = Game.new(Options(3, "early", modules=["palace_designers", "street_trader"]))
    assert asked(game) == ("pick_residents", 0)
    game.resign(0)
    while asked(game)[0] != "action":
        game.play(game.legal_moves()[0])
    assert [where(game, seat)[0] for seat in range(3)] == [None, (0, 0), (0, 0)]
    shown = [piece["seat"] for piece in game.view(None)["pieces"]["palace_designers"]]
    assert shown == [1, 2]


def test_a_game_waiting_for_a_designer_survives_its_bytes() -> None:
    game = designers(tiles={(0, -1): "chambers-11"})
    stand(game, 0, (0, -1), "N")
    play(game, "remove chambers-11")
    assert game.with_state(game.state_bytes()).state_bytes() == game.state_bytes()


@pytest.mark.rule("35.31")
def test_a_free_redesign_asks_before_the_turn_goes_on() -> None:
    game = designers(3, "master_builders", tiles={(0, -1): "chambers-11"})
    stand(game, 0, (0, -1), "N")
    reserve(game, 0, "garden-11")
    game.state.seats[0].hand = ("builder-denar",)
    take_turn(game)
    assert asked(game) == ("late", 0)
    events = play(game, "add garden-11 @0,-2", cards=("builder-denar",))
    assert points(events, "designer") == {0: 2}
    assert asked(game) == ("face_designer", 0)
    assert "display_filled" not in kinds(events)


# -- An oracle ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("35.3", "35.4", "35.21")
@pytest.mark.parametrize(
    "modules",
    [
        (),
        ("major_construction_projects", "watchtowers", "military_camps"),
        ("viziers_favour", "personal_building_market", "power_of_the_sultan", "magical_buildings"),
    ],
    ids=["alone", "odd tiles", "out of turn"],
)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_oracle_agrees_in_whole_games(seats: int, modules: tuple[str, ...]) -> None:
    scored = 0
    for number in range(2):
        game = Game.new(Options(seats=seats, seed=f"designers {number}", modules=[KEY, *modules]))
        scored += Follower(game).play(number)
    assert scored > 20


def test_the_oracle_judges_the_worked_examples() -> None:
    """The designer on a seraglio with the feet at the upper edge: above, beside, elsewhere."""
    game = designers(tiles={(1, 0): "seraglio-9"})
    stand(game, 0, (1, 0), "N")
    follower = Follower(game)
    assert [follower.points(0, {cell}) for cell in ((1, -1), (2, 0), (1, 1), (2, 1), (0, 1))] == [2, 1, 1, 0, 0]
    assert Move("face_designer", side="N") not in [*game.moves()]
