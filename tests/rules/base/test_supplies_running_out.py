"""Deck and tower run out: a reshuffle in the middle of a refill, Dirk's last tiles, leftovers after any seat's turn."""

from __future__ import annotations

import pytest

from alhambra import Game
from tests.rules.situations import (
    deck,
    discard,
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
    tower,
)

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


# -- The deck ----------------------------------------------------------------------------------------------------------


def last_card_is_a_scoring() -> Game:
    """Seat 0 is to refill the display; the deck holds nothing but scoring card 1, the discard holds five cards."""
    game = table()
    market(game, **FULL)
    own(game, 0, tower=1)
    display(game, "gulden-1 gulden-2 gulden-3")
    discard(game, "denar-1 denar-2 denar-3 denar-4 denar-5")
    deck(game, "scoring-1", only=True)
    return game


@pytest.mark.rule("00.32")
def test_after_a_scoring_card_that_was_the_last_of_the_deck_the_refill_goes_on_with_the_discard() -> None:
    game = last_card_is_a_scoring()
    events = play(game, "take_money gulden-1")
    assert [event["to"] for event in events_of(events, "card_revealed")] == ["scoring", "display", "display"]
    assert len(game.state.display) == 4
    order = kinds(events)
    assert order.index("deck_reshuffled") < order.index("display_filled") < order.index("scoring_began")
    assert points(events, "majority") == {0: 6}


@pytest.mark.rule("00.105")
def test_a_scoring_card_is_not_shuffled_into_the_new_deck() -> None:
    game = last_card_is_a_scoring()
    events = play(game, "take_money gulden-1")
    assert events_of(events, "deck_reshuffled") == [{"count": 5}]
    assert events_of(events, "scoring_began") == [{"scoring": 1}]
    assert "scoring-1" not in (*game.state.deck, *game.state.discard, *game.state.display)
    assert (len(game.state.deck), game.state.due) == (3, ())


# -- The tower and Dirk ------------------------------------------------------------------------------------------------

LAST_SIX = "arcades-9 arcades-10 chambers-10 chambers-11 pavilion-8 seraglio-9"


@pytest.mark.rule("00.114")
def test_if_dirk_empties_the_tower_a_gap_in_the_market_ends_the_game() -> None:
    game = table(2)
    market(game, **{**FULL, "denar": ""})
    tower(game, LAST_SIX, only=True)
    events = hold_scoring(game, 1)
    assert game.state.dirk == tuple(LAST_SIX.split())
    assert "tile_drawn" not in kinds(events)
    assert events_of(events, "market_filled")[0]["tower"] == 0
    assert events_of(events, "end_began") == [{"because": "market"}]
    assert "turn_began" not in kinds(events)


@pytest.mark.rule("00.114")
def test_if_dirk_empties_the_tower_and_the_market_is_full_the_game_goes_on() -> None:
    game = table(2)
    market(game, **FULL)
    tower(game, LAST_SIX, only=True)
    events = hold_scoring(game, 1)
    assert (len(game.state.dirk), game.state.tower) == (6, ())
    assert not {"market_filled", "end_began"} & set(kinds(events))
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("action", 1)


@pytest.mark.rule("00.49")
def test_with_a_seventh_tile_in_the_tower_dirk_leaves_one_for_the_market() -> None:
    game = table(2)
    market(game, **{**FULL, "denar": ""})
    tower(game, f"{LAST_SIX} arcades-8-n", only=True)
    events = hold_scoring(game, 1)
    assert game.state.market[2] == "arcades-8-n"
    assert "end_began" not in kinds(events)


# -- Leftover tiles ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.111")
@pytest.mark.parametrize(
    ("last", "order"), [(0, [1, 2, 3, 0]), (1, [2, 3, 0, 1]), (2, [3, 0, 1, 2]), (3, [0, 1, 2, 3])]
)
def test_recipients_of_leftover_tiles_decide_from_the_seat_after_the_last_player_on(
    last: int, order: list[int]
) -> None:
    game = table(4, turn_of=last)
    market(game, gulden="garden-10", dirham="garden-11", denar="tower-11")
    for seat, card in enumerate(("gulden-9", "dirham-9", "denar-9", "")):
        hand(game, seat, card)
    display(game, "dukat-1")
    deck(game, "dukat-1 dukat-2 dukat-2 dukat-3")
    end_game(game)
    asked = []
    while game.decision is not None:
        assert game.decision.kind == "leftover_tiles"
        asked.append(game.decision.seat)
        assert game.decision.context == {"tiles": game.state.seats[game.decision.seat].pending}
        play(game, f"leave {game.state.seats[game.decision.seat].pending[0]}")
    assert asked == [seat for seat in order if seat != 3]


@pytest.mark.rule("00.54")
def test_the_money_compared_for_a_leftover_tile_is_told_in_the_order_of_seats() -> None:
    game = table(4, turn_of=2)
    market(game, denar="tower-11")
    for seat, card in enumerate(("denar-1", "denar-9", "", "denar-4")):
        hand(game, seat, card)
    display(game, "dukat-1")
    deck(game, "dukat-1 dukat-2 dukat-2 dukat-3")
    told = events_of(end_game(game), "leftover_awarded")[0]
    assert told["totals"] == ((0, 1), (1, 9), (2, 0), (3, 4))
