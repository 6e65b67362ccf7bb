"""30 Orchards: every fruit is in one place, and a tile without a fruit brings none."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import Game
from alhambra.modules.orchards import Orchards
from tests.rules.modules.characters_table import FULL, give
from tests.rules.modules.test_orchards import (
    ALL_FRUITS,
    carrying,
    fruits_of,
    on_board,
    on_tiles,
    orchards,
    planted,
)
from tests.rules.situations import display, events_of, hand, kinds, market, play, take_turn, tower


def spare(game: Game) -> tuple[tuple[str, ...], ...]:
    return game.module_state(Orchards).spare


@pytest.mark.rule("30.2", "30.7")
def test_a_fruit_beside_a_board_is_still_one_of_the_fifty_six() -> None:
    game = carrying(orchards(), "arcades-9", "apple")
    planted(game, 0, {1: ["apple"], 7: ["apple"], 11: ["apple"]})
    play(game, "buy market-denar denar-9")
    assert spare(game) == (("apple",), (), ())
    assert fruits_of(game) == Counter(ALL_FRUITS)


@pytest.mark.rule("30.5", "30.14")
def test_a_fruit_that_is_planted_without_a_question_leaves_its_tile() -> None:
    game = carrying(orchards(), "arcades-9", "apple")
    planted(game, 0, {1: ["apple"], 7: ["apple"]})
    play(game, "buy market-denar denar-9")
    assert on_tiles(game) == {}
    assert on_board(game, 0)["fruit-11"] == ("apple",)
    assert fruits_of(game) == Counter(ALL_FRUITS)


@pytest.mark.rule("30.6")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_fruit_is_planted_on_the_own_board_and_the_others_stay_as_they_are(seat: int) -> None:
    game = orchards(3, turn_of=seat)
    carrying(game, "arcades-9", "apple")
    hand(game, seat, "denar-9")
    for other in {0, 1, 2} - {seat}:
        planted(game, other, {11: ["apple"]}, spare=("fig",) * other)
    play(game, "buy market-denar denar-9")
    play(game, "plant_fruit", slot=next(move.slot for move in game.moves()))
    boards = [on_board(game, each) for each in range(3)]
    assert [sum(map(len, board.values())) for board in boards] == [1, 1, 1]
    assert all(boards[other] == {"fruit-11": ("apple",)} for other in {0, 1, 2} - {seat})


@pytest.mark.rule("30.18")
@pytest.mark.parametrize(
    ("module", "tile"),
    [("magical_buildings", "magical_tower"), ("medina", "medina_9"), ("military_camps", "camp_NE")],
)
def test_whoever_buys_a_tile_without_a_fruit_gets_none(module: str, tile: str) -> None:
    game = orchards(3, module)
    market(game, denar=tile)
    hand(game, 0, "denar-9", "denar-8", "denar-7")
    cards = next(move.cards for move in game.moves() if move.verb == "buy")
    events = play(game, f"buy market-denar {' '.join(cards)}")
    assert not {"fruit_planted", "fruit_spare"} & {*kinds(events)}
    assert spare(game) == ((),) * 3
    assert fruits_of(game) == Counter(ALL_FRUITS)


@pytest.mark.rule("30.22", "30.23")
def test_a_tile_without_a_fruit_that_is_sunk_brings_none_back() -> None:
    game = orchards(3, "characters")
    give(game, 1, "dancer")
    market(game, **FULL)
    tower(game, "garden-11")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    events = play(game, "dance market-denar")
    assert not events_of(events, "fruit_returned")
    assert fruits_of(game) == Counter(ALL_FRUITS)
    assert game.view(None)["slices"]["orchards"] == {"supply": 55}


@pytest.mark.rule("30.27", "30.28")
def test_a_fruit_that_its_buyer_planted_before_resigning_stays_on_the_board() -> None:
    game = carrying(orchards(4), "arcades-9", "apple")
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "plant_fruit", slot="fruit-1")
    boxed = game.state.box
    game.resign(0)
    assert Counter(game.state.box) == Counter((*boxed, "arcades-9"))
    assert on_board(game, 0) == {"fruit-1": ("apple",)}
    assert fruits_of(game) == Counter(ALL_FRUITS)
