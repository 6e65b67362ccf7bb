"""01 The vizier's favour together with other modules."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.base.purchase import offers_at
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import PACK, Thieves
from alhambra.state import Decision
from tests.rules.modules.viziers_favour_table import MARKET, all_pass, asked, awake, index, viziers, window
from tests.rules.situations import (
    alhambra,
    codes,
    discard,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    play,
    refused,
    reserve,
    tower,
)

# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("01.18")
def test_a_vizier_takes_no_square() -> None:
    game = window(3, "squares")
    assert codes(refused(game, "take_square", slot="square-garden")) == ["VERB_NOT_OFFERED"]
    assert not [move for move in game.moves() if move.slot and move.slot.startswith("square")]


@pytest.mark.rule("01.20", "01.37")
def test_after_a_purchase_all_decide_afresh_although_the_buyer_has_thieves_left() -> None:
    game = viziers(4, "thieves")
    thieves = game.module_state(Thieves)
    thieves.held, thieves.rest, thieves.played = ((), (), ("thief-dukat",), ()), PACK[1:], ()
    hand(game, 2, "denar-4 denar-5")
    play(game, "take_money dukat-1")
    play(game, "pass")
    assert asked(game) == ("window", 2)
    play(game, "buy market-denar denar-4 denar-5")
    play(game, "place garden-9-e @1,0")
    assert asked(game) == ("window", 1)


@pytest.mark.rule("01.27")
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


@pytest.mark.rule("01.19")
def test_no_character_serves_with_a_vizier() -> None:
    game = window(3, "characters", cards="gulden-9 gulden-2")
    game.module_state(Characters).owners = {"rich_patron": 1, "miser": 1, "master_builder": 1}
    assert codes(refused(game, "buy market-gulden", items=("rich_patron",)))[0] == "NOT_ACCEPTED"
    play(game, "buy market-gulden gulden-2 gulden-9")
    assert asked(game) == ("place_now", 1)
    play(game, "reserve tower-11")
    assert asked(game) == ("window", 2)


@pytest.mark.rule("01.21")
def test_a_vizier_buys_a_camp_from_the_market() -> None:
    game = window(3, "military_camps", cards="denar-5")
    market(game, **{**MARKET, "denar": "camp_E"})
    events = play(game, "buy market-denar denar-5")
    assert events_of(events, "vizier_slept") == [{"seat": 1}]
    play(game, "reserve camp_E")
    assert game.state.seats[1].reserve == ("camp_E",)


@pytest.mark.rule("01.24")
def test_no_wall_is_built_with_a_vizier() -> None:
    game = window(3, "city_walls")
    discard(game, "wallcard_N")
    game.state.discard, game.module_state(Walls).open = (), ("wallcard_N",)
    assert codes(refused(game, "build_wall start-1", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]
    play(game, "buy market-denar denar-4 denar-5")
    assert codes(refused(game, "build_wall garden-9-e", piece="wallcard_N")) == ["VERB_NOT_OFFERED"]


def held(game: Game, seat: int, *currencies: str) -> None:
    """The seat holds exactly these thieves, everybody else none."""
    own = tuple(f"thief-{currency}" for currency in currencies)
    rest = list(PACK)
    for thief in own:
        rest.remove(thief)
    thieves = game.module_state(Thieves)
    thieves.held = tuple(own if seat == other else () for other in range(len(game.state.seats)))
    thieves.rest = tuple(rest)


@pytest.mark.rule("01.20")
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


@pytest.mark.rule("10.13")
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


@pytest.mark.rule("01.20")
def test_the_player_due_next_may_use_the_vizier_but_no_thief() -> None:
    game = viziers(3, "thieves")
    held(game, 1, "dukat")
    hand(game, 1, "denar-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 1)
    violations = refused(game, "play_thief dukat-8", currency="dukat")
    assert fact(violations, "CONDITION_UNMET") == {"what": "due_next", "need": False, "have": True}
    assert legal(game, "buy market-denar denar-9")


@pytest.mark.rule("01.20", "10.13")
def test_thief_and_vizier_go_by_the_same_order() -> None:
    game = viziers(4, "thieves", turn_of=1)
    awake(game, 0)
    held(game, 3, "dukat")
    play(game, "take_money dukat-1")
    assert all_pass(game) == [3, 0]


@pytest.mark.rule("01.4", "01.20")
def test_a_sleeping_vizier_buys_nothing_even_if_the_seat_is_asked_for_a_thief() -> None:
    game = viziers(3, "thieves")
    awake(game)
    held(game, 2, "dukat")
    hand(game, 2, "denar-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 2)
    assert codes(refused(game, "buy market-denar denar-9")) == ["NOT_THERE"]
    assert {move.verb for move in game.moves()} == {"play_thief", "pass"}


@pytest.mark.rule("10.26")
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


@pytest.mark.rule("01.26")
def test_coins_help_to_be_exact_and_a_vizier_never_gets_change() -> None:
    game = window(3, "change", cards="denar-8 denar-9")
    coins = game.module_state(Coins)
    bag = list(coins.bag)
    bag.remove("coin-denar")
    coins.bag, coins.held = tuple(bag), ((), ("coin-denar",), ())
    assert codes(refused(game, "buy market-denar denar-9", items=("coin-denar",))) == ["NOT_EXACT"]
    events = play(game, "buy market-denar denar-8", items=("coin-denar",))
    assert events_of(events, "paid")[0]["exact"]
    assert "coins_drawn" not in kinds(events)
    assert game.module_state(Coins).held[1] == ()


@pytest.mark.rule("01.25")
def test_a_viziers_purchase_takes_every_kind_of_money_that_a_purchase_takes() -> None:
    game = window(3, "change", "watchtowers")
    kinds_of_payment = {offer.purpose for offer in offers_at(game, Decision("window", 1, {}))}
    assert kinds_of_payment == {offer.purpose for offer in offers_at(game, Decision("action", 1, {}))} == {"buy"}


@pytest.mark.rule("01.32")
def test_a_tile_laid_where_the_trader_stands_sets_him_off_and_he_returns_before_the_refill() -> None:
    game = window(3, "street_trader")
    kept = game.module_state(Residents)
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


@pytest.mark.rule("01.28")
def test_an_exact_purchase_with_the_vizier_wins_a_scout() -> None:
    game = window(3, "invaders")
    invaders = game.module_state(Invaders)
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
    sultan = game.module_state(Sultan)
    sultan.marks = {**sultan.marks, card: name}
    if owner is not None:
        sultan.owners = {**sultan.owners, card: owner}


@pytest.mark.rule("01.22")
def test_a_vizier_buys_no_sultan_card() -> None:
    game = window(3, "power_of_the_sultan", cards="denar-7")
    sultan_card(game, "sultan_denar_1", "garden")
    assert codes(refused(game, "buy denar-7", slot="sultan", piece="sultan_denar_1")) == ["NOT_THERE"]


@pytest.mark.rule("01.29")
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


@pytest.mark.rule("01.31")
def test_a_watchtower_may_be_bought_along_if_both_are_paid_exactly() -> None:
    game = window(3, "watchtowers", cards="denar-9 denar-6 denar-7")
    alhambra(game, 1, {(1, 0): "garden-10"})
    assert codes(refused(game, "buy market-denar denar-7 denar-9", choice="watchtower")) == ["NOT_EXACT"]
    play(game, "buy market-denar denar-6 denar-9", choice="watchtower")
    play(game, "reserve garden-9-e")
    assert asked(game) == ("place_now", 1)
    events = play(game, "place_watchtower @2,0", type="garden", side="SW")
    assert "market_filled" in kinds(events)


@pytest.mark.rule("01.22")
def test_nobody_bids_for_a_project_with_a_vizier() -> None:
    game = window(3, "major_construction_projects", cards="denar-9 denar-7")
    assert codes(refused(game, "bid_project denar-7 denar-9")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("01.22")
def test_a_vizier_buys_from_the_market_only_not_from_other_players() -> None:
    game = window(3, "personal_building_market", cards="denar-9 dirham-9")
    reserve(game, 2, "arcades-9")
    game.state.seats[2].reserve = ()
    game.module_state(Markets).lying = (("",) * 4, ("",) * 4, ("", "arcades-9", "", ""))
    assert codes(refused(game, "buy dirham-9", slot="personal-2-dirham")) == ["NOT_THERE"]
    play(game, "buy market-denar denar-9")
    play(game, "reserve garden-9-e", slot="personal-1-gulden")
    assert game.module_state(Markets).lying[1] == ("garden-9-e", "", "", "")
