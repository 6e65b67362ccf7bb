"""37 Gates without end together with other modules: what is paid, what is asked out of turn, what lies on tiles."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.change import Coins
from alhambra.modules.city_walls import Walls
from alhambra.modules.gates_without_end import Gates
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from alhambra.modules.treasures import Treasures
from tests.rules.modules.characters_table import give
from tests.rules.modules.craftsmen_table import arrange
from tests.rules.modules.gates_without_end_table import asked, at_gate, facing, gates, give_key, pass_gates, turned
from tests.rules.modules.watchtowers_table import stand
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    display,
    events_of,
    hand,
    kinds,
    legal,
    market,
    pieces,
    play,
    refused,
    reserve,
    tower,
)


def buying(held: str, *modules: str) -> Game:
    return at_gate("buy_for_14", *modules, before=lambda game: hand(game, 0, held))


# -- Paying 14 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.33", "06.22")
def test_diamonds_pay_14_only_alone() -> None:
    game = buying("diamond-9 diamond-5 denar-9", "diamonds")
    assert legal(game, "buy market-dirham diamond-5 diamond-9")
    assert codes(refused(game, "buy market-dirham diamond-5 denar-9")) == ["MIX_FORBIDDEN"]


@pytest.mark.rule("37.32")
def test_a_bureau_does_not_serve_a_purchase_for_14() -> None:
    game = buying("denar-9 gulden-5 exchange_gulden_denar", "bureaux_de_change")
    assert refused(game, "buy market-dirham denar-9 gulden-5 exchange_gulden_denar")
    assert legal(game, "buy market-dirham denar-9 gulden-5")


@pytest.mark.rule("37.33")
def test_coins_may_be_mixed_in_and_overpaying_gives_change() -> None:
    def coins(game: Game) -> None:
        hand(game, 0, "denar-9 gulden-6")
        kept = game.module_state(Coins)
        kept.bag = tuple(sorted(kept.bag))[1:]
        kept.held = (("coin-denar",), *kept.held[1:])

    game = at_gate("buy_for_14", "change", before=coins)
    events = play(game, "buy market-dirham denar-9 gulden-6", items=("coin-denar",))
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 1


@pytest.mark.rule("37.33", "42.12", "42.23")
def test_one_treasure_may_fill_what_is_short_of_14() -> None:
    game = buying("denar-9", "treasures")
    assert legal(game, "buy market-dirham denar-9", items=("treasure-5",))
    assert codes(refused(game, "buy market-dirham denar-9", items=("treasure-4",))) == ["UNDERPAID"]
    (paid,) = events_of(play(game, "buy market-dirham denar-9", items=("treasure-5",)), "paid")
    assert paid["exact"], "a payment with a treasure always counts as exact"
    assert game.state.actions == 0, "but it is no action, so it grants none"
    assert "treasure-5" not in game.module_state(Treasures).held[0]


@pytest.mark.rule("37.32", "22.38")
def test_no_character_no_watchtower_and_no_craftsman_helps_at_a_gate() -> None:
    game = gates(3, "characters", "watchtowers", "travelling_craftsmen")
    give(game, 0, "rich_patron")
    arrange(game, "carpenter goldsmith")
    hand(game, 0, "denar-9 gulden-5")
    give_key(game, 0, "key_1")
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman goldsmith")
    play(game, "use_key")
    play(game, "turn_key", rotation=120)
    assert asked(game) == ("key_bonus", 0)
    assert refused(game, "buy market-dirham", items=("rich_patron",))
    assert refused(game, "buy market-dirham denar-9 gulden-5", items=("carpenter:1",))
    assert refused(game, "buy market-dirham denar-9 gulden-5", choice="watchtower")
    play(game, "buy market-dirham denar-9 gulden-5")
    assert asked(game) == ("place_now", 0)


@pytest.mark.rule("37.32", "07.65")
def test_the_miser_takes_nothing_for_a_purchase_at_a_gate() -> None:
    game = gates(3, "characters")
    give(game, 0, "miser")
    hand(game, 0, "denar-9 gulden-5")
    turned(game, "buy_for_14")
    play(game, "buy market-dirham denar-9 gulden-5")
    assert asked(game) == ("place_now", 0)


@pytest.mark.rule("37.52")
def test_diamonds_and_builder_cards_are_money_for_the_bonus_and_gate_cards_are_not() -> None:
    game = gates(3, "diamonds", "master_builders", "city_gates")
    key, rotation = facing(game, 0, "money_card")
    give_key(game, 0, key)
    play(game, "take_money dukat-4")
    play(game, "pass")
    play(game, "use_key")
    play(game, "turn_key", **({"rotation": rotation} if rotation else {}))
    display(game, "diamond-4 builder-denar gate")
    assert legal(game, "take_open", display=("diamond-4",))
    assert legal(game, "take_open", display=("builder-denar",))
    assert not legal(game, "take_open", display=("gate",))


# -- Keys from other purchases ----------------------------------------------------------------------------------------


@pytest.mark.rule("37.11", "37.28")
def test_a_vizier_brings_a_key_for_the_next_own_turn() -> None:
    game = gates(3, "viziers_favour")
    hand(game, 0, "denar-9")
    play(game, "take_money dukat-4")
    while asked(game) != ("window", 0):
        play(game, "pass")
    play(game, "buy market-denar denar-9")
    assert game.module_state(Gates).waiting[0] == 1


@pytest.mark.rule("37.28", "41.20")
def test_arcades_from_another_players_market_bring_a_key() -> None:
    game = gates(3, "personal_building_market")
    markets = game.module_state(Markets)
    game.state.market = ("garden-10", "seraglio-9", "", "chambers-10")
    markets.lying = (markets.lying[0], ("", "", "arcades-9", ""), markets.lying[2])
    hand(game, 0, "denar-9")
    assert "key_gained" in kinds(play(game, "buy denar-9", slot="personal-1-denar"))


@pytest.mark.rule("37.28", "18.32")
def test_magical_arcades_and_a_claim_bring_no_key() -> None:
    game = gates(3, "magical_buildings")
    market(game, denar="magical_arcades")
    price = game.ruleset.tiles["magical_arcades"].price
    assert price is not None
    hand(game, 0, "denar-9 denar-8")
    assert "key_gained" not in kinds(play(game, "buy market-denar denar-8 denar-9"))


@pytest.mark.rule("37.28")
def test_a_tile_drawn_after_a_key_may_be_claimed_and_the_claim_brings_no_key() -> None:
    def sultans(game: Game) -> None:
        hand(game, 0, "denar-9 gulden-5")
        card = next(card for card in game.state.deck if card.startswith("sultan_"))
        game.state.deck = tuple(other for other in game.state.deck if other != card)
        game.state.piles = (len(game.state.deck),)
        sultan = game.module_state(Sultan)
        sultan.marks, sultan.owners = {card: "arcades"}, {card: 1}
        tower(game, "arcades-10")

    game = at_gate("buy_for_14", "power_of_the_sultan", before=sultans)
    play(game, "buy market-dirham denar-9 gulden-5")
    play(game, "reserve seraglio-9")
    pass_gates(game)
    assert asked(game) == ("claim", 1)
    card = next(iter(game.module_state(Sultan).owners))
    events = play(game, "claim", piece=card)
    assert asked(game) == ("place_now", 1)
    assert "key_gained" not in kinds(events)


# -- Asked out of turn ------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.29")
def test_the_window_opens_only_after_the_keys() -> None:
    game = gates(3, "viziers_favour")
    turned(game, "half_building")
    assert asked(game) == ("key_bonus", 0)
    pass_gates(game)
    assert asked(game) == ("window", 1)


@pytest.mark.rule("37.30", "12.41")
def test_the_disc_is_laid_again_right_after_a_redesign_at_a_gate() -> None:
    def set_up(game: Game) -> None:
        reserve(game, 0, "tower-12")
        kept = game.module_state(Residents)
        kept.discs = ((1, 0), *kept.discs[1:])

    game = at_gate("rebuild", "street_trader", before=set_up)
    play(game, "add tower-12 @1,0")
    assert asked(game) == ("resident", 0)
    play(game, "pass")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("37.30")
def test_the_disc_is_laid_again_right_after_a_plaza_was_built_on_its_cell() -> None:
    def set_up(game: Game) -> None:
        kept = game.module_state(Residents)
        kept.discs = ((1, 0), *kept.discs[1:])

    game = at_gate("plaza", "street_trader", before=set_up)
    play(game, "take_plaza plaza_1")
    play(game, "place plaza_1 @1,0")
    play(game, "pass")
    assert asked(game) == ("lay_disc", 0)


@pytest.mark.rule("37.48", "12.34")
def test_the_cell_of_a_disc_counts_as_empty_for_a_wall_piece() -> None:
    def set_up(game: Game) -> None:
        kept = game.module_state(Residents)
        kept.discs = ((1, 0), *kept.discs[1:])

    assert legal(at_gate("wall_piece", "street_trader", before=set_up), "add_wall @0,0", side="E")


@pytest.mark.rule("37.31")
def test_a_character_that_comes_up_after_a_key_is_auctioned_before_the_next_one() -> None:
    game = gates(3, "characters")
    hand(game, 1, "denar-9")
    give_key(game, 0, "key_5")
    give_key(game, 0, "key_2")
    play(game, "take_money dukat-4")
    play(game, "use_key")
    play(game, "turn_key")
    play(game, "take_open dukat-1")
    character = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "character")
    deck(game, character)
    pass_gates(game)
    assert asked(game) == ("auction", 1)
    while asked(game)[0] == "auction":
        play(game, "pass")
    assert asked(game) == ("after", 0)


@pytest.mark.rule("37.32")
def test_no_craftsman_serves_at_a_gate() -> None:
    game = gates(3, "travelling_craftsmen")
    arrange(game, "mosaic_layer mortar_mixer")
    reserve(game, 0, "garden-9-e")
    give_key(game, 0, "key_3")
    play(game, "take_money dukat-4")
    play(game, "pass")
    play(game, "pass_craftsman mortar_mixer")
    play(game, "use_key")
    play(game, "turn_key", rotation=300)
    assert asked(game) == ("key_bonus", 0)
    assert codes(refused(game, "add garden-9-e @0,1", rotation=90, items=("mosaic_layer",))) == [
        *("NOT_THERE", "ROTATION_REFUSED"),
    ]
    assert legal(game, "add garden-9-e @0,1")


# -- Tiles and walls --------------------------------------------------------------------------------------------------


@pytest.mark.rule("37.35", "41.16")
def test_a_plaza_is_no_square_and_is_not_for_sale() -> None:
    game = at_gate("plaza", "squares", "personal_building_market")
    play(game, "take_plaza plaza_1")
    play(game, "reserve plaza_1", slot="personal-0-denar")
    pass_gates(game)
    assert asked(game) == ("action", 1)
    hand(game, 1, "denar-9")
    assert codes(refused(game, "buy denar-9", slot="personal-0-denar")) == ["NOT_ELIGIBLE"]
    assert game.view(None)["slices"]["squares"]["owned"] == [0, 0, 0]


@pytest.mark.rule("37.49", "41.19")
def test_a_wall_piece_travels_with_a_tile_that_is_sold() -> None:
    game = at_gate(
        "wall_piece", "personal_building_market", before=lambda game: alhambra(game, 0, {(1, 0): "arcades-8-e"})
    )
    play(game, "add_wall @1,0", side="S")
    board = game.state.seats[0].board.copy()
    board.remove("arcades-8-e")
    game.state.seats[0].board = board
    markets = game.module_state(Markets)
    markets.lying = (("", "", "arcades-8-e", ""), *markets.lying[1:])
    pass_gates(game)
    hand(game, 1, "denar-9")
    play(game, "buy denar-9", slot="personal-0-denar")
    assert pieces(game, "gates_without_end", kind="wall_piece", tile="arcades-8-e")[0]["seat"] == 1
    play(game, "place arcades-8-e @1,0")
    assert game.state.seats[1].board.cells[1, 0].edges == "owwo", "the printed wall, and the piece in the south"


@pytest.mark.rule("37.36")
def test_wooden_walls_and_wall_pieces_are_counted_apart() -> None:
    game = at_gate("wall_piece", "city_walls")
    left = game.module_state(Walls).left
    play(game, "add_wall @0,0", side="N")
    assert game.module_state(Walls).left == left
    assert game.module_state(Gates).walls == 5


@pytest.mark.rule("37.48")
def test_a_camp_takes_no_wall_piece() -> None:
    game = gates(3, "military_camps")
    board = alhambra(game, 0, {(1, 0): "arcades-8-e", (-1, 0): "garden-10-w"})
    camps = (tile for tile in game.ruleset.tiles.values() if tile.kind == "camp")
    camp, cell = next((camp, cell) for camp in camps for cell in board.legal_cells(camp))
    board.place(camp, *cell)
    game.state.tower = tuple(tile for tile in game.state.tower if tile != camp.id)
    turned(game, "wall_piece")
    assert codes(refused(game, "add_wall", cell=cell, side="N")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("37.48")
def test_the_void_half_of_a_watchtowers_cell_counts_as_empty_for_a_wall_piece() -> None:
    def set_up(game: Game) -> None:
        alhambra(game, 0, {(1, 0): "garden-11", (1, -1): "arcades-10", (2, -1): "tower-11"})
        stand(game, 0, "garden", (2, 0), "SW")

    game = at_gate("wall_piece", "watchtowers", before=set_up)
    assert legal(game, "add_wall @2,-1", side="S")
    assert codes(refused(game, "add_wall @1,0", side="E")) == ["WALL_REFUSED"], "the leg of the watchtower is there"
