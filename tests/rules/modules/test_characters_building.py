"""07 The characters: the master builder, the wise man and the city watch."""

from __future__ import annotations

import pytest

from alhambra import registry
from alhambra.modules.characters import Characters
from tests.rules.example_modules import register_examples
from tests.rules.modules.characters_table import asked, building, characters, give, start
from tests.rules.situations import (
    alhambra,
    codes,
    dirk,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    own,
    play,
    points,
    refused,
    reserve,
)

# -- The master builder ----------------------------------------------------------------------------------------------


@pytest.mark.rule("07.19")
def test_the_master_builder_redesigns_once_more_after_placing() -> None:
    game = building()
    reserve(game, 0, "garden-11")
    start(game)
    assert asked(game) == ("late", 0)
    events = play(game, "add garden-11 @1,0", items=("master_builder",))
    assert "garden-11" in game.state.seats[0].board.placed
    assert events_of(events, "character_used") == [{"seat": 0, "piece": "master_builder"}]
    assert asked(game)[1] == 1


@pytest.mark.rule("07.19")
def test_tiles_placed_this_turn_may_be_used() -> None:
    game = building()
    market(game, denar="arcades-9", gulden="garden-10", dirham="chambers-11", dukat="tower-12")
    hand(game, 0, "denar-9 denar-1")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "reserve arcades-9")
    assert asked(game) == ("late", 0)
    assert legal(game, "add arcades-9 @0,1", items=("master_builder",))


@pytest.mark.rule("07.40")
def test_after_a_sole_action_the_master_builder_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    game = building("example_hermits")
    reserve(game, 0, "garden-11")
    play(game, "meditate")
    assert asked(game)[1] == 1


def test_the_master_builder_is_named_in_the_move() -> None:
    game = building()
    reserve(game, 0, "garden-11")
    start(game)
    assert codes(refused(game, "add garden-11 @1,0")) == ["NOUN_MISSING"]


@pytest.mark.rule("07.19")
def test_the_master_builder_is_not_used_in_an_action() -> None:
    game = building()
    reserve(game, 0, "garden-11")
    assert codes(refused(game, "add garden-11 @1,0", items=("master_builder",))) == ["NOT_THERE"]


@pytest.mark.rule("07.19")
def test_the_master_builder_removes_and_swaps_too_or_nothing() -> None:
    game = building()
    alhambra(game, 0, {(1, 0): "garden-11"})
    reserve(game, 0, "tower-11")
    start(game)
    assert legal(game, "remove garden-11", items=("master_builder",))
    assert legal(game, "swap tower-11 @1,0", items=("master_builder",))
    play(game, "pass")
    assert asked(game)[1] == 1


# -- The wise man ----------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("07.23", "07.48")
def test_half_a_building_more_decides_a_tie() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=3)
    own(game, 1, tower=3)
    hold_scoring(game, 2)
    assert asked(game) == ("wise_man", 0)
    events = play(game, "declare", type="tower")
    assert events_of(events, "character_used") == [{"seat": 0, "piece": "wise_man", "type": "tower"}]
    assert points(events, "majority", type="tower") == {0: 13, 1: 6}
    line = next(line for line in events_of(events, "scored") if line["reason"] == "majority" and line["seat"] == 0)
    assert line["count"] == 7  # in half buildings
    assert line["parts"] == (("base", 6), ("characters", 1))


@pytest.mark.rule("07.23")
def test_half_a_building_does_not_overtake_a_whole_one() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=2)
    own(game, 1, tower=3)
    hold_scoring(game, 2)
    events = play(game, "declare", type="tower")
    assert points(events, "majority", type="tower") == {1: 13, 0: 6}


@pytest.mark.rule("07.59")
def test_the_wise_man_needs_a_real_building_of_the_type() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=1)
    hold_scoring(game, 1)
    violations = refused(game, "declare", type="garden")
    assert fact(violations, "CONDITION_UNMET") == {"what": "buildings", "need": 1, "have": 0}


@pytest.mark.rule("07.59")
def test_without_a_building_the_wise_man_is_not_asked() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 1, tower=1)
    hold_scoring(game, 1)
    assert asked(game)[0] != "wise_man"


@pytest.mark.rule("07.23")
def test_the_type_is_chosen_anew_each_time() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, tower=1, garden=1)
    own(game, 1, tower=1, garden=1)
    hold_scoring(game, 1)
    events = play(game, "declare", type="tower")
    assert points(events, "majority", type="tower") == {0: 6}
    assert points(events, "majority", type="garden") == {0: 2, 1: 2}
    assert game.module_state(Characters).declared == ""
    hold_scoring(game, 2)
    events = play(game, "declare", type="garden")
    assert points(events, "majority", type="garden") == {0: 12, 1: 5}
    assert points(events, "majority", type="tower") == {0: 9, 1: 9}


@pytest.mark.rule("07.23")
def test_the_wise_man_declares_at_the_last_scoring_too_and_may_be_silent() -> None:
    game = characters()
    give(game, 0, "wise_man")
    own(game, 0, pavilion=1)
    own(game, 1, pavilion=1)
    market(game)
    end_game(game)
    assert asked(game) == ("wise_man", 0)
    events = play(game, "pass")
    assert points(events, "majority", type="pavilion") == {0: 12, 1: 12}
    assert game.over


def test_the_wise_man_decides_a_tie_with_dirk() -> None:
    game = characters(2)
    give(game, 0, "wise_man")
    own(game, 0, tower=1)
    dirk(game, "tower-12")
    hold_scoring(game, 1)
    events = play(game, "declare", type="tower")
    assert points(events, "majority", type="tower") == {0: 6}


# -- The city watch --------------------------------------------------------------------------------------------------

WALL_OF_8 = {(-1, 0): "garden-7-nsw", (0, -1): "pavilion-5-nw", (0, 1): "garden-6-esw"}


# worked example
@pytest.mark.rule("07.24", "07.47")
def test_the_city_watch_brings_a_point_for_three_segments() -> None:
    game = characters()
    give(game, 0, "city_watch")
    alhambra(game, 0, WALL_OF_8)
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 8}
    assert points(events, "wall_guard", scoring=1) == {0: 2}


@pytest.mark.rule("07.24")
def test_two_segments_bring_nothing_and_the_watch_is_its_owners_alone() -> None:
    game = characters()
    give(game, 1, "city_watch")
    alhambra(game, 0, WALL_OF_8)
    alhambra(game, 1, {(1, 0): "pavilion-4-es"})
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 8, 1: 2}
    assert points(events, "wall_guard") == {}
