"""Resigning: the seat is skipped everywhere, its Alhambra counts, it cannot win; the last one left wins."""

from __future__ import annotations

import json

import pytest

from alhambra import Entry, Game, IllegalMove, Options
from alhambra.codec import pack_state, unpack_state
from alhambra.modules.travelling_craftsmen import Craftsmen
from tests.rules.situations import (
    deck,
    display,
    end_game,
    events_of,
    hand,
    hold_scoring,
    kinds,
    market,
    own,
    play,
    points,
    table,
    take_turn,
    turns,
)

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


@pytest.mark.rule("00.60")
def test_a_seat_that_resigned_is_skipped() -> None:
    game = table(4)
    market(game, **FULL)
    display(game, "gulden-1")
    game.resign(2)
    assert [event["seat"] for event in events_of(turns(game, 5), "turn_began")] == [1, 3, 0, 1, 3]


@pytest.mark.rule("00.60")
def test_whoever_resigns_in_the_own_turn_ends_it() -> None:
    game = table()
    display(game, "gulden-1")
    events = game.resign(0)
    assert events_of(events, "resigned") == [{"seat": 0}]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("00.60")
def test_resigning_out_of_turn_leaves_the_open_decision_open() -> None:
    game = table()
    display(game, "gulden-1")
    decision = game.decision
    game.resign(1)
    assert game.decision == decision
    assert kinds(game.events) == ["resigned"]


@pytest.mark.rule("00.61")
@pytest.mark.parametrize("exact", [True, False], ids=["asked for an action", "asked to place it"])
def test_pending_tiles_of_a_seat_that_resigns_leave_the_game(exact: bool) -> None:
    game = table()
    market(game, denar="garden-10")
    hand(game, 0, "denar-5 denar-6" if not exact else "denar-4 denar-6")
    play(game, f"buy market-denar {' '.join(game.state.seats[0].hand)}")
    assert asked(game) == ("action" if exact else "place_tiles", 0)
    events = game.resign(0)
    assert events_of(events, "boxed") == [{"seat": 0, "tile": "garden-10"}]
    assert game.state.seats[0].reserve == game.state.seats[0].pending == ()
    assert "garden-10" in game.state.box
    assert asked(game) == ("action", 1)


@pytest.mark.rule("00.61")
def test_its_hand_leaves_the_game_unseen() -> None:
    game = table()
    display(game, "gulden-1")
    hand(game, 1, "denar-5 denar-6")
    events = game.resign(1)
    assert game.state.seats[1].hand == ()
    assert "denar-5" in game.state.box
    assert not [event for event in events if "denar-5" in str(event.as_dict())]


@pytest.mark.rule("00.62")
def test_its_alhambra_still_counts_in_majorities() -> None:
    game = table()
    own(game, 0, tower=1)
    own(game, 1, tower=2)
    game.resign(1)
    assert points(hold_scoring(game, 2), "majority", type="tower") == {1: 13, 0: 6}


@pytest.mark.rule("00.70")
def test_it_cannot_win_however_many_points_it_has() -> None:
    game = table()
    game.state.seats[1].score = 99
    game.state.seats[2].score = 5
    game.resign(1)
    told = events_of(end_game(game), "game_ended")[0]
    assert told["winners"] == (2,)
    assert told["ranking"] == ((2, 1), (0, 2), (1, 3))
    assert told["scores"][1] == 99


@pytest.mark.rule("00.61")
def test_it_gets_no_leftover_tile() -> None:
    game = table()
    market(game, denar="garden-10")
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-1")
    display(game, "gulden-1")
    game.resign(1)
    end_game(game)
    assert asked(game) == ("leftover_tiles", 2)


@pytest.mark.rule("00.61")
def test_a_recipient_who_resigns_leaves_the_leftover_tile() -> None:
    game = table()
    market(game, denar="garden-10")
    hand(game, 1, "denar-9")
    display(game, "gulden-1")
    end_game(game)
    game.resign(1)
    assert game.over
    assert "garden-10" in game.state.box


@pytest.mark.rule("00.61")
def test_a_recipient_of_two_tiles_who_resigns_leaves_both() -> None:
    game = table()
    market(game, denar="garden-10", dukat="garden-11")
    hand(game, 1, "denar-9 dukat-9")
    display(game, "gulden-1")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 1)
    events = game.resign(1)
    assert [event["tile"] for event in events_of(events, "boxed")] == ["garden-10", "garden-11"]
    assert game.state.seats[1].pending == ()
    assert game.over
    assert game.state.ranking


@pytest.mark.rule("00.71")
def test_the_last_one_left_wins_at_once() -> None:
    game = table()
    game.state.seats[0].score = 50
    display(game, "gulden-1")
    assert "game_ended" not in kinds(game.resign(0))
    events = game.resign(1)
    told = events_of(events, "game_ended")[0]
    assert game.over
    assert (told["winners"], told["because"]) == ((2,), "resigned")
    assert "scoring_began" not in kinds(events)


@pytest.mark.rule("00.71")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("dirk_can_win", [False, True])
def test_with_two_players_the_other_one_wins_whatever_dirk_has(seat: int, dirk_can_win: bool) -> None:
    game = table(2, dirk_can_win=dirk_can_win)
    game.state.dirk_score = 99
    display(game, "gulden-1")
    told = events_of(game.resign(seat), "game_ended")[0]
    assert told["winners"] == (1 - seat,)


@pytest.mark.rule("00.72")
def test_the_round_of_passes_is_counted_over_those_still_playing() -> None:
    game = table()
    market(game, **FULL)
    deck(game, only=True)
    game.resign(1)
    play(game, "pass")
    assert not game.over
    play(game, "pass")
    assert game.over


@pytest.mark.rule("00.72")
def test_the_pass_of_a_seat_that_resigned_since_does_not_count_for_another() -> None:
    game = table(4)
    market(game, **FULL)
    deck(game, only=True)
    play(game, "pass")
    play(game, "pass")
    game.resign(0)
    game.resign(1)
    assert asked(game) == ("action", 2)
    play(game, "pass")
    assert not game.over, "seat 3 had no turn in this round"
    play(game, "pass")
    assert game.over


@pytest.mark.rule("00.72")
def test_with_confirm_turn_a_pass_followed_by_resigning_is_no_pass() -> None:
    game = table(confirm_turn=True)
    market(game, **FULL)
    deck(game, only=True)
    play(game, "pass")
    game.resign(0)
    play(game, "pass")
    play(game, "pass")
    assert not game.over
    assert asked(game) == ("action", 2)


def test_resigning_is_an_entry_of_the_log_and_replays() -> None:
    game = Game.new(Options(seats=3, seed="resigning"))
    assert game.decision is not None
    other = (game.decision.seat + 1) % 3
    game.resign(other)
    take_turn(game)
    assert game.log[0] == Entry("resign", other)
    assert Game.replay(game.options, game.log) == game


@pytest.mark.rule("00.73")
def test_a_resignation_cannot_be_taken_back_nor_crossed_by_an_undo() -> None:
    game = Game.new(Options(seats=3, seed="resigning"))
    assert game.decision is not None
    seat = game.decision.seat
    game.resign((seat + 1) % 3)
    for who in (seat, (seat + 1) % 3):
        reason = game.can_undo(who)
        assert reason is not None
        assert reason.code == "UNDO_REFUSED"


@pytest.mark.rule("00.73")
def test_nobody_resigns_twice_and_nobody_who_does_not_sit_there() -> None:
    game = table()
    display(game, "gulden-1")
    game.resign(1)
    before = game.to_bytes()
    for seat in (1, 3, -1):
        with pytest.raises(IllegalMove) as error:
            game.resign(seat)
        assert error.value.code == "NOT_THERE"
        assert error.value.violations[0].metadata == {"id": seat, "place": "table"}
    assert game.to_bytes() == before


@pytest.mark.rule("00.60")
def test_nobody_resigns_after_the_end() -> None:
    game = table()
    end_game(game)
    with pytest.raises(IllegalMove) as error:
        game.resign(0)
    assert error.value.code == "GAME_OVER"


@pytest.mark.rule("00.61")
def test_cards_that_a_seat_came_to_after_resigning_leave_a_game_of_an_older_version() -> None:
    game = table(modules=["travelling_craftsmen"])
    game.resign(1)
    game.state.seats[1].hand = ("denar-5",)
    craftsmen = game.module_state(Craftsmen)
    own, craftsmen.gone = craftsmen.gone, ()
    craftsmen.shown = (craftsmen.shown[0], own, craftsmen.shown[2])
    stored = json.loads(json.dumps(pack_state(game.state)))
    read = unpack_state(stored, game.ruleset)
    assert read.seats[1].hand == ()
    assert read.box.count("denar-5") == 1
    kept = read.module_states["travelling_craftsmen"]
    assert (kept.shown[1], kept.gone) == ((), own)
