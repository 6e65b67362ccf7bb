"""01 The vizier's favour: one tile out of turn, for exactly its price."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import Event, Game, Move, Options
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import PACK, Thieves
from alhambra.modules.viziers_favour import Viziers
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    play,
    refused,
    reserve,
    table,
    take_turn,
    tower,
)

MARKET = {"gulden": "tower-11", "dirham": "garden-11", "denar": "garden-9-e", "dukat": "tower-12"}
NEXT_TILE = "seraglio-9"


def viziers(seats: int = 3, *modules: str, turn_of: int = 0) -> Game:
    """A full market, four open cards, and it is known what comes next."""
    game = table(seats, turn_of=turn_of, modules=["viziers_favour", *modules])
    market(game, **MARKET)
    tower(game, NEXT_TILE)
    display(game, "dukat-1 dukat-6 dukat-7 dukat-8")
    deck(game, "gulden-1 gulden-2 gulden-3")
    return game


def window(seats: int = 3, *modules: str, cards: str = "denar-4 denar-5") -> Game:
    """Seat 0 has finished its turn; seat 1 is due next, holds these cards and is asked."""
    game = viziers(seats, *modules)
    hand(game, 1, cards)
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 1)
    return game


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def awake(game: Game, *seats: int) -> None:
    """The viziers of these seats are awake, all others asleep."""
    game.slice(Viziers).awake = tuple(seat in seats for seat in range(len(game.state.seats)))


def all_pass(game: Game) -> list[int]:
    """Passes until the window closes. Answers with the seats that were asked, in order."""
    order = []
    while asked(game)[0] == "window":
        order.append(asked(game)[1])
        play(game, "pass")
    return order


def index(events: list[Event], kind: str, **facts: object) -> int:
    """Where the first such event stands."""
    return next(
        number
        for number, event in enumerate(events)
        if event.kind == kind and all(event.public.get(key) == value for key, value in facts.items())
    )


# -- Setting up --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_starts_with_a_vizier_that_is_awake_for_all_to_see(seats: int) -> None:
    game = Game.new(Options(seats=seats, seed="stones", modules=["viziers_favour"]))
    for viewer in (None, *range(seats)):
        assert game.view(viewer)["slices"]["viziers_favour"] == {"awake": [True] * seats}


def test_no_vizier_is_used_before_the_first_turn() -> None:
    game = Game.new(Options(seats=4, seed="begin", modules=["viziers_favour"]))
    assert asked(game) == ("action", game.state.first)


def test_the_viziers_change_nothing_of_what_is_dealt() -> None:
    with_viziers = Game.new(Options(seats=3, seed="same", modules=["viziers_favour"])).state
    without = Game.new(Options(seats=3, seed="same")).state
    assert (with_viziers.deck, with_viziers.tower) == (without.deck, without.tower)
    assert [seat.hand for seat in with_viziers.seats] == [seat.hand for seat in without.seats]


# -- Buying out of turn ------------------------------------------------------------------------------------------------


# worked example
def test_an_awake_vizier_buys_for_exactly_the_price_and_falls_asleep() -> None:
    game = window(cards="denar-4 denar-5")
    events = play(game, "buy market-denar denar-4 denar-5")
    assert events_of(events, "paid")[0]["exact"]
    assert events_of(events, "vizier_slept") == [{"seat": 1}]
    assert not events_of(events, "bonus_action")
    assert game.view(None)["slices"]["viziers_favour"]["awake"] == [True, False, True]
    assert sorted(game.state.discard) == ["denar-4", "denar-5"]


# worked example
def test_a_vizier_never_overpays() -> None:
    game = window(cards="denar-4 denar-6")
    assert fact(refused(game, "buy market-denar denar-4 denar-6"), "NOT_EXACT") == {"due": 9, "paid": 10}
    assert game.legal_moves() == [Move("pass")]


# worked example
def test_the_player_due_next_decides_first_and_the_one_who_just_finished_last() -> None:
    game = viziers(4, turn_of=1)
    play(game, "take_money dukat-1")
    assert all_pass(game) == [2, 3, 0, 1]


def test_a_vizier_pays_in_the_currency_of_the_space_like_everybody() -> None:
    game = window(cards="denar-4 gulden-5")
    assert codes(refused(game, "buy market-denar denar-4 gulden-5")) == ["WRONG_CURRENCY"]
    assert codes(refused(game, "buy market-denar denar-4")) == ["UNDERPAID"]


def test_the_tile_is_placed_at_once_and_then_the_market_refilled() -> None:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    assert asked(game) == ("place_now", 1)
    assert game.state.market[2] == ""
    events = play(game, "place garden-9-e @1,0")
    assert index(events, "placed") < index(events, "market_filled") < index(events, "decision_opened")
    assert game.state.market[2] == NEXT_TILE
    assert "garden-9-e" in game.board(1).placed


def test_the_tile_may_go_to_the_reserve() -> None:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "reserve garden-9-e")
    assert game.state.seats[1].reserve == ("garden-9-e",)


def test_with_two_players_the_tile_may_be_given_to_dirk_who_has_no_vizier() -> None:
    game = window(2)
    assert game.slice(Viziers).awake == (True, True)
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "give_to_dirk garden-9-e")
    assert game.state.dirk == ("garden-9-e",)
    assert asked(game) == ("window", 0)


def test_the_player_due_gets_the_whole_turn_afterwards() -> None:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "reserve garden-9-e")
    all_pass(game)
    assert asked(game) == ("action", 1)
    assert game.state.actions == 1
    assert game.state.taken == ()


def test_only_one_tile_is_bought_with_a_vizier() -> None:
    game = window(cards="denar-4 denar-5 gulden-2 gulden-9")
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("window", 2)


@pytest.mark.parametrize("text", ["take_money dukat-6", "add seraglio-9 @1,0", "wake_vizier"])
def test_nothing_but_buying_is_done_with_a_vizier(text: str) -> None:
    game = window()
    assert codes(refused(game, text)) == ["VERB_NOT_OFFERED"]


def test_nothing_is_redesigned_while_the_tile_is_placed() -> None:
    game = window()
    alhambra(game, 1, {(1, 0): "arcades-9"})
    reserve(game, 1, "arcades-10")
    play(game, "buy market-denar denar-4 denar-5")
    for text in ("add arcades-10 @0,1", "swap arcades-10 @1,0", "remove arcades-9"):
        assert codes(refused(game, text)) == ["VERB_NOT_OFFERED"]
    assert codes(refused(game, "place arcades-10 @0,1")) == ["NOT_THERE"]


def test_the_construction_rules_hold_for_the_tile() -> None:
    game = window()
    play(game, "buy market-denar denar-4 denar-5")
    assert codes(refused(game, "place garden-9-e @-1,0")) == ["EDGE_MISMATCH", "NOT_REACHABLE"]


def test_a_purchase_out_of_turn_turns_no_card_up() -> None:
    game = window()
    before = game.state.display
    events = play(game, "buy market-denar denar-4 denar-5") + play(game, "reserve garden-9-e")
    assert game.state.display == before
    assert "card_revealed" not in kinds(events)


# -- When the window is open -------------------------------------------------------------------------------------------


def test_viziers_wait_until_money_scoring_and_market_are_done() -> None:
    game = viziers(turn_of=2)
    market(game, **{**MARKET, "denar": ""})
    tower(game, NEXT_TILE)
    events = hold_scoring(game, 1)
    opened = index(events, "decision_opened", decision="window")
    assert index(events, "display_filled") < index(events, "scoring_ended") < index(events, "market_filled") < opened


def test_a_tile_laid_out_by_the_refill_can_be_bought_at_once() -> None:
    game = viziers()
    market(game, **{**MARKET, "denar": ""})
    tower(game, "garden-9-e")
    hand(game, 1, "denar-9")
    play(game, "take_money dukat-1")
    assert legal(game, "buy market-denar denar-9")


def test_after_a_purchase_all_decide_afresh() -> None:
    game = viziers(4)
    hand(game, 2, "denar-9")
    hand(game, 1, "denar-9")
    play(game, "take_money dukat-1")
    play(game, "pass")
    assert asked(game) == ("window", 2)
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e")
    assert all_pass(game) == [1, 3, 0]
    assert asked(game) == ("action", 1)


def test_who_passed_may_buy_what_the_purchase_of_another_brought() -> None:
    game = viziers(3)
    hand(game, 1, "denar-9")
    hand(game, 2, "denar-9")
    play(game, "take_money dukat-1")
    play(game, "pass")
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("window", 1)
    play(game, "buy market-denar denar-9")
    assert game.decision is not None
    assert game.decision.context["tiles"] == (NEXT_TILE,)


def test_who_just_finished_may_buy_last() -> None:
    game = viziers()
    hand(game, 0, "denar-9")
    awake(game, 0)
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 0)
    play(game, "buy market-denar denar-9")
    play(game, "place garden-9-e @1,0")
    assert asked(game) == ("action", 1)


def test_a_sleeping_vizier_is_not_asked() -> None:
    game = viziers(4)
    awake(game, 0, 2)
    play(game, "take_money dukat-1")
    assert all_pass(game) == [2, 0]


def test_without_an_awake_vizier_the_next_turn_begins_at_once() -> None:
    game = viziers()
    awake(game)
    play(game, "take_money dukat-1")
    assert asked(game) == ("action", 1)


def test_whether_a_seat_is_asked_does_not_depend_on_its_money() -> None:
    for cards in ("", "denar-9", "gulden-1 dukat-2"):
        game = viziers()
        hand(game, 1, cards)
        play(game, "take_money dukat-1")
        assert all_pass(game) == [1, 2, 0]


def test_what_the_others_see_of_a_window_does_not_depend_on_the_hand() -> None:
    views = []
    for cards in ("denar-9", "denar-8"):
        game = viziers()
        hand(game, 1, cards)
        play(game, "take_money dukat-1")
        views.append((game.view(2), game.view(None), game.verify(Move("pass"), 2)))
    assert views[0] == views[1]
    assert [violation.code for violation in views[0][2]] == ["NOT_YOUR_DECISION"]


def test_the_others_cannot_tell_the_tower_from_another() -> None:
    game = window()
    for number in range(5):
        twin = game.determinize(1, Random(number))
        assert twin.view(1) == game.view(1)
        assert twin.legal_moves() == game.legal_moves()


# -- Waking him --------------------------------------------------------------------------------------------------------


def test_waking_the_vizier_is_an_action_that_costs_nothing() -> None:
    game = viziers()
    awake(game, 1, 2)
    hand(game, 0, "denar-9")
    events = play(game, "wake_vizier")
    assert events_of(events, "vizier_woke") == [{"seat": 0}]
    assert not events_of(events, "bonus_action")
    assert game.slice(Viziers).awake == (True, True, True)
    assert game.state.seats[0].hand == ("denar-9",)
    assert asked(game) == ("window", 1)


def test_only_a_sleeping_vizier_can_be_woken() -> None:
    game = viziers()
    violations = refused(game, "wake_vizier")
    assert fact(violations, "CONDITION_UNMET") == {"what": "vizier", "need": "asleep", "have": "awake"}


def test_a_vizier_woken_in_this_turn_can_be_used_right_after_it() -> None:
    game = viziers()
    awake(game)
    hand(game, 0, "denar-9")
    play(game, "wake_vizier")
    assert asked(game) == ("window", 0)
    assert legal(game, "buy market-denar denar-9")


def test_the_vizier_may_be_woken_with_the_further_action_of_an_exact_payment() -> None:
    game = viziers()
    awake(game)
    hand(game, 0, "denar-9")
    play(game, "buy market-denar denar-9")
    play(game, "wake_vizier")
    assert game.state.taken == ("buy", "wake_vizier")
    assert asked(game) == ("place_tiles", 0)


def test_who_has_a_sleeping_vizier_cannot_pass() -> None:
    game = viziers()
    display(game, "")
    assert legal(game, "pass")
    awake(game)
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


# -- The end of the game -----------------------------------------------------------------------------------------------


def test_a_vizier_can_end_the_game_and_the_player_due_gets_no_turn() -> None:
    game = window()
    tower(game, only=True)
    play(game, "buy market-denar denar-4 denar-5")
    turn = game.state.turn
    events = play(game, "place garden-9-e @1,0")
    assert events_of(events, "end_began") == [{"because": "market"}]
    assert asked(game) == ("leftover_tiles", 0)
    play(game, "leave tower-12")
    assert game.over
    assert game.state.turn == turn
    assert "garden-9-e" in game.board(1).placed


def test_no_vizier_is_used_once_the_end_has_begun() -> None:
    game = viziers()
    hand(game, 0, "denar-9 gulden-2 gulden-9")
    events = end_game(game)
    assert "window" not in [event["decision"] for event in events_of(events, "decision_opened")]
    assert asked(game) == ("leftover_tiles", 0)
    assert codes(refused(game, "buy market-denar denar-9")) == ["VERB_NOT_OFFERED"]


def test_a_market_that_is_still_full_does_not_end_the_game() -> None:
    game = viziers()
    tower(game, only=True)
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 1)


# -- Leaving the table -------------------------------------------------------------------------------------------------


def test_a_seat_that_resigned_is_not_asked() -> None:
    game = viziers(4)
    game.resign(2)
    play(game, "take_money dukat-1")
    assert all_pass(game) == [1, 3, 0]


def test_who_resigns_while_being_asked_has_passed() -> None:
    game = window(4)
    game.resign(1)
    assert all_pass(game) == [2, 3, 0]
    assert asked(game) == ("action", 2)


def test_who_resigns_while_placing_leaves_the_tile_in_the_reserve() -> None:
    game = window(4)
    play(game, "buy market-denar denar-4 denar-5")
    game.resign(1)
    assert game.state.seats[1].reserve == ("garden-9-e",)
    assert game.state.market[2] == NEXT_TILE
    assert all_pass(game) == [2, 3, 0]
    assert asked(game) == ("action", 2)


# -- With other modules ------------------------------------------------------------------------------------------------


def test_a_vizier_takes_no_square() -> None:
    game = window(3, "squares")
    assert codes(refused(game, "take_square", slot="square-garden")) == ["VERB_NOT_OFFERED"]
    assert not [move for move in game.moves() if move.slot and move.slot.startswith("square")]


def test_a_gate_card_may_be_used_while_placing() -> None:
    game = window(3, "city_gates", cards="dukat-9 dukat-1 gate")
    market(game, **{**MARKET, "dukat": "tower-10-w"})
    alhambra(game, 1, {(1, 0): "arcades-8-e"})
    play(game, "buy market-dukat dukat-9 dukat-1")
    assert asked(game) == ("place_now", 1)
    assert codes(refused(game, "place tower-10-w @2,0")) == ["NOT_REACHABLE"]
    events = play(game, "place tower-10-w @2,0", choice="gate")
    assert index(events, "gate_set") < index(events, "market_filled")
    assert game.state.seats[1].hand == ()


def test_no_character_serves_with_a_vizier() -> None:
    game = window(3, "characters", cards="gulden-9 gulden-2")
    game.slice(Characters).owners = {"rich_patron": 1, "miser": 1, "master_builder": 1}
    assert codes(refused(game, "buy market-gulden", items=("rich_patron",)))[0] == "NOT_THERE"
    play(game, "buy market-gulden gulden-2 gulden-9")
    assert asked(game) == ("place_now", 1)
    play(game, "reserve tower-11")
    assert asked(game) == ("window", 2)


def test_a_vizier_buys_a_camp_from_the_market() -> None:
    game = window(3, "military_camps", cards="denar-5")
    market(game, **{**MARKET, "denar": "camp_E"})
    events = play(game, "buy market-denar denar-5")
    assert events_of(events, "vizier_slept") == [{"seat": 1}]
    play(game, "reserve camp_E")
    assert game.state.seats[1].reserve == ("camp_E",)


def test_no_wall_is_built_with_a_vizier() -> None:
    game = window(3, "city_walls")
    discard(game, "wallcard_N")
    game.state.discard, game.slice(Walls).open = (), ("wallcard_N",)
    assert codes(refused(game, "build_wall start-1", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]
    play(game, "buy market-denar denar-4 denar-5")
    assert codes(refused(game, "build_wall garden-9-e", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]


def held(game: Game, seat: int, *currencies: str) -> None:
    """The seat holds exactly these thieves, everybody else none."""
    own = tuple(f"thief-{currency}" for currency in currencies)
    rest = list(PACK)
    for thief in own:
        rest.remove(thief)
    thieves = game.slice(Thieves)
    thieves.held = tuple(own if seat == other else () for other in range(len(game.state.seats)))
    thieves.rest = tuple(rest)


def test_one_player_steals_first_and_uses_the_vizier_then() -> None:
    game = viziers(3, "thieves")
    held(game, 2, "dukat")
    hand(game, 2, "denar-9")
    play(game, "take_money dukat-1")
    play(game, "pass")
    play(game, "play_thief dukat-8", currency="dukat")
    assert asked(game) == ("window", 2)
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e")
    assert all_pass(game) == [1, 0]


def test_a_stolen_card_can_pay_for_the_vizier() -> None:
    game = viziers(3, "thieves")
    held(game, 2, "dukat")
    hand(game, 2, "dukat-5")
    play(game, "take_money dukat-1")
    play(game, "pass")
    assert not legal(game, "buy market-dukat dukat-5 dukat-7")
    play(game, "play_thief dukat-7", currency="dukat")
    play(game, "buy market-dukat dukat-5 dukat-7")
    assert game.state.seats[2].pending == ("tower-12",)


def test_the_player_due_next_may_use_the_vizier_but_no_thief() -> None:
    game = viziers(3, "thieves")
    held(game, 1, "dukat")
    hand(game, 1, "denar-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 1)
    violations = refused(game, "play_thief dukat-8", currency="dukat")
    assert fact(violations, "CONDITION_UNMET") == {"what": "due_next", "need": False, "have": True}
    assert legal(game, "buy market-denar denar-9")


def test_thief_and_vizier_go_by_the_same_order() -> None:
    game = viziers(4, "thieves", turn_of=1)
    awake(game, 0)
    held(game, 3, "dukat")
    play(game, "take_money dukat-1")
    assert all_pass(game) == [3, 0]


def test_a_sleeping_vizier_buys_nothing_even_if_the_seat_is_asked_for_a_thief() -> None:
    game = viziers(3, "thieves")
    awake(game)
    held(game, 2, "dukat")
    hand(game, 2, "denar-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 2)
    assert codes(refused(game, "buy market-denar denar-9")) == ["NOT_THERE"]
    assert {move.verb for move in game.moves()} == {"play_thief", "pass"}


def test_after_the_vizier_one_may_still_steal_when_asked_again() -> None:
    game = viziers(3, "thieves")
    awake(game, 2)
    held(game, 2, "dukat")
    hand(game, 2, "denar-9")
    play(game, "take_money dukat-1")
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("window", 2)
    play(game, "play_thief dukat-8", currency="dukat")
    assert asked(game) == ("action", 1)


def test_coins_help_to_be_exact_and_a_vizier_never_gets_change() -> None:
    game = window(3, "change", cards="denar-8 denar-9")
    coins = game.slice(Coins)
    bag = list(coins.bag)
    bag.remove("coin-denar")
    coins.bag, coins.held = tuple(bag), ((), ("coin-denar",), ())
    assert codes(refused(game, "buy market-denar denar-9", items=("coin-denar",))) == ["NOT_EXACT"]
    events = play(game, "buy market-denar denar-8", items=("coin-denar",))
    assert events_of(events, "paid")[0]["exact"]
    assert "coins_drawn" not in kinds(events)
    assert game.slice(Coins).held[1] == ()


def test_a_tile_laid_where_the_trader_stands_sets_him_off_and_he_returns_before_the_refill() -> None:
    game = window(3, "street_trader")
    kept = game.slice(Residents)
    everyone = [*kept.supply, *(name for aboard in kept.aboard for name in aboard)]
    for name in ("garden", "tower", "arcades"):
        everyone.remove(name)
    kept.aboard, kept.supply = ((), ("arcades", "garden", "tower"), ()), tuple(everyone)
    kept.discs = ((0, 1), (1, 0), (0, 1))
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "place garden-9-e @1,0")
    assert asked(game) == ("resident", 1)
    play(game, "move_in")
    play(game, "take_resident", type="pavilion")
    assert asked(game) == ("lay_disc", 1)
    assert game.state.market[2] == ""
    events = play(game, "lay_disc @0,1")
    assert "market_filled" in kinds(events)


def test_an_exact_purchase_with_the_vizier_wins_a_scout() -> None:
    game = window(3, "invaders")
    invaders = game.slice(Invaders)
    scout = next(piece for piece, name in SCOUTS.items() if name == "garden")
    others = [piece for piece in (*invaders.open, *invaders.scouts) if piece != scout]
    invaders.open, invaders.scouts = (scout, others[0]), tuple(others[1:])
    events = play(game, "buy market-denar denar-4 denar-5")
    assert events_of(events, "scout_won") == [{"seat": 1, "piece": scout}]
    assert game.view(1)["slices"]["invaders"]["next"] is not None
    assert game.view(2)["slices"]["invaders"]["next"] is None


def sultan_card(game: Game, card: str, name: str, owner: int | None = None) -> None:
    """The card lies beside the board, or before a seat, marked with that type."""
    discard(game, card)
    game.state.discard = ()
    sultan = game.slice(Sultan)
    sultan.marks = {**sultan.marks, card: name}
    if owner is not None:
        sultan.owners = {**sultan.owners, card: owner}


def test_a_vizier_buys_no_sultan_card() -> None:
    game = window(3, "power_of_the_sultan", cards="denar-7")
    sultan_card(game, "sultan_denar_1", "garden")
    assert codes(refused(game, "buy denar-7", slot="sultan", piece="sultan_denar_1")) == ["NOT_THERE"]


def test_claims_come_before_viziers_and_a_viziers_refill_brings_new_ones() -> None:
    game = viziers(3, "power_of_the_sultan")
    market(game, **{**MARKET, "dukat": ""})
    tower(game, "tower-12 seraglio-9 pavilion-8")
    sultan_card(game, "sultan_denar_1", "tower", owner=2)
    sultan_card(game, "sultan_denar_2", "seraglio", owner=2)
    hand(game, 1, "denar-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("claim", 2)
    play(game, "pass")
    assert asked(game) == ("window", 1)
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("claim", 2)
    play(game, "claim", piece="sultan_denar_2")
    play(game, "reserve seraglio-9")
    assert game.state.market[2] == "pavilion-8"
    assert asked(game) == ("window", 2)


def test_a_watchtower_may_be_bought_along_if_both_are_paid_exactly() -> None:
    game = window(3, "watchtowers", cards="denar-9 denar-6 denar-7")
    alhambra(game, 1, {(1, 0): "garden-10"})
    assert codes(refused(game, "buy market-denar denar-7 denar-9", choice="watchtower")) == ["NOT_EXACT"]
    play(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("place_now", 1)
    events = play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert "market_filled" in kinds(events)


def test_nobody_bids_for_a_project_with_a_vizier() -> None:
    game = window(3, "major_construction_projects", cards="denar-9 denar-7")
    assert codes(refused(game, "bid_project denar-7 denar-9")) == ["VERB_NOT_OFFERED"]


def test_a_vizier_buys_from_the_market_only_not_from_other_players() -> None:
    game = window(3, "personal_building_market", cards="denar-9 dirham-9")
    reserve(game, 2, "arcades-9")
    game.state.seats[2].reserve = ()
    game.slice(Markets).lying = (("",) * 4, ("",) * 4, ("", "arcades-9", "", ""))
    assert codes(refused(game, "buy dirham-9", slot="personal-2-dirham")) == ["NOT_THERE"]
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e", slot="personal-1-gulden")
    assert game.slice(Markets).lying[1] == ("garden-9-e", "", "", "")


def test_every_turn_ends_with_a_window_as_long_as_a_vizier_is_awake() -> None:
    game = viziers()
    awake(game, 0)
    for seat in (0, 1, 2):
        assert asked(game) == ("action", seat)
        take_turn(game)
        assert asked(game) == ("window", 0)
        play(game, "pass")
