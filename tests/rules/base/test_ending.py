"""The end: a space that cannot be filled, leftover tiles, the last scoring, the winners."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import Game
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    end_game,
    events_of,
    hand,
    kinds,
    market,
    own,
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


# -- When ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.53")
def test_the_market_is_filled_as_far_as_possible_and_a_space_left_empty_ends_the_game() -> None:
    game = table()
    market(game, dirham="garden-11")
    tower(game, "arcades-9 arcades-10", only=True)
    display(game, "dukat-1")
    events = take_turn(game)
    assert events_of(events, "market_filled") == [{"market": ("arcades-9", "garden-11", "arcades-10", ""), "tower": 0}]
    assert events_of(events, "end_began") == [{"because": "market"}]
    assert "turn_began" not in kinds(events)
    assert game.over


@pytest.mark.rule("00.53")
def test_a_full_market_with_an_empty_tower_does_not_end_the_game() -> None:
    game = table()
    market(game, **{**FULL, "denar": ""})
    tower(game, "arcades-9", only=True)
    display(game, "dukat-1")
    take_turn(game)
    assert game.state.tower == ()
    assert "" not in game.state.market
    assert asked(game) == ("action", 1)
    take_turn(game)
    assert asked(game) == ("action", 2)


@pytest.mark.rule("00.106")
def test_a_scoring_card_turned_up_in_the_last_turn_is_scored_before_the_end() -> None:
    game = table()
    own(game, 0, tower=1)
    deck(game, "scoring-2")
    events = end_game(game)
    assert [event["scoring"] for event in events_of(events, "scoring_began")] == [2, 3]
    assert points(events, "majority") == {0: 13 + 21}


@pytest.mark.rule("00.106")
def test_a_scoring_card_never_turned_up_is_never_scored() -> None:
    game = table()
    own(game, 0, tower=1)
    events = end_game(game)
    assert events_of(events, "scoring_began") == [{"scoring": 3}]
    assert game.state.held == (3,)
    assert game.scores == (21, 0, 0)


# -- Leftover tiles --------------------------------------------------------------------------------------------------


def ended(hands: tuple[str, ...], **tiles: str) -> Game:
    """The game ends with these hands and these tiles on the market; seat 0 had the last turn."""
    game = table(len(hands))
    market(game, **tiles)
    for seat, cards in enumerate(hands):
        hand(game, seat, cards)
    free = next(currency for currency in FULL if currency not in tiles)
    display(game, f"{free}-1")
    deck(game, f"{free}-2 {free}-2 {free}-3 {free}-3")
    end_game(game)
    return game


def awards(game: Game) -> dict[str, int | None]:
    return {event["slot"]: event["seat"] for event in events_of(game.events, "leftover_awarded")}


@pytest.mark.rule("00.54")
def test_a_leftover_tile_goes_to_the_strictly_most_money_of_its_currency() -> None:
    game = ended(("denar-5", "denar-3 denar-3", "gulden-9 gulden-9"), denar="garden-10")
    assert awards(game) == {"market-denar": 1}
    assert game.state.seats[1].pending == ("garden-10",)
    assert asked(game) == ("leftover_tiles", 1)


@pytest.mark.rule("00.54")
def test_price_does_not_matter_and_nothing_is_paid() -> None:
    game = ended(("", "denar-1", ""), denar="tower-13-e")
    assert awards(game) == {"market-denar": 1}
    assert game.state.seats[1].hand == ("denar-1",)
    assert game.state.discard == ()


@pytest.mark.rule("00.54")
def test_in_a_tie_the_tile_stays() -> None:
    game = ended(("denar-5", "denar-2 denar-3", "denar-4"), denar="garden-10")
    assert awards(game) == {"market-denar": None}
    assert game.over
    assert game.state.market[2] == "garden-10"


@pytest.mark.rule("00.110")
def test_if_nobody_has_money_of_the_currency_the_tile_stays() -> None:
    game = ended(("gulden-5", "gulden-5", "gulden-4"), denar="garden-10")
    assert awards(game) == {"market-denar": None}


@pytest.mark.rule("00.54")
def test_the_totals_compared_are_told() -> None:
    game = ended(("denar-5", "denar-2 denar-2", "gulden-1"), denar="garden-10")
    told = events_of(game.events, "leftover_awarded")[0]
    assert dict(told["totals"]) == {0: 5, 1: 4, 2: 0}


@pytest.mark.rule("00.54")
def test_every_space_is_compared_by_itself_in_order() -> None:
    game = ended(("denar-5 gulden-1", "denar-4 gulden-2", ""), gulden="garden-10", denar="garden-11")
    assert list(awards(game).items()) == [("market-gulden", 1), ("market-denar", 0)]


@pytest.mark.rule("00.111")
def test_recipients_decide_in_turn_order_from_the_next_player() -> None:
    game = ended(("gulden-1", "denar-1", "dirham-1"), gulden="garden-10", denar="garden-11", dirham="tower-11")
    order = []
    while game.decision is not None:
        order.append(game.decision.seat)
        play(game, f"leave {game.state.seats[game.decision.seat].pending[0]}")
    assert order == [1, 2, 0]


@pytest.mark.rule("00.55")
def test_a_leftover_tile_may_be_built_and_then_counts() -> None:
    game = ended(("", "denar-1", ""), denar="garden-10")
    events = play(game, "place garden-10 @1,0")
    assert points(events, "majority") == {1: 20}
    assert game.over


@pytest.mark.rule("00.55")
def test_a_leftover_tile_that_is_not_built_is_useless() -> None:
    game = ended(("", "denar-1", ""), denar="garden-10")
    events = play(game, "leave garden-10")
    assert events_of(events, "boxed") == [{"seat": 1, "tile": "garden-10"}]
    assert points(events, "majority") == {}
    assert "garden-10" in game.state.box


@pytest.mark.rule("00.55")
def test_several_leftover_tiles_are_built_in_any_order_under_the_construction_rules() -> None:
    game = ended(("", "denar-1 gulden-1", ""), gulden="garden-10", denar="garden-10-w")
    assert codes(refused(game, "place garden-10-w @1,0")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]
    play(game, "place garden-10-w @0,1")
    assert asked(game) == ("leftover_tiles", 1)
    play(game, "place garden-10 @1,0")
    assert game.over


WALLED_IN = {(0, -1): "pavilion-2-new", (1, 0): "arcades-4-nes", (0, 1): "seraglio-3-esw", (-1, 0): "chambers-5-nsw"}
"""An Alhambra to which nothing can be added on foot."""


@pytest.mark.rule("00.111")
def test_who_can_build_none_of_the_leftover_tiles_is_not_asked() -> None:
    game = table()
    alhambra(game, 1, WALLED_IN)
    market(game, denar="garden-10", gulden="garden-11")
    hand(game, 1, "denar-9 gulden-9")
    display(game, "dukat-1")
    events = end_game(game)
    assert game.over
    assert "leftover_tiles" not in [event["decision"] for event in events_of(events, "decision_opened")]
    assert events_of(events, "boxed") == [
        {"seat": 1, "tile": "garden-11", "forced": True},
        {"seat": 1, "tile": "garden-10", "forced": True},
    ]


@pytest.mark.rule("00.111")
def test_who_can_build_one_of_two_leftover_tiles_is_asked_about_both() -> None:
    game = table()
    alhambra(game, 1, {cell: tile for cell, tile in WALLED_IN.items() if cell != (-1, 0)})
    market(game, denar="garden-10-n", gulden="tower-13-e")
    hand(game, 1, "denar-9 gulden-9")
    display(game, "dukat-1")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 1)
    assert game.decision is not None
    assert game.decision.context == {"tiles": ("tower-13-e", "garden-10-n")}


@pytest.mark.rule("00.112")
def test_at_the_end_there_is_no_redesign_no_reserve_and_no_gift() -> None:
    game = ended(("", "denar-1"), denar="garden-10")
    alhambra(game, 1, {(1, 0): "garden-11"})
    for text in ("reserve garden-10", "give_to_dirk garden-10", "remove garden-11", "swap garden-10 @1,0"):
        assert codes(refused(game, text)) == ["VERB_NOT_OFFERED"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert {found.verb for found in game.moves()} == {"place", "leave"}


# -- Who wins --------------------------------------------------------------------------------------------------------


def scored(*scores: int, **options: Any) -> dict[str, object]:
    game = table(len(scores), **options)
    for seat, score in zip(game.state.seats, scores, strict=True):
        seat.score = score
    return events_of(end_game(game), "game_ended")[0]


@pytest.mark.rule("00.56")
def test_the_highest_score_wins() -> None:
    told = scored(20, 50, 40)
    assert told["winners"] == (1,)
    assert told["ranking"] == ((1, 1), (2, 2), (0, 3))
    assert told["scores"] == (20, 50, 40)
    assert told["tie"] is None


@pytest.mark.rule("00.56")
def test_tied_leaders_share_the_win() -> None:
    told = scored(50, 20, 50, 30)
    assert told["winners"] == (0, 2)
    assert told["ranking"] == ((0, 1), (2, 1), (3, 3), (1, 4))
    assert told["tie"] == "shared_victory"


@pytest.mark.rule("00.56")
def test_the_last_scoring_decides() -> None:
    game = table()
    own(game, 2, tower=1)
    game.state.seats[0].score = 20
    events = end_game(game)
    assert events_of(events, "game_ended")[0]["winners"] == (2,)


@pytest.mark.rule("00.109")
def test_after_the_end_hands_and_seed_are_laid_open_and_nothing_can_be_done() -> None:
    game = table(seed="secret")
    hand(game, 1, "denar-5")
    display(game, "dukat-1")
    told = events_of(end_game(game), "game_ended")[0]
    assert told["hands"] == (("dukat-1",), ("denar-5",), ())
    assert told["seed"] == "secret"
    assert (game.over, game.decision) == (True, None)
    assert game.legal_moves() == []
    assert codes(refused(game, "pass")) == ["GAME_OVER"]
