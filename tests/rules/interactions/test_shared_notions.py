"""Notions that modules share, where no other test has them: phases, cards that are turned up, classes of tiles,
helpers, prices, limits."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import BadOptions, Board, Game, Options, known_modules
from tests.rules.interactions.deals import DEALS, MARKET, three_cards
from tests.rules.interactions.story import go_on
from tests.rules.modules.building_sites_table import lay_site
from tests.rules.modules.change_table import coins
from tests.rules.modules.characters_table import auction, characters, give
from tests.rules.modules.craftsmen_table import asked, workshop
from tests.rules.modules.extensions_table import lay as lay_extensions
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.thieves_table import MARKET as THIEVES_MARKET
from tests.rules.modules.thieves_table import finish, held, steal, thieves
from tests.rules.modules.watchtowers_table import placing
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    events_of,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)


def first_card(game: Game, prefix: str) -> str:
    """A card of the deck whose name begins like this."""
    return next(card for card in game.state.deck if card.startswith(prefix))


# -- The turn ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.59")
def test_a_turn_of_the_base_game_has_no_question_but_action_and_placing() -> None:
    game, chance, found = Game.new(Options(seats=3, seed="plain turns")), Random(5), set()
    while game.decision is not None:
        found.add((game.state.phase, game.decision.kind))
        game.play(game.random_move(chance))
    assert found <= {("MAIN", "action"), ("PLACE", "place_tiles"), ("END", "leftover_tiles")}
    assert {("MAIN", "action"), ("PLACE", "place_tiles")} <= found


@pytest.mark.rule("99.8")
def test_the_actions_stay_open_for_an_unused_mortar_mixer_and_a_pass_closes_them() -> None:
    game = workshop("mortar_mixer carpenter")
    play(game, "take_money dukat-4")
    assert asked(game) == ("action", 0)
    assert {move.verb for move in game.moves()} == {"swap_market", "pass"}
    play(game, "pass")
    assert asked(game) == ("pass_craftsman", 0)
    game = workshop("goldsmith carpenter")
    play(game, "take_money dukat-4")
    assert asked(game) == ("pass_craftsman", 0)


@pytest.mark.rule("99.8")
def test_a_standing_order_passes_only_when_no_action_is_left() -> None:
    game = workshop("mortar_mixer carpenter")
    (order,) = game.ruleset.questions["action"].kind.orders
    assert game.decision is not None
    assert list(order.moves(game, game.decision)) == []
    play(game, "take_money dukat-4")
    assert asked(game) == ("action", 0)
    (passing,) = order.moves(game, game.decision)
    game.apply(passing)
    assert asked(game) == ("pass_craftsman", 0)


@pytest.mark.rule("01.6", "10.4", "99.15")
def test_the_window_is_about_every_tile_and_card_that_can_be_taken_in_it() -> None:
    game = thieves()
    held(game, s2="denar")
    finish(game)
    assert asked(game) == ("window", 2)
    assert game.decision is not None
    about = list(game.ruleset.questions["window"].kind.about(game, game.decision))
    tiles = [name for currency, tile in THIEVES_MARKET.items() for name in (f"market-{currency}", tile)]
    assert about == [*tiles, "denar-1", "denar-9", "dirham-4", "dukat-2"]


@pytest.mark.rule("99.9")
@pytest.mark.parametrize("first", ["garden", "square"])
def test_bought_tiles_and_squares_are_placed_together_in_any_order(first: str) -> None:
    game = table(3, modules=["squares"])
    market(game, **{**MARKET, "denar": "garden-10"})
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    hand(game, 0, "denar-4 denar-6")
    play(game, "buy market-denar denar-4 denar-6")
    play(game, "take_square", slot="square-tower")
    assert asked(game) == ("place_tiles", 0)
    (square,) = (tile for tile in game.state.seats[0].pending if tile != "garden-10")
    for text in ("place garden-10 @1,0", f"reserve {square}")[:: 1 if first == "garden" else -1]:
        assert asked(game) == ("place_tiles", 0)
        play(game, text)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("99.16")
def test_a_scoring_card_is_scored_at_once_for_a_thief_but_at_the_end_of_the_turn_for_the_blacksmith() -> None:
    game = thieves()
    held(game, s2="denar")
    finish(game)
    go_on(game, "window")
    deck(game, "scoring-1")
    assert "scoring_began" in kinds(steal(game, "denar-9"))
    game = workshop("blacksmith carpenter")
    deck(game, "scoring-1 gulden-1 gulden-2 gulden-3")
    assert "scoring_began" not in kinds(play(game, "enlarge_display", items=("blacksmith",)))
    assert "scoring_began" in kinds(play(game, "take_money dukat-4"))


@pytest.mark.rule("99.18")
def test_cards_that_are_turned_up_go_where_they_belong_and_the_display_is_filled() -> None:
    modules = ["bureaux_de_change", "city_gates", "diamonds", "city_walls", "master_builders", "power_of_the_sultan"]
    game = table(3, modules=modules)
    market(game, **MARKET)
    builder, diamond = (first_card(game, kind) for kind in ("builder-", "diamond-"))
    display(game, "dukat-1")
    aside = ("gate", "wallcard_NE", "sultan_denar_1")
    deck(game, "exchange_gulden_denar", *aside, diamond, builder, "denar-1")
    events = [*play(game, "take_money dukat-1"), *go_on(game, "action")]
    assert game.state.display == ("exchange_gulden_denar", diamond, builder, "denar-1")
    turned = {event["card"]: event["to"] for event in events_of(events, "card_revealed")}
    assert [turned[card] for card in game.state.display] == ["display"] * 4
    assert "display" not in {turned[card] for card in aside}
    assert not {*aside} & {*game.state.discard}
    game = characters()
    hand(game, 1, "denar-9")
    auction(game, "trader")
    assert asked(game) == ("auction", 1)


# -- Players -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("00.93")
def test_players_without_a_choice_get_the_free_colours_in_order() -> None:
    seats: list[dict[str, str]] = [{}, {"colour": "white"}, {}, {"colour": "green"}, {}]
    colours = [seat.colour for seat in Options(seats=seats, seed="colours").seats]
    assert colours == ["red", "white", "yellow", "green", "blue"]
    with pytest.raises(BadOptions):
        Options(seats=[{"colour": "red"}, {"colour": "red"}], seed="colours")


# -- Tiles -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.30")
def test_every_tile_fills_its_cell_but_camps_and_watchtowers() -> None:
    game = table(3, modules=list(known_modules()))
    full: dict[str, bool] = {}
    for tile in game.ruleset.tiles.values():
        if tile.kind != "start":
            board = Board()
            board.put(tile, 1, 0)
            full.setdefault(tile.kind, board.full(board.at(1, 0)))
    assert {kind for kind, fills in full.items() if not fills} == {"camp", "watchtower"}
    assert {"square", "bazaar", "magical", "medina", "ground", "project", "bathhouse", "well", "plaza"} <= {*full}


@pytest.mark.rule("99.33")
def test_a_magical_garden_gets_no_fruit_no_animals_and_no_missing_servant() -> None:
    for tile, standard in (("garden-10", True), ("magical_garden", False)):
        game = table(3, modules=["magical_buildings", "palace_staff", "orchards", "menagerie"])
        market(game, **{**MARKET, "denar": ""})
        tower(game, tile)
        display(game, "dukat-1")
        brought = {"fruit_drawn", "animals_drawn"}
        assert brought & {*kinds(take_turn(game))} == (brought if standard else set())
        game = table(3, modules=["magical_buildings", "palace_staff"])
        alhambra(game, 0, {(1, 0): tile})
        game.state.seats[0].score = 5
        assert points(hold_scoring(game, 1), "staff_missing") == ({0: -1} if standard else {})


@pytest.mark.rule("99.29")
def test_a_site_shows_a_watchtower_its_colour() -> None:
    game = placing({(1, 0): "garden-10"}, "garden", others=("building_sites",))
    lay_site(game, 0, "garden-10", "denar")
    assert legal(game, "place_watchtower", type="garden", cell=(2, 0), side="NW")
    assert not legal(game, "place_watchtower", type="garden", cell=(0, 1), side="NE")


@pytest.mark.rule("99.67")
def test_the_places_of_a_personal_market_are_the_reserve_of_other_modules() -> None:
    game = table(3, modules=["extensions", "personal_building_market"])
    market(game, **{**MARKET, "denar": "garden-10"})
    lay_extensions(game, "pavilion arcades seraglio")
    hand(game, 0, three_cards(12))
    extending = {"slot": "extension-1-2", "cards": tuple(sorted(three_cards(12).split()))}
    assert "CONDITION_UNMET" in codes(refused(game, "extend", **extending))
    stall(game, 0, denar="arcades-9")
    assert legal(game, "extend", **extending)
    assert legal(game, "add arcades-9 @1,0")


# -- Money -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.45")
def test_the_number_of_hand_cards_counts_every_card_with_the_back_of_money() -> None:
    modules = ["bureaux_de_change", "bonus_cards", "city_gates", "diamonds", "thieves", "master_builders"]
    game = table(3, modules=modules)
    hand(game, 0, "denar-1 exchange_gulden_denar gate", *(first_card(game, kind) for kind in ("builder-", "diamond-")))
    assert game.view(None)["seats"][0]["hand_count"] == 5
    assert pieces(game, "thieves", seat=0)
    assert pieces(game, "bonus_cards", seat=0)


@pytest.mark.rule("99.48")
def test_a_helper_that_changes_nothing_is_refused() -> None:
    game = table(3, modules=["bureaux_de_change", "treasures"])
    market(game, **{**MARKET, "denar": "garden-10"})
    hand(game, 0, "denar-4 denar-6 exchange_gulden_denar")
    payment = "buy market-denar denar-4 denar-6"
    assert legal(game, payment)
    assert codes(refused(game, f"{payment} exchange_gulden_denar")) == ["NO_EFFECT"]
    assert codes(refused(game, payment, items=("treasure-1",))) == ["NO_EFFECT"]


PRICED = ("standard building", "bazaar", "bathhouse", "well", "sultan card", "site start", "key bonus")


@pytest.mark.rule("99.50")
@pytest.mark.parametrize("purchase", PRICED)
def test_what_counts_as_the_printed_price_of_a_purchase(purchase: str) -> None:
    deal = DEALS[purchase]
    game = deal.table()
    assert codes(game.verify(deal.move(game, deal.price - 1))) in (["UNDERPAID"], ["NOT_EXACT"])
    assert not game.verify(deal.move(game, deal.price))


@pytest.mark.rule("99.59")
def test_a_seller_gets_the_cards_and_coins_that_are_paid() -> None:
    deal = DEALS["personal market"]
    game = deal.table("change")
    coins(game, 0, "denar")
    game.apply(deal.move(game, 7, items=("coin-denar",)))
    assert game.state.seats[2].hand == ("denar-7",)
    assert [piece["currency"] for piece in pieces(game, "change", seat=2)] == ["denar"]
    assert game.state.discard == ()


@pytest.mark.rule("99.63")
def test_trader_and_goldsmith_raise_the_limit_and_do_not_add_up() -> None:
    game = workshop("goldsmith carpenter", "characters")
    display(game, "dukat-2 dukat-3 dukat-4 gulden-1")
    three_and_four, more = ("dukat-3", "dukat-4"), ("dukat-3", "dukat-4", "gulden-1")
    assert not legal(game, "take_money", display=three_and_four)
    give(game, 0, "trader")
    assert legal(game, "take_money", display=three_and_four)
    assert not legal(game, "take_money", display=more)
    assert legal(game, "take_money", display=more, items=("goldsmith",))
    assert not legal(game, "take_money", display=("dukat-2", *three_and_four), items=("goldsmith",))
