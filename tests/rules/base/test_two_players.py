"""Two players: 72 money cards, and Dirk, who collects tiles and competes in every majority."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from alhambra import Game, Options
from alhambra.base.scoring import score
from alhambra.components import BASE_TILES, MONEY_CARDS
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    dirk,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    own,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
    tower,
)

FULL = {"gulden": "garden-10", "dirham": "garden-11", "denar": "tower-11", "dukat": "tower-12"}


def money(game: Game) -> Counter[str]:
    state = game.state
    cards = [*state.deck, *state.display, *(card for seat in state.seats for card in seat.hand)]
    return Counter(card for card in cards if card in MONEY_CARDS)


def dealt(**options: Any) -> Game:
    return Game.new(Options(seats=2, seed="two", **options))


# -- Setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.47")
def test_one_copy_of_each_card_is_removed_so_72_remain() -> None:
    cards = money(dealt())
    assert cards == Counter(dict.fromkeys(MONEY_CARDS, 2))
    assert sum(cards.values()) == 72


@pytest.mark.rule("00.49", "00.113")
def test_dirk_gets_six_tiles_after_the_market_was_filled() -> None:
    game = dealt()
    order = kinds(game.events)
    assert order.index("market_filled") < order.index("dirk_received") < order.index("hand_dealt")
    assert len(game.state.dirk) == 6
    assert len(game.state.tower) == 54 - 4 - 6
    assert sorted((*game.state.dirk, *game.state.market, *game.state.tower)) == sorted(BASE_TILES)


@pytest.mark.rule("00.48")
def test_with_more_players_there_is_no_dirk() -> None:
    game = Game.new(Options(seats=3, seed="three"))
    assert game.state.dirk == ()
    assert len(game.scores) == 3
    assert "dirk" not in game.view(None)["table"]


@pytest.mark.rule("00.48")
def test_dirk_takes_no_turns_and_holds_no_money() -> None:
    game = table(2)
    market(game, **FULL)
    display(game, "gulden-1")
    assert [event["seat"] for _ in range(4) for event in events_of(take_turn(game), "turn_began")] == [1, 0, 1, 0]
    assert len(game.state.seats) == 2


# -- His later tiles -------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.49", "00.107")
def test_after_scoring_1_he_gets_six_more_at_once_and_before_the_market_is_refilled() -> None:
    game = table(2)
    market(game, gulden="garden-10")
    tower(game, "arcades-9 arcades-10 chambers-10 chambers-11 pavilion-8 seraglio-9 tower-11")
    events = hold_scoring(game, 1)
    assert game.state.dirk == ("arcades-9", "arcades-10", "chambers-10", "chambers-11", "pavilion-8", "seraglio-9")
    order = kinds(events)
    assert order.index("scored" if "scored" in order else "scoring_began") < order.index("dirk_received")
    assert order.index("dirk_received") < order.index("tile_drawn")
    assert game.state.market[1] == "tower-11"


@pytest.mark.rule("00.49")
def test_the_tiles_he_gets_for_a_scoring_do_not_count_in_it() -> None:
    game = table(2)
    tower(game, "arcades-9 arcades-10 chambers-10 chambers-11 pavilion-8 seraglio-9")
    events = hold_scoring(game, 1)
    assert points(events, "majority") == {}


@pytest.mark.rule("00.50", "00.113")
@pytest.mark.parametrize(("tiles", "given"), [(30, 10), (29, 9), (28, 9), (5, 1), (2, 0), (0, 0)])
def test_after_scoring_2_he_gets_a_third_of_the_tower_rounded_down_counted_before_the_refill(
    tiles: int, given: int
) -> None:
    game = table(2)
    market(game, gulden="garden-10", dirham="garden-11")
    tower(game, *game.state.tower[:tiles], only=True)
    events = hold_scoring(game, 2)
    assert len(events_of(events, "dirk_received")[0]["tiles"]) == given
    assert len(game.state.dirk) == given


@pytest.mark.rule("00.114")
def test_if_fewer_tiles_remain_he_takes_what_there_is() -> None:
    game = table(2)
    market(game, **FULL)
    tower(game, "arcades-9 arcades-10", only=True)
    hold_scoring(game, 1)
    assert game.state.dirk == ("arcades-9", "arcades-10")


@pytest.mark.rule("00.105")
def test_both_scorings_in_one_refill_bring_him_both_allotments_one_after_the_other() -> None:
    game = table(2)
    market(game, **FULL)
    tower(game, *game.state.tower[:15], only=True)
    display(game, "gulden-1")
    deck(game, "scoring-1 scoring-2")
    events = take_turn(game)
    assert [len(event["tiles"]) for event in events_of(events, "dirk_received")] == [6, 3]


@pytest.mark.rule("00.50")
def test_after_the_last_scoring_he_gets_nothing() -> None:
    game = table(2)
    assert "dirk_received" not in kinds(end_game(game))


# -- His scoring -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.51")
def test_dirk_competes_in_majorities_occupies_places_and_scores() -> None:
    game = table(2)
    dirk(game, "tower-11 tower-12")
    own(game, 0, tower=1)
    events = hold_scoring(game, 2)
    assert points(events, "majority") == {2: 13, 0: 6}
    assert game.scores[2] == 13


@pytest.mark.rule("00.51")
def test_dirk_splits_ties() -> None:
    game = table(2)
    dirk(game, "tower-11 tower-12")
    own(game, 1, tower=2)
    assert points(hold_scoring(game, 2), "majority", type="tower") == {1: 9, 2: 9}


@pytest.mark.rule("00.51")
def test_dirk_can_hold_the_third_place() -> None:
    game = table(2)
    dirk(game, "tower-11")
    own(game, 0, tower=3)
    own(game, 1, tower=2)
    assert points(hold_scoring(game, 3), "majority", type="tower") == {0: 21, 1: 13, 2: 6}


@pytest.mark.rule("00.48")
def test_dirk_has_no_walls() -> None:
    game = table(2)
    dirk(game, "tower-8-nes tower-7-new")
    assert points(hold_scoring(game, 1), "wall") == {}


# -- Gifts -----------------------------------------------------------------------------------------------------------


def bought(*, how: str = "denar-4 denar-7") -> Game:
    game = table(2)
    market(game, denar="garden-10")
    hand(game, 0, how)
    play(game, f"buy market-denar {how}")
    return game


@pytest.mark.rule("00.52")
def test_a_bought_tile_may_be_given_to_dirk() -> None:
    game = bought()
    events = play(game, "give_to_dirk garden-10")
    assert events_of(events, "given") == [{"seat": 0, "tile": "garden-10"}]
    assert game.state.dirk == ("garden-10",)
    assert game.state.seats[0].pending == ()


@pytest.mark.rule("00.52")
def test_a_tile_bought_exactly_may_be_given_to_dirk_too_but_only_when_placing() -> None:
    game = bought(how="denar-4 denar-6")
    display(game, "gulden-1")
    assert codes(refused(game, "give_to_dirk garden-10")) == ["VERB_NOT_OFFERED"]
    play(game, "take_money gulden-1")
    assert legal(game, "give_to_dirk garden-10")


@pytest.mark.rule("00.116")
def test_a_tile_from_reserve_or_alhambra_can_never_be_given_to_dirk() -> None:
    game = bought()
    reserve(game, 0, "garden-11")
    alhambra(game, 0, {(1, 0): "tower-11"})
    for tile in ("garden-11", "tower-11"):
        assert fact(refused(game, f"give_to_dirk {tile}"), "NOT_THERE") == {"id": tile, "place": "pending"}


@pytest.mark.rule("00.116")
def test_a_pending_tile_that_was_not_bought_cannot_be_given_to_dirk() -> None:
    game = bought()
    game.state.giftable = ()
    assert fact(refused(game, "give_to_dirk garden-10"), "NOT_ELIGIBLE") == {"tile": "garden-10", "for": "dirk"}


@pytest.mark.rule("00.112", "99.79")
def test_a_leftover_tile_cannot_be_given_to_dirk() -> None:
    game = table(2)
    market(game, denar="garden-10")
    hand(game, 1, "denar-1")
    display(game, "gulden-1")
    end_game(game)
    assert game.decision is not None
    assert game.decision.kind == "leftover_tiles"
    assert codes(refused(game, "give_to_dirk garden-10")) == ["VERB_NOT_OFFERED"]


# -- The end ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.115")
def test_dirk_gets_no_leftover_tile() -> None:
    game = table(2)
    market(game, denar="garden-10")
    display(game, "gulden-1")
    told = events_of(end_game(game), "leftover_awarded")[0]
    assert dict(told["totals"]) == {0: 0, 1: 0}
    assert told["seat"] is None


@pytest.mark.rule("00.115")
def test_dirks_score_is_told_but_only_the_two_players_can_win() -> None:
    game = table(2)
    game.state.dirk_score = 99
    game.state.seats[1].score = 3
    told = events_of(end_game(game), "game_ended")[0]
    assert told["scores"] == (0, 3, 99)
    assert (told["winners"], told["ranking"]) == ((1,), ((1, 1), (0, 2)))


@pytest.mark.rule("00.115")
def test_with_the_option_dirk_can_win() -> None:
    game = table(2, dirk_can_win=True)
    game.state.dirk_score = 99
    told = events_of(end_game(game), "game_ended")[0]
    assert told["winners"] == (2,)
    assert told["ranking"] == ((2, 1), (0, 2), (1, 2))


# -- Option: one currency stays in the box -----------------------------------------------------------------------------


@pytest.mark.rule("00.78")
def test_with_one_currency_removed_81_cards_remain() -> None:
    cards = money(dealt(two_player_money="one_currency"))
    assert sum(cards.values()) == 81
    assert not [card for card in cards if card.startswith("dukat")]
    assert set(cards.values()) == {3}


@pytest.mark.rule("00.78")
def test_the_space_of_the_removed_currency_cannot_be_paid_with_cash() -> None:
    game = table(2, two_player_money="one_currency")
    market(game, **FULL)
    hand(game, 0, "gulden-9 gulden-9 dirham-9 dirham-9 denar-9 denar-9")
    slots = {found.slot for found in game.moves() if found.verb == "buy"}
    assert slots == {"market-gulden", "market-dirham", "market-denar"}


# -- Deductions ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.76")
def test_a_deduction_of_dirk_stops_at_0_points_and_says_what_was_due() -> None:
    game = table(2)
    game.state.dirk_score = 2
    score(game, 2, -3, "wall")
    score(game, 2, -3, "wall")
    assert game.scores == (0, 0, 0)
    told = events_of(game.events, "scored")[-2:]
    assert [(line["seat"], line["points"], line["due"]) for line in told] == [(2, -2, -3), (2, 0, -3)]
