"""Money of modules 02, 06, 19, 24 and 42 with what modules 13, 14, 16, 25, 26, 27, 32 and 33 sell.

That each kind of money pays for each of these things is tried in `test_money_items.py`; here is what else is said about
the pairs.
"""

from __future__ import annotations

import pytest

from alhambra import Game, Move
from alhambra.modules.bazaars import score_bazaars
from alhambra.modules.treasures import Treasures
from tests.rules.interactions.deals import DEALS, MARKET, denars
from tests.rules.interactions.story import go_on, told
from tests.rules.interactions.test_money_items import AMOUNT, into_the_deck, paid
from tests.rules.modules.beside_table import score_lines
from tests.rules.modules.test_caravanserai import give as give_caravan
from tests.rules.modules.test_exchange_certificates import save
from tests.rules.modules.test_new_building_grounds import grounds
from tests.rules.situations import (
    alhambra,
    codes,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    play,
    table,
)

BOUGHT = ("magical building", "ground", "medina", "bathhouse", "well")
"""What can be overpaid."""

# -- Bureaux and diamonds ----------------------------------------------------------------------------------------------


@pytest.mark.rule("16.21", "02.20")
def test_a_bureau_pays_for_a_bazaar_only_if_it_shows_the_coin_of_the_bazaar() -> None:
    deal = DEALS["bazaar"]
    game = deal.table("bureaux_de_change")
    assert not game.verify(paid(deal, game, "denar-4 gulden-4 exchange_gulden_denar"))
    assert game.verify(paid(deal, game, "dukat-4 gulden-4 exchange_gulden_dukat"))


@pytest.mark.rule("16.21", "02.20", "06.29")
def test_neither_a_bureau_nor_diamonds_let_a_bazaar_be_overpaid() -> None:
    deal = DEALS["bazaar"]
    game = deal.table("bureaux_de_change", "diamonds")
    assert codes(game.verify(paid(deal, game, "denar-5 gulden-4 exchange_gulden_denar"))) == ["NOT_EXACT"]
    assert codes(game.verify(paid(deal, game, "diamond-9"))) == ["NOT_EXACT"]
    assert not game.verify(paid(deal, game, "diamond-8"))


@pytest.mark.rule("99.47", "14.15", "02.21", "06.19")
def test_a_builder_card_is_part_of_a_mix_with_a_bureau_but_not_of_a_payment_in_diamonds() -> None:
    deal = DEALS["standard building"]
    game = deal.table("bureaux_de_change", "diamonds", "master_builders")
    into_the_deck(game, 0)
    assert not game.verify(paid(deal, game, "builder-gulden denar-5 exchange_gulden_denar"))
    assert codes(game.verify(paid(deal, game, "builder-denar diamond-5"))) == ["MIX_FORBIDDEN"]


@pytest.mark.rule("99.47", "13.24", "06.28")
def test_diamonds_alone_buy_chests_and_are_not_mixed_although_chests_take_every_mixture() -> None:
    deal = DEALS["chests"]
    game = deal.table("diamonds")
    assert not game.verify(paid(deal, game, "denar-2 gulden-3 dukat-3"))
    assert not game.verify(paid(deal, game, "diamond-3 diamond-5"))
    assert codes(game.verify(paid(deal, game, "diamond-3 denar-5"))) == ["MIX_FORBIDDEN"]


# -- Caravanserai ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.27", "25.20", "27.21", "19.25")
def test_magical_buildings_and_occupied_grounds_count_as_types_for_a_caravanserai_card() -> None:
    game = grounds(3, "caravanserai", "magical_buildings", "medina", "bathhouses", "wishing_well", "bazaars")
    alhambra(game, 0, {(1, 0): "magical_arcades", (0, 1): "tower-11", (-1, 0): "garden-10"})
    board = game.state.seats[0].board
    for tile in ("medina_5", "bathhouse_1", "well_3_1", "bazaar_1", "ground_9_1"):
        game.state.tower = tuple(other for other in game.state.tower if other != tile)
        board.place(game.ruleset.tiles[tile], *board.legal_cells(game.ruleset.tiles[tile])[0])
    hand(game, 0, "denar-8")
    short = game.verify(Move("buy", slot="caravanserai", piece=AMOUNT, cards=("denar-8",)))
    assert fact(short, "CONDITION_UNMET") == {"what": "types_built", "need": 4, "have": 3}
    game.state.types = {**game.state.types, "ground_9_1": "pavilion"}
    assert legal(game, f"buy {AMOUNT} denar-8", slot="caravanserai")


@pytest.mark.rule("19.26")
def test_an_amount_is_mixed_with_builder_card_and_certificate_of_its_currency() -> None:
    deal = DEALS["standard building"]
    game = deal.table("caravanserai", "exchange_certificates", "master_builders")
    into_the_deck(game, 0)
    give_caravan(game, 0, **{AMOUNT: ("denar", 3)})
    save(game, 0, "denar", 2)
    events = game.apply(paid(deal, game, "builder-denar", items=(AMOUNT, "certificate")))
    assert events_of(events, "paid")[0]["exact"]
    assert {"marker_reset", "stone_returned", "card_left_game", "bonus_action"} <= {*kinds(events)}


# -- Certificates ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("24.21", "27.25")
@pytest.mark.parametrize("purchase", BOUGHT)
def test_what_a_special_tile_was_overpaid_is_saved_before_its_building_is_chosen(purchase: str) -> None:
    deal = DEALS[purchase]
    game = deal.table("exchange_certificates")
    events = game.apply(deal.move(game, deal.price + 3))
    assert told(events)[-1] == "asked save_certificate"
    events = play(game, "save", currency="gulden")
    assert events_of(events, "saved")[0]["amount"] == 3
    if purchase == "ground":
        assert told(events)[-1] == "asked ground_building"


@pytest.mark.rule("24.21", "24.23", "13.22")
def test_overpaying_chests_saves_nothing_but_a_saved_amount_pays_for_them() -> None:
    deal = DEALS["chests"]
    game = deal.table("exchange_certificates")
    save(game, 0, "denar", 3)
    events = game.apply(paid(deal, game, "gulden-7", items=("certificate",)))
    assert "stone_returned" in kinds(events)
    assert "asked save_certificate" not in told(events)


@pytest.mark.rule("24.25", "14.21")
def test_what_was_overpaid_with_a_builder_card_is_saved() -> None:
    deal = DEALS["standard building"]
    game = deal.table("exchange_certificates", "master_builders")
    into_the_deck(game, 0)
    game.apply(paid(deal, game, "builder-denar denar-7"))
    assert events_of(play(game, "save", currency="dukat"), "saved")[0]["amount"] == 2


# -- Treasures ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.53", "26.27", "27.23", "32.20", "33.18", "42.9", "42.12")
@pytest.mark.parametrize("purchase", [*BOUGHT, "bazaar", "camp"])
def test_a_treasure_makes_the_purchase_of_a_special_tile_exact(purchase: str) -> None:
    deal = DEALS[purchase]
    game = deal.table("treasures", "change", "exchange_certificates", "fresh_colours")
    events = game.apply(paid(deal, game, denars(deal.price - 2), items=("treasure-4",)))
    events += go_on(game, "action", taking=True)
    assert "bonus_action" in kinds(events)
    assert not {"coins_drawn", "saved", "colours_taken"} & {*kinds(events)}
    assert "treasure-4" not in game.module_state(Treasures).held[0]


@pytest.mark.rule("99.53", "06.23")
def test_a_treasure_fills_up_diamonds_and_a_builder_card() -> None:
    deal = DEALS["bathhouse"]
    game = deal.table("treasures", "diamonds", "master_builders")
    into_the_deck(game, 0)
    assert not game.verify(paid(deal, game, "diamond-6", items=("treasure-2",)))
    assert not game.verify(paid(deal, game, "builder-denar denar-3", items=("treasure-2",)))


# -- Prices of bazaars -------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.50", "27.22", "16.25")
@pytest.mark.parametrize(
    ("module", "tile", "price"),
    [
        ("magical_buildings", "magical_arcades", 11),
        ("medina", "medina_7", 7),
        ("new_building_grounds", "ground_9_1", 9),
    ],
)
def test_a_special_tile_on_the_space_sets_the_price_of_a_bazaar(module: str, tile: str, price: int) -> None:
    deal = DEALS["bazaar"]
    game = deal.table(module, "diamonds")
    market(game, **{**MARKET, "denar": tile})
    assert not game.verify(paid(deal, game, denars(price)))
    assert codes(game.verify(paid(deal, game, denars(price + 1)))) == ["NOT_EXACT"]


@pytest.mark.rule("99.27", "25.20", "27.21", "16.32")
def test_magical_buildings_and_occupied_grounds_are_neighbours_of_a_bazaar() -> None:
    """Bazaar 1 shows seraglio, arcades and garden."""

    def points(**types: str) -> int:
        game: Game = table(3, modules=["bazaars", "magical_buildings", "new_building_grounds", "medina"])
        game.state.types = types
        tiles = {(1, 0): "bazaar_1", (2, 0): "magical_arcades", (1, 1): "ground_9_1", (1, -1): "medina_5"}
        alhambra(game, 0, tiles)
        return score_lines(game, score_bazaars, 3, "bazaar").get("bazaar_1", 0)

    bare, garden, tower = points(), points(ground_9_1="garden"), points(ground_9_1="tower")
    assert bare == tower < garden
