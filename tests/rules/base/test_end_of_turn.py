"""The end of a turn: place, refill the display, score, refill the market, next player; passing."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import Game
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    display,
    events_of,
    fact,
    hand,
    kinds,
    market,
    play,
    refused,
    table,
    take_turn,
    tower,
    turns,
)

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


@pytest.mark.rule("00.31")
def test_a_display_of_four_cards_is_not_refilled() -> None:
    game = table()
    market(game, **FULL)
    hand(game, 0, "denar-5 denar-7")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "buy market-denar denar-5 denar-7")
    told = kinds(play(game, "reserve tower-11"))
    assert "market_filled" in told
    assert "display_filled" not in told
    assert game.state.display == ("gulden-1", "gulden-2", "gulden-3", "gulden-4")


@pytest.mark.rule("00.30")
def test_the_end_of_a_turn_goes_place_money_scoring_market_next_player() -> None:
    game = table()
    market(game, **FULL)
    hand(game, 0, "denar-5 denar-7")
    display(game, "gulden-1 gulden-2 gulden-3")
    alhambra(game, 1, {(1, 0): "garden-9-e"})
    deck(game, "scoring-1 dukat-1")
    play(game, "buy market-denar denar-5 denar-7")
    events = play(game, "reserve tower-11")
    steps = ("reserved", "display_filled", "scoring_began", "scoring_ended", "market_filled", "turn_began")
    assert [kind for kind in kinds(events) if kind in steps] == list(steps)
    assert game.decision is not None
    assert game.decision.seat == 1


@pytest.mark.rule("00.14")
def test_turns_go_clockwise() -> None:
    game = table(4)
    market(game, **FULL)
    display(game, "gulden-1")
    assert [event["seat"] for event in events_of(turns(game, 9), "turn_began")] == [1, 2, 3, 0, 1, 2, 3, 0, 1]


@pytest.mark.rule("00.31")
def test_the_display_is_refilled_to_four_cards_from_the_deck() -> None:
    game = table()
    display(game, "gulden-1 gulden-2 gulden-2 dukat-9")
    deck(game, "denar-1 denar-2 denar-3 denar-4")
    play(game, "take_money gulden-1 gulden-2 gulden-2")
    assert game.state.display == ("dukat-9", "denar-1", "denar-2", "denar-3")
    assert game.state.deck[-1] == "denar-4"


@pytest.mark.rule("00.31")
def test_a_full_display_draws_nothing() -> None:
    game = table()
    display(game, "gulden-1 gulden-2 gulden-3 dukat-9")
    alhambra(game, 0, {(1, 0): "garden-8-ne"})
    cards = len(game.state.deck)
    play(game, "remove garden-8-ne")
    assert len(game.state.deck) == cards


@pytest.mark.rule("00.32")
def test_an_empty_deck_is_made_anew_from_the_discard() -> None:
    game = table()
    display(game, "gulden-1 gulden-2")
    discard(game, "denar-1 denar-2 denar-3 denar-4 denar-5")
    deck(game, "dukat-9", only=True)
    events = play(game, "take_money gulden-1")
    assert events_of(events, "deck_reshuffled") == [{"count": 5}]
    state = game.state
    assert state.display[:2] == ("gulden-2", "dukat-9")
    assert sorted((*state.display[2:], *state.deck)) == ["denar-1", "denar-2", "denar-3", "denar-4", "denar-5"]
    assert (state.discard, state.piles) == ((), (3,))


@pytest.mark.rule("00.32")
def test_the_discard_is_not_touched_as_long_as_no_card_must_be_drawn() -> None:
    game = table()
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    discard(game, "denar-1")
    deck(game, "dukat-9", only=True)
    events = play(game, "take_money gulden-1")
    assert "deck_reshuffled" not in kinds(events)
    assert (game.state.deck, game.state.discard) == ((), ("denar-1",))


@pytest.mark.rule("00.104")
def test_with_deck_and_discard_empty_gaps_stay_in_the_display() -> None:
    game = table()
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    deck(game, only=True)
    play(game, "take_money gulden-1")
    assert game.state.display == ("gulden-2", "gulden-3", "gulden-4")


@pytest.mark.rule("00.32")
def test_the_reshuffle_order_comes_from_the_seed() -> None:
    orders = set()
    for seed in ("one", "two", "three", "four"):
        game = table(seed=seed)
        display(game, "gulden-1")
        discard(game, *(f"denar-{value}" for value in range(1, 10)))
        deck(game, only=True)
        play(game, "take_money gulden-1")
        orders.add((game.state.deck, game.state.display))
    assert len(orders) == 4


# -- Scoring cards ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.33")
def test_a_scoring_card_is_replaced_and_its_scoring_held_once_the_display_is_full() -> None:
    game = table()
    alhambra(game, 1, {(1, 0): "garden-9-e"})
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    deck(game, "scoring-1 denar-9")
    events = play(game, "take_money gulden-1")
    assert game.state.display == ("gulden-2", "gulden-3", "gulden-4", "denar-9")
    order = kinds(events)
    assert order.index("display_filled") < order.index("scoring_began")
    assert [(event["card"], event["to"]) for event in events_of(events, "card_revealed")] == [
        ("scoring-1", "scoring"),
        ("denar-9", "display"),
    ]
    assert (game.state.held, game.state.due) == ((1,), ())
    assert events_of(events, "scoring_ended") == [{"scoring": 1, "scores": (0, 6, 0)}]


@pytest.mark.rule("00.33")
def test_a_scoring_card_leaves_the_game_after_its_scoring() -> None:
    game = table()
    display(game, "gulden-1")
    deck(game, "scoring-1")
    take_turn(game)
    assert "scoring-1" in game.state.box
    assert "scoring-1" not in (*game.state.deck, *game.state.discard, *game.state.display)


@pytest.mark.rule("00.105")
@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1)])
def test_two_scoring_cards_in_one_refill_are_both_held_in_order_of_appearance(first: int, second: int) -> None:
    game = table()
    alhambra(game, 0, {(1, 0): "garden-10"})
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    deck(game, f"scoring-{first} scoring-{second} denar-9")
    events = play(game, "take_money gulden-1")
    assert [event["scoring"] for event in events_of(events, "scoring_began")] == [first, second]
    assert game.state.held == (first, second)
    assert game.state.display == ("gulden-2", "gulden-3", "gulden-4", "denar-9")
    assert game.scores == (5 + 12, 0, 0)


@pytest.mark.rule("00.105")
def test_a_scoring_card_drawn_last_of_all_still_counts() -> None:
    game = table()
    display(game, "gulden-1 gulden-2")
    deck(game, "scoring-2", only=True)
    events = play(game, "take_money gulden-1")
    assert game.state.display == ("gulden-2",)
    assert events_of(events, "scoring_began") == [{"scoring": 2}]


# -- The market ------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("00.34")
def test_empty_spaces_2_and_4_are_refilled_in_this_order() -> None:
    game = table()
    market(game, gulden="garden-10", denar="tower-11")
    tower(game, "arcades-9 arcades-10 chambers-10")
    display(game, "gulden-1")
    events = take_turn(game)
    assert [(event["tile"], event["slot"]) for event in events_of(events, "tile_drawn")] == [
        ("arcades-9", "market-dirham"),
        ("arcades-10", "market-dukat"),
    ]
    assert game.state.market == ("garden-10", "arcades-9", "tower-11", "arcades-10")


@pytest.mark.rule("00.34")
def test_a_full_market_draws_nothing() -> None:
    game = table()
    market(game, **FULL)
    display(game, "gulden-1")
    tiles = len(game.state.tower)
    events = take_turn(game)
    assert len(game.state.tower) == tiles
    assert "market_filled" not in kinds(events)


# -- Passing ---------------------------------------------------------------------------------------------------------


def nothing_to_do(seats: int = 3, **options: Any) -> Game:
    """No card, no tile that anybody could pay, nothing to redesign."""
    game = table(seats, **options)
    market(game, **FULL)
    deck(game, only=True)
    return game


@pytest.mark.rule("00.96")
def test_whoever_can_do_nothing_passes() -> None:
    game = nothing_to_do()
    events = play(game, "pass")
    assert events_of(events, "passed") == [{"seat": 0, "decision": "action"}]
    assert game.decision is not None
    assert game.decision.seat == 1


@pytest.mark.rule("00.15", "00.96")
@pytest.mark.parametrize("possible", ["take", "buy", "redesign"])
def test_whoever_can_do_anything_must_not_pass(possible: str) -> None:
    game = nothing_to_do()
    if possible == "take":
        game.state.display = ("gulden-9",)
    elif possible == "buy":
        game.state.seats[0].hand = ("gulden-5", "gulden-5")
    else:
        alhambra(game, 0, {(1, 0): "garden-8-ne"})
    faults = refused(game, "pass")
    assert codes(faults) == ["PASS_REFUSED"]
    assert fact(faults, "PASS_REFUSED") == {"decision": "action"}


@pytest.mark.rule("00.97")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_whole_round_of_passes_ends_the_game_with_the_last_scoring(seats: int) -> None:
    game = nothing_to_do(seats)
    for _ in range(seats - 1):
        play(game, "pass")
        assert not game.over
    events = play(game, "pass")
    assert events_of(events, "end_began") == [{"because": "passes"}]
    assert events_of(events, "scoring_began") == [{"scoring": 3}]
    assert game.over


@pytest.mark.rule("00.97")
def test_the_round_of_passes_may_begin_with_any_seat() -> None:
    game = nothing_to_do()
    game.state.display = ("gulden-9",)
    take_turn(game)
    play(game, "pass")
    play(game, "pass")
    assert game.state.phase == "MAIN"
    play(game, "pass")
    assert game.state.phase == "END"


@pytest.mark.rule("00.97")
def test_one_turn_that_does_something_starts_the_count_anew() -> None:
    game = nothing_to_do()
    play(game, "pass")
    play(game, "pass")
    alhambra(game, 2, {(1, 0): "garden-8-ne"})
    play(game, "remove garden-8-ne")
    assert game.state.passes == 0
    play(game, "pass")
    play(game, "pass")
    assert not game.over
    play(game, "add garden-8-ne @1,0")
    assert not game.over


@pytest.mark.rule("00.97")
def test_at_the_end_by_passes_leftover_tiles_are_given_out_too() -> None:
    game = nothing_to_do()
    game.state.seats[1].hand = ("gulden-1",)
    play(game, "pass")
    play(game, "pass")
    play(game, "pass")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("leftover_tiles", 1)


# -- The turn limit --------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.98")
def test_the_turn_limit_stops_the_game_loudly_and_without_a_ranking() -> None:
    game = table(turn_limit=3)
    display(game, "gulden-1 gulden-2")
    market(game, **FULL)
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    assert "game_ended" not in kinds(turns(game, 2))
    events = take_turn(game)
    ended = events_of(events, "game_ended")[0]
    assert (ended["because"], ended["ranking"], ended["winners"]) == ("turn_limit", (), ())
    assert game.over
    assert "scoring_began" not in kinds(events)


@pytest.mark.rule("00.98")
def test_the_turn_limit_is_1000_unless_set() -> None:
    assert table().options.turn_limit == 1000
