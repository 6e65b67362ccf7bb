"""A pass leaves no action behind, and the ranking after everybody else has left."""

from __future__ import annotations

from tests.rules.situations import deck, display, events_of, hand, kinds, market, play, table

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


def test_after_a_pass_no_action_is_left() -> None:
    game = table(confirm_turn=True)
    market(game, **FULL)
    deck(game, only=True)
    play(game, "pass")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("end_turn", 0)
    assert game.view(None)["turn"]["actions_left"] == 0
    assert game.view(None)["turn"]["taken_actions"] == ["pass"]


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
