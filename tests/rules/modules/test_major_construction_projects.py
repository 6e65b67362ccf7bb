"""28 Major construction projects."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Board, Game, Move
from alhambra.components import Cell, module_data
from alhambra.invariants import census
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import Invaders
from alhambra.modules.major_construction_projects import PROJECTS, Projects
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from tests.rules.situations import (
    alhambra,
    codes,
    display,
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
    turns,
)

KEY = "major_construction_projects"
VERTICAL, HORIZONTAL = "project_pavilion_arcades", "project_seraglio_pavilion"
"""A wall along the whole east side, pavilion above arcades; a wall along the north side, seraglio left of pavilion."""


def site(seats: int = 3, *modules: str, project: str = VERTICAL, **options: Any) -> Game:
    """A cleared table where a certain project lies open; the market is full, so that no tile is drawn by chance."""
    game = table(seats, modules=[KEY, *modules], **options)
    market(game, gulden="pavilion-2-new", dirham="seraglio-3-esw", denar="arcades-4-nes", dukat="chambers-5-nsw")
    reveal(game, project)
    return game


def reveal(game: Game, project: str) -> None:
    """This project lies open, the one that did goes under the others."""
    projects = game.slice(Projects)
    if projects.project != project:
        rest = (tile for tile in projects.hidden if tile != project)
        projects.hidden, projects.project = (projects.project, *rest), project


def obtain(game: Game, *projects: str) -> None:
    """Takes projects from those face down, to be put elsewhere."""
    kept = game.slice(Projects)
    assert {*projects} <= {*kept.hidden}
    kept.hidden = tuple(tile for tile in kept.hidden if tile not in projects)


def build(game: Game, seat: int, project: str, cell: Cell) -> Board:
    """The project is built in the seat's Alhambra, by the rules."""
    obtain(game, project)
    board = game.board(seat)
    board.place(game.ruleset.tiles[project], *cell)
    game.state.seats[seat].board = board
    return board


def store(game: Game, seat: int, project: str) -> None:
    """The project lies in the seat's reserve."""
    obtain(game, project)
    owner = game.state.seats[seat]
    owner.reserve = (*owner.reserve, project)


def lying_bid(game: Game) -> dict[str, Any] | None:
    """What everybody sees beside the project."""
    for bid in pieces(game, KEY, kind="bid", slot="project"):
        return {"seat": bid["seat"], "cards": [*bid["cards"]], "items": [*bid["items"]], "sum": bid["sum"]}
    return None


def win(game: Game, cards: str = "denar-9 denar-7") -> None:
    """Seat 0 bids and wins: its next turn has begun."""
    hand(game, 0, cards)
    play(game, f"bid_project {cards}")
    turns(game, len(game.state.seats) - 1)


# -- Components and setting up ---------------------------------------------------------------------------------------


def test_there_are_fifteen_double_tiles_each_pair_of_types_once() -> None:
    pairs = {frozenset(part.type for part in tile.parts) for tile in PROJECTS}
    assert len(PROJECTS) == len(pairs) == 15
    assert all(len(tile.parts) == 2 and tile.price is None for tile in PROJECTS)


def test_one_project_lies_open_and_nobody_knows_the_order_of_the_others() -> None:
    game = table(modules=[KEY], dealt=True)
    assert pieces(game, KEY, 0) == [
        {"kind": "project", "slot": "project", "tile": game.slice(Projects).project},
        {"kind": "project", "amount": 14, "choice": "face_down"},
    ]
    twins = {game.determinize(0, Random(number)).slice(Projects).hidden for number in range(5)}
    assert len(twins) == 5
    assert all(sorted(twin) == sorted(game.slice(Projects).hidden) for twin in twins)


# -- Bidding ---------------------------------------------------------------------------------------------------------


# worked example
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
    assert game.slice(Projects).bidder == 1


def test_a_bid_is_an_action_and_grants_no_further_one() -> None:
    game = site()
    hand(game, 0, "denar-9 denar-6")
    events = play(game, "bid_project denar-9 denar-6")
    assert "bonus_action" not in kinds(events)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("action", 1)


def test_a_bid_may_be_a_bonus_action() -> None:
    game = site()
    hand(game, 0, "denar-9 dirham-9 dirham-6")
    market(game, denar="garden-9-e")
    play(game, "buy market-denar denar-9")
    play(game, "bid_project dirham-9 dirham-6")
    assert game.state.taken == ("buy", "bid_project")


def test_money_in_a_bid_is_not_in_hand() -> None:
    game = site()
    game.state.actions = 2
    hand(game, 0, "denar-9 denar-7")
    market(game, denar="garden-9-e")
    play(game, "bid_project denar-9 denar-7")
    assert game.view(1)["seats"][0]["hand_count"] == 0
    assert fact(refused(game, "buy market-denar denar-9"), "NOT_THERE") == {"id": "denar-9", "place": "hand"}


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


# -- Winning ---------------------------------------------------------------------------------------------------------


# worked example
def test_a_bid_that_still_lies_there_at_the_next_own_turn_has_won() -> None:
    game = site()
    hand(game, 0, "dirham-9 dirham-8")
    play(game, "bid_project dirham-9 dirham-8")
    take_turn(game)
    assert game.slice(Projects).project == VERTICAL
    coming = game.slice(Projects).hidden[-1]
    events = take_turn(game)
    assert events_of(events, "project_won") == [{"seat": 0, "tile": VERTICAL, "sum": 17}]
    assert events_of(events, "acquired") == [{"seat": 0, "tile": VERTICAL, "how": "bid"}]
    assert events_of(events, "project_revealed") == [{"tile": coming, "left": 13}]
    assert game.state.seats[0].pending == (VERTICAL,)
    assert {"dirham-8", "dirham-9"} <= {*game.state.discard}
    assert lying_bid(game) is None
    hand(game, 0, "denar-9 denar-6")
    assert legal(game, "bid_project denar-6 denar-9")


def test_the_winner_may_bid_on_the_next_project_in_the_same_turn() -> None:
    game = site()
    win(game)
    hand(game, 0, "dirham-9 dirham-6")
    play(game, "bid_project dirham-9 dirham-6")
    assert game.decision is not None
    assert game.decision.kind == "place_tiles"
    play(game, f"place {VERTICAL} @1,0")
    assert game.slice(Projects).bidder == 0


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


def test_a_won_project_may_go_into_the_reserve() -> None:
    game = site()
    win(game)
    take_turn(game)
    play(game, f"reserve {VERTICAL}")
    assert game.view(1)["seats"][0]["reserve"] == [VERTICAL]


def test_after_the_last_project_nobody_bids() -> None:
    game = site()
    game.state.box = (*game.state.box, *game.slice(Projects).hidden)
    game.slice(Projects).hidden = ()
    win(game)
    assert pieces(game, KEY, 0) == []
    hand(game, 0, "dirham-9 dirham-7")
    assert codes(refused(game, "bid_project dirham-9 dirham-7")) == ["NOT_THERE"]


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


def test_every_outer_side_of_both_halves_must_fit() -> None:
    game = site()
    win(game)
    alhambra(game, 0, {(0, 1): "arcades-8-e"})
    take_turn(game)
    assert fact(refused(game, f"place {VERTICAL} @-1,-1"), "EDGE_MISMATCH")["neighbour"] == "start-0"
    assert fact(refused(game, f"place {VERTICAL} @1,0"), "EDGE_MISMATCH")["neighbour"] == "arcades-8-e"
    assert codes(refused(game, f"place {VERTICAL} @0,-1")) == ["PLACE_TAKEN"]
    assert legal(game, f"place {VERTICAL} @1,-1")


def test_one_step_onto_either_half_reaches_both() -> None:
    game = site()
    win(game)
    take_turn(game)
    play(game, f"place {VERTICAL} @1,-1")
    assert [game.board(0).cells[cell].type for cell in [(1, -1), (1, 0)]] == ["pavilion", "arcades"]


def test_a_project_may_not_enclose_an_empty_cell() -> None:
    game = site()
    win(game)
    ring = {(1, 0): "chambers-10", (2, 0): "chambers-11", (0, 1): "arcades-9", (0, 2): "arcades-10"}
    alhambra(game, 0, ring)
    take_turn(game)
    assert legal(game, f"place {VERTICAL} @2,1")
    alhambra(game, 0, {**ring, (1, 2): "seraglio-9"})
    assert codes(refused(game, f"place {VERTICAL} @2,1")) == ["HOLE"]


def test_a_project_is_laid_upright() -> None:
    game = site()
    win(game)
    take_turn(game)
    assert "ROTATION_REFUSED" in codes(refused(game, f"place {VERTICAL} @1,0", rotation=180))


def test_a_turned_project_turns_about_its_first_half() -> None:
    board = Board()
    board.place(next(tile for tile in PROJECTS if tile.id == VERTICAL), -1, 0, rotation=180)
    assert {cell: lot.type for cell, lot in board.cells.items() if lot.type} == {
        (-1, 0): "pavilion",
        (-1, -1): "arcades",
    }


def test_a_project_is_removed_as_one_tile() -> None:
    game = site()
    build(game, 0, "project_pavilion_tower", (1, 0))
    play(game, "remove project_pavilion_tower")
    assert game.state.seats[0].reserve == ("project_pavilion_tower",)
    assert list(game.board(0).cells) == [(0, 0)]


def test_a_project_is_added_from_the_reserve_as_one_tile() -> None:
    game = site()
    store(game, 0, "project_pavilion_tower")
    play(game, "add project_pavilion_tower @1,0")
    assert len(game.board(0).cells) == 3


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


def test_a_project_cannot_take_the_place_of_a_single_tile() -> None:
    game = site()
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    store(game, 0, "project_pavilion_tower")
    assert codes(refused(game, "swap project_pavilion_tower @1,0")) == ["FOOTPRINT_MISMATCH"]


def test_each_half_counts_as_a_building_in_the_majorities() -> None:
    game = site()
    build(game, 0, "project_chambers_garden", (1, 0))
    alhambra(game, 1, {(1, 0): "chambers-10"})
    events = hold_scoring(game, 1)
    assert points(events, "majority", type="garden") == {0: 5}
    assert points(events, "majority", type="chambers") == {0: 2, 1: 2}
    assert points(events, "wall") == {0: 2}


# -- Two players -------------------------------------------------------------------------------------------------------


def test_a_project_is_never_given_to_dirk() -> None:
    game = site(2)
    win(game)
    take_turn(game)
    assert codes(refused(game, f"give_to_dirk {VERTICAL}")) == ["NOT_ELIGIBLE"]


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("module", "seat"), [("viziers_favour", 1), ("thieves", 2)])
def test_nobody_bids_between_turns(module: str, seat: int) -> None:
    game = site(3, module)
    hand(game, seat, "denar-9 denar-7")
    display(game, "gulden-1")
    take_turn(game)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("window", seat)
    assert codes(refused(game, "bid_project denar-9 denar-7")) == ["VERB_NOT_OFFERED"]


def test_a_half_counts_for_the_square_beside_it() -> None:
    game = site(3, "squares")
    board = build(game, 0, "project_chambers_garden", (1, 0))
    board.place(game.ruleset.tiles["square_garden_3"], 0, 1)
    alhambra(game, 1, {(1, 0): "garden-10"})
    assert points(hold_scoring(game, 1), "majority", type="garden") == {0: 5}


def test_a_gate_can_stand_in_the_wall_of_a_half() -> None:
    game = site(3, "city_gates", project="project_garden_tower")
    win(game)
    alhambra(game, 0, {(1, 0): "arcades-8-e"})
    hand(game, 0, "gate")
    take_turn(game)
    assert codes(refused(game, "place project_garden_tower @2,-1")) == ["NOT_REACHABLE"]
    events = play(game, "place project_garden_tower @2,-1", choice="gate")
    assert events_of(events, "gate_set") == [{"seat": 0, "cell": (2, 0), "side": "W", "forced": True}]


def test_a_project_is_awarded_before_the_dancer_dances() -> None:
    game = site(3, "characters")
    game.slice(Characters).owners = {"dancer": 0}
    hand(game, 0, "denar-9 denar-7")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-9 denar-7")
    turns(game, 2)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("start", 0)
    assert game.state.seats[0].pending == (VERTICAL,)
    assert game.slice(Projects).project != VERTICAL


def test_what_was_bid_is_not_counted_for_the_beggar() -> None:
    game = site(3, "characters")
    game.slice(Characters).owners = {"beggar": 0}
    hand(game, 0, "denar-9 denar-7 dirham-1 dirham-2")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-9 denar-7")
    turns(game, 2)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("start", 0)
    assert legal(game, "draw_card")


def test_no_patron_pays_a_bid() -> None:
    game = site(3, "characters")
    game.slice(Characters).owners = {"rich_patron": 0}
    assert "NOT_ACCEPTED" in codes(refused(game, "bid_project", items=("rich_patron",)))


def test_each_half_is_a_tile_in_the_line_of_a_camp() -> None:
    game = site(3, "military_camps")
    board = build(game, 0, "project_pavilion_tower", (1, 0))
    board.place(game.ruleset.tiles["garden-12-s"], 1, 2)
    board.place(game.ruleset.tiles["camp_N"], 1, 3)
    assert points(hold_scoring(game, 1), "camp") == {0: 3}


def test_a_camp_leans_on_the_wall_of_a_half() -> None:
    game = site(3, "military_camps")
    board = build(game, 0, "project_pavilion_tower", (1, 0))
    assert board.legal_cells(game.ruleset.tiles["camp_W"]) == [(2, 0), (2, 1)]


def test_wooden_walls_go_on_one_half_of_a_pending_project_and_never_between_the_halves() -> None:
    game = site(3, "city_walls")
    win(game)
    game.slice(Walls).open = ("wallcard_N", "wallcard_S")
    assert codes(refused(game, f"build_wall {VERTICAL}", piece="wallcard_N")) == ["NOUN_MISSING"]
    inner = refused(game, f"build_wall {VERTICAL}", piece="wallcard_S", type="pavilion")
    assert fact(inner, "WALL_REFUSED")["because"] == "inner"
    play(game, f"build_wall {VERTICAL}", piece="wallcard_N", type="pavilion")
    play(game, f"place {VERTICAL} @1,0")
    assert [game.board(0).cells[cell].edges for cell in [(1, 0), (1, 1)]] == ["wwoo", "owoo"]


def give_coins(game: Game, seat: int, *coins: str) -> None:
    """The seat holds exactly these coins."""
    kept = game.slice(Coins)
    bag = list(kept.bag)
    for coin in coins:
        bag.remove(coin)
    kept.bag = tuple(bag)
    kept.held = (*kept.held[:seat], coins, *kept.held[seat + 1 :])


def coin_bid(*modules: str) -> Game:
    """Seat 0 bids 15 with the help of a coin."""
    game = site(3, "change", *modules)
    hand(game, 0, "denar-9 denar-5")
    give_coins(game, 0, "coin-denar", "coin-dirham")
    assert codes(refused(game, "bid_project denar-5 denar-9", items=("coin-dirham",))) == ["MIX_FORBIDDEN"]
    play(game, "bid_project denar-5 denar-9", items=("coin-denar",))
    return game


def test_coins_of_the_same_currency_help_to_bid() -> None:
    game = coin_bid()
    assert lying_bid(game) == {"seat": 0, "cards": ["denar-5", "denar-9"], "items": ["coin-denar"], "sum": 15}
    assert game.slice(Coins).held[0] == ("coin-dirham",)


def test_coins_of_a_bid_return_when_it_is_outbid() -> None:
    game = coin_bid()
    hand(game, 1, "gulden-9 gulden-7")
    play(game, "bid_project gulden-9 gulden-7")
    assert game.slice(Coins).held[0] == ("coin-denar", "coin-dirham")


def test_coins_of_a_winning_bid_go_into_the_bag_and_no_change_is_drawn() -> None:
    game = coin_bid()
    bag = len(game.slice(Coins).bag)
    events = turns(game, 2)
    assert "project_won" in kinds(events)
    assert "coins_drawn" not in kinds(events)
    assert len(game.slice(Coins).bag) == bag + 1


def test_coins_in_the_bid_of_a_seat_that_resigns_go_into_the_bag() -> None:
    game = coin_bid()
    before = census(game)
    game.resign(0)
    assert game.slice(Coins).held[0] == ()
    assert game.slice(Coins).aside == ()
    assert census(game) == before


def test_the_trader_compares_the_half_that_covers_his_cell() -> None:
    game = site(3, "street_trader")
    kept = game.slice(Residents)
    kept.discs = ((1, 1), *kept.discs[1:])
    kept.aboard = (("arcades", "garden", "tower"), *kept.aboard[1:])
    win(game)
    take_turn(game)
    play(game, f"place {VERTICAL} @1,0")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.context["type"]) == ("resident", "arcades")
    assert legal(game, "move_in")


def test_the_open_sides_of_each_half_are_attacked_and_a_project_wins_no_scout() -> None:
    game = site(3, "invaders")
    invaders = game.slice(Invaders)
    west = next(card for card in invaders.attacks if card.endswith("W"))
    invaders.attacks = (west, *(card for card in invaders.attacks if card != west))
    invaders.open = tuple(scout for scout in game.ruleset.pieces if scout.endswith(("pavilion", "arcades")))
    hand(game, 0, "denar-9 denar-6")
    play(game, "bid_project denar-9 denar-6")
    assert "scout_won" not in kinds(turns(game, 2))
    take_turn(game)
    play(game, f"place {VERTICAL} @1,0")
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "attack"]
    assert next(line["parts"] for line in lines if line["seat"] == 0) == (("W", 2),)


def test_nobody_claims_a_project() -> None:
    game = site(3, "power_of_the_sultan")
    sultan = game.slice(Sultan)
    sultan.marks, sultan.owners = {"sultan_denar_1": "pavilion"}, {"sultan_denar_1": 1}
    hand(game, 0, "denar-9 denar-7")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-9 denar-7")
    assert "claim_offered" not in kinds(turns(game, 2))
    assert game.state.seats[0].pending == (VERTICAL,)


def test_a_watchtower_leans_on_the_half_of_its_colour() -> None:
    game = site(3, "watchtowers")
    build(game, 0, "project_pavilion_tower", (1, 0))
    hand(game, 0, "denar-9 denar-6")
    market(game, denar="tower-9-es")
    play(game, "buy market-denar denar-9 denar-6", choice="watchtower")
    display(game, "gulden-1")
    take_turn(game)
    assert legal(game, "place_watchtower @0,1", type="tower", side="NE")
    assert codes(refused(game, "place_watchtower @0,-1", type="tower", side="SE")) == ["CONTACT_REQUIRED"]


def test_a_project_on_a_personal_market_takes_up_a_place_and_is_not_for_sale() -> None:
    game = site(3, "personal_building_market")
    win(game)
    take_turn(game)
    play(game, f"reserve {VERTICAL}", slot="personal-0-denar")
    assert game.view(1)["seats"][0]["reserve"] == [VERTICAL]
    hand(game, 1, "denar-9 denar-8 denar-7")
    assert codes(refused(game, "buy denar-9 denar-8 denar-7", slot="personal-0-denar")) == ["NOT_ELIGIBLE"]


@pytest.mark.parametrize("seats", [2, 6])
def test_a_game_with_a_bid_survives_its_bytes(seats: int) -> None:
    game = site(seats)
    hand(game, 0, "denar-9 denar-7")
    play(game, "bid_project denar-9 denar-7")
    assert Game.from_bytes(game.to_bytes()) == game
