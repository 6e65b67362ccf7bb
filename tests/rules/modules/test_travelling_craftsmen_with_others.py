"""31 The travelling craftsmen together with other modules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from alhambra import Decision, Game, Move, Options
from alhambra.base.payment.offers import Offer
from alhambra.base.supply import SLOTS
from alhambra.modules.change import Coins
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from alhambra.modules.travelling_craftsmen import Craftsmen
from tests.rules.modules.characters_table import give, turned_up_next
from tests.rules.modules.craftsmen_table import arrange, asked, lay_before, shown, workshop
from tests.rules.modules.palace_staff_table import stand_at
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.modules.test_travelling_craftsmen import at_start
from tests.rules.modules.test_travelling_craftsmen_building import bricks
from tests.rules.situations import (
    alhambra,
    beside,
    codes,
    deck,
    display,
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

# -- Money ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.43")
def test_the_goldsmith_and_the_trader_do_not_add_up() -> None:
    game = workshop("goldsmith carpenter", "characters")
    give(game, 0, "trader")
    display(game, "dukat-3 dukat-4 dukat-1 dukat-5")
    assert legal(game, "take_money", display=("dukat-1", "dukat-3", "dukat-4"), items=("goldsmith",))
    assert codes(refused(game, "take_money", display=("dukat-3", "dukat-4"), items=("goldsmith",))) == ["NO_EFFECT"]
    violations = refused(game, "take_money", display=("dukat-4", "dukat-5"), items=("goldsmith",))
    assert fact(violations, "SUM_TOO_HIGH") == {"sum": 9, "limit": 8}


@pytest.mark.rule("31.30")
def test_a_bureau_may_lie_beside_the_coiners_money() -> None:
    game = workshop("coiner carpenter", "bureaux_de_change")
    market(game, denar="pavilion-7-e")
    hand(game, 0, "exchange_denar_dukat denar-4")
    cards = ("denar-4", "exchange_denar_dukat")
    assert legal(game, "buy market-denar", cards=cards, display=("dukat-3",), items=("coiner",))


@pytest.mark.rule("31.30")
def test_a_bureau_of_the_display_does_not_pay_with_the_coiner() -> None:
    game = workshop("coiner carpenter", "bureaux_de_change")
    market(game, denar="pavilion-7-e")
    display(game, "exchange_denar_dukat denar-3 dukat-4")
    hand(game, 0, "denar-4")
    violations = refused(
        game, "buy market-denar denar-4", display=("denar-3", "exchange_denar_dukat"), items=("coiner",)
    )
    assert fact(violations, "NOT_THERE") == {"id": "exchange_denar_dukat", "place": "display"}
    assert legal(game, "buy market-denar denar-4", display=("denar-3",), items=("coiner",))


@pytest.mark.rule("31.30")
def test_a_diamond_of_the_display_is_paid_alone() -> None:
    game = workshop("coiner carpenter", "diamonds")
    market(game, denar="pavilion-7-e")
    display(game, "diamond-7 denar-3")
    hand(game, 0, "denar-4")
    assert legal(game, "buy market-denar", display=("diamond-7",), items=("coiner",))
    assert codes(refused(game, "buy market-denar denar-4", display=("diamond-7",), items=("coiner",))) == [
        "MIX_FORBIDDEN"
    ]


@pytest.mark.rule("31.31")
def test_a_builder_card_of_the_display_leaves_the_game() -> None:
    game = workshop("coiner carpenter", "master_builders")
    market(game, denar="pavilion-3-sw")
    card = next(card for card in game.state.deck if card.startswith("builder-"))
    currency = card.partition("-")[2]
    market(game, **{currency: "pavilion-3-sw"})
    display(game, card)
    play(game, f"buy market-{currency}", display=(card,), items=("coiner",))
    assert card in game.state.box
    assert card not in game.state.discard


@pytest.mark.rule("31.31", "41.13")
def test_a_seller_receives_the_coiners_cards_of_the_display() -> None:
    game = workshop("coiner carpenter", "personal_building_market")
    markets = game.module_state(Markets)
    game.state.market = ("garden-10", "seraglio-9", "arcades-9", "")
    markets.lying = (markets.lying[0], ("", "", "", "chambers-10"), markets.lying[2])
    hand(game, 0, "dukat-7")
    play(game, "buy dukat-7", slot="personal-1-dukat", display=("dukat-3",), items=("coiner",))
    assert game.state.seats[1].hand == ("dukat-3", "dukat-7")


@pytest.mark.rule("31.45")
def test_the_stonemason_swaps_a_diamond_only_for_a_diamond() -> None:
    game = at_start("diamond-5 dukat-9", "diamonds")
    display(game, "diamond-3 dukat-1")
    nouns = {"cards": ("diamond-5",), "items": ("stonemason",)}
    assert codes(refused(game, "cut_stone", display=("dukat-1",), **nouns)) == ["WRONG_CURRENCY"]
    assert legal(game, "cut_stone", display=("diamond-3",), **nouns)


@pytest.mark.rule("31.45")
def test_the_stonemason_keeps_a_builder_card_in_the_game() -> None:
    game = at_start("dukat-9", "master_builders")
    card = next(card for card in game.state.deck if card.startswith("builder-"))
    currency = card.partition("-")[2]
    display(game, f"{currency}-1")
    hand(game, 1, card)
    play(game, "cut_stone", cards=(card,), display=(f"{currency}-1",), items=("stonemason",))
    assert game.state.display == (card,)
    assert game.state.seats[1].hand == (f"{currency}-1",)


@pytest.mark.rule("31.45")
def test_a_bureau_is_no_money_for_the_stonemason() -> None:
    game = at_start("exchange_denar_dukat", "bureaux_de_change")
    violations = refused(
        game, "cut_stone", cards=("exchange_denar_dukat",), display=("dukat-1",), items=("stonemason",)
    )
    assert fact(violations, "NOT_ELIGIBLE")["for"] == "stonemason"


def test_change_is_given_for_what_exceeds_the_lowered_price() -> None:
    game = workshop("carpenter goldsmith", "change")
    market(game, dukat="chambers-9-w")
    hand(game, 0, "dukat-9")
    play(game, "buy market-dukat dukat-9", items=("carpenter:2",))
    assert len(game.module_state(Coins).held[0]) == 1


# -- Display and market -----------------------------------------------------------------------------------------------


@pytest.mark.rule("31.32")
def test_a_character_that_the_blacksmith_turns_up_is_auctioned_at_once() -> None:
    game = workshop("blacksmith carpenter", "characters")
    hand(game, 1, "denar-9")
    deck(game, "gulden-1 gulden-2 gulden-3")
    turned_up_next(game, "trader")
    events = play(game, "enlarge_display", items=("blacksmith",))
    assert "auction_began" in kinds(events)
    assert asked(game) == ("auction", 1)
    events = play(game, "pass")
    assert asked(game) == ("action", 0)
    assert len(game.state.display) == 6
    assert kinds(events).count("display_enlarged") == 1


def bazaar_offer(game: Game) -> Offer:
    """The one bazaar that lies beside the market, as it is offered now."""
    found: Iterator[Offer] = (offer for contribute in game.ruleset.offers["action"] for offer in contribute(game, 0))
    return next(offer for offer in found if offer.slot == "bazaar")


@pytest.mark.rule("31.34", "16.26", "16.36")
def test_the_price_of_a_bazaar_follows_the_swapped_tiles() -> None:
    game = workshop("mortar_mixer carpenter", "bazaars")
    market(game, gulden="garden-10", dirham="seraglio-9", denar="arcades-8-n", dukat="chambers-11")
    beside(game, bazaar=next(tile for tile in game.state.tower if game.ruleset.tiles[tile].kind == "bazaar"))
    own = f"market-{bazaar_offer(game).currency}"
    other = "market-dirham" if own == "market-gulden" else "market-gulden"
    price = game.ruleset.tiles[game.state.market[SLOTS.index(other)]].price
    first, second = sorted((own, other), key=SLOTS.index)
    play(game, f"swap_market {first}", items=("mortar_mixer",))
    play(game, f"swap_with {second}")
    assert bazaar_offer(game).price == price


@pytest.mark.rule("31.29", "32.20")
def test_the_carpenter_lowers_the_price_of_a_bathhouse() -> None:
    game = workshop("carpenter goldsmith", "bathhouses")
    tile = next(tile for tile in game.state.tower if game.ruleset.tiles[tile].kind == "bathhouse")
    beside(game, beside_dukat=tile)
    price = game.ruleset.tiles[tile].price
    assert price == 8
    hand(game, 0, "dukat-6")
    assert legal(game, f"buy {tile} dukat-6", slot="beside-dukat", items=("carpenter:2",))


@pytest.mark.rule("31.26")
def test_no_craftsman_serves_a_vizier() -> None:
    game = workshop("carpenter coiner", "viziers_favour")
    market(game, **{"gulden": "garden-10", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-9-w"})
    hand(game, 0, "dukat-7")
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman carpenter")
    while asked(game)[1] != 0:
        game.apply(Move("pass"))
    assert asked(game) == ("window", 0)
    arrange(game, "carpenter coiner")
    assert codes(refused(game, "buy market-dukat dukat-7", items=("carpenter:2",))) == ["NOT_THERE", "UNDERPAID"]
    hand(game, 0, "dukat-9")
    assert legal(game, "buy market-dukat dukat-9"), "at its own price the tile is for sale"


# -- Building ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.26")
def test_the_mosaic_layer_does_not_serve_a_claim() -> None:
    game = workshop("mosaic_layer goldsmith", "power_of_the_sultan")
    market(game, gulden="garden-10", dirham="seraglio-9", denar="arcades-9")
    tower(game, "garden-9-e")
    sultan = game.module_state(Sultan)
    card = next(card for card in game.state.deck if card.startswith("sultan_"))
    game.state.deck = tuple(other for other in game.state.deck if other != card)
    game.state.piles = (len(game.state.deck),)
    sultan.marks, sultan.owners = {card: "garden"}, {card: 0}
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman goldsmith")
    assert asked(game) == ("claim", 0)
    play(game, "claim", piece=card)
    assert asked(game) == ("place_now", 0)
    violations = refused(game, "place garden-9-e @0,1", rotation=90, items=("mosaic_layer",))
    assert codes(violations) == ["NOT_THERE", "ROTATION_REFUSED"]


@pytest.mark.rule("31.26")
def test_the_mosaic_layer_does_not_serve_an_own_claim_at_the_start_of_the_turn() -> None:
    game = workshop("goldsmith carpenter", "power_of_the_sultan", "characters")
    lay_before(game, 1, "mosaic_layer")
    give(game, 1, "dancer")
    held(game, 1, "sultan_denar_1", "garden")
    tower(game, "garden-9-e", "pavilion-8")
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman goldsmith")
    assert asked(game) == ("start", 1)
    assert "mosaic_layer" in shown(game, 1)
    play(game, "dance", slot="market-gulden")
    play(game, "claim", piece="sultan_denar_1")
    assert asked(game) == ("place_now", 1)
    violations = refused(game, "place garden-9-e @0,1", rotation=90, items=("mosaic_layer",))
    assert codes(violations) == ["NOT_THERE", "ROTATION_REFUSED"]


@pytest.mark.rule("28.37", "31.39")
@pytest.mark.parametrize("kind", ["square", "camp", "project"])
def test_a_tile_of_another_kind_may_be_turned_by_the_mosaic_layer(kind: str) -> None:
    game = workshop("mosaic_layer goldsmith", "squares", "military_camps", "major_construction_projects")
    alhambra(game, 0, {(1, 0): "arcades-8-n", (0, 1): "garden-10-w", (0, -1): "chambers-9-w"})
    play(game, "take_square", slot="square-garden")
    tiles = tuple(tile.id for tile in game.ruleset.tiles.values() if tile.kind == kind)
    game.state.seats[0].pending = tiles
    game.state.decision = Decision("place_tiles", 0, {"tiles": tiles})
    turned = [move for move in game.moves() if move.verb == "place" and move.rotation]
    assert turned
    assert all(move.items == ("mosaic_layer",) for move in turned)


def test_a_tile_that_may_be_turned_anyway_needs_no_mosaic_layer() -> None:
    game = workshop("mosaic_layer goldsmith", "magical_buildings")
    tile = next(tile for tile in game.state.tower if game.ruleset.tiles[tile].kind == "magical")
    reserve(game, 0, tile)
    assert {move.items for move in game.moves() if move.verb == "add"} == {()}


@pytest.mark.rule("31.40")
def test_the_mosaic_layer_helps_the_master_builder() -> None:
    game = workshop("mosaic_layer goldsmith", "characters")
    give(game, 0, "master_builder")
    reserve(game, 0, "garden-9-e")
    play(game, "take_money dukat-4")
    assert asked(game) == ("late", 0)
    play(game, "add garden-9-e @0,1", rotation=90, items=("master_builder", "mosaic_layer"))
    assert shown(game, 0) == ("brickmaker", "goldsmith")


@pytest.mark.rule("31.24")
def test_the_contractor_does_not_help_at_the_end_of_the_turn() -> None:
    game = workshop("contractor goldsmith", "characters")
    give(game, 0, "master_builder")
    reserve(game, 0, "garden-9-e")
    play(game, "take_money dukat-4")
    play(game, "pass")
    assert asked(game) == ("late", 0)
    assert "NOT_THERE" in codes(refused(game, "add garden-9-e @1,0", items=("contractor",)))
    assert legal(game, "add garden-9-e @1,0", items=("master_builder",))


@pytest.mark.rule("31.35")
def test_a_square_is_not_exchanged_by_the_brickmaker() -> None:
    game = workshop("brickmaker carpenter", "squares", hidden="coiner")
    market(game, denar="tower-12")
    hand(game, 0, "denar-9 denar-3")
    alhambra(game, 0, {(1, 0): "arcades-10"})
    play(game, "buy market-denar denar-9 denar-3")
    play(game, "take_square", slot="square-garden")
    square = game.state.seats[0].pending[1]
    violations = refused(game, f"lay_brick {square} @1,0", items=("brickmaker",))
    assert fact(violations, "NOT_ELIGIBLE") == {"tile": square, "for": "brickmaker"}
    assert legal(game, "lay_brick tower-12 @1,0", items=("brickmaker",))


@pytest.mark.rule("31.35")
def test_a_watchtower_is_not_exchanged_by_the_brickmaker() -> None:
    game = workshop("brickmaker carpenter", "watchtowers", hidden="coiner")
    market(game, denar="tower-12")
    hand(game, 0, "denar-9 denar-8 denar-2")
    alhambra(game, 0, {(1, 0): "arcades-10"})
    play(game, "buy market-denar denar-9 denar-8 denar-2", choice="watchtower")
    watchtower = next(tile for tile in game.state.seats[0].pending if tile != "tower-12")
    assert codes(refused(game, f"lay_brick {watchtower} @1,0", items=("brickmaker",))) == ["NOT_THERE"]


@pytest.mark.rule("31.41", "12.26")
def test_a_lifted_building_sends_its_resident_to_the_supply() -> None:
    game = workshop("contractor goldsmith", "street_trader")
    alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-11"})
    kept = game.module_state(Residents)
    colour = kept.supply[0]
    kept.supply = kept.supply[1:]
    kept.homes = {"garden-11": colour}
    cell = next(cell for cell in ((0, 1), (0, -1), (-1, 0)) if cell != kept.discs[0])
    events = play(game, f"move_tile garden-11 @{cell[0]},{cell[1]}", items=("contractor",))
    assert events_of(events, "resident_left") == [{"seat": 0, "tile": "garden-11", "type": colour}]


@pytest.mark.rule("31.41", "12.26")
def test_a_tile_moved_onto_the_disc_meets_the_trader() -> None:
    game = workshop("contractor goldsmith", "street_trader")
    alhambra(game, 0, {(1, 0): "arcades-10", (2, 0): "garden-11"})
    kept = game.module_state(Residents)
    kept.discs = ((0, 1), *kept.discs[1:])
    play(game, "move_tile garden-11 @0,1", items=("contractor",))
    assert asked(game) == ("resident", 0)
    play(game, "pass")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("31.37")
def test_a_tile_lifted_by_the_brickmaker_can_go_to_the_own_market() -> None:
    game = bricks("personal_building_market")
    play(game, "lay_brick tower-12 @1,0", items=("brickmaker",))
    play(game, "reserve arcades-10", slot="personal-0-denar")
    assert "arcades-10" in game.module_state(Markets).lying[0]


@pytest.mark.rule("31.35")
def test_a_tile_from_another_players_market_counts_as_bought_for_the_brickmaker() -> None:
    game = workshop("brickmaker carpenter", "personal_building_market", hidden="coiner")
    markets = game.module_state(Markets)
    game.state.market = ("garden-10", "seraglio-9", "arcades-9", "")
    markets.lying = (markets.lying[0], ("", "", "", "chambers-10"), markets.lying[2])
    alhambra(game, 0, {(1, 0): "arcades-10"})
    hand(game, 0, "dukat-9 dukat-7")
    play(game, "buy dukat-9 dukat-7", slot="personal-1-dukat")
    assert game.module_state(Craftsmen).bought == ("chambers-10",)
    assert legal(game, "lay_brick chambers-10 @1,0", items=("brickmaker",))


@pytest.mark.rule("31.47")
def test_a_seat_can_resign_before_the_craftsmen_are_dealt() -> None:
    game = Game.new(Options(seats=3, seed="early", modules=["travelling_craftsmen", "palace_designers"]))
    assert game.decision is not None
    assert game.decision.kind == "face_designer"
    game.resign(2)
    assert game.state.seats[2].resigned
    assert game.decision.kind == "face_designer"
    while game.decision.kind == "face_designer":
        play(game, "face_designer", side="N")
    assert game.module_state(Craftsmen).gone == (), "none was dealt to it"
    assert [len(own) for own in game.module_state(Craftsmen).shown] == [2, 2, 0]
    assert game.module_state(Craftsmen).holder == game.state.first != 2


@pytest.mark.rule("29.28", "31.36")
def test_the_brickmaker_replaces_neither_the_tile_of_the_major_domo_nor_one_with_a_gate() -> None:
    game = bricks("palace_staff", "city_gates")
    stand_at(game, (1, 0))
    assert codes(refused(game, "lay_brick tower-12 @1,0", items=("brickmaker",))) == ["LOCKED"]
    assert legal(game, "lay_brick tower-12 @2,0", items=("brickmaker",))
    game.state.seats[0].board.add_passage(2, 0, "E")
    assert codes(refused(game, "lay_brick tower-12 @2,0", items=("brickmaker",))) == ["LOCKED"]
