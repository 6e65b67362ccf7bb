"""18 The power of the sultan together with other modules."""

from __future__ import annotations

import pytest

from alhambra import TYPES, Game, Move
from alhambra.base.supply import draw_from_deck
from alhambra.modules.caravanserai import Caravans
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import Invaders
from alhambra.modules.power_of_the_sultan import CARDS, Sultan
from alhambra.modules.street_trader import Residents
from alhambra.modules.viziers_favour import Viziers
from tests.rules.modules.power_of_the_sultan_table import FULL, beside, buy_card, decision, held, refill, sultans
from tests.rules.modules.powers_table import ARCHITECTURE, STRENGTH
from tests.rules.situations import (
    codes,
    deck,
    display,
    events_of,
    hand,
    kinds,
    legal,
    market,
    play,
    refused,
    take_turn,
    tower,
)

# -- With other modules --------------------------------------------------------------------------------------------


@pytest.mark.rule("18.16")
def test_a_vizier_cannot_buy_a_sultan_card() -> None:
    game = sultans(3, "viziers_favour")
    market(game, **FULL)
    beside(game, "sultan_denar_1", "garden")
    hand(game, 1, "denar-7")
    display(game, "dukat-1")
    take_turn(game)
    assert decision(game) == ("window", 1)
    assert codes(refused(game, "buy denar-7", slot="sultan", piece="sultan_denar_1")) == ["NOT_THERE"]


@pytest.mark.rule("18.16")
def test_claims_come_before_any_vizier_and_his_purchase_brings_new_ones() -> None:
    game = sultans(3, "viziers_favour")
    game.module_state(Viziers).awake = (False, True, False)
    held(game, 2, "sultan_denar_1", "garden")
    hand(game, 1, "dirham-9")
    refill(game, "garden-11")
    assert decision(game) == ("claim", 2)
    play(game, "pass")
    assert decision(game) == ("window", 1)
    tower(game, "garden-10-n pavilion-8")
    play(game, "buy market-dirham dirham-9")
    play(game, "reserve seraglio-9")
    assert decision(game) == ("claim", 2)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-10-n")
    assert game.state.market[1] == "pavilion-8"
    assert decision(game) == ("action", 1)


@pytest.mark.rule("18.17", "18.36")
def test_coins_pay_for_a_sultan_card_and_overpaying_one_gives_change() -> None:
    game = sultans(3, "change")
    beside(game, "sultan_denar_1", "garden")
    coins = game.module_state(Coins)
    coins.bag = tuple(coin for coin in coins.bag if coin != "coin-denar")
    coins.held = (("coin-denar",), (), ())
    hand(game, 0, "denar-6 denar-9")
    assert legal(game, "buy denar-6", slot="sultan", piece="sultan_denar_1", items=("coin-denar",))
    events = buy_card(game, "denar-9")
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 1


@pytest.mark.rule("18.28")
def test_a_camp_is_never_claimed() -> None:
    game = sultans(3, "military_camps")
    for card, name in zip(CARDS, TYPES, strict=False):
        held(game, 1, card, name)
    assert "claim_offered" not in kinds(refill(game, "camp_N"))
    assert game.state.market[0] == "camp_N"


@pytest.mark.rule("18.32", "22.35")
def test_a_claim_brings_neither_watchtower_nor_scout_and_neither_does_a_sultan_card() -> None:
    game = sultans(3, "watchtowers", "invaders")
    game.module_state(Invaders).open = ("scout_garden", "scout_tower")
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-9 denar-4 denar-7")
    with_tower = Move("buy", piece="sultan_denar_1", slot="sultan", cards=("denar-4", "denar-9"), choice="watchtower")
    assert codes(refused(game, with_tower)) == ["NOT_THERE"]
    events = buy_card(game, "denar-7")
    play(game, "choose", choice="keep")
    events += refill(game, "garden-11", "pavilion-8")
    events += play(game, "claim", piece="sultan_denar_1")
    events += play(game, "reserve garden-11")
    assert decision(game) == ("action", 1)
    assert not {"scout_won", "watchtower_placed"} & set(kinds(events))


@pytest.mark.rule("18.24")
def test_a_claimed_tile_that_is_not_built_goes_to_the_personal_market() -> None:
    game = sultans(3, "personal_building_market")
    held(game, 1, "sultan_denar_1", "garden")
    refill(game, "garden-11", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    assert codes(refused(game, "reserve garden-11")) == ["NOUN_MISSING"]
    play(game, "reserve garden-11", slot="personal-1-dukat")
    assert game.ruleset.reserve.tiles(game, 1) == ("garden-11",)


def test_after_a_claim_the_traders_disc_is_laid_again_at_once() -> None:
    game = sultans(3, "street_trader")
    held(game, 2, "sultan_denar_1", "garden")
    game.module_state(Residents).discs = ((0, 1), (0, 1), (1, 0))
    refill(game, "garden-11", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "place garden-11 @1,0")
    assert decision(game) == ("resident", 2)
    play(game, "pass")
    assert decision(game) == ("lay_disc", 2)
    play(game, "lay_disc @2,0")
    assert game.state.market[0] == "pavilion-8"
    assert decision(game) == ("action", 1)


def test_a_wall_card_and_a_sultan_card_may_come_up_in_one_refill() -> None:
    game = sultans(3, "city_walls")
    display(game, "dukat-1")
    deck(game, "wallcard_N sultan_denar_1")
    take_turn(game)
    assert len(game.state.display) == 4
    assert list(game.module_state(Sultan).marks) == ["sultan_denar_1"]


@pytest.mark.rule("18.18", "18.35", "07.33")
def test_the_tile_that_replaces_the_dancers_may_be_claimed_by_her_owner_first() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "dancer")
    held(game, 0, "sultan_denar_1", "garden")
    held(game, 1, "sultan_denar_2", "garden")
    refill(game, "pavilion-8")
    assert decision(game) == ("start", 1)
    tower(game, "garden-11", "tower-12")
    play(game, "dance", slot="market-gulden")
    assert decision(game) == ("claim", 1)
    play(game, "pass")
    assert decision(game) == ("claim", 0)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-11")
    assert game.state.market[0] == "tower-12"
    assert game.state.tower[0] == "pavilion-8"


@pytest.mark.rule("18.35", "07.62")
def test_if_no_other_tile_is_left_the_dancers_own_comes_back_and_can_be_claimed_too() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "dancer")
    held(game, 1, "sultan_denar_1", "garden")
    held(game, 2, "sultan_denar_2", "pavilion")
    refill(game, "pavilion-8")
    play(game, "pass")
    assert decision(game) == ("start", 1)
    tower(game, "garden-11", only=True)
    play(game, "dance", slot="market-gulden")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-11")
    assert decision(game) == ("claim", 2)
    play(game, "pass")
    assert game.state.market[0] == "pavilion-8"
    assert decision(game) == ("action", 1)


@pytest.mark.rule("18.35")
def test_if_the_dancers_replacement_and_her_own_tile_are_claimed_the_game_ends_at_once() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "dancer")
    held(game, 1, "sultan_denar_1", "garden")
    held(game, 2, "sultan_denar_2", "pavilion")
    refill(game, "pavilion-8")
    play(game, "pass")
    assert decision(game) == ("start", 1)
    tower(game, "garden-11", only=True)
    play(game, "dance", slot="market-gulden")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-11")
    play(game, "claim", piece="sultan_denar_2")
    events = play(game, "reserve pavilion-8")
    assert [event.kind for event in events][:3] == ["reserved", "market_filled", "end_began"]
    assert events_of(events, "end_began") == [{"because": "market"}]
    assert game.state.phase == "END"
    assert "turn_began" not in [event.kind for event in events]


@pytest.mark.rule("18.32")
def test_a_claim_does_not_move_the_miser() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "miser")
    held(game, 1, "sultan_denar_1", "garden")
    refill(game, "garden-11", "pavilion-8")
    assert decision(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-11")
    assert decision(game) == ("action", 1)


@pytest.mark.rule("18.19")
def test_the_rich_patron_does_not_pay_for_a_sultan_card() -> None:
    game = sultans(3, "characters")
    own_character(game, 0, "rich_patron")
    beside(game, "sultan_denar_1", "garden")
    faults = refused(game, "buy", slot="sultan", piece="sultan_denar_1", items=("rich_patron",))
    assert "NOT_ACCEPTED" in codes(faults)


@pytest.mark.rule("18.20")
def test_a_sultan_card_that_the_beggar_draws_is_laid_out_and_he_may_draw_again() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "beggar")
    refill(game, "pavilion-8")
    deck(game, "sultan_denar_1 gulden-1")
    assert decision(game) == ("start", 1)
    play(game, "draw_card")
    assert list(game.module_state(Sultan).marks) == ["sultan_denar_1"]
    play(game, "draw_card")
    assert game.state.seats[1].hand == ("gulden-1",)


def own_character(game: Game, seat: int, piece: str) -> None:
    kept = game.module_state(Characters)
    if piece in kept.aside:
        kept.aside = tuple(other for other in kept.aside if other != piece)
    else:
        deck(game, piece)
        draw_from_deck(game)
    kept.owners = {**kept.owners, piece: seat}


@pytest.mark.rule("18.21", "19.17")
def test_a_claimant_moves_no_marker() -> None:
    game = sultans(3, "caravanserai")
    held(game, 1, "sultan_denar_1", "tower")
    caravans = game.module_state(Caravans)
    caravans.owners, caravans.markers = {"caravanserai_2": 1}, {"caravanserai_2": ("denar", 2)}
    refill(game, "tower-12", "pavilion-8")
    assert decision(game) == ("claim", 1)
    assert codes(refused(game, "advance_marker caravanserai_2", choice="up")) == ["VERB_NOT_OFFERED"]
    play(game, "claim", piece="sultan_denar_1")
    assert codes(refused(game, "advance_marker caravanserai_2", choice="up")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("18.33")
def test_a_claimed_building_of_power_rolls_its_die() -> None:
    game = sultans(3, "buildings_of_power")
    held(game, 2, "sultan_denar_1", "chambers")
    held(game, 2, "sultan_denar_2", "tower")
    market(game, denar="garden-10", dukat="chambers-5-nsw")
    tower(game, STRENGTH, ARCHITECTURE, "arcades-8-e", "seraglio-7-w")
    display(game, "dukat-1")
    take_turn(game)
    events = play(game, "claim", piece="sultan_denar_1")
    assert [event["seat"] for event in events_of(events, "die_rolled")] == [2]
    play(game, f"reserve {STRENGTH}")
    play(game, "claim", piece="sultan_denar_2")
    play(game, f"reserve {ARCHITECTURE}")
    assert decision(game) == ("action", 1)
    display(game, "dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    assert decision(game) == ("action", 2)
    take_turn(game)
    assert decision(game) == ("after", 2)
