"""17 The new score cards: three drawn cards say which building type has which place values in which scoring."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import pytest

from alhambra import TYPES, Event, Game, Options
from alhambra.boards import LaidTile, StandaloneBoards
from alhambra.modules.new_score_cards import ORDERS, ScoreCards
from tests.rules.situations import (
    alhambra,
    deck,
    dirk,
    end_game,
    events_of,
    hold_scoring,
    own,
    pieces,
    points,
    table,
    to_action,
)

SERAGLIO_LAST = "score_card_8"
TOWER_FIRST = "score_card_16"
SCORINGS = (1, 2, 3)


def cards_table(seats: int = 3, *others: str, cards: tuple[str, ...] = (), **options: Any) -> Game:
    """A table with these cards for the three scorings, or else with those that were drawn."""
    game = table(seats, modules=["new_score_cards", *others], **options)
    if cards:
        game.module_state(ScoreCards).cards = cards
    return game


def all_three(card: str) -> tuple[str, ...]:
    return (card, card, card)


# -- The draw ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.2", "17.3", "17.17")
def test_three_different_cards_lie_open_one_for_each_scoring() -> None:
    game = Game.new(Options(seats=3, seed="cards", modules=["new_score_cards"]))
    drawn = game.module_state(ScoreCards).cards
    assert len(set(drawn)) == 3
    assert set(drawn) <= set(ORDERS)
    for viewer in (None, 0, 2):
        assert pieces(game, "new_score_cards", viewer) == [
            {"kind": "score_card", "slot": f"scoring-{number}", "piece": card}
            for number, card in enumerate(drawn, start=1)
        ]
        assert game.view(viewer)["slices"]["new_score_cards"] == {"orders": [list(ORDERS[card]) for card in drawn]}
    assert events_of(game.events, "score_tiles_drawn") == [{"pieces": drawn}]


@pytest.mark.rule("17.16")
def test_the_slots_are_filled_from_right_to_left() -> None:
    game = Game.new(Options(seats=3, seed="cards", modules=["new_score_cards"]))
    same_chance = Game.new(Options(seats=3, seed="cards"))
    first, second, third, *_ = same_chance.chance("new_score_cards/draw").shuffled(ORDERS)
    assert game.module_state(ScoreCards).cards == (third, second, first)


@pytest.mark.rule("17.1", "17.3")
def test_every_card_can_come_up_in_every_slot() -> None:
    seen = set()
    for number in range(400):
        game = Game.new(Options(seats=2, seed=f"cards {number}", modules=["new_score_cards"]))
        seen |= set(enumerate(game.module_state(ScoreCards).cards))
        if len(seen) == 3 * len(ORDERS):
            break
    assert len(seen) == 3 * len(ORDERS)


@pytest.mark.rule("17.4")
def test_the_scoring_cards_of_the_base_game_stay_in_the_deck() -> None:
    game = Game.new(Options(seats=4, seed="cards", modules=["new_score_cards"]))
    assert [card for card in game.state.deck if card.startswith("scoring")] == ["scoring-2", "scoring-1"]


# -- Majorities -------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("17.12", "17.15")
@pytest.mark.parametrize(("scoring", "expected"), [(1, {0: 6}), (2, {0: 13, 1: 6}), (3, {0: 21, 1: 13, 2: 6})])
def test_the_type_in_the_top_row_earns_the_highest_values(scoring: int, expected: dict[int, int]) -> None:
    """Worked example: the slot of a scoring puts the seraglio into the top row."""
    game = cards_table(3, cards=all_three(SERAGLIO_LAST))
    for seat, count in enumerate((3, 2, 1)):
        own(game, seat, seraglio=count)
    assert points(hold_scoring(game, scoring), "majority", type="seraglio") == expected


# worked example
@pytest.mark.rule("17.6", "17.13", "17.15")
def test_the_tower_in_the_lowest_row_is_worth_8_in_the_second_scoring() -> None:
    """Worked example: the tower is in the lowest row, one seat has the most."""
    game = cards_table(3, cards=all_three(TOWER_FIRST))
    own(game, 0, tower=2)
    assert points(hold_scoring(game, 2), "majority", type="tower") == {0: 8}


@pytest.mark.rule("17.5", "17.9")
def test_each_scoring_has_its_own_card() -> None:
    game = cards_table(3, cards=(SERAGLIO_LAST, TOWER_FIRST, "score_card_4"))
    own(game, 0, seraglio=1)
    scored = [points(hold_scoring(game.clone(), number), "majority", type="seraglio")[0] for number in SCORINGS]
    assert scored == [6, 8 + 1, 16]


@pytest.mark.rule("17.9", "17.18")
def test_a_skipped_scoring_leaves_its_card_unused() -> None:
    game = cards_table(3, cards=(SERAGLIO_LAST, TOWER_FIRST, "score_card_4"))
    own(game, 0, seraglio=1)
    events = end_game(game)
    assert [event["scoring"] for event in events_of(events, "scoring_began")] == [3]
    assert points(events, "majority", type="seraglio") == {0: 16}


@pytest.mark.rule("17.7")
def test_walls_score_as_ever() -> None:
    with_cards, without = cards_table(3, cards=all_three(SERAGLIO_LAST)), table(3)
    for game in (with_cards, without):
        alhambra(game, 0, {(1, 0): "garden-9-e"})
    assert points(hold_scoring(with_cards, 1), "wall") == points(hold_scoring(without, 1), "wall") == {0: 1}


@pytest.mark.rule("17.8")
def test_dirk_scores_by_the_same_cards() -> None:
    game = cards_table(2, cards=all_three(SERAGLIO_LAST))
    own(game, 0, seraglio=1)
    dirk(game, *[tile for tile in game.state.tower if tile.startswith("seraglio")][:2])
    assert points(hold_scoring(game, 2), "majority", type="seraglio") == {2: 13, 0: 6}


@pytest.mark.rule("17.20")
def test_boards_without_a_game_are_scored_by_the_values_of_the_base_game() -> None:
    boards = StandaloneBoards(2, modules=["new_score_cards"])
    boards.lay(0, [LaidTile("garden-11", (1, 0))])
    lines = [event.public for event in boards.score_lines(1)]
    assert [(line["type"], line["points"]) for line in lines] == [("garden", 5)]


# -- With other modules -----------------------------------------------------------------------------------------------


@pytest.mark.rule("17.10")
def test_a_square_changes_what_is_counted_but_not_what_it_is_worth() -> None:
    game = cards_table(3, "squares", cards=all_three(SERAGLIO_LAST))
    tiles = {"garden-10": (1, 0), "square_garden_3": (1, 1)}
    game.state.tower = (*game.state.tower, "square_garden_3")
    alhambra(game, 0, {cell: tile for tile, cell in tiles.items()})
    own(game, 1, garden=1)
    line = next(line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "majority")
    assert (line["type"], line["seat"], line["count"], line["points"]) == ("garden", 0, 4, 3)


@pytest.mark.rule("17.11")
@pytest.mark.parametrize("other", ["military_camps", "street_trader", "invaders"])
def test_what_other_modules_score_is_not_affected(other: str) -> None:
    def lines(*modules: str) -> list[dict[str, Any]]:
        game = to_action(Game.new(Options(seats=3, seed="others", modules=[other, *modules])))
        for seat, count in enumerate((3, 2, 1)):
            own(game, seat, seraglio=count)
        deck(game, "scoring-1")
        scored = events_of(hold_scoring(game, 1), "scored")
        return [line for line in scored if line["reason"] != "majority"]

    assert lines() == lines("new_score_cards")


# -- Against the page, by brute force ---------------------------------------------------------------------------------


def expected_points(counts: tuple[dict[str, int], ...], order: tuple[str, ...], scoring: int) -> dict[str, list[int]]:
    """By type, the points of each seat, from the page alone: the six rows carry 1 to 6; 8 to 13 and 1 to 6; 16 to 21, 8
    to 13 and 1 to 6. Every order of the players that fits the counts gives each the value of one place; tied players
    get the mean of all orders, rounded down."""
    ladders = {1: (1,), 2: (8, 1), 3: (16, 8, 1)}
    found = {}
    for row, name in enumerate(order):
        values = [lowest + row for lowest in ladders[scoring]]
        seats = [seat for seat, own in enumerate(counts) if own[name]]
        orders = [
            ranked
            for ranked in permutations(seats)
            if [counts[seat][name] for seat in ranked] == sorted((counts[seat][name] for seat in seats), reverse=True)
        ]
        places = [*values, *(0 for _ in counts)]
        total = [sum(places[ranked.index(seat)] for ranked in orders if seat in ranked) for seat in range(len(counts))]
        found[name] = [points // len(orders) for points in total]
    return found


def scored_points(events: list[Event], seats: int) -> dict[str, list[int]]:
    return {name: [points(events, "majority", type=name).get(seat, 0) for seat in range(seats)] for name in TYPES}


@pytest.mark.rule("17.5", "17.6", "17.14", "17.19")
@pytest.mark.parametrize("seed", range(12))
def test_majorities_agree_with_the_page_on_random_boards(seed: int) -> None:
    rng = Random(seed)
    seats = rng.choice((2, 3, 4))
    game = cards_table(seats, cards=tuple(rng.sample(sorted(ORDERS), 3)))
    counts = []
    for seat in range(seats):
        types = rng.sample(TYPES, 3)
        own(game, seat, **{name: rng.randrange(3) for name in types})
        counts.append(dict.fromkeys(TYPES, 0))
        for tile in game.state.seats[seat].board.placed.values():
            if tile.tile.type:
                counts[seat][tile.tile.type] += 1
    for scoring in SCORINGS:
        order = ORDERS[game.module_state(ScoreCards).cards[scoring - 1]]
        events = hold_scoring(game.clone(), scoring)
        assert scored_points(events, seats) == expected_points(tuple(counts), order, scoring)
