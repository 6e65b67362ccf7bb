"""12 The street trader: where the residents are, what everybody sees of them, and why a move is refused."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import TYPES, Decision, Game, Options
from alhambra.invariants import census
from alhambra.modules.street_trader import Residents
from tests.rules.modules.street_trader_table import (
    KEY,
    aboard,
    asked,
    at_hand,
    disc,
    house,
    meeting,
    supply,
    trader_table,
)
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
    market,
    pieces,
    play,
    refused,
)


def residents(game: Game) -> dict[str, int]:
    """All residents, wherever they are, by colour."""
    found = Counter({thing: count for thing, count in census(game).items() if thing.startswith("resident-")})
    return {name: found[f"resident-{name}"] for name in TYPES}


@pytest.mark.rule("12.1", "12.6")
def test_forty_two_residents_are_on_discs_in_buildings_or_in_the_supply() -> None:
    game = meeting("garden-10")
    assert residents(game) == dict.fromkeys(TYPES, 7)
    play(game, "move_in")
    play(game, "take_resident", type="tower")
    assert residents(game) == dict.fromkeys(TYPES, 7)


@pytest.mark.rule("12.31")
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_everybody_sees_discs_on_their_cells_and_set_aside_residents_at_home_and_the_supply(viewer: int | None) -> None:
    game = trader_table(2)
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10")
    disc(game, 0, (2, 0), "arcades", "tower")
    disc(game, 1, None, "garden")
    supply(game, "pavilion", "pavilion", "tower")
    assert pieces(game, KEY, viewer) == [
        {"kind": "resident", "seat": 0, "cell": (1, 0), "type": "garden"},
        {"kind": "disc", "seat": 0, "cell": (2, 0), "residents": ("arcades", "tower")},
        {"kind": "disc", "seat": 1, "residents": ("garden",)},
        {"kind": "resident", "type": "pavilion", "amount": 2},
        {"kind": "resident", "type": "tower"},
    ]


@pytest.mark.rule("12.2")
def test_everybody_is_told_how_many_residents_are_still_to_be_picked() -> None:
    game = Game.new(Options(seats=3, seed="choices", modules=[KEY]))
    assert game.decision == Decision("pick_residents", 0, {"left": 3})
    play(game, "pick_resident", type="pavilion")
    assert game.decision == Decision("pick_residents", 0, {"left": 2})
    assert fact(refused(game, "lay_disc @0,1"), "CONDITION_UNMET") == {"what": "residents", "need": 3, "have": 1}


@pytest.mark.rule("12.31")
def test_the_choices_that_were_shown_cannot_be_taken_back() -> None:
    game = Game.new(Options(seats=2, seed="choices", modules=[KEY, "palace_designers"], undo="by_consent"))
    for _ in range(2):
        for name in ("pavilion", "garden", "tower"):
            play(game, "pick_resident", type=name)
        play(game, "lay_disc @0,1")
    assert asked(game) == ("face_designer", 0)
    refusal = game.can_undo(1, consent=True)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


@pytest.mark.rule("12.5", "12.7")
def test_an_exchange_is_refused_because_a_resident_could_move_in() -> None:
    game = meeting("garden-10")
    faults = refused(game, "swap_resident", type="tower")
    assert fact(faults, "CONDITION_UNMET") == {"what": "matching_resident", "need": False, "have": True}


@pytest.mark.rule("12.37")
def test_an_exchange_is_refused_because_the_supply_is_empty() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "garden", "tower")
    supply(game)
    at_hand(game, "garden-10")
    play(game, "place garden-10 @1,0")
    faults = refused(game, "swap_resident", type="tower")
    assert [fault.metadata for fault in faults if fault.code == "CONDITION_UNMET"] == [
        {"what": "matching_resident", "need": False, "have": True},
        {"what": "supply", "need": 1, "have": 0},
    ]


@pytest.mark.rule("12.6", "12.7")
def test_everybody_is_told_who_moves_in_who_comes_onto_the_disc_and_who_is_given_for_him() -> None:
    game = meeting("garden-10")
    events = play(game, "move_in")
    assert events_of(events, "resident_moved_in") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    events = play(game, "take_resident", type="pavilion")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "pavilion"}]
    game = meeting("seraglio-9")
    play(game, "swap_resident", type="tower")
    events = play(game, "take_resident", type="pavilion")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "pavilion", "given": "tower"}]
    assert aboard(game, 0) == ("pavilion", "arcades", "garden")


@pytest.mark.rule("12.38")
def test_everybody_is_told_that_nobody_can_move_in_or_be_exchanged() -> None:
    game = trader_table()
    disc(game, 0, (1, 0))
    at_hand(game, "garden-10")
    events = play(game, "place garden-10 @1,0")
    assert {"seat": 0, "decision": "resident", "forced": True} in events_of(events, "passed")
    assert game.module_state(Residents).discs[0] is None


@pytest.mark.rule("12.11")
def test_everybody_is_told_who_leaves_a_building_that_is_taken_out() -> None:
    game = trader_table()
    alhambra(game, 0, {(1, 0): "garden-10", (-1, 0): "tower-11"})
    house(game, "garden-10")
    assert not events_of(play(game.clone(), "remove tower-11"), "resident_left")
    events = play(game, "remove garden-10")
    assert events_of(events, "resident_left") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    assert residents(game) == dict.fromkeys(TYPES, 7)


@pytest.mark.rule("12.6")
def test_nobody_is_given_for_who_replaces_a_resident_that_moved_in() -> None:
    game = meeting("garden-10")
    play(game, "move_in")
    assert game.decision == Decision("take_resident", 0, {})


@pytest.mark.rule("12.6")
def test_the_only_resident_of_the_supply_comes_onto_the_disc_unasked() -> None:
    game = meeting("garden-10")
    supply(game, "pavilion")
    events = play(game, "move_in")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "pavilion", "forced": True}]
    assert game.module_state(Residents).supply == ()


@pytest.mark.rule("12.8", "12.37")
def test_a_disc_with_fewer_than_three_residents_is_laid_out_again() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "garden")
    supply(game)
    at_hand(game, "garden-10")
    play(game, "place garden-10 @1,0")
    play(game, "move_in")
    assert asked(game) == ("lay_disc", 0)
    play(game, "lay_disc @2,0")
    assert game.module_state(Residents).discs[0] == (2, 0)


@pytest.mark.rule("12.44")
def test_nothing_is_told_of_the_disc_of_a_player_who_resigned_before_laying_it() -> None:
    game = Game.new(Options(seats=3, seed="choices", modules=[KEY]))
    game.resign(0)
    for _ in range(2):
        for name in ("pavilion", "garden", "tower"):
            play(game, "pick_resident", type=name)
        events = play(game, "lay_disc @0,1")
    shown = [event["seat"] for event in events_of(events, "disc_laid") if "cell" in event]
    assert shown == [1, 2]


@pytest.mark.rule("12.2")
def test_a_fourth_resident_is_refused_for_that_reason_alone() -> None:
    game = Game.new(Options(seats=3, seed="choices", modules=[KEY]))
    for name in ("pavilion", "seraglio", "arcades"):
        play(game, "pick_resident", type=name)
    for name in TYPES:
        assert codes(refused(game, "pick_resident", type=name)) == ["LIMIT_REACHED"]


@pytest.mark.rule("12.31")
def test_a_player_sees_the_own_disc_without_a_cell_until_it_is_laid() -> None:
    game = Game.new(Options(seats=3, seed="choices", modules=[KEY]))
    play(game, "pick_resident", type="pavilion")
    assert pieces(game, KEY, 0) == [{"kind": "disc", "seat": 0, "residents": ("pavilion",)}]
    assert pieces(game, KEY, 1) == [{"kind": "disc", "seat": 1, "residents": ()}]


@pytest.mark.rule("12.31")
def test_every_side_of_the_fountain_is_as_likely_as_any_other_while_the_disc_is_secret() -> None:
    game = Game.new(Options(seats=3, seed="choices", modules=[KEY]))
    for name in ("pavilion", "garden", "tower"):
        play(game, "pick_resident", type=name)
    play(game, "lay_disc @0,1")
    imagined = [game.determinize(1, Random(number)).module_state(Residents) for number in range(400)]
    counts = Counter(sample.discs[0] for sample in imagined)
    assert len(counts) == 4
    assert 75 < min(counts.values()) <= max(counts.values()) < 125
    assert {sample.discs[1:] for sample in imagined} == {(None, None)}


@pytest.mark.rule("12.31")
def test_a_disc_that_is_not_laid_yet_is_imagined_nowhere() -> None:
    game = Game.new(Options(seats=3, seed="choices", modules=[KEY]))
    play(game, "pick_resident", type="pavilion")
    for number in range(20):
        assert game.determinize(2, Random(number)).module_state(Residents).discs == (None, None, None)


@pytest.mark.rule("12.31")
def test_nobody_imagines_other_residents_once_all_were_shown() -> None:
    game = trader_table()
    for number in range(20):
        for viewer in (None, 0, 1):
            assert game.determinize(viewer, Random(number)).module_state(Residents) == game.module_state(Residents)


@pytest.mark.rule("12.4", "12.41")
def test_a_tile_that_is_built_elsewhere_out_of_turn_moves_no_disc() -> None:
    game = trader_table(3, "viziers_favour")
    market(game, denar="garden-10", gulden="tower-11", dirham="seraglio-9", dukat="chambers-10")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    disc(game, 1, (0, 1), "arcades", "garden", "tower")
    hand(game, 1, "denar-9 denar-1")
    play(game, "take_money dukat-1")
    play(game, "buy market-denar denar-9 denar-1")
    play(game, "place garden-10 @1,0")
    assert asked(game)[0] == "window"
    assert game.module_state(Residents).discs[1] == (0, 1)


@pytest.mark.rule("12.16")
def test_the_disc_of_a_player_who_gets_a_leftover_tile_is_laid_no_more_whose_turn_it_ever_was() -> None:
    game = trader_table()
    market(game, denar="garden-10")
    disc(game, 2, (1, 0), "arcades", "tower")
    supply(game, "pavilion")
    hand(game, 2, "denar-9")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 2)
    play(game, "place garden-10 @1,0")
    play(game, "pass")
    assert game.over
    assert game.module_state(Residents).discs[2] is None
