"""07 The characters together with other modules."""

from __future__ import annotations

import pytest

from alhambra import Game, Move
from alhambra.base.supply import draw_from_deck
from alhambra.modules.change import Coins
from alhambra.modules.characters import CHARACTERS
from alhambra.modules.city_gates import Gates
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import SCOUTS, Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from alhambra.modules.thieves import Thieves
from tests.rules.modules.characters_table import (
    asked,
    auction,
    begging,
    building,
    characters,
    dancing,
    give,
    patronised,
    start,
    stingy,
    turned_up_next,
    won_juggler,
)
from tests.rules.situations import (
    alhambra,
    codes,
    deck,
    discard,
    display,
    events_of,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    own,
    play,
    points,
    refused,
    reserve,
    take_turn,
    tower,
)

# -- With other modules ----------------------------------------------------------------------------------------------


@pytest.mark.rule("01.19", "07.26")
def test_no_character_serves_in_a_vizier_action() -> None:
    game = characters(3, "viziers_favour")
    give(game, 1, "rich_patron", "miser")
    hand(game, 1, "gulden-9 gulden-1")
    display(game, "dukat-1 dukat-6 dukat-7 dukat-9")
    take_turn(game)
    assert asked(game) == ("window", 1)
    assert not legal(game, "buy market-gulden", items=("rich_patron",))
    play(game, "buy market-gulden gulden-1 gulden-9")
    assert asked(game) == ("place_now", 1)


@pytest.mark.rule("07.36", "10.18")
def test_a_character_turned_up_after_a_theft_is_auctioned_by_the_player_due_next() -> None:
    game = characters(3, "thieves")
    thieves = game.module_state(Thieves)
    everyone = sorted((*thieves.rest, *(thief for held in thieves.held for thief in held)))
    everyone.remove("thief-denar")
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), tuple(everyone)
    display(game, "dukat-1 denar-6 dukat-7 dukat-9")
    hand(game, 1, "dukat-3")
    hand(game, 2, "dukat-3")
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 2)
    turned_up_next(game, "trader", "scoring-1")
    play(game, "play_thief denar-6", currency="denar")
    assert asked(game) == ("auction", 1)
    play(game, "bid", amount=1)
    play(game, "pass")
    play(game, "pass")
    events = play(game, "pay dukat-3")
    assert len(game.state.display) == 4
    assert "scoring_began" in kinds(events)
    assert asked(game)[1] == 1


def coins(game: Game, seat: int, *own_coins: str) -> None:
    kept = game.module_state(Coins)
    bag = list(kept.bag)
    for coin in own_coins:
        bag.remove(coin)
    kept.bag = tuple(bag)
    kept.held = tuple(own_coins if number == seat else held for number, held in enumerate(kept.held))


@pytest.mark.rule("07.29")
def test_overpaying_a_bid_gives_change() -> None:
    game = characters(3, "change")
    hand(game, 1, "denar-9")
    auction(game, "trader")
    play(game, "bid", amount=4)
    play(game, "pass")
    events = play(game, "pay denar-9")
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 2
    assert kinds(events).index("coins_drawn") < kinds(events).index("character_gained")


@pytest.mark.rule("07.29", "07.58")
def test_coins_are_money_to_bid_with_but_no_money_cards_for_the_beggar() -> None:
    game = characters(3, "change")
    give(game, 1, "beggar")
    hand(game, 1, "denar-1")
    coins(game, 1, "coin-denar", "coin-denar", "coin-dukat")
    auction(game, "trader")
    assert [move.amount for move in game.moves() if move.verb == "bid"] == [1, 2, 3]
    play(game, "bid", amount=3)
    play(game, "pass")
    play(game, "pay denar-1", items=("coin-denar", "coin-denar"))
    coins(game, 1, "coin-dukat", "coin-gulden", "coin-dirham")
    assert asked(game) == ("start", 1)
    assert legal(game, "draw_card")


@pytest.mark.rule("07.53")
def test_a_player_with_coins_only_is_asked_in_an_auction() -> None:
    game = characters(3, "change")
    coins(game, 1, "coin-denar")
    auction(game, "trader")
    assert asked(game) == ("auction", 1)


def test_the_patron_gives_no_change() -> None:
    game = patronised("change")
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert "coins_drawn" not in kinds(events)


@pytest.mark.rule("07.31")
def test_a_patron_purchase_is_exact_and_wins_a_scout() -> None:
    game = patronised("invaders")
    invaders = game.module_state(Invaders)
    scout = next(piece for piece, name in SCOUTS.items() if name == "arcades")
    others = [piece for piece in (*invaders.open, *invaders.scouts) if piece != scout]
    invaders.open, invaders.scouts = (scout, others[0]), tuple(others[1:])
    events = play(game, "buy market-denar", items=("rich_patron",))
    assert events_of(events, "scout_won")[0]["seat"] == 0


@pytest.mark.rule("07.37")
def test_a_camp_counts_as_a_building_for_patron_and_miser() -> None:
    game = stingy("military_camps")
    camp = next(tile for tile in game.ruleset.tiles.values() if tile.kind == "camp" and tile.id in game.state.tower)
    give(game, 0, "rich_patron")
    market(game, denar=camp.id)
    play(game, "buy market-denar", items=("rich_patron",))
    assert camp.id in game.state.seats[0].pending
    assert camp.price is not None
    assert asked(game)[0] == ("miser" if camp.price >= 10 else "action")


@pytest.mark.rule("07.39")
def test_the_surcharge_of_a_watchtower_is_part_of_the_price() -> None:
    game = stingy("watchtowers")
    market(game, denar="arcades-8-n")
    hand(game, 0, "denar-9 denar-5 denar-8")
    play(game, "buy market-denar denar-5 denar-9", choice="watchtower")  # 8 and 6
    assert asked(game) == ("miser", 0)
    game = stingy("watchtowers")
    market(game, denar="arcades-8-n")
    hand(game, 0, "denar-8")
    play(game, "buy market-denar denar-8")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("07.41")
def test_a_won_project_is_awarded_before_the_dancer() -> None:
    game = characters(3, "major_construction_projects")
    give(game, 1, "dancer")
    projects = game.module_state(Projects)
    won = projects.project
    hand(game, 1, "denar-9 denar-6")
    game.state.seats[1].hand = ()
    projects.bidder, projects.cards, projects.total = 1, ("denar-6", "denar-9"), 15
    start(game)
    assert asked(game) == ("start", 1)
    assert game.state.seats[1].pending == (won,)
    assert projects.project != won


@pytest.mark.rule("07.41")
def test_each_half_of_a_project_is_a_building_for_the_wise_man() -> None:
    game = characters(3, "major_construction_projects")
    give(game, 0, "wise_man")
    projects = game.module_state(Projects)
    tile = game.ruleset.tiles[projects.project]
    cell, rotation = next((cell, turn) for turn in (0,) for cell in game.board(0).legal_cells(tile))
    board = game.state.seats[0].board.copy()
    board.place(tile, *cell, rotation)
    game.state.seats[0].board = board
    projects.project, projects.hidden = projects.hidden[-1], projects.hidden[:-1]
    hold_scoring(game, 1)
    assert {move.type for move in game.moves() if move.verb == "declare"} == {part.type for part in tile.parts}


@pytest.mark.rule("07.43")
def test_a_seller_receives_nothing_from_a_patron() -> None:
    game = patronised("personal_building_market")
    markets = game.module_state(Markets)
    market(game, dukat="chambers-10")
    game.state.market = ("", "", "", "")
    markets.lying = (markets.lying[0], ("chambers-10", "", "", ""), markets.lying[2])
    play(game, "buy", slot="personal-1-gulden", items=("rich_patron",))
    assert game.state.seats[0].pending == ("chambers-10",)
    assert game.state.seats[1].hand == ()


@pytest.mark.rule("07.37")
def test_the_miser_looks_at_a_tile_bought_from_another_player_too() -> None:
    game = stingy("personal_building_market")
    market(game, dukat="chambers-10")
    game.state.market = ("", "", "", "")
    markets = game.module_state(Markets)
    markets.lying = (markets.lying[0], ("chambers-10", "", "", ""), markets.lying[2])
    hand(game, 0, "gulden-9 gulden-1")
    play(game, "buy gulden-1 gulden-9", slot="personal-1-gulden")
    assert asked(game) == ("miser", 0)


@pytest.mark.rule("07.58", "10.17")
def test_thieves_are_no_money_cards_for_the_beggar() -> None:
    game = characters(3, "thieves")
    give(game, 1, "beggar")
    hand(game, 1, "denar-1 denar-2")
    assert len(game.module_state(Thieves).held[1]) > 2
    start(game)
    while asked(game)[0] == "window":
        play(game, "pass")
    assert asked(game) == ("start", 1)
    assert legal(game, "draw_card")


@pytest.mark.rule("07.38")
def test_a_gate_card_drawn_by_the_beggar_lies_open_and_he_may_draw_again() -> None:
    game = begging("gate", "dukat-7", modules=("city_gates",))
    play(game, "draw_card")
    assert game.module_state(Gates).open
    assert "gate" not in game.state.seats[1].hand
    assert asked(game) == ("start", 1)
    play(game, "draw_card")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("07.58", "07.63")
def test_a_gate_card_is_no_money_card_for_the_beggar_the_changer_and_the_miser() -> None:
    game = begging(held="denar-1 denar-2 gate", modules=("city_gates",))
    give(game, 1, "money_changer")
    display(game, "dukat-1")
    assert legal(game, "draw_card")
    violations = refused(game, "change_money dukat-1", cards=("gate",))
    assert codes(violations) == ["NOT_ELIGIBLE", "VALUE_TOO_HIGH"]


@pytest.mark.rule("07.53")
def test_a_player_with_nothing_but_a_gate_card_is_asked_in_an_auction() -> None:
    game = characters(3, "city_gates")
    hand(game, 1, "gate")
    auction(game, "trader")
    assert asked(game) == ("auction", 1)
    assert list(game.moves()) == [Move("pass")]


@pytest.mark.rule("07.38")
def test_a_wall_card_drawn_by_the_beggar_lies_open_and_he_may_draw_again() -> None:
    game = begging(modules=("city_walls",))
    card = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "wall")
    deck(game, card)
    play(game, "draw_card")
    assert card in game.module_state(Walls).open
    assert asked(game) == ("start", 1)


@pytest.mark.rule("07.45")
def test_wooden_walls_count_for_the_city_watch() -> None:
    game = characters(3, "city_walls")
    give(game, 0, "city_watch")
    board = alhambra(game, 0, {(1, 0): "pavilion-4-es"})
    board.add_wooden_walls("pavilion-4-es", (1,))
    game.state.wooden_walls = {"pavilion-4-es": (1,)}
    events = hold_scoring(game, 1)
    assert points(events, "wall") == {0: 3}
    assert points(events, "wall_guard") == {0: 1}


@pytest.mark.rule("07.44")
def test_the_master_builder_can_displace_the_disc() -> None:
    game = building("street_trader")
    reserve(game, 0, "garden-11")
    kept = game.module_state(Residents)
    kept.discs = ((1, 0), *kept.discs[1:])
    start(game)
    play(game, "add garden-11 @1,0", items=("master_builder",))
    assert game.module_state(Residents).discs[0] is None
    assert asked(game)[1] == 0


def test_squares_make_the_half_building_no_less() -> None:
    game = characters(3, "squares")
    give(game, 0, "wise_man")
    own(game, 0, tower=1)
    own(game, 1, tower=1)
    hold_scoring(game, 1)
    events = play(game, "declare", type="tower")
    assert points(events, "majority", type="tower") == {0: 6}


@pytest.mark.rule("07.33")
def test_a_tile_drawn_by_the_dancer_can_be_claimed_by_her_owner_first() -> None:
    game = dancing("power_of_the_sultan")
    cards = [card for card in game.state.deck if game.ruleset.cards[card].kind == "sultan"][:2]
    deck(game, *cards)
    assert [draw_from_deck(game), draw_from_deck(game)] == cards
    sultan = game.module_state(Sultan)
    sultan.marks = dict.fromkeys(cards, "tower")
    sultan.owners = {cards[0]: 0, cards[1]: 1}
    tower(game, "tower-12 garden-11")
    play(game, "dance market-denar")
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece=cards[1])
    assert asked(game) == ("place_now", 1)
    play(game, "reserve tower-12")
    assert game.state.market[2] == "garden-11"
    assert game.state.tower[0] == "arcades-9"


@pytest.mark.rule("07.38")
def test_a_sultan_card_drawn_by_the_beggar_is_marked_and_he_may_draw_again() -> None:
    game = begging(modules=("power_of_the_sultan",))
    card = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "sultan")
    deck(game, card)
    play(game, "draw_card")
    assert game.module_state(Sultan).marks[card]
    assert asked(game) == ("start", 1)


@pytest.mark.rule("07.37")
def test_the_patron_buys_no_sultan_card() -> None:
    game = patronised("power_of_the_sultan")
    card = next(card for card in game.state.deck if game.ruleset.cards[card].kind == "sultan")
    deck(game, card)
    draw_from_deck(game)
    game.module_state(Sultan).marks = {card: "tower"}
    assert not legal(game, "buy", slot="sultan", piece=card, items=("rich_patron",))


def test_discarded_money_is_all_that_the_discard_holds() -> None:
    game = won_juggler()
    discard(game)
    play(game, "choose", choice="keep")
    assert not set(game.state.discard) & set(CHARACTERS)
