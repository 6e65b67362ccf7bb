"""A pass leaves no action behind, and the ranking after everybody else has left."""

from __future__ import annotations

import pytest

from tests.rules.situations import codes, deck, display, end_game, events_of, hand, kinds, market, play, refused, table

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


@pytest.mark.rule("00.96")
def test_after_a_pass_no_action_is_left() -> None:
    game = table(confirm_turn=True)
    market(game, **FULL)
    deck(game, only=True)
    play(game, "pass")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("end_turn", 0)
    assert game.view(None)["turn"]["actions_left"] == 0
    assert game.view(None)["turn"]["taken_actions"] == ["pass"]


@pytest.mark.rule("00.71")
def test_the_last_one_left_is_ranked_first_and_all_others_second() -> None:
    game = table(4)
    display(game, "gulden-1")
    game.state.seats[3].score = 50
    game.resign(0)
    game.resign(3)
    told = events_of(game.resign(1), "game_ended")[0]
    assert told["ranking"] == ((2, 1), (0, 2), (1, 2), (3, 2))
    assert game.view(None)["ranking"] == [
        {"seat": 2, "place": 1},
        {"seat": 0, "place": 2},
        {"seat": 1, "place": 2},
        {"seat": 3, "place": 2},
    ]


@pytest.mark.rule("00.60")
def test_a_seat_that_resigned_is_not_asked_between_turns() -> None:
    game = table(4, modules=["viziers_favour"])
    market(game, **FULL)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    game.resign(2)
    asked, passed = [], []
    play(game, "take_money dukat-1")
    while game.decision is not None and game.decision.kind == "window":
        asked.append(game.decision.seat)
        passed += [event["seat"] for event in events_of(play(game, "pass"), "passed")]
    assert asked == passed == [1, 3, 0]


@pytest.mark.rule("00.66")
def test_who_leaves_in_the_own_turn_does_nothing_more_in_it() -> None:
    game = table()
    market(game, **FULL)
    hand(game, 0, "denar-9 denar-8")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    events = game.resign(0)
    assert not {"money_taken", "paid", "acquired"} & set(kinds(events))
    assert game.state.display == ("dukat-1", "dukat-2", "dukat-3", "dukat-4")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("action", 1)
    assert game.view(None)["turn"]["actions_left"] == 1


@pytest.mark.rule("00.71")
def test_when_all_others_have_left_the_last_one_is_asked_nothing_more() -> None:
    game = table()
    display(game, "gulden-1")
    game.resign(1)
    assert game.view(0)["decision"]["seat"] == 0
    game.resign(2)
    assert game.over
    assert game.decision is None
    assert game.view(0)["decision"] is None
    assert codes(refused(game, "take_money gulden-1")) == ["GAME_OVER"]


@pytest.mark.rule("00.95")
def test_whoever_forgoes_the_bonus_action_is_told_to_have_passed() -> None:
    game = table(bonus_action_optional=True)
    market(game, **FULL)
    hand(game, 0, "gulden-9 gulden-1")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    play(game, "buy market-gulden gulden-1 gulden-9")
    events = play(game, "end_actions")
    assert events_of(events, "passed") == [{"seat": 0, "decision": "action"}]
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("place_tiles", 0)


@pytest.mark.rule("00.115")
def test_the_option_that_dirk_can_win_means_nothing_with_three_players() -> None:
    game = table(dirk_can_win=True)
    for seat, score in zip(game.state.seats, (20, 10, 30), strict=True):
        seat.score = score
    told = events_of(end_game(game), "game_ended")[0]
    assert told["ranking"] == ((2, 1), (0, 2), (1, 3))
    assert told["winners"] == (2,)
