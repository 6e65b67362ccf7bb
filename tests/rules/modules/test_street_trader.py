"""12 The street trader: residents are chosen, and move in where his disc lay."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import TYPES, Decision, Event, Game, Options
from alhambra.boards import marks_on_cells
from alhambra.components import Cell
from alhambra.modules.street_trader import Residents
from tests.rules.modules.street_trader_table import (
    KEY,
    aboard,
    asked,
    at_hand,
    disc,
    meeting,
    supply,
    trader_table,
    where,
)
from tests.rules.situations import codes, events_of, fact, legal, play, refused

# -- Before the first turn --------------------------------------------------------------------------------------------


def fresh(seats: int = 3, *modules: str) -> Game:
    return Game.new(Options(seats=seats, seed="choices", modules=[KEY, *modules]))


def choose(game: Game, residents: str, cell: Cell) -> list[Event]:
    """The asked seat makes its four choices; the events of the last one."""
    for name in residents.split():
        play(game, "pick_resident", type=name)
    return play(game, "lay_disc", cell=cell)


@pytest.mark.rule("12.2")
def test_everybody_chooses_in_turn_before_the_market_is_filled() -> None:
    game = fresh()
    for seat in range(3):
        assert asked(game) == ("pick_residents", seat)
        assert game.state.market == ("", "", "", "")
        choose(game, "pavilion garden tower", (0, 1))
    assert all(game.state.market)
    assert asked(game)[0] == "action"


@pytest.mark.rule("12.2")
def test_three_different_residents_are_named_in_ascending_order() -> None:
    game = fresh()
    assert [move.type for move in game.moves()] == ["pavilion", "seraglio", "arcades", "chambers"]
    play(game, "pick_resident", type="chambers")
    assert fact(refused(game, "pick_resident", type="chambers"), "TYPE_MISMATCH") == {
        "expected": ["garden"],
        "got": "chambers",
    }
    assert codes(refused(game, "pick_resident", type="pavilion")) == ["TYPE_MISMATCH"]
    assert codes(refused(game, "pick_resident", type="tower")) == ["TYPE_MISMATCH"]
    play(game, "pick_resident", type="garden")
    play(game, "pick_resident", type="tower")
    assert fact(refused(game, "pick_resident", type="tower"), "LIMIT_REACHED") == {"what": "residents", "limit": 3}


@pytest.mark.rule("12.2")
def test_every_choice_of_three_can_be_named() -> None:
    found = set()
    start = fresh()
    for first in start.legal_moves():
        one = start.clone()
        one.apply(first)
        for second in one.legal_moves():
            two = one.clone()
            two.apply(second)
            found |= {(first.type, second.type, third.type) for third in two.legal_moves()}
    assert len(found) == 20


@pytest.mark.rule("12.2")
def test_the_disc_is_laid_last_at_one_of_the_four_sides_of_the_start_tile() -> None:
    game = fresh()
    play(game, "pick_resident", type="pavilion")
    assert fact(refused(game, "lay_disc @1,0"), "CONDITION_UNMET") == {"what": "residents", "need": 3, "have": 1}
    play(game, "pick_resident", type="seraglio")
    play(game, "pick_resident", type="arcades")
    assert [move.cell for move in game.moves()] == [(0, -1), (-1, 0), (1, 0), (0, 1)]
    assert codes(refused(game, "lay_disc @1,1")) == ["NO_CONTACT"]
    assert codes(refused(game, "lay_disc @0,0")) == ["PLACE_TAKEN"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


@pytest.mark.rule("12.31")
def test_choices_are_secret_until_all_are_shown_together() -> None:
    game = fresh()
    events = play(game, "pick_resident", type="pavilion")
    told = next(event for event in events if event.kind == "residents_picked")
    assert told.public == {"seat": 0}
    assert told.private == {0: {"types": ("pavilion",)}}
    play(game, "pick_resident", type="garden")
    play(game, "pick_resident", type="tower")
    events = play(game, "lay_disc @0,1")
    told = next(event for event in events if event.kind == "disc_laid")
    assert told.seen_by(1) == {"id": told.id, "kind": "disc_laid", "seat": 0}
    assert told.seen_by(0)["private"] == {"cell": (0, 1)}
    mine = {"kind": "disc", "seat": 0, "cell": (0, 1), "residents": ("pavilion", "garden", "tower")}
    assert game.view(0)["pieces"][KEY] == [mine]
    for stranger in (None, 2):
        assert mine not in game.view(stranger)["pieces"][KEY]
    assert not marks_on_cells(game, 0)
    choose(game, "pavilion seraglio arcades", (1, 0))
    events = choose(game, "pavilion seraglio chambers", (1, 0))
    shown = [event for event in events if event.kind in ("residents_picked", "disc_laid") and len(event.public) > 1]
    assert [(event.kind, event.public["seat"]) for event in shown] == [
        (kind, seat) for seat in range(3) for kind in ("residents_picked", "disc_laid")
    ]
    assert mine in game.view(None)["pieces"][KEY]
    assert marks_on_cells(game, 0) == {(0, 1): "disc"}


@pytest.mark.rule("12.31")
def test_whoever_chooses_knows_nothing_of_what_was_chosen_before() -> None:
    game = fresh()
    choose(game, "pavilion garden tower", (0, 1))
    play(game, "pick_resident", type="chambers")
    mine = {(where(sample, 0), aboard(sample, 0)) for sample in (game.determinize(1, Random(n)) for n in range(300))}
    assert len({cell for cell, _ in mine}) == 4
    assert len({picked for _, picked in mine}) == 20
    others = {aboard(game.determinize(2, Random(n)), 1) for n in range(100)}
    assert others == {(name,) for name in TYPES[:4]}
    assert {aboard(game.determinize(1, Random(n)), 1) for n in range(20)} == {("chambers",)}


@pytest.mark.rule("12.1", "12.3")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_residents_that_nobody_picked_are_the_supply(seats: int) -> None:
    game = trader_table(seats)
    pieces = game.view(None)["pieces"][KEY]
    supply = {piece["type"]: piece.get("amount", 1) for piece in pieces if piece["kind"] == "resident"}
    assert sum(supply.values()) == 42 - 3 * seats
    assert supply["pavilion"] == 7 - seats
    assert supply["tower"] == 7


def test_a_choice_can_be_taken_back_until_the_next_seat_is_asked() -> None:
    game = fresh()
    play(game, "pick_resident", type="pavilion")
    game.undo(0)
    assert aboard(game, 0) == ()
    choose(game, "pavilion garden tower", (0, 1))
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"


@pytest.mark.rule("12.44")
def test_a_seat_that_resigns_before_the_first_turn_chooses_nothing() -> None:
    game = fresh(4)
    play(game, "pick_resident", type="seraglio")
    game.resign(0)
    game.resign(2)
    assert asked(game) == ("pick_residents", 1)
    choose(game, "pavilion garden tower", (0, 1))
    assert asked(game) == ("pick_residents", 3)
    choose(game, "pavilion garden tower", (0, 1))
    picked = ("pavilion", "garden", "tower")
    assert game.module_state(Residents).aboard == (("seraglio",), picked, (), picked)
    assert game.module_state(Residents).discs == (None, (0, 1), None, (0, 1))
    assert len(game.module_state(Residents).supply) == 42 - 3 * 2 - 1


# -- A matching building ----------------------------------------------------------------------------------------------


@pytest.mark.rule("12.4", "12.5")
def test_a_resident_of_its_colour_may_move_into_the_building() -> None:
    game = meeting("garden-10")
    assert game.decision == Decision("resident", 0, {"tile": "garden-10", "type": "garden"})
    assert where(game, 0) is None
    events = play(game, "move_in")
    assert events_of(events, "resident_moved_in") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    assert aboard(game, 0) == ("arcades", "tower")
    events = play(game, "take_resident", type="pavilion")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "pavilion"}]
    assert aboard(game, 0) == ("pavilion", "arcades", "tower")
    pieces = game.view(None)["pieces"][KEY]
    assert {"kind": "resident", "seat": 0, "cell": (1, 0), "type": "garden"} in pieces
    assert {"kind": "disc", "seat": 0, "residents": ("pavilion", "arcades", "tower")} in pieces
    assert marks_on_cells(game, 0) == {(1, 0): "resident"}


@pytest.mark.rule("12.29")
def test_whoever_lets_nobody_move_in_gets_nothing_instead() -> None:
    game = meeting("garden-10")
    faults = refused(game, "swap_resident", type="tower")
    assert fact(faults, "CONDITION_UNMET") == {"what": "matching_resident", "need": False, "have": True}
    play(game, "pass")
    assert aboard(game, 0) == ("arcades", "garden", "tower")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.5")
def test_of_several_residents_of_one_colour_only_one_moves_in() -> None:
    game = meeting("garden-10", "garden garden garden")
    play(game, "move_in")
    assert aboard(game, 0) == ("garden", "garden")
    assert game.module_state(Residents).homes == {"garden-10": "garden"}
    play(game, "take_resident", type="garden")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.6")
def test_the_replacement_may_be_of_any_colour_that_the_supply_has() -> None:
    game = meeting("garden-10")
    supply(game, "pavilion", "tower", "tower")
    play(game, "move_in")
    assert [move.type for move in game.moves()] == ["pavilion", "tower"]
    assert fact(refused(game, "take_resident", type="garden"), "NOT_THERE") == {"id": "garden", "place": "supply"}
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


@pytest.mark.rule("12.6")
def test_a_supply_of_one_colour_leaves_no_choice() -> None:
    game = meeting("garden-10")
    supply(game, "chambers", "chambers")
    events = play(game, "move_in")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "chambers", "forced": True}]
    assert game.module_state(Residents).supply == ("chambers",)
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.37")
def test_from_an_empty_supply_nobody_replaces_who_moved_in() -> None:
    game = meeting("garden-10")
    supply(game)
    assert legal(game, "move_in")
    play(game, "move_in")
    assert aboard(game, 0) == ("arcades", "tower")
    assert asked(game) == ("lay_disc", 0)


# -- Another building -------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.7", "12.10")
def test_with_no_resident_of_its_colour_one_may_be_exchanged() -> None:
    game = meeting("seraglio-9")
    before = Counter(game.module_state(Residents).supply)
    assert fact(refused(game, "move_in"), "TYPE_MISMATCH") == {
        "expected": ["arcades", "garden", "tower"],
        "got": "seraglio",
    }
    assert fact(refused(game, "swap_resident", type="pavilion"), "NOT_THERE") == {"id": "pavilion", "place": "held"}
    play(game, "swap_resident", type="garden")
    assert game.decision == Decision("take_resident", 0, {"given": "garden"})
    events = play(game, "take_resident", type="seraglio")
    assert events_of(events, "resident_changed") == [{"seat": 0, "type": "seraglio", "given": "garden"}]
    assert aboard(game, 0) == ("seraglio", "arcades", "tower")
    assert Counter(game.module_state(Residents).supply) == before + Counter(["garden"]) - Counter(["seraglio"])


@pytest.mark.rule("12.7")
def test_nobody_has_to_exchange() -> None:
    game = meeting("seraglio-9")
    play(game, "pass")
    assert aboard(game, 0) == ("arcades", "garden", "tower")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.39")
def test_who_is_given_does_not_come_back_in_the_same_exchange() -> None:
    game = meeting("seraglio-9")
    supply(game, "pavilion", "seraglio")
    play(game, "swap_resident", type="garden")
    assert [move.type for move in game.moves()] == ["pavilion", "seraglio"]


@pytest.mark.rule("12.38")
def test_with_an_empty_supply_there_is_nothing_to_exchange_and_no_question() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    supply(game)
    at_hand(game, "seraglio-9")
    events = play(game, "place seraglio-9 @1,0")
    assert {"seat": 0, "decision": "resident", "forced": True} in events_of(events, "passed")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.38")
def test_an_empty_disc_asks_nothing_either() -> None:
    game = trader_table()
    disc(game, 0, (1, 0))
    at_hand(game, "seraglio-9")
    play(game, "place seraglio-9 @1,0")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("12.4")
def test_a_building_elsewhere_leaves_the_trader_alone() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "garden-10")
    play(game, "place garden-10 @0,1")
    assert where(game, 0) == (1, 0)
    assert asked(game)[0] == "action"


@pytest.mark.rule("12.4")
def test_a_tile_on_the_cell_of_somebody_elses_disc_is_nothing_to_anybody() -> None:
    game = trader_table()
    disc(game, 0, (0, 1), "arcades", "garden", "tower")
    disc(game, 1, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "garden-10")
    play(game, "place garden-10 @1,0")
    assert where(game, 1) == (1, 0)
    assert asked(game)[0] == "action"


@pytest.mark.rule("12.36")
def test_a_tile_put_into_the_reserve_or_given_to_dirk_moves_nobody() -> None:
    game = trader_table(2)
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    at_hand(game, "garden-10", "garden-11")
    game.state.giftable = ("garden-11",)
    play(game, "reserve garden-10")
    play(game, "give_to_dirk garden-11")
    assert where(game, 0) == (1, 0)
