"""Decisions where the pages of modules contradict each other or are silent, as far as no test of a module has them."""

from __future__ import annotations

import pytest

from alhambra import component_data
from alhambra.modules.bonus_cards import BonusCards
from alhambra.modules.caliphs_guidelines import Wishes
from alhambra.modules.gates_without_end import KEYS
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.thieves import Thieves
from alhambra.replay import history
from tests.rules.interactions.deals import COMING, DEALS, MARKET, to_gate
from tests.rules.interactions.story import go_on, order, told
from tests.rules.modules.characters_table import begging
from tests.rules.modules.gates_without_end_table import give_key
from tests.rules.modules.powers_table import STRENGTH, put_die
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    end_game,
    events_of,
    hand,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    table,
)

# -- A: contradictions -------------------------------------------------------------------------------------------------

IDS = {
    "characters": ("trader", "city_watch", "master_builder", "rich_patron"),
    "travelling_craftsmen": ("coiner", "contractor", "blacksmith"),
    "power_of_the_sultan": ("sultan_denar_1",),
}


@pytest.mark.rule("99.37")
@pytest.mark.parametrize("module", IDS)
def test_pieces_have_the_ids_of_the_component_data(module: str) -> None:
    game = table(3, modules=[module])
    known = {*game.ruleset.pieces, *game.ruleset.cards}
    text = str(component_data()["modules"][module]["data"])
    assert all(name in known and f"'{name}'" in text for name in IDS[module])


@pytest.mark.rule("99.37")
def test_builder_cards_and_bureaux_are_kinds_and_thieves_are_named_by_their_currency() -> None:
    game = table(3, modules=["master_builders", "bureaux_de_change", "thieves"])
    builders = {card for card in game.ruleset.cards if card.startswith("builder")}
    assert builders == {f"builder-{currency}" for currency in ("gulden", "dirham", "denar", "dukat")}
    assert "exchange_gulden_denar" in game.ruleset.cards
    assert game.ruleset.verbs["play_thief"].nouns.split()[:1] == ["currency"]


@pytest.mark.rule("15.2", "15.36")
def test_there_is_one_scout_of_each_type_so_two_never_match_one_purchase() -> None:
    scouts = component_data()["modules"]["invaders"]["data"]["scouts"]
    types = [scout["type"] for scout in scouts]
    assert len(types) == len(set(types)) == 6


# -- B: what could not be implemented as written -----------------------------------------------------------------------


@pytest.mark.rule("00.93", "37.8")
def test_bonuses_go_to_the_gates_of_the_colours_that_the_seats_chose() -> None:
    seats = [{"colour": "orange"}, {"colour": "blue"}, {"colour": "white"}]
    game = table(seats, modules=["gates_without_end"])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    deck(game, COMING)
    give_key(game, 0, "key_1")
    play(game, "take_money dukat-6")
    play(game, "use_key")
    (turned,) = events_of(play(game, "turn_key"), "key_turned")
    gates = component_data()["modules"]["gates_without_end"]["data"]["gate_order_clockwise"]
    printed = KEYS["key_1"]
    assert dict(turned["bonuses"]) == {
        seat: printed[gates.index(colour["colour"])] for seat, colour in enumerate(seats)
    }


@pytest.mark.rule("99.77", "43.28")
def test_black_dice_and_the_wish_of_the_caliph_both_count_the_second_wall() -> None:
    game = table(3, modules=["buildings_of_power", "caliphs_guidelines"])
    game.module_state(Wishes).tasks = ("task_second_wall",)
    alhambra(game, 0, {(0, -1): STRENGTH, (1, 0): "tower-9-es", (-1, 0): "tower-9-nw"})
    put_die(game, 0, STRENGTH, 6)
    events = end_game(game)
    assert points(events, "wall_second") == points(events, "task_second_wall") == {0: 2}


# -- C: what no page decides -------------------------------------------------------------------------------------------

GIVEN = ("standard building", "magical building", "ground", "medina", "camp", "bazaar", "bathhouse", "well")


@pytest.mark.rule("99.78")
@pytest.mark.parametrize("purchase", [*GIVEN, "vizier purchase", "key bonus", "sultan claim"])
def test_a_tile_that_was_bought_or_claimed_may_be_given_to_dirk(purchase: str) -> None:
    deal = DEALS[purchase]
    game = deal.table(seats=2)
    game.apply(deal.move(game, deal.price))
    while game.decision is not None and game.decision.kind not in ("place_tiles", "place_now"):
        game.apply(next(move for move in game.moves() if move.verb != "buy"))
    given = [move for move in game.moves() if move.verb == "give_to_dirk"]
    assert len(given) == 1
    game.apply(given[0])
    assert given[0].tile in game.state.dirk


@pytest.mark.rule("99.79")
@pytest.mark.parametrize("purchase", ["square", "plaza", "site start"])
def test_a_tile_that_was_neither_bought_nor_claimed_and_a_site_are_not_given_to_dirk(purchase: str) -> None:
    deal = DEALS[purchase]
    game = deal.table(seats=2)
    game.apply(deal.move(game, deal.price))
    while game.decision is not None and game.decision.kind not in ("place_tiles", "place_now"):
        game.apply(next(game.moves()))
    assert not any(move.verb == "give_to_dirk" for move in game.moves())


@pytest.mark.rule("99.78")
def test_a_ground_is_given_to_dirk_with_its_building() -> None:
    deal = DEALS["ground"]
    game = deal.table(seats=2)
    game.apply(deal.move(game, deal.price + 1))
    play(game, "choose_building", type="arcades")
    play(game, "give_to_dirk ground_9_1")
    assert game.state.types["ground_9_1"] == "arcades"


@pytest.mark.rule("99.16", "99.71", "07.55")
def test_in_a_scoring_that_the_beggar_draws_he_is_asked_first() -> None:
    game = begging("scoring-1", modules=("bonus_cards",))
    cards = game.module_state(BonusCards)
    assert all(cards.unseen)
    events = play(game, "draw_card")
    opened = [event.public["seat"] for event in events if event.kind == "decision_opened"]
    assert opened == [1]
    while game.decision is not None and game.decision.kind == "reveals":
        opened += [event.public["seat"] for event in play(game, "pass") if event.kind == "decision_opened"]
    assert opened[:3] == [1, 2, 0]


@pytest.mark.rule("99.62", "41.31")
def test_at_a_full_personal_market_a_tile_bought_at_a_gate_may_replace_one_or_leave_the_game() -> None:
    deal = DEALS["key bonus"]
    game = deal.table("personal_building_market")
    lying = ("garden-8-sw", "garden-8-ne", "tower-9-es", "tower-9-ne")
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in lying)
    markets = game.module_state(Markets)
    markets.lying = (lying, *markets.lying[1:])
    game.apply(deal.move(game, 14))
    assert game.decision is not None
    assert game.decision.kind == "place_now"
    assert legal(game, "reserve arcades-8-e", slot="personal-0-dukat")
    assert legal(game, "box arcades-8-e")
    events = play(game, "reserve arcades-8-e", slot="personal-0-dukat")
    assert "asked stow" not in told(events)
    assert sum(tile in game.state.box for tile in lying) == 1


@pytest.mark.rule("99.17", "31.33", "10.20")
def test_with_the_blacksmiths_six_cards_the_display_is_not_filled_after_a_thief() -> None:
    game = table(3, modules=["thieves", "travelling_craftsmen"])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-6 dukat-7")
    deck(game, COMING)
    game.module_state(Thieves).held = ((), (), ("thief-dukat",))
    play(game, "take_money dukat-7")
    events = go_on(game, "window")
    assert "card_revealed" not in kinds(events)
    (theft,) = [move for move in game.moves() if move.verb == "play_thief"][:1]
    assert "card_revealed" not in kinds(game.apply(theft))
    assert len(game.state.display) == 4


@pytest.mark.rule("28.25")
def test_cards_of_a_bid_lay_open_so_everybody_knows_them_when_they_return() -> None:
    game = table(3, modules=["major_construction_projects"])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    hand(game, 0, "denar-9 denar-6")
    game.state.seats[0].unseen = ("denar-9",)
    play(game, "bid_project denar-6 denar-9")
    hand(game, 1, "gulden-9 gulden-8")
    play(game, "bid_project gulden-8 gulden-9")
    assert game.state.seats[0].hand == ("denar-6", "denar-9")
    assert game.module_state(Projects).bidder == 1
    assert not game.state.seats[0].unseen


@pytest.mark.rule("99.43", "12.42")
def test_residents_are_chosen_then_shown_then_designers_then_the_market() -> None:
    game = table(3, modules=["street_trader", "palace_designers"], dealt=True)
    wanted = ("residents_picked", "designer_placed", "market_filled")
    assert order(history(game), wanted) == list(wanted)


@pytest.mark.rule("99.88", "37.53")
def test_a_gate_bonus_that_only_a_poor_hand_rules_out_is_asked_all_the_same() -> None:
    game = table(3, modules=["gates_without_end"])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    deck(game, COMING)
    to_gate("buy_for_14")(game)
    hand(game, 0)
    assert game.decision is not None
    assert game.decision.kind == "key_bonus"
    assert codes(refused(game, "buy market-denar")) == ["UNDERPAID"]
