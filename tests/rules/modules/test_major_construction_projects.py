"""28 Major construction projects."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Board, Game, Move
from alhambra.components import module_data
from alhambra.invariants import census
from alhambra.modules.major_construction_projects import PROJECTS, Projects
from tests.rules.modules.major_construction_projects_table import (
    HORIZONTAL,
    KEY,
    VERTICAL,
    build,
    lying_bid,
    obtain,
    site,
    win,
)
from tests.rules.situations import (
    alhambra,
    codes,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
)


def store(game: Game, seat: int, project: str) -> None:
    """The project lies in the seat's reserve."""
    obtain(game, project)
    owner = game.state.seats[seat]
    owner.reserve = (*owner.reserve, project)


# -- Components and setting up ---------------------------------------------------------------------------------------


@pytest.mark.rule("28.1")
def test_there_are_fifteen_double_tiles_each_pair_of_types_once() -> None:
    pairs = {frozenset(part.type for part in tile.parts) for tile in PROJECTS}
    assert len(PROJECTS) == len(pairs) == 15
    assert all(len(tile.parts) == 2 and tile.price is None for tile in PROJECTS)


@pytest.mark.rule("28.4")
def test_one_project_lies_open_and_nobody_knows_the_order_of_the_others() -> None:
    game = table(modules=[KEY], dealt=True)
    assert pieces(game, KEY, 0) == [
        {"kind": "project", "slot": "project", "tile": game.module_state(Projects).project},
        {"kind": "project", "amount": 14, "choice": "face_down"},
    ]
    samples = {game.determinize(0, Random(number)).module_state(Projects).hidden for number in range(5)}
    assert len(samples) == 5
    assert all(sorted(sample) == sorted(game.module_state(Projects).hidden) for sample in samples)


# -- Bidding ---------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("28.6", "28.9", "28.19")
def test_a_first_bid_is_at_least_fifteen_in_one_currency() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-7 denar-5 dirham-8")
    least = module_data(KEY)["min_bid"]
    assert fact(refused(game, "bid_project denar-9 denar-5"), "BID_TOO_LOW") == {"minimum": least}
    assert codes(refused(game, "bid_project denar-9 dirham-8")) == ["MIX_FORBIDDEN"]
    events = play(game, "bid_project denar-7 denar-9")
    bid = {"cards": ("denar-7", "denar-9"), "items": (), "sum": 16}
    assert events_of(events, "project_bid") == [{"seat": 0, "tile": VERTICAL, **bid}]
    assert lying_bid(game) == {"seat": 0, "cards": ["denar-7", "denar-9"], "items": [], "sum": 16}


@pytest.mark.rule("28.6")
def test_more_than_the_least_may_be_bid_at_once() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-7 denar-5")
    assert legal(game, "bid_project denar-5 denar-7 denar-9")


def test_an_empty_bid_is_too_low_and_foreign_cards_are_not_there() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-7")
    assert codes(refused(game, "bid_project")) == ["BID_TOO_LOW"]
    assert codes(refused(game, "bid_project denar-9 denar-8 denar-7")) == ["NOT_THERE"]


# worked example
@pytest.mark.rule("28.7", "28.8", "28.20")
def test_a_higher_bid_in_any_currency_replaces_one_and_the_outbid_player_has_the_money_back_at_once() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-7")
    hand(game, 1, "dirham-9 dirham-8 dirham-7")
    play(game, "bid_project denar-9 denar-7")
    assert not game.state.seats[0].hand
    assert fact(refused(game, "bid_project dirham-7 dirham-9"), "BID_TOO_LOW") == {"minimum": 17}
    events = play(game, "bid_project dirham-8 dirham-9")
    assert events_of(events, "bid_returned") == [{"seat": 0, "cards": ("denar-7", "denar-9"), "items": ()}]
    assert game.state.seats[0].hand == ("denar-7", "denar-9")
    assert game.state.seats[0].unseen == ()
    assert game.module_state(Projects).bidder == 1


@pytest.mark.rule("28.5")
def test_a_bid_is_an_action_and_grants_no_further_one() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-6")
    events = play(game, "bid_project denar-9 denar-6")
    assert "bonus_action" not in kinds(events)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("action", 1)


@pytest.mark.rule("28.5")
def test_a_bid_may_be_a_bonus_action() -> None:
    game = site()
    hand(game, 0, "denar-9 dirham-9 dirham-6")
    market(game, denar="garden-9-e")
    play(game, "buy market-denar denar-9")
    play(game, "bid_project dirham-9 dirham-6")
    assert game.state.taken == ("buy", "bid_project")


@pytest.mark.rule("28.9", "28.24")
def test_money_in_a_bid_is_not_in_hand() -> None:
    game = site()
    game.state.actions = 2
    hand(game, 0, "denar-9 denar-7")
    market(game, denar="garden-9-e")
    play(game, "bid_project denar-9 denar-7")
    assert game.view(1)["seats"][0]["hand_count"] == 0
    assert fact(refused(game, "buy market-denar denar-9"), "NOT_THERE") == {"id": "denar-9", "place": "hand"}


@pytest.mark.rule("28.26")
def test_nobody_outbids_himself() -> None:
    game = site()
    game.state.actions = 2
    hand(game, 0, "denar-9 denar-7 dirham-9 dirham-8")
    play(game, "bid_project denar-9 denar-7")
    assert fact(refused(game, "bid_project dirham-9 dirham-8"), "PLACE_TAKEN") == {"slot": "project"}
    assert not any(move.verb == "bid_project" for move in game.moves())


def test_who_can_only_bid_cannot_pass() -> None:
    game = site()
    market(game)
    hand(game, 0, "denar-9 denar-7")
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    only = Move("bid_project", cards=("denar-7", "denar-9"))
    assert {game.random_move(Random(number)) for number in range(10)} == {only}


@pytest.mark.parametrize("seats", [2, 6])
def test_a_game_with_a_bid_survives_its_bytes(seats: int) -> None:
    game = site(seats)
    hand(game, 0, "denar-9 denar-7")
    play(game, "bid_project denar-9 denar-7")
    assert Game.from_bytes(game.to_bytes()) == game


# -- Winning ---------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("28.10", "28.11", "28.21", "28.29")
def test_a_bid_that_still_lies_there_at_the_next_own_turn_has_won() -> None:
    game = site()
    hand(game, 0, "dirham-9 dirham-8")
    play(game, "bid_project dirham-9 dirham-8")
    take_turn(game)
    assert game.module_state(Projects).project == VERTICAL
    coming = game.module_state(Projects).hidden[-1]
    events = take_turn(game)
    assert events_of(events, "project_won") == [{"seat": 0, "tile": VERTICAL, "sum": 17}]
    assert events_of(events, "acquired") == [{"seat": 0, "tile": VERTICAL, "how": "bid"}]
    assert events_of(events, "project_revealed") == [{"tile": coming, "left": 13}]
    assert game.state.seats[0].pending == (VERTICAL,)
    assert {"dirham-8", "dirham-9"} <= {*game.state.discard}
    assert lying_bid(game) is None
    hand(game, 0, "denar-9 denar-6")
    assert legal(game, "bid_project denar-6 denar-9")


@pytest.mark.rule("28.11")
def test_the_winner_may_bid_on_the_next_project_in_the_same_turn() -> None:
    game = site()
    win(game)
    hand(game, 0, "dirham-9 dirham-6")
    play(game, "bid_project dirham-9 dirham-6")
    assert game.decision is not None
    assert game.decision.kind == "place_tiles"
    play(game, f"place {VERTICAL} @1,0")
    assert game.module_state(Projects).bidder == 0


@pytest.mark.rule("28.12")
def test_a_won_project_is_placed_with_the_other_new_tiles_of_the_turn() -> None:
    game = site()
    win(game)
    hand(game, 0, "denar-9 denar-2")
    market(game, denar="garden-10")
    play(game, "buy market-denar denar-9 denar-2")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.context["tiles"]) == ("place_tiles", (VERTICAL, "garden-10"))
    play(game, "place garden-10 @1,0")
    play(game, f"place {VERTICAL} @2,0")
    assert len(game.board(0).cells) == 4


@pytest.mark.rule("28.27")
def test_a_won_project_may_go_into_the_reserve() -> None:
    game = site()
    win(game)
    take_turn(game)
    play(game, f"reserve {VERTICAL}")
    assert game.view(1)["seats"][0]["reserve"] == [VERTICAL]


@pytest.mark.rule("28.28")
def test_after_the_last_project_nobody_bids() -> None:
    game = site()
    game.state.box = (*game.state.box, *game.module_state(Projects).hidden)
    game.module_state(Projects).hidden = ()
    win(game)
    assert pieces(game, KEY, 0) == []
    hand(game, 0, "dirham-9 dirham-7")
    assert codes(refused(game, "bid_project dirham-9 dirham-7")) == ["NOT_THERE"]


@pytest.mark.rule("28.18")
def test_an_open_bid_returns_before_leftover_tiles_are_given_out() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-7")
    market(game, denar="garden-9-e")
    play(game, "bid_project denar-9 denar-7")
    hand(game, 1, "denar-8")
    market(game, denar="garden-9-e")
    events = end_game(game)
    assert kinds(events).index("bid_returned") < kinds(events).index("leftover_awarded")
    leftover = next(line for line in events_of(events, "leftover_awarded") if line["slot"] == "market-denar")
    assert leftover["seat"] == 0
    assert "project_won" not in kinds(events)


@pytest.mark.rule("28.42")
def test_the_bid_of_a_seat_that_resigns_leaves_the_game_and_the_project_is_free_again() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-7")
    play(game, "bid_project denar-9 denar-7")
    before = census(game)
    events = game.resign(0)
    assert events_of(events, "bid_returned") == [{"seat": 0, "cards": ("denar-7", "denar-9"), "items": ()}]
    assert {"denar-7", "denar-9"} <= {*game.state.box}
    assert census(game) == before
    hand(game, 1, "dirham-9 dirham-6")
    assert legal(game, "bid_project dirham-9 dirham-6")


# -- Building --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("28.13")
def test_every_outer_side_of_both_halves_must_fit() -> None:
    game = site()
    win(game)
    alhambra(game, 0, {(0, 1): "arcades-8-e"})
    take_turn(game)
    assert fact(refused(game, f"place {VERTICAL} @-1,-1"), "EDGE_MISMATCH")["neighbour"] == "start-0"
    assert fact(refused(game, f"place {VERTICAL} @1,0"), "EDGE_MISMATCH")["neighbour"] == "arcades-8-e"
    assert codes(refused(game, f"place {VERTICAL} @0,-1")) == ["PLACE_TAKEN"]
    assert legal(game, f"place {VERTICAL} @1,-1")


@pytest.mark.rule("28.14")
def test_one_step_onto_either_half_reaches_both() -> None:
    game = site()
    win(game)
    take_turn(game)
    play(game, f"place {VERTICAL} @1,-1")
    assert [game.board(0).cells[cell].type for cell in [(1, -1), (1, 0)]] == ["pavilion", "arcades"]


@pytest.mark.rule("28.13")
def test_a_project_may_not_enclose_an_empty_cell() -> None:
    game = site()
    win(game)
    ring = {(1, 0): "chambers-10", (2, 0): "chambers-11", (0, 1): "arcades-9", (0, 2): "arcades-10"}
    alhambra(game, 0, ring)
    take_turn(game)
    assert legal(game, f"place {VERTICAL} @2,1")
    alhambra(game, 0, {**ring, (1, 2): "seraglio-9"})
    assert codes(refused(game, f"place {VERTICAL} @2,1")) == ["HOLE"]


@pytest.mark.rule("28.15")
def test_a_project_is_laid_upright() -> None:
    game = site()
    win(game)
    take_turn(game)
    assert "ROTATION_REFUSED" in codes(refused(game, f"place {VERTICAL} @1,0", rotation=180))


@pytest.mark.rule("28.30")
def test_a_turned_project_turns_about_its_first_half() -> None:
    board = Board()
    board.place(next(tile for tile in PROJECTS if tile.id == VERTICAL), -1, 0, rotation=180)
    assert {cell: placed_part.type for cell, placed_part in board.cells.items() if placed_part.type} == {
        (-1, 0): "pavilion",
        (-1, -1): "arcades",
    }


@pytest.mark.rule("28.16")
def test_a_project_is_removed_as_one_tile() -> None:
    game = site()
    build(game, 0, "project_pavilion_tower", (1, 0))
    play(game, "remove project_pavilion_tower")
    assert game.state.seats[0].reserve == ("project_pavilion_tower",)
    assert list(game.board(0).cells) == [(0, 0)]


@pytest.mark.rule("28.16")
def test_a_project_is_added_from_the_reserve_as_one_tile() -> None:
    game = site()
    store(game, 0, "project_pavilion_tower")
    play(game, "add project_pavilion_tower @1,0")
    assert len(game.board(0).cells) == 3


@pytest.mark.rule("28.31")
def test_only_projects_of_one_direction_can_be_swapped() -> None:
    game = site()
    reserve(game, 0, "garden-9-e")
    build(game, 0, "project_pavilion_tower", (1, 0))
    store(game, 0, "project_chambers_garden")
    store(game, 0, HORIZONTAL)
    assert codes(refused(game, f"swap {HORIZONTAL} @1,0")) == ["FOOTPRINT_MISMATCH"]
    assert codes(refused(game, "swap garden-9-e @1,0")) == ["FOOTPRINT_MISMATCH"]
    assert codes(refused(game, "swap project_chambers_garden @1,1")) == ["NOT_THERE"]
    play(game, "swap project_chambers_garden @1,0")
    assert game.board(0).cells[1, 1].type == "garden"
    assert "project_pavilion_tower" in game.state.seats[0].reserve


@pytest.mark.rule("28.31")
def test_a_project_cannot_take_the_place_of_a_single_tile() -> None:
    game = site()
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    store(game, 0, "project_pavilion_tower")
    assert codes(refused(game, "swap project_pavilion_tower @1,0")) == ["FOOTPRINT_MISMATCH"]


@pytest.mark.rule("28.17")
def test_each_half_counts_as_a_building_in_the_majorities() -> None:
    game = site()
    build(game, 0, "project_chambers_garden", (1, 0))
    alhambra(game, 1, {(1, 0): "chambers-10"})
    events = hold_scoring(game, 1)
    assert points(events, "majority", type="garden") == {0: 5}
    assert points(events, "majority", type="chambers") == {0: 2, 1: 2}
    assert points(events, "wall") == {0: 2}


# -- Two players -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("28.41")
def test_a_project_is_never_given_to_dirk() -> None:
    game = site(2)
    win(game)
    take_turn(game)
    assert codes(refused(game, f"give_to_dirk {VERTICAL}")) == ["NOT_ELIGIBLE"]
