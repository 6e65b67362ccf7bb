"""28 Major construction projects together with other modules."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.invariants import census
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import Invaders
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.street_trader import Residents
from tests.rules.modules.handymen_table import crew, rolled
from tests.rules.modules.major_construction_projects_table import KEY, VERTICAL, build, lying_bid, site, win
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    take_turn,
    turns,
)


@pytest.mark.rule("28.40")
@pytest.mark.parametrize(("module", "seat"), [("viziers_favour", 1), ("thieves", 2)])
def test_nobody_bids_between_turns(module: str, seat: int) -> None:
    game = site(3, module)
    hand(game, seat, "denar-9 denar-7")
    display(game, "gulden-1")
    take_turn(game)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("window", seat)
    assert codes(refused(game, "bid_project denar-9 denar-7")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("28.35", "04.33")
def test_a_half_counts_for_the_square_beside_it() -> None:
    game = site(3, "squares")
    board = build(game, 0, "project_chambers_garden", (1, 0))
    board.place(game.ruleset.tiles["square_garden_3"], 0, 1)
    alhambra(game, 1, {(1, 0): "garden-10"})
    assert points(hold_scoring(game, 1), "majority", type="garden") == {0: 5}


def test_a_gate_can_stand_in_the_wall_of_a_half() -> None:
    game = site(3, "city_gates", project="project_garden_tower")
    win(game)
    alhambra(game, 0, {(1, 0): "arcades-8-e"})
    hand(game, 0, "gate")
    take_turn(game)
    assert codes(refused(game, "place project_garden_tower @2,-1")) == ["NOT_REACHABLE"]
    events = play(game, "place project_garden_tower @2,-1", choice="gate")
    assert events_of(events, "gate_set") == [{"seat": 0, "cell": (2, 0), "side": "W", "forced": True}]


@pytest.mark.rule("28.29")
def test_a_project_is_awarded_before_the_dancer_dances() -> None:
    game = site(3, "characters")
    game.module_state(Characters).owners = {"dancer": 0}
    hand(game, 0, "denar-9 denar-7")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-9 denar-7")
    turns(game, 2)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("start", 0)
    assert game.state.seats[0].pending == (VERTICAL,)
    assert game.module_state(Projects).project != VERTICAL


@pytest.mark.rule("28.24")
def test_what_was_bid_is_not_counted_for_the_beggar() -> None:
    game = site(3, "characters")
    game.module_state(Characters).owners = {"beggar": 0}
    hand(game, 0, "denar-9 denar-7 dirham-1 dirham-2")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-9 denar-7")
    turns(game, 2)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("start", 0)
    assert legal(game, "draw_card")


@pytest.mark.rule("28.22")
def test_no_patron_pays_a_bid() -> None:
    game = site(3, "characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    assert "NOT_ACCEPTED" in codes(refused(game, "bid_project", items=("rich_patron",)))


@pytest.mark.rule("28.35")
def test_each_half_is_a_tile_in_the_line_of_a_camp() -> None:
    game = site(3, "military_camps")
    board = build(game, 0, "project_pavilion_tower", (1, 0))
    board.place(game.ruleset.tiles["garden-12-s"], 1, 2)
    board.place(game.ruleset.tiles["camp_N"], 1, 3)
    assert points(hold_scoring(game, 1), "camp") == {0: 3}


@pytest.mark.rule("08.31")
def test_a_camp_leans_on_the_wall_of_a_half() -> None:
    game = site(3, "military_camps")
    board = build(game, 0, "project_pavilion_tower", (1, 0))
    assert board.legal_cells(game.ruleset.tiles["camp_W"]) == [(2, 0), (2, 1)]


@pytest.mark.rule("28.39")
def test_wooden_walls_go_on_one_half_of_a_pending_project_and_never_between_the_halves() -> None:
    game = site(3, "city_walls")
    win(game)
    game.module_state(Walls).open = ("wallcard_N", "wallcard_S")
    assert codes(refused(game, f"build_wall {VERTICAL}", piece="wallcard_N")) == ["NOUN_MISSING"]
    inner = refused(game, f"build_wall {VERTICAL}", piece="wallcard_S", type="pavilion")
    assert fact(inner, "WALL_REFUSED")["because"] == "inner"
    play(game, f"build_wall {VERTICAL}", piece="wallcard_N", type="pavilion")
    play(game, f"place {VERTICAL} @1,0")
    assert [game.board(0).cells[cell].edges for cell in [(1, 0), (1, 1)]] == ["wwoo", "owoo"]


def give_coins(game: Game, seat: int, *coins: str) -> None:
    """The seat holds exactly these coins."""
    kept = game.module_state(Coins)
    bag = list(kept.bag)
    for coin in coins:
        bag.remove(coin)
    kept.bag = tuple(bag)
    kept.held = (*kept.held[:seat], coins, *kept.held[seat + 1 :])


def coin_bid(*modules: str) -> Game:
    """Seat 0 bids 15 with the help of a coin."""
    game = site(3, "change", *modules)
    hand(game, 0, "denar-9 denar-5")
    give_coins(game, 0, "coin-denar", "coin-dirham")
    assert codes(refused(game, "bid_project denar-5 denar-9", items=("coin-dirham",))) == ["MIX_FORBIDDEN"]
    play(game, "bid_project denar-5 denar-9", items=("coin-denar",))
    return game


@pytest.mark.rule("28.22")
def test_coins_of_the_same_currency_help_to_bid() -> None:
    game = coin_bid()
    assert lying_bid(game) == {"seat": 0, "cards": ["denar-5", "denar-9"], "items": ["coin-denar"], "sum": 15}
    assert game.module_state(Coins).held[0] == ("coin-dirham",)


@pytest.mark.rule("28.8")
def test_coins_of_a_bid_return_when_it_is_outbid() -> None:
    game = coin_bid()
    hand(game, 1, "gulden-9 gulden-7")
    play(game, "bid_project gulden-9 gulden-7")
    assert game.module_state(Coins).held[0] == ("coin-denar", "coin-dirham")


@pytest.mark.rule("28.23")
def test_coins_of_a_winning_bid_go_into_the_bag_and_no_change_is_drawn() -> None:
    game = coin_bid()
    bag = len(game.module_state(Coins).bag)
    events = turns(game, 2)
    assert "project_won" in kinds(events)
    assert "coins_drawn" not in kinds(events)
    assert len(game.module_state(Coins).bag) == bag + 1


@pytest.mark.rule("28.42")
def test_coins_in_the_bid_of_a_seat_that_resigns_go_into_the_bag() -> None:
    game = coin_bid()
    before = census(game)
    game.resign(0)
    assert game.module_state(Coins).held[0] == ()
    assert game.module_state(Coins).aside == ()
    assert census(game) == before


@pytest.mark.rule("28.35")
def test_the_trader_compares_the_half_that_covers_his_cell() -> None:
    game = site(3, "street_trader")
    kept = game.module_state(Residents)
    kept.discs = ((1, 1), *kept.discs[1:])
    kept.aboard = (("arcades", "garden", "tower"), *kept.aboard[1:])
    win(game)
    take_turn(game)
    play(game, f"place {VERTICAL} @1,0")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.context["type"]) == ("resident", "arcades")
    assert legal(game, "move_in")


@pytest.mark.rule("28.32", "28.35")
def test_the_open_sides_of_each_half_are_attacked_and_a_project_wins_no_scout() -> None:
    game = site(3, "invaders")
    invaders = game.module_state(Invaders)
    west = next(card for card in invaders.attacks if card.endswith("W"))
    invaders.attacks = (west, *(card for card in invaders.attacks if card != west))
    invaders.open = tuple(scout for scout in game.ruleset.pieces if scout.endswith(("pavilion", "arcades")))
    hand(game, 0, "denar-9 denar-6")
    play(game, "bid_project denar-9 denar-6")
    assert "scout_won" not in kinds(turns(game, 2))
    take_turn(game)
    play(game, f"place {VERTICAL} @1,0")
    lines = [line for line in events_of(hold_scoring(game, 1), "scored") if line["reason"] == "attack"]
    assert next(line["parts"] for line in lines if line["seat"] == 0) == (("W", 2),)


@pytest.mark.rule("28.32", "18.28")
def test_nobody_claims_a_project() -> None:
    game = site(3, "power_of_the_sultan")
    sultan = game.module_state(Sultan)
    sultan.marks, sultan.owners = {"sultan_denar_1": "pavilion"}, {"sultan_denar_1": 1}
    hand(game, 0, "denar-9 denar-7")
    display(game, "gulden-1 gulden-2 gulden-3 gulden-4")
    play(game, "bid_project denar-9 denar-7")
    assert "claim_offered" not in kinds(turns(game, 2))
    assert game.state.seats[0].pending == (VERTICAL,)


def test_a_watchtower_leans_on_the_half_of_its_colour() -> None:
    game = site(3, "watchtowers")
    build(game, 0, "project_pavilion_tower", (1, 0))
    hand(game, 0, "denar-9 denar-6")
    market(game, denar="tower-9-es")
    play(game, "buy market-denar denar-9 denar-6", choice="watchtower")
    display(game, "gulden-1")
    take_turn(game)
    assert legal(game, "place_watchtower @0,1", type="tower", side="NE")
    assert codes(refused(game, "place_watchtower @0,-1", type="tower", side="SE")) == ["CONTACT_REQUIRED"]


@pytest.mark.rule("28.33", "41.16")
def test_a_project_on_a_personal_market_takes_up_a_place_and_is_not_for_sale() -> None:
    game = site(3, "personal_building_market")
    win(game)
    take_turn(game)
    play(game, f"reserve {VERTICAL}", slot="personal-0-denar")
    assert game.view(1)["seats"][0]["reserve"] == [VERTICAL]
    hand(game, 1, "denar-9 denar-8 denar-7")
    assert codes(refused(game, "buy denar-9 denar-8 denar-7", slot="personal-0-denar")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("28.34")
def test_no_price_can_be_rolled_for_a_project() -> None:
    game = crew(3, KEY)
    build(game, 0, VERTICAL, (1, 0))
    for dice in ((6,), (6, 4), (6, 5, 4)):
        assert codes(refused(rolled(game, *dice), f"put_handyman {VERTICAL}")) == ["CONDITION_UNMET"]
    assert legal(rolled(game, 4, 4, 4), f"put_handyman {VERTICAL}")
