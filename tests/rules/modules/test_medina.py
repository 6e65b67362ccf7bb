"""26 Medina: whoever has built the fewest loses points, last in every scoring."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from alhambra import Event, Game
from alhambra.components import BASE_TILES
from alhambra.modules.change import Coins
from alhambra.modules.invaders import Invaders
from alhambra.modules.medina import MEDINA, PENALTIES, TILES, score_medinas
from alhambra.modules.personal_building_market import PLACES, Markets
from tests.rules.medina_oracle import losses
from tests.rules.module_code import effects_allowed
from tests.rules.modules.craftsmen_table import workshop
from tests.rules.modules.handymen_table import crew, post
from tests.rules.modules.powers_table import WEALTH, powers, put_die
from tests.rules.situations import (
    alhambra,
    codes,
    dirk,
    display,
    end_game,
    events_of,
    hand,
    hold_scoring,
    kinds,
    market,
    play,
    points,
    refused,
    reserve,
    table,
)

RICH = 100


def medinas(seats: int = 3, *others: str, score: int = RICH, **options: Any) -> Game:
    """Every seat has points that it can lose."""
    game = table(seats, modules=["medina", *others], **options)
    for owner in game.state.seats:
        owner.score = score
    return game


def build(game: Game, seat: int, *prices: int) -> None:
    """The seat has exactly these medinas, wherever: only that they are built counts."""
    board = alhambra(game, seat, {})
    for at, price in enumerate(prices, 1):
        tile = f"medina_{price}"
        game.state.tower = tuple(other for other in game.state.tower if other != tile)
        board.put(game.ruleset.tiles[tile], at, 0)


def lost(events: list[Event], seats: int) -> list[int]:
    """By seat: what it lost for its medinas."""
    both = points(events, "medina_fewest"), points(events, "medina_none")
    return [-sum(found.get(seat, 0) for found in both) for seat in range(seats)]


def scored(number: int, *owned: tuple[int, ...]) -> list[int]:
    """What each seat loses in this scoring if they own medinas of these prices."""
    game = medinas(len(owned))
    for seat, prices in enumerate(owned):
        build(game, seat, *prices)
    return lost(hold_scoring(game, number), len(owned))


# -- Supply and purchase ---------------------------------------------------------------------------------------------


@pytest.mark.rule("26.2")
def test_nine_medinas_of_different_prices_are_mixed_into_the_tower() -> None:
    game = medinas(dealt=True)
    assert sorted([*game.state.tower, *game.state.market]) == sorted([*BASE_TILES, *(tile.id for tile in TILES)])
    assert sorted(tile.price or 0 for tile in TILES) == list(range(2, 11))


@pytest.mark.rule("26.4")
def test_a_medina_is_placed_by_the_rules_for_buildings() -> None:
    game = medinas()
    market(game, denar="medina_7")
    hand(game, 0, "denar-8")
    play(game, "buy market-denar denar-8")
    assert codes(refused(game, "place medina_7 @2,0")) == ["NO_CONTACT"]
    assert codes(refused(game, "place medina_7 @1,0")) == ["EDGE_MISMATCH", "NOT_REACHABLE"], "its wall is in the west"
    play(game, "place medina_7 @-1,0")
    assert "medina_7" in game.state.seats[0].board.placed


@pytest.mark.rule("26.3", "26.4")
def test_a_medina_paid_exactly_grants_a_further_action_and_may_be_reserved() -> None:
    game = medinas()
    market(game, denar="medina_7")
    hand(game, 0, "denar-7")
    display(game, "gulden-1")
    assert events_of(play(game, "buy market-denar denar-7"), "bonus_action")
    play(game, "take_money gulden-1")
    play(game, "reserve medina_7")
    assert game.state.seats[0].reserve == ("medina_7",)


@pytest.mark.rule("26.24", "26.27")
def test_the_kind_allows_what_the_table_of_purchases_lists() -> None:
    assert {"watchtower", "scout", "key"}.isdisjoint(effects_allowed(MEDINA))
    assert {"site", "vizier", "patron", "workers", "colours", "coins"} <= set(effects_allowed(MEDINA))


# -- The worked examples -----------------------------------------------------------------------------------------------


@pytest.mark.rule("26.6", "26.8", "26.13")
def test_with_equally_many_the_cheaper_best_medina_is_worse() -> None:
    """Worked example T1."""
    assert scored(3, (8, 7, 6), (5, 4, 3), (10, 2)) == [3, 6, 9]


@pytest.mark.rule("26.9", "26.10", "26.11", "26.14")
def test_two_players_without_a_medina_share_the_first_two_losses_of_the_last_scoring() -> None:
    """Worked example T2."""
    assert scored(3, (), (), (4,), (5, 6)) == [11, 11, 3, 0]


@pytest.mark.rule("26.9", "26.11", "26.15")
def test_all_players_without_a_medina_share_the_one_loss_of_the_first_scoring() -> None:
    """Worked example T3."""
    assert scored(1, (), (), (), ()) == [2, 2, 2, 2]


@pytest.mark.rule("26.10", "26.11", "26.16")
def test_one_player_without_a_medina_in_the_second_scoring() -> None:
    """Worked example T4."""
    assert scored(2, (), (5,), (6, 7)) == [8, 3, 0]


@pytest.mark.rule("26.9", "26.17")
def test_three_players_without_a_medina_share_everything_in_the_second_scoring() -> None:
    """Worked example T5."""
    assert scored(2, (), (), (), (4,)) == [5, 5, 5, 0]


@pytest.mark.rule("26.9", "26.18")
def test_four_players_without_a_medina_share_everything_in_the_last_scoring() -> None:
    """Worked example T6."""
    assert scored(3, (), (), (), ()) == [8, 8, 8, 8]


# -- Rules and rulings -------------------------------------------------------------------------------------------------


@pytest.mark.rule("26.6", "26.19")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_only_as_many_players_lose_points_as_there_are_losses(number: int) -> None:
    everybody = scored(number, (2,), (3,), (4,), (5,))
    assert everybody == [*PENALTIES[number], *[0] * (4 - len(PENALTIES[number]))]


@pytest.mark.rule("26.6", "26.9")
def test_a_line_of_the_score_names_rank_and_sharers_and_nobody_has_a_line_of_nothing() -> None:
    game = medinas(4)
    for seat, prices in enumerate([(), (), (4,), (5, 6)]):
        build(game, seat, *prices)
    lines = [line for line in events_of(hold_scoring(game, 3), "scored") if line["reason"] == "medina_fewest"]
    told = [(line["seat"], line["count"], line["place"], line["shared"]) for line in lines]
    assert told == [(0, 0, 1, 2), (1, 0, 1, 2), (2, 1, 3, 1)], "the fourth seat loses nothing"


@pytest.mark.rule("26.20")
def test_with_equal_best_medinas_the_next_prices_would_be_compared() -> None:
    """With nine different prices it cannot happen, so the same medina is built twice here."""
    assert scored(1, (8, 5), (8, 4), (10, 9, 7)) == [0, 3, 0]


@pytest.mark.rule("26.7")
def test_medinas_in_the_reserve_do_not_count() -> None:
    game = medinas()
    build(game, 0, 4)
    build(game, 1, 5)
    reserve(game, 2, "medina_10", "medina_9")
    assert lost(hold_scoring(game, 1), 3) == [0, 0, 4]


@pytest.mark.rule("26.26")
def test_a_medina_that_is_covered_does_not_count() -> None:
    game = medinas()
    build(game, 0, 4, 8)
    build(game, 1, 5)
    build(game, 2, 6)
    game.state.covered = ("medina_4", "medina_8")
    assert lost(hold_scoring(game, 1), 3) == [4, 0, 0]


@pytest.mark.rule("26.21")
def test_dirks_medinas_count_as_built() -> None:
    game = medinas(2)
    game.state.dirk_score = RICH
    build(game, 0, 4)
    build(game, 1, 5)
    dirk(game, "medina_3")
    assert lost(hold_scoring(game, 1), 3) == [0, 0, 3]


@pytest.mark.rule("26.21")
def test_dirk_without_a_medina_is_the_worst_of_three() -> None:
    game = medinas(2)
    game.state.dirk_score = RICH
    build(game, 0, 4)
    build(game, 1, 5)
    assert lost(hold_scoring(game, 2), 3) == [3, 0, 8]


@pytest.mark.rule("26.22")
def test_nobody_falls_below_zero_and_each_deduction_stops_there_at_once() -> None:
    game = medinas(score=0)
    build(game, 0, 4)
    build(game, 1, 5)
    game.state.seats[2].score = 3
    events = hold_scoring(game, 1)
    lines = [line for line in events_of(events, "scored") if line["seat"] == 2]
    assert [(line["reason"], line["points"], line.get("due")) for line in lines] == [
        ("medina_fewest", -3, None),
        ("medina_none", 0, -1),
    ]
    assert game.state.seats[2].score == 0


@pytest.mark.rule("26.5", "26.23")
def test_medinas_come_after_all_gains_and_before_the_attack() -> None:
    game = medinas(3, "invaders", "military_camps")
    invaders = game.module_state(Invaders)
    invaders.attacks = ("invasion_N", *(card for card in invaders.attacks if card != "invasion_N"))
    alhambra(game, 0, {(1, 0): "garden-9-e", (2, 0): "camp_W"})
    reasons = [line["reason"] for line in events_of(hold_scoring(game, 1), "scored")]
    assert reasons.index("camp") < reasons.index("medina_fewest") < reasons.index("attack")


@pytest.mark.rule("26.29")
def test_a_seat_that_resigned_keeps_its_rank() -> None:
    game = medinas()
    build(game, 0, 6)
    build(game, 1, 5)
    build(game, 2, 4)
    game.resign(2)
    assert lost(hold_scoring(game, 1), 3) == [0, 0, 3]


@pytest.mark.rule("26.12")
def test_a_leftover_medina_may_be_built_before_the_last_scoring() -> None:
    game = medinas()
    build(game, 0, 4)
    build(game, 1, 5)
    market(game, denar="medina_10")
    hand(game, 2, "denar-9")
    end_game(game)
    events = play(game, "place medina_10 @1,0")
    assert lost(events, 3) == [9, 6, 3]
    assert kinds(events)[-1] == "game_ended"


@pytest.mark.rule("26.24")
def test_a_medina_is_of_no_type() -> None:
    game = medinas()
    build(game, 0, 10, 9)
    assert not points(hold_scoring(game, 1), "majority")


@pytest.mark.rule("26.25")
def test_a_medina_counts_in_the_line_of_a_camp() -> None:
    game = medinas(3, "military_camps")
    alhambra(game, 0, {(0, 1): "medina_10", (0, -1): "medina_9", (0, -2): "camp_S"})
    assert points(hold_scoring(game, 1), "camp") == {0: 3}


@pytest.mark.rule("26.27", "41.16")
def test_a_medina_may_be_sold_at_a_personal_market_for_its_printed_price() -> None:
    game = medinas(3, "personal_building_market")
    reserve(game, 1, "medina_5")
    game.state.seats[1].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("medina_5", "", "", ""), ("",) * 4)
    hand(game, 0, f"{PLACES[0]}-5")
    events = play(game, f"buy {PLACES[0]}-5", slot=f"personal-1-{PLACES[0]}")
    assert events_of(events, "sold")[0]["tile"] == "medina_5"


@pytest.mark.rule("26.27")
def test_overpaying_a_medina_gives_change() -> None:
    game = medinas(3, "change")
    market(game, denar="medina_5")
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    assert len(game.module_state(Coins).held[0]) == 2


@pytest.mark.rule("26.27")
def test_the_carpenter_lowers_the_price_of_a_medina() -> None:
    game = workshop("carpenter goldsmith", "medina")
    market(game, denar="medina_7")
    hand(game, 0, "denar-5")
    events = play(game, "buy market-denar denar-5", items=("carpenter:2",))
    assert (events_of(events, "paid")[0]["due"], events_of(events, "paid")[0]["exact"]) == (5, True)


@pytest.mark.rule("26.27")
def test_a_white_die_lowers_the_price_of_a_medina() -> None:
    game = powers(3, "medina")
    reserve(game, 0, WEALTH)
    put_die(game, 0, WEALTH, 3)
    market(game, denar="medina_7")
    hand(game, 0, "denar-6")
    events = play(game, "buy market-denar denar-6", items=(f"white_die:{WEALTH}",))
    assert (events_of(events, "paid")[0]["due"], events_of(events, "paid")[0]["exact"]) == (6, True)


@pytest.mark.rule("26.27")
def test_a_treasure_makes_up_for_what_is_missing_for_a_medina() -> None:
    game = medinas(3, "treasures")
    market(game, denar="medina_7")
    hand(game, 0, "denar-5")
    assert events_of(play(game, "buy market-denar denar-5", items=("treasure-2",)), "paid")[0]["exact"]


@pytest.mark.rule("26.27")
def test_handymen_change_the_price_of_a_medina() -> None:
    game = crew(3, "medina")
    market(game, denar="medina_7")
    post(game, 0, "denar", 2)
    hand(game, 0, "denar-5")
    assert events_of(play(game, "buy market-denar denar-5", items=("handyman:-2",)), "paid")[0]["exact"]


@pytest.mark.rule("26.27")
def test_a_medina_may_be_given_to_dirk() -> None:
    game = medinas(2)
    market(game, denar="medina_5")
    hand(game, 0, "denar-6")
    play(game, "buy market-denar denar-6")
    play(game, "give_to_dirk medina_5")
    assert "medina_5" in game.state.dirk


# -- Against an oracle -------------------------------------------------------------------------------------------------


@pytest.mark.rule("26.6", "26.8", "26.9", "26.10", "26.11")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_all_losses_are_those_that_the_text_says(seats: int) -> None:
    rng = Random(seats)
    game = medinas(seats)
    game.state.dirk_score = RICH
    for round_ in range(40):
        number = 1 + round_ % 3
        players = seats + (seats == 2)
        owned: list[list[int]] = [[] for _ in range(players)]
        for price in range(2, 11):
            owner = rng.randrange(players + 4)
            if owner < players:
                owned[owner].append(price)
        sample = game.clone()
        for seat in range(seats):
            build(sample, seat, *owned[seat])
        sample.state.dirk = tuple(f"medina_{price}" for price in owned[-1]) if seats == 2 else ()
        sample.events = []
        score_medinas(sample, number)
        assert lost(sample.events, players) == losses(number, owned), (number, owned)
