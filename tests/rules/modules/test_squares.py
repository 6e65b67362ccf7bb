"""04 The squares: taken for nothing, three at the most, counting the buildings beside them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from alhambra import TYPES, Board, Decision, Game, IllegalMove, Move, Options
from alhambra.components import Cell, Part, Tile
from alhambra.modules.invaders import DIRECTIONS
from alhambra.modules.squares import SQUARES, Stacks, owned, worth
from tests.rules.situations import (
    alhambra,
    codes,
    dirk,
    display,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    own,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
)

COUNTS = {"pavilion": 3, "seraglio": 3, "arcades": 4, "chambers": 4, "garden": 5, "tower": 5}


def square_table(seats: int = 3, *modules: str) -> Game:
    return table(seats, modules=["squares", *modules])


def fetch(game: Game, *squares: str) -> None:
    """Puts squares from their stacks under the tower, from where a situation can take them."""
    kept = game.module_state(Stacks)
    kept.stacks = {name: tuple(tile for tile in stack if tile not in squares) for name, stack in kept.stacks.items()}
    game.state.tower = (*squares, *game.state.tower)


def stack(game: Game, name: str, *squares: str) -> None:
    """Exactly these squares lie in the stack of that type, the last one open; the others leave the game."""
    kept = game.module_state(Stacks)
    gone = tuple(tile for tile in kept.stacks[name] if tile not in squares)
    game.state.box = (*game.state.box, *gone)
    kept.stacks = {**kept.stacks, name: squares}


def build(game: Game, seat: int, tiles: Mapping[Cell, str]) -> Board:
    """An Alhambra with squares among its tiles."""
    placed = game.state.seats[seat].board.placed
    fetch(game, *(tile for tile in tiles.values() if tile.startswith("square_") and tile not in placed))
    return alhambra(game, seat, tiles)


def put(game: Game, seat: int, cell: Cell, square: str, *, walls: int = 0) -> Board:
    """Lays a square without asking the construction rules, with wooden walls if need be."""
    fetch(game, square)
    game.state.tower = tuple(tile for tile in game.state.tower if tile != square)
    board = game.state.seats[seat].board
    board.put(game.ruleset.tiles[square], *cell, 0, (walls,) if walls else ())
    return board


def act_again(game: Game, seat: int) -> None:
    """An action of that seat is due, whatever was going on."""
    game.state.active, game.state.actions = seat, 1
    game.state.decision = Decision("action", seat, {"actions_left": 1})


def counted(game: Game, name: str, scoring: int = 1) -> dict[int, float]:
    """How many buildings of a type each seat that scores is counted with."""
    lines = [line for line in events_of(hold_scoring(game, scoring), "scored") if line["reason"] == "majority"]
    return {line["seat"]: line["count"] / 2 for line in lines if line["type"] == name}


# -- The stacks -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("04.3")
def test_there_is_a_stack_of_each_type_with_its_top_square_open() -> None:
    game = Game.new(Options(seats=3, seed="stacks", modules=["squares"]))
    stacks = {stack["slot"]: stack for stack in pieces(game, "squares")}
    assert {slot: stack["amount"] for slot, stack in stacks.items()} == {
        f"square-{name}": count for name, count in COUNTS.items()
    }
    for name in TYPES:
        assert stacks[f"square-{name}"]["tile"].startswith(f"square_{name}_")
    turned = events_of(game.events, "square_turned")
    assert {event["slot"]: event["tile"] for event in turned} == {slot: stack["tile"] for slot, stack in stacks.items()}


@pytest.mark.rule("04.4")
def test_what_lies_below_the_top_nobody_knows() -> None:
    game = square_table()
    orders = set()
    for number in range(20):
        sample = game.determinize(0, Random(number))
        assert sample.view(0) == game.view(0)
        stacks = sample.module_state(Stacks).stacks
        assert {name: sorted(stack) for name, stack in stacks.items()} == {
            name: sorted(stack) for name, stack in game.module_state(Stacks).stacks.items()
        }
        orders.add(stacks["tower"])
    assert len(orders) > 1


@pytest.mark.rule("04.5")
def test_squares_never_come_to_the_market_or_to_dirk() -> None:
    game = table(2, dealt=True, modules=["squares"])
    squares = {tile.id for tile in SQUARES}
    assert not squares & {*game.state.tower, *game.state.market, *game.state.dirk}


# -- Taking -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("04.6", "04.7", "04.39")
def test_taking_a_square_is_an_action_and_the_next_one_is_turned_up_at_once() -> None:
    game = square_table()
    stack(game, "pavilion", "square_pavilion_2", "square_pavilion_1")
    events = play(game, "take_square", slot="square-pavilion")
    assert events_of(events, "acquired") == [{"seat": 0, "tile": "square_pavilion_1", "how": "square"}]
    assert events_of(events, "square_turned") == [{"slot": "square-pavilion", "tile": "square_pavilion_2"}]
    assert game.state.taken == ("take_square",)
    assert pieces(game, "squares", 1, type="pavilion") == [
        {"kind": "stack", "slot": "square-pavilion", "type": "pavilion", "tile": "square_pavilion_2"}
    ]
    assert game.view(1)["slices"]["squares"]["owned"] == [1, 0, 0]


@pytest.mark.rule("04.9")
def test_a_square_is_free_and_grants_no_further_action() -> None:
    game = square_table()
    hand(game, 0, "denar-5")
    events = play(game, "take_square", slot="square-garden")
    assert not events_of(events, "bonus_action")
    assert not events_of(events, "paid")
    assert game.decision == Decision("place_tiles", 0, {"tiles": game.state.seats[0].pending})


@pytest.mark.rule("04.10")
def test_a_square_may_be_taken_with_the_further_action_of_an_exact_payment() -> None:
    game = square_table()
    hand(game, 0, "denar-9")
    market(game, denar="garden-9-e")
    play(game, "buy market-denar denar-9")
    play(game, "take_square", slot="square-tower")
    assert game.state.taken == ("buy", "take_square")
    assert len(game.state.seats[0].pending) == 2


@pytest.mark.rule("04.8")
def test_an_empty_stack_offers_nothing() -> None:
    game = square_table()
    stack(game, "tower")
    assert fact(refused(game, "take_square", slot="square-tower"), "NOT_THERE") == {
        "id": "square-tower",
        "place": "slot",
    }
    assert pieces(game, "squares", 0, type="tower") == []
    assert len([move for move in game.moves() if move.verb == "take_square"]) == 5


@pytest.mark.rule("04.7")
def test_the_last_square_of_a_stack_turns_nothing_up() -> None:
    game = square_table()
    stack(game, "tower", "square_tower_1")
    assert not events_of(play(game, "take_square", slot="square-tower"), "square_turned")


@pytest.mark.rule("04.8")
def test_a_place_that_is_no_stack_is_refused() -> None:
    assert codes(refused(square_table(), "take_square market-denar")) == ["NOT_THERE"]


# worked example
@pytest.mark.rule("04.11", "04.32")
@pytest.mark.parametrize("place", ["alhambra", "reserve", "pending"])
def test_whoever_owns_three_squares_takes_no_more_wherever_they_lie(place: str) -> None:
    game = square_table()
    two = {(1, 0): "square_garden_1", (-1, 0): "square_garden_3"}
    build(game, 0, two)
    assert legal(game, "take_square", slot="square-garden")
    if place == "alhambra":
        build(game, 0, {**two, (0, 1): "square_tower_2"})
    elif place == "reserve":
        fetch(game, "square_tower_2")
        reserve(game, 0, "square_tower_2")
    else:
        fetch(game, "square_tower_2")
        game.state.seats[0].pending = ("square_tower_2",)
    faults = refused(game, "take_square", slot="square-garden")
    assert fact(faults, "LIMIT_REACHED") == {"what": "squares", "limit": 3}
    assert not [move for move in game.moves() if move.verb == "take_square"]


@pytest.mark.rule("04.37")
def test_putting_a_square_into_the_reserve_frees_nothing() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "square_garden_1", (-1, 0): "square_garden_3", (0, 1): "square_tower_2"})
    play(game, "remove square_tower_2")
    act_again(game, 0)
    assert game.state.seats[0].reserve == ("square_tower_2",)
    assert codes(refused(game, "take_square", slot="square-garden")) == ["LIMIT_REACHED"]


def test_every_reason_is_told_at_once() -> None:
    game = square_table()
    stack(game, "garden")
    fetch(game, "square_tower_1", "square_tower_2", "square_tower_3")
    reserve(game, 0, "square_tower_1 square_tower_2 square_tower_3")
    assert codes(refused(game, "take_square", slot="square-garden")) == ["NOT_THERE", "LIMIT_REACHED"]


@pytest.mark.rule("04.19")
def test_a_square_cannot_be_given_to_dirk() -> None:
    game = square_table(2)
    play(game, "take_square", slot="square-garden")
    tile = game.state.seats[0].pending[0]
    assert fact(refused(game, f"give_to_dirk {tile}"), "NOT_ELIGIBLE") == {"tile": tile, "for": "dirk"}
    assert legal(game, f"reserve {tile}")


@pytest.mark.rule("04.39")
def test_taking_back_stops_at_a_square_that_was_turned_up() -> None:
    game = table(3, dealt=True, modules=["squares"])
    seat = game.state.active
    play(game, "take_square", slot="square-garden")
    with pytest.raises(IllegalMove) as error:
        game.undo(seat)
    assert fact(error.value, "UNDO_REFUSED") == {"because": "revealed"}


# -- Placing and redesigning ------------------------------------------------------------------------------------------


@pytest.mark.rule("04.12")
def test_a_square_is_placed_like_a_building_at_the_end_of_the_turn() -> None:
    game = square_table()
    stack(game, "garden", "square_garden_2")
    play(game, "take_square", slot="square-garden")
    assert codes(refused(game, "place square_garden_2 @-1,0")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    play(game, "place square_garden_2 @1,0")
    assert game.board(0).at(1, 0) is not None
    assert owned(game, 0) == 1


@pytest.mark.rule("04.13")
def test_squares_are_added_removed_and_swapped_like_buildings() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "square_garden_2"})
    fetch(game, "square_tower_1")
    reserve(game, 0, "square_tower_1")
    assert legal(game, "remove square_garden_2")
    assert legal(game, "swap square_tower_1 @1,0")
    assert not legal(game, "add square_tower_1 @0,1")
    play(game, "add square_tower_1 @-1,0")
    assert "square_tower_1" in game.board(0).placed


@pytest.mark.rule("04.18")
def test_the_walls_of_a_square_score_like_all_walls() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "square_garden_4"})
    assert points(hold_scoring(game, 1), "wall") == {0: 2}


# -- What it counts ---------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("04.16", "04.31")
def test_the_worked_example_with_two_brown_squares_and_a_purple_one_behind_a_wall() -> None:
    game = square_table()
    build(
        game,
        0,
        {
            (1, 0): "arcades-9",
            (1, -1): "square_arcades_1",
            (2, -1): "arcades-10",
            (1, 1): "square_arcades_3",
            (-1, 0): "garden-10",
            (-1, 1): "tower-13-e",
            (0, 1): "square_tower_3",
        },
    )
    samples = [game.clone() for _ in range(3)]
    assert counted(samples[0], "arcades") == {0: 5}
    assert counted(samples[1], "garden") == {0: 1}
    assert counted(samples[2], "tower") == {0: 1}


@pytest.mark.rule("04.14")
def test_a_square_wins_the_majority_for_its_owner() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "garden-10", (1, 1): "square_garden_3"})
    own(game, 1, garden=1)
    assert points(hold_scoring(game, 1), "majority", type="garden") == {0: 5}


@pytest.mark.rule("04.33")
def test_a_square_beside_a_square_of_its_colour_counts_nothing() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "garden-10", (0, 1): "square_garden_3", (0, 2): "square_garden_2"})
    assert counted(game, "garden") == {0: 1}


@pytest.mark.rule("04.15")
def test_a_square_counts_only_buildings_of_its_own_colour() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "garden-10", (1, 1): "square_tower_3", (-1, 0): "tower-11"})
    assert counted(game, "tower") == {0: 1}


@pytest.mark.rule("04.35")
def test_squares_without_a_building_count_nothing() -> None:
    game = square_table()
    build(game, 0, {(1, 0): "square_garden_2", (0, 1): "square_garden_4"})
    own(game, 1, tower=1)
    assert points(hold_scoring(game, 1), "majority", type="garden") == {}


@pytest.mark.rule("04.14", "04.34")
def test_a_square_counts_three_buildings_at_the_most() -> None:
    game = square_table()
    board = Board()
    board.put(Tile("without walls", "square", (Part(0, 0, "oooo", "garden"),)), 5, 0)
    gardens = {(4, 0): "garden-10", (6, 0): "garden-11", (5, 1): "garden-10-w"}
    for number, (cell, tile) in enumerate(gardens.items()):
        assert worth(game, board, (5, 0), "garden") == number
        board.put(game.ruleset.tiles[tile], *cell)
    assert worth(game, board, (5, 0), "garden") == 3
    board.put(game.ruleset.tiles["garden-10-n"], 5, -1)
    assert worth(game, board, (5, 0), "garden") == 3


@pytest.mark.rule("04.17")
def test_a_square_in_the_reserve_counts_nothing() -> None:
    game = square_table()
    own(game, 0, garden=1)
    fetch(game, "square_garden_1")
    reserve(game, 0, "square_garden_1")
    assert counted(game, "garden") == {0: 1}


@pytest.mark.rule("04.19")
def test_dirk_has_no_squares_and_competes_with_his_tiles_alone() -> None:
    game = square_table(2)
    build(game, 0, {(1, 0): "garden-10", (1, 1): "square_garden_3"})
    dirk(game, "garden-11 garden-9-e garden-8-ne")
    assert counted(game, "garden", 2) == {2: 3, 0: 2}


# -- Together with other modules --------------------------------------------------------------------------------------


@pytest.mark.rule("01.18", "04.20")
def test_a_vizier_cannot_take_a_square() -> None:
    game = square_table(3, "viziers_favour")
    display(game, "denar-1 denar-2 denar-3 denar-4")
    play(game, "take_money denar-1")
    assert game.decision is not None
    assert game.decision.kind == "window"
    assert codes(refused(game, "take_square", slot="square-garden")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("04.21")
def test_across_a_gated_double_wall_nothing_counts() -> None:
    game = square_table(3, "city_gates")
    build(game, 0, {(1, 0): "garden-9-e"})
    board = put(game, 0, (2, 0), "square_garden_3")
    board.add_passage(1, 0, "E")
    assert (2, 0) in board.walk(1, 0)
    assert counted(game, "garden") == {0: 1}


@pytest.mark.rule("04.22")
def test_a_square_counts_in_the_line_of_a_camp() -> None:
    game = square_table(3, "military_camps")
    build(game, 0, {(1, 0): "square_garden_2", (-1, 0): "garden-10-w", (2, 0): "camp_W"})
    assert points(hold_scoring(game, 1), "camp") == {0: 3}


@pytest.mark.rule("04.23")
def test_wooden_walls_may_stand_on_a_square() -> None:
    game = square_table(3, "city_walls")
    build(game, 0, {(1, 0): "square_garden_2"})
    game.state.deck = tuple(card for card in game.state.deck if card != "wallcard_N")
    game.state.module_states["city_walls"].open = ("wallcard_N",)
    play(game, "build_wall square_garden_2", piece="wallcard_N")
    assert game.board(0).cells[1, 0].edges == "wwoo"


@pytest.mark.rule("04.23")
def test_a_wooden_wall_between_a_square_and_a_building_keeps_it_from_counting() -> None:
    game = square_table(3, "city_walls")
    build(game, 0, {(1, 0): "garden-9-e", (1, 1): "tower-12", (2, 1): "tower-11"})
    west = 1 << 3
    game.state.wooden_walls = {"square_garden_1": (west,)}
    put(game, 0, (2, 0), "square_garden_1", walls=west)
    assert counted(game, "garden") == {0: 1}


@pytest.mark.rule("04.26")
def test_open_sides_of_a_square_are_attacked_like_those_of_a_building() -> None:
    game = square_table(3, "invaders")
    build(game, 0, {(1, 0): "square_garden_1"})
    game.state.seats[0].score = 20
    invaders = game.state.module_states["invaders"]
    south = next(card for card in invaders.attacks if DIRECTIONS[card] == "S")
    invaders.attacks = (south, *(card for card in invaders.attacks if card != south))
    assert points(hold_scoring(game, 1), "attack")[0] == -2


@pytest.mark.rule("04.26")
def test_a_square_wins_no_scout() -> None:
    game = square_table(3, "invaders")
    for name in TYPES:
        sample = game.clone()
        assert not events_of(play(sample, "take_square", slot=f"square-{name}"), "scout_won")


@pytest.mark.rule("04.28")
def test_no_watchtower_comes_with_a_square_nor_leans_on_its_colour() -> None:
    game = square_table(3, "watchtowers")
    build(game, 0, {(1, 0): "square_garden_1"})
    assert codes(refused(game, "take_square", slot="square-garden", choice="watchtower")) == ["NOUN_UNEXPECTED"]
    towers = game.state.module_states["watchtowers"]
    game.state.seats[0].pending = ("watchtower_garden_1",)
    towers.supply = tuple(tower for tower in towers.supply if tower != "watchtower_garden_1")
    play(game, "take_square", slot="square-tower")
    faults = refused(game, "place_watchtower @2,0", type="garden", side="SW")
    assert codes(faults) == ["CONTACT_REQUIRED"]


@pytest.mark.rule("04.33")
def test_each_half_of_a_project_is_a_neighbour_by_itself() -> None:
    game = square_table(3, "major_construction_projects")
    board = game.state.seats[0].board
    board.put(game.ruleset.tiles["project_garden_tower"], 1, 0)
    board.put(game.ruleset.tiles["square_garden_1"], 2, 0)
    assert worth(game, board, (2, 0), "garden") == 1
    board = Board()
    board.put(game.ruleset.tiles["project_garden_tower"], 1, 0)
    board.put(game.ruleset.tiles["square_garden_1"], 2, 1)
    assert worth(game, board, (2, 1), "garden") == 0


def lay_out(game: Game, *tiles: str) -> None:
    """Exactly these tiles lie on the personal market of seat 0."""
    fetch(game, *(tile for tile in tiles if tile.startswith("square_")))
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in tiles)
    empty = ("",) * 4
    game.state.module_states["personal_building_market"].lying = ((*tiles, *empty)[:4], empty, empty)


@pytest.mark.rule("04.38")
def test_squares_on_a_personal_market_count_for_the_limit_and_are_not_for_sale() -> None:
    game = square_table(3, "personal_building_market")
    lay_out(game, "square_tower_1", "square_tower_2", "square_tower_3")
    assert codes(refused(game, "take_square", slot="square-garden")) == ["LIMIT_REACHED"]
    hand(game, 1, "denar-9 gulden-9 dirham-9 dukat-9")
    act_again(game, 1)
    assert not [move for move in game.moves() if move.verb == "buy"]


@pytest.mark.rule("04.38")
def test_a_square_that_leaves_the_game_is_owned_no_more() -> None:
    game = square_table(3, "personal_building_market")
    lay_out(game, "square_tower_1", "square_tower_2", "garden-10", "garden-11")
    play(game, "take_square", slot="square-garden")
    assert owned(game, 0) == 3
    play(game, f"box {game.state.seats[0].pending[0]}")
    assert owned(game, 0) == 2


@pytest.mark.rule("04.29")
def test_squares_and_the_wise_man_add_up() -> None:
    game = square_table(3, "characters")
    build(game, 0, {(1, 0): "garden-10", (1, 1): "square_garden_3"})
    kept = game.state.module_states["characters"]
    game.state.deck = tuple(card for card in game.state.deck if card != "wise_man")
    kept.aside = tuple(card for card in kept.aside if card != "wise_man")
    kept.owners = {"wise_man": 0}
    hold_scoring(game, 1)
    events = game.apply(Move("declare", type="garden"))
    line = next(line for line in events_of(events, "scored") if line.get("type") == "garden")
    assert line["count"] == 2 * 2 + 1


@pytest.mark.rule("04.3")
def test_chance_decides_the_order_of_each_stack() -> None:
    orders: dict[str, set[tuple[str, ...]]] = {}
    for number in range(10):
        game = Game.new(Options(3, f"squares {number}", modules=["squares"]))
        for name, stack in game.module_state(Stacks).stacks.items():
            orders.setdefault(name, set()).add(stack)
    assert all(len(found) > 1 for found in orders.values())
    assert len(orders) > 1
