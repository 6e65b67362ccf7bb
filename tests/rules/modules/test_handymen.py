"""40 Handymen: dice, prices, taking back and scoring."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from alhambra import Game, Move
from alhambra.components import Cell
from alhambra.invariants import census
from alhambra.modules.handymen import Crew
from alhambra.modules.handymen.crew import largest_group, score_groups
from alhambra.modules.handymen.roll_dice import is_joker, values
from tests.rules.hooks.asking import asked, verbs
from tests.rules.modules.handymen_table import at_start, crew, employ, post, posted, rolled, supply
from tests.rules.oracles import random_growth
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    events_of,
    fact,
    hand,
    hold_scoring,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    reserve,
    table,
    take_turn,
    tower,
)

# -- Rolling -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.2")
def test_everybody_starts_with_eight_handymen() -> None:
    game = crew(6)
    assert [piece["amount"] for piece in pieces(game, "handymen")] == [8] * 6


@pytest.mark.rule("40.3")
def test_a_player_may_roll_one_die_at_the_start_of_the_turn_and_everybody_sees_it() -> None:
    game = at_start()
    (told,) = events_of(play(game, "roll_dice"), "dice_rolled")
    assert told["seat"] == 1
    assert len(told["dice"]) == 1
    assert asked(game) == ("dice", 1)
    assert game.view(None)["decision"]["context"]["dice"] == told["dice"]


@pytest.mark.rule("40.3")
def test_rolling_is_voluntary() -> None:
    game = at_start()
    play(game, "pass")
    assert asked(game) == ("action", 1)
    hand(game, 1, "denar-9 denar-1")
    assert legal(game, "buy market-denar denar-1 denar-9")


@pytest.mark.rule("40.6", "40.7")
def test_a_declined_die_is_followed_by_a_second_and_a_third_and_no_more() -> None:
    game = at_start()
    market(game, gulden="tower-11", dirham="tower-12", denar="garden-12-s", dukat="chambers-11")
    play(game, "roll_dice")
    first = events_of(game.events, "dice_rolled")[0]["dice"]
    second = events_of(play(game, "roll_dice"), "dice_rolled")[0]["dice"]
    assert second[:1] == first
    rolled(game, 1, 4, 6)
    assert codes(refused(game, "roll_dice")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("40.4", "40.30")
def test_after_rolling_the_only_action_is_to_take_money() -> None:
    game = rolled(crew(), 1)
    hand(game, 0, "denar-9 denar-1")
    reserve(game, 0, "arcades-9")
    alhambra(game, 0, {(1, 0): "arcades-10"})
    play(game, "pass")
    assert asked(game) == ("action", 0)
    assert fact(refused(game, "buy market-denar denar-1 denar-9"), "FORCED_ACTION") == {"verb": "buy"}
    assert codes(refused(game, "add arcades-9 @0,1")) == ["FORCED_ACTION"]
    assert codes(refused(game, "remove arcades-10")) == ["FORCED_ACTION"]
    assert verbs(game) == {"take_money"}


@pytest.mark.rule("40.32")
def test_with_an_empty_display_the_turn_ends_after_rolling() -> None:
    game = crew()
    display(game)
    play(rolled(game, 1), "pass")
    assert verbs(game) == {"pass"}


@pytest.mark.rule("40.31")
def test_dice_are_rolled_once_in_a_turn() -> None:
    game = at_start(3, "caravanserai")
    game.state.used = ("dice", "forced")
    assert fact(refused(game, "roll_dice"), "USED_UP")["what"] == "dice"


@pytest.mark.rule("40.31")
def test_rolling_needs_a_handyman_in_the_supply() -> None:
    game = at_start()
    post(game, 1, "denar", 8)
    assert codes(refused(game, "roll_dice")) == ["CONDITION_UNMET"]
    post(game, 2, "denar", 8)
    play(game, "pass")
    take_turn(game)
    assert asked(game) == ("action", 2), "without a handyman nobody is asked"


@pytest.mark.rule("40.34")
def test_a_roll_cannot_be_taken_back_and_is_the_same_when_the_game_is_replayed() -> None:
    game = table(3, modules=["handymen"], dealt=True)
    take_turn(game)
    game.apply(Move("roll_dice"))
    undo = game.can_undo(asked(game)[1])
    assert undo is not None
    assert undo.metadata["because"] == "revealed"
    assert Game.replay(game.options, game.log).decision == game.decision


@pytest.mark.rule("40.34")
def test_a_handyman_that_was_put_may_be_taken_back_but_the_roll_stays() -> None:
    game = table(3, modules=["handymen"], dealt=True, seed="a put handyman")
    take_turn(game)
    game.apply(Move("roll_dice"))
    while "put_handyman" not in verbs(game) and "roll_dice" in verbs(game):
        game.apply(Move("roll_dice"))
    before = game.decision
    assert before is not None
    game.apply(next(move for move in game.moves() if move.verb == "put_handyman"))
    game.undo(before.seat)
    assert game.decision == before


# -- What dice show ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.5", "40.6", "40.26", "40.29")
def test_two_dice_show_their_sum_and_their_difference() -> None:
    """Worked example T1: 1 and 6 show 7 and 5; earlier values are gone."""
    game = rolled(crew(), 1, 6)
    reserve(game, 0, "pavilion-5-nw")
    assert values((1, 6)) == {7, 5}
    assert legal(game, "put_handyman market-dirham")
    assert legal(game, "put_handyman market-dukat")
    assert fact(refused(game, "put_handyman market-denar"), "CONDITION_UNMET") == {
        "what": "price",
        "need": 10,
        "have": [5, 7],
    }
    assert legal(game, "put_handyman pavilion-5-nw")


@pytest.mark.rule("40.7", "40.27", "40.29")
def test_three_dice_show_all_sums_and_differences_of_the_three() -> None:
    """Worked example T2: 6, 1 and 5 show 12, 10 and 2; 0 is of no use."""
    assert values((1, 6, 5)) == {12, 10, 2}
    game = rolled(crew(), 1, 6, 5)
    reserve(game, 0, "tower-12")
    play(game, "put_handyman tower-12")
    assert game.module_state(Crew).on_tiles == {"tower-12": 0}
    assert supply(game, 0) == 7


@pytest.mark.rule("40.7", "40.29")
@pytest.mark.parametrize("dice", [*product(range(1, 7), repeat=1), *product(range(1, 7, 2), repeat=3)])
def test_values_agree_with_a_count_by_hand(dice: tuple[int, ...]) -> None:
    signed = {
        abs(sum(sign * die for sign, die in zip(signs, dice, strict=True)))
        for signs in product((1, -1), repeat=len(dice))
    }
    assert values(dice) == signed - {0}


@pytest.mark.rule("40.8")
def test_three_equal_dice_are_a_joker_for_any_tile_even_the_fountain() -> None:
    game = rolled(crew(), 4, 4, 4)
    reserve(game, 0, "arcades-9")
    alhambra(game, 0, {(1, 0): "tower-12"})
    wanted = {"tower-12", "arcades-9", "start-0"}
    assert {move.tile for move in game.moves() if move.tile} == wanted
    assert {move.slot for move in game.moves() if move.slot} == {
        f"market-{name}" for name in ("gulden", "dirham", "denar", "dukat")
    }
    play(game, "put_handyman start-0")
    assert not is_joker((4, 4))


@pytest.mark.rule("40.9", "40.33")
def test_three_dice_that_fit_nothing_are_in_vain_and_nothing_is_asked() -> None:
    game = rolled(crew(), 1, 2)
    market(game)
    play(game, "roll_dice")
    assert asked(game) == ("action", 0)


# -- Where they are put ------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.5", "40.30")
def test_a_handyman_goes_to_the_space_of_a_market_tile_with_that_price() -> None:
    game = rolled(crew(), 5)
    play(game, "put_handyman market-dukat")
    assert posted(game, 0, "dukat") == 1
    assert asked(game) == ("action", 0), "accepting ends rolling"


@pytest.mark.rule("40.41")
def test_several_players_and_several_handymen_may_lie_at_one_space() -> None:
    game = rolled(crew(), 5)
    post(game, 0, "dukat", 2)
    post(game, 1, "dukat")
    play(game, "put_handyman market-dukat")
    assert (posted(game, 0, "dukat"), posted(game, 1, "dukat")) == (3, 1)


@pytest.mark.rule("40.5", "40.38")
def test_a_tile_carries_one_handyman() -> None:
    game = rolled(crew(), 6, 6)
    alhambra(game, 0, {(1, 0): "tower-12"})
    employ(game, 0, "tower-12")
    assert codes(refused(game, "put_handyman tower-12")) == ["PLACE_TAKEN"]


@pytest.mark.rule("40.5")
def test_only_own_tiles_and_full_spaces_take_a_handyman() -> None:
    game = rolled(crew(), 6, 6)
    reserve(game, 1, "tower-12")
    market(game, denar="garden-12-s")
    assert codes(refused(game, "put_handyman tower-12")) == ["NOT_THERE"]
    assert codes(refused(game, "put_handyman market-gulden")) == ["NOT_THERE"]
    assert codes(refused(game, "put_handyman", slot="nowhere")) == ["NOT_THERE"]
    assert codes(refused(game, "put_handyman", tile="no_tile")) == ["ID_UNKNOWN"]
    assert codes(refused(game, "put_handyman")) == ["NOUN_MISSING"]
    assert codes(refused(game, "put_handyman market-denar tower-12")) == ["NOUN_UNEXPECTED"]


# -- Prices ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.10")
@pytest.mark.parametrize(("item", "cards"), [("handyman:-2", "denar-8"), ("handyman:+1", "denar-9 denar-2")])
def test_a_buyer_uses_any_number_of_own_handymen_and_they_leave_the_game(item: str, cards: str) -> None:
    game = crew()
    hand(game, 0, cards)
    post(game, 0, "denar", 3)
    pieces_before = census(game)
    events = play(game, f"buy market-denar {cards}", items=(item,))
    assert events_of(events, "paid")[0]["exact"]
    used = abs(int(item.partition(":")[2]))
    assert events_of(events, "handymen_used") == [{"seat": 0, "slot": "market-denar", "amount": used}]
    assert posted(game, 0, "denar") == 3 - used
    assert supply(game, 0) == 5
    assert census(game) == pieces_before


@pytest.mark.rule("40.11")
def test_nobody_uses_more_than_lie_there_nor_those_of_others_nor_of_another_space() -> None:
    game = crew()
    hand(game, 0, "denar-8")
    post(game, 0, "denar")
    post(game, 0, "dukat", 2)
    post(game, 1, "denar", 2)
    assert "NOT_THERE" in codes(refused(game, "buy market-denar denar-8", items=("handyman:-2",)))


@pytest.mark.rule("40.35")
def test_handymen_of_one_purchase_all_point_the_same_way() -> None:
    game = crew()
    hand(game, 0, "denar-9 denar-1")
    post(game, 0, "denar", 2)
    faults = refused(game, "buy market-denar denar-1 denar-9", items=("handyman:+1", "handyman:-1"))
    assert "COMBINATION_FORBIDDEN" in codes(faults)


@pytest.mark.rule("40.35")
def test_a_price_does_not_fall_below_0() -> None:
    game = crew()
    market(game, denar="pavilion-2-new")
    post(game, 0, "denar", 3)
    assert legal(game, "buy market-denar", items=("handyman:-2",))
    assert not legal(game, "buy market-denar", items=("handyman:-3",))


# -- Taking back -------------------------------------------------------------------------------------------------------


def sold(*counts: int, first: int = 0) -> Game:
    """Seat 1 bought from the denar space, where seats have as many handymen left."""
    game = crew(turn_of=1)
    game.state.first = first
    hand(game, 1, "denar-9 denar-2")
    for seat, count in enumerate(counts):
        post(game, seat, "denar", count)
    play(game, "buy market-denar denar-2 denar-9")
    play(game, "reserve garden-10")
    return game


@pytest.mark.rule("40.12")
def test_before_a_refill_everybody_decides_from_the_start_player_on() -> None:
    game = sold(1, 2, 3, first=2)
    tower(game, "chambers-10")
    order = []
    while asked(game)[0] == "take_back":
        assert game.state.market[2] == "", "before a tile is laid"
        order.append(asked(game)[1])
        play(game, "take_back market-denar", amount=1)
    assert order == [2, 0, 1]
    assert [posted(game, seat, "denar") for seat in range(3)] == [0, 1, 2]
    assert [supply(game, seat) for seat in range(3)] == [8, 7, 6]
    assert game.state.market[2] == "chambers-10"


@pytest.mark.rule("40.36")
def test_any_number_may_be_taken_back_and_no_more_than_lie_there() -> None:
    game = sold(2)
    assert asked(game) == ("take_back", 0)
    assert [move.amount for move in game.moves()] == [0, 1, 2]
    assert fact(refused(game, "take_back market-denar", amount=3), "LIMIT_REACHED")["limit"] == 2
    assert codes(refused(game, "take_back market-dukat", amount=1)) == ["NOT_THERE"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    play(game, "take_back market-denar", amount=0)
    assert posted(game, 0, "denar") == 2


@pytest.mark.rule("40.36")
def test_nobody_is_asked_about_a_space_whose_tile_was_not_bought() -> None:
    game = crew()
    post(game, 0, "gulden", 2)
    market(game, denar="garden-10")
    take_turn(game)
    assert asked(game) == ("start", 1)
    assert posted(game, 0, "gulden") == 2


@pytest.mark.rule("40.36")
def test_spaces_are_asked_about_in_their_order() -> None:
    game = crew()
    hand(game, 0, "denar-9 denar-1 gulden-9 gulden-3")
    post(game, 2, "denar")
    post(game, 2, "gulden")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "buy market-gulden gulden-3 gulden-9")
    play(game, "reserve garden-10")
    play(game, "reserve tower-11")
    assert game.decision is not None
    assert game.decision.context["slot"] == "market-gulden"
    play(game, "take_back market-gulden", amount=0)
    assert game.state.market[0]
    assert game.decision.context["slot"] == "market-denar"


@pytest.mark.rule("40.36")
def test_standing_orders_take_all_back_or_none() -> None:
    game = sold(2)
    assert game.decision is not None
    orders = {order.answer: order for order in game.question().kind.orders}
    for answer, amount in (("all", 2), ("none", 0)):
        (found,) = orders[answer].moves(game, game.decision)
        assert found.amount == amount
        assert not game.verify(found)


@pytest.mark.rule("40.37")
def test_handymen_are_taken_back_from_a_sold_space_although_the_tower_is_empty_and_then_the_game_ends() -> None:
    game = crew()
    hand(game, 0, "denar-9 denar-2")
    post(game, 2, "denar", 2)
    tower(game, only=True)
    play(game, "buy market-denar denar-2 denar-9")
    play(game, "reserve garden-10")
    assert asked(game) == ("take_back", 2)
    events = play(game, "take_back market-denar", amount=2)
    assert supply(game, 2) == 8
    assert "end_began" in [event.kind for event in events]


# -- Scoring -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.13", "40.14", "40.28")
def test_a_group_of_four_counts_and_a_fifth_that_touches_by_a_corner_does_not() -> None:
    """Worked example T3."""
    game = crew()
    alhambra(
        game,
        0,
        {
            (1, 0): "garden-11",
            (2, 0): "tower-12",
            (2, 1): "arcades-9",
            (1, 1): "arcades-10",
            (3, 1): "chambers-10",
            (3, 2): "chambers-11",
        },
    )
    employ(game, 0, "garden-11", "tower-12", "arcades-9", "arcades-10", "chambers-11")
    assert points(hold_scoring(game, 1), "handymen") == {0: 4}


@pytest.mark.rule("40.14")
def test_double_walls_do_not_separate() -> None:
    game = crew()
    alhambra(game, 0, {(1, 0): "garden-11", (0, 1): "seraglio-8-s", (1, 1): "arcades-9"})
    employ(game, 0, "garden-11", "arcades-9", "seraglio-8-s")
    assert largest_group(game, 0) == 3


@pytest.mark.rule("40.15")
def test_a_handyman_in_the_reserve_does_not_score() -> None:
    game = crew()
    reserve(game, 0, "garden-11")
    employ(game, 0, "garden-11")
    assert points(hold_scoring(game, 1), "handymen") == {}


@pytest.mark.rule("40.16")
def test_two_players_score_and_dirk_has_no_handymen() -> None:
    game = crew(2)
    assert [piece["seat"] for piece in pieces(game, "handymen")] == [0, 1]
    alhambra(game, 1, {(1, 0): "garden-11"})
    employ(game, 1, "garden-11", "start-1")
    assert points(hold_scoring(game, 2), "handymen") == {1: 2}


@pytest.mark.rule("40.13")
def test_the_last_scoring_counts_handymen_like_the_others() -> None:
    game = crew()
    employ(game, 0, "start-0")
    assert points(hold_scoring(game, 3), "handymen") == {0: 1}


def oracle(marked: set[Cell]) -> int:
    """The largest group, from the page alone: paint each cell with the smallest cell that it hangs together with."""
    colour = {cell: cell for cell in marked}
    for _ in marked:
        for x, y in marked:
            for beside in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
                if beside in marked:
                    colour[x, y] = min(colour[x, y], colour[beside])
    return max((list(colour.values()).count(one) for one in set(colour.values())), default=0)


@pytest.mark.rule("40.13")
@pytest.mark.parametrize("seed", range(6))
def test_groups_agree_with_the_page_on_random_alhambras(seed: int) -> None:
    rng = Random(seed)
    game = crew()
    board = game.board(0)
    for _walls, tile, _, cell in random_growth(rng, 24):
        board.put(tile, *cell)
    game.state.seats[0].board = board
    for _ in range(10):
        marked = {tile for tile in board.placed if rng.random() < 0.5}
        game.module_state(Crew).on_tiles = dict.fromkeys(marked, 0)
        assert largest_group(game, 0) == oracle({(board.placed[tile].x, board.placed[tile].y) for tile in marked})
        game.events = []
        score_groups(game, 1)


@pytest.mark.rule("40.42")
def test_a_seat_that_resigned_takes_its_handymen_off_the_market_and_scores_those_on_its_tiles() -> None:
    game = crew()
    employ(game, 1, "start-1")
    post(game, 1, "denar", 2)
    events = game.resign(1)
    assert events_of(events, "handymen_taken_back") == [{"seat": 1, "slot": "market-denar", "amount": 2}]
    assert posted(game, 1, "denar") == 0
    deck(game, "dukat-7")
    assert points(hold_scoring(game, 1), "handymen") == {1: 1}
