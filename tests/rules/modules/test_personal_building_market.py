"""41 The personal building market."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import CURRENCIES, Game, Move
from alhambra.invariants import census
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import Invaders
from alhambra.modules.personal_building_market import PLACES
from alhambra.modules.power_of_the_sultan import Sultan
from alhambra.modules.squares import Stacks
from alhambra.modules.street_trader import Residents
from tests.rules.modules.personal_market_table import stall
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    end_game,
    events_of,
    fact,
    hand,
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

KEY = "personal_building_market"
FULL = {"gulden": "garden-10", "dirham": "tower-11", "denar": "arcades-9", "dukat": "chambers-10"}
"""Four tiles without walls, one for each place."""


def stalls(seats: int = 3, *modules: str, **options: Any) -> Game:
    """A cleared table; the market is full, so that no tile is drawn by chance."""
    game = table(seats, modules=[KEY, *modules], **options)
    market(game, gulden="pavilion-2-new", dirham="seraglio-3-esw", denar="arcades-4-nes", dukat="chambers-5-nsw")
    display(game, "gulden-1 dirham-1 denar-1 dukat-1")
    return game


def lying(game: Game, seat: int) -> dict[str, str]:
    """What everybody sees at the places of a seat: the occupied ones, by currency."""
    return {place["currency"]: place["tile"] for place in pieces(game, KEY, seat=seat) if place["tile"]}


def asked(game: Game) -> tuple[str, int]:
    """The open decision: its kind, and whose it is."""
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def overpay(game: Game, tile: str) -> None:
    """Seat 0 overpays a tile of the market that costs 10 or 11, and is asked where to place it."""
    market(game, denar=tile)
    hand(game, 0, "denar-9 denar-3")
    play(game, "buy market-denar denar-9 denar-3")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("41.1", "41.2", "41.32")
def test_everybody_has_four_places_one_of_each_currency() -> None:
    game = table(4, modules=[KEY], dealt=True)
    assert sorted(PLACES) == sorted(CURRENCIES)
    assert pieces(game, KEY, 2, seat=3) == [
        {"kind": "personal", "seat": 3, "currency": currency, "tile": ""} for currency in PLACES
    ]


# -- In place of the reserve -------------------------------------------------------------------------------------------


@pytest.mark.rule("41.3", "41.9")
def test_a_new_tile_that_is_not_built_goes_to_any_free_place_of_the_owner() -> None:
    game = stalls()
    stall(game, 0, dirham="tower-11")
    overpay(game, "garden-10")
    assert codes(refused(game, "reserve garden-10")) == ["NOUN_MISSING"]
    assert codes(refused(game, "reserve garden-10", slot="personal-1-gulden")) == ["NOT_THERE"]
    assert fact(refused(game, "reserve garden-10", slot="personal-0-dirham"), "PLACE_TAKEN") == {
        "slot": "personal-0-dirham"
    }
    events = play(game, "reserve garden-10", slot="personal-0-dukat")
    assert events_of(events, "reserved") == [{"seat": 0, "tile": "garden-10", "slot": "personal-0-dukat"}]
    assert lying(game, 0) == {"dirham": "tower-11", "dukat": "garden-10"}
    assert game.view(1)["seats"][0]["reserve"] == ["tower-11", "garden-10"]


@pytest.mark.rule("41.27")
def test_nothing_is_boxed_while_a_place_is_free() -> None:
    game = stalls()
    overpay(game, "garden-10")
    assert fact(refused(game, "box garden-10"), "CONDITION_UNMET") == {"what": "free_places", "need": 0, "have": 4}


@pytest.mark.rule("41.8")
def test_with_four_places_taken_a_new_tile_is_built_or_replaces_one_or_leaves_the_game() -> None:
    game = stalls()
    stall(game, 0, **FULL)
    overpay(game, "garden-11")
    answers = {(move.verb, move.slot) for move in game.moves()}
    assert answers == {("place", None), ("box", None), *(("reserve", f"personal-0-{place}") for place in PLACES)}
    events = play(game, "reserve garden-11", slot="personal-0-denar")
    assert events_of(events, "boxed") == [{"seat": 0, "tile": "arcades-9", "slot": "personal-0-denar"}]
    assert lying(game, 0) == {**FULL, "denar": "garden-11"}
    assert "arcades-9" in game.state.box


@pytest.mark.rule("41.8")
def test_only_a_tile_at_hand_can_be_boxed() -> None:
    game = stalls()
    stall(game, 0, **FULL)
    overpay(game, "garden-11")
    assert codes(refused(game, "box tower-12")) == ["NOT_THERE"]
    assert codes(refused(game, Move("box", "no_tile"))) == ["ID_UNKNOWN"]
    play(game, "box garden-11")
    assert "garden-11" in game.state.box
    assert lying(game, 0) == FULL


@pytest.mark.rule("41.3")
def test_the_owner_says_where_a_removed_tile_goes() -> None:
    game = stalls()
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    play(game, "remove seraglio-9")
    assert asked(game) == ("stow", 0)
    assert game.decision is not None
    assert game.decision.context == {"tiles": ("seraglio-9",)}
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    assert codes(refused(game, "place seraglio-9 @1,0")) == ["VERB_NOT_OFFERED"]
    assert codes(refused(game, "box seraglio-9")) == ["CONDITION_UNMET"]
    play(game, "reserve seraglio-9", slot="personal-0-gulden")
    assert lying(game, 0) == {"gulden": "seraglio-9"}
    assert asked(game) == ("action", 1)


# worked example
@pytest.mark.rule("41.8", "41.25")
def test_a_removed_tile_finds_four_places_taken() -> None:
    game = stalls()
    stall(game, 0, **FULL)
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    play(game, "remove seraglio-9")
    sample = game.clone()
    play(game, "reserve seraglio-9", slot="personal-0-dukat")
    assert lying(game, 0) == {**FULL, "dukat": "seraglio-9"}
    assert "chambers-10" in game.state.box
    play(sample, "box seraglio-9")
    assert lying(sample, 0) == FULL
    assert "seraglio-9" in sample.state.box


@pytest.mark.rule("41.6")
def test_a_tile_lying_there_is_built_in_later() -> None:
    game = stalls()
    stall(game, 0, denar="arcades-9")
    play(game, "add arcades-9 @1,0")
    assert lying(game, 0) == {}
    assert "arcades-9" in game.board(0).placed


@pytest.mark.rule("41.26")
def test_in_an_exchange_the_new_tile_frees_its_place_first() -> None:
    game = stalls()
    stall(game, 0, **FULL)
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    play(game, "swap tower-11 @1,0")
    assert asked(game) == ("stow", 0)
    assert list(game.moves()) == [Move("reserve", "seraglio-9", slot="personal-0-dirham")]
    play(game, "reserve seraglio-9", slot="personal-0-dirham")
    assert lying(game, 0) == {**FULL, "dirham": "seraglio-9"}


@pytest.mark.rule("41.26")
def test_in_an_exchange_any_free_place_may_be_chosen() -> None:
    game = stalls()
    stall(game, 0, denar="arcades-9")
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    play(game, "swap arcades-9 @1,0")
    assert {move.slot for move in game.moves()} == {f"personal-0-{place}" for place in PLACES}


def test_taking_back_a_redesign_takes_back_its_question() -> None:
    game = table(modules=[KEY], dealt=True)
    while not any(move.verb == "remove" for move in game.moves()):
        moves = game.legal_moves()
        game.apply(next((move for move in moves if move.verb in ("buy", "place")), moves[0]))
    before = game.state_bytes()
    _, seat = asked(game)
    game.apply(next(move for move in game.moves() if move.verb == "remove"))
    assert asked(game) == ("stow", seat)
    game.undo(seat)
    assert game.state_bytes() == before


# -- For sale ----------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("41.4", "41.5", "41.23", "41.30", "41.33")
def test_an_exact_payment_to_another_player_grants_a_further_action() -> None:
    game = stalls()
    stall(game, 1, dirham="garden-8-sw")
    hand(game, 0, "dirham-8 denar-2")
    hand(game, 1, "gulden-1")
    events = play(game, "buy dirham-8", slot="personal-1-dirham")
    assert events_of(events, "paid")[0]["payee"] == 1
    assert events_of(events, "paid")[0]["exact"]
    sold = events_of(events, "sold")[0]
    assert (sold["tile"], sold["seller"]) == ("garden-8-sw", 1)
    assert events_of(events, "bonus_action") == [{"seat": 0, "because": "exact"}]
    assert game.state.seats[1].hand == ("dirham-8", "gulden-1")
    assert game.state.seats[1].unseen == ()
    assert game.state.seats[0].pending == ("garden-8-sw",)
    assert lying(game, 1) == {}


# worked example
@pytest.mark.rule("41.5", "41.24")
def test_who_overpays_another_player_gets_nothing_back() -> None:
    game = stalls()
    stall(game, 1, dirham="garden-8-sw")
    hand(game, 0, "dirham-5 dirham-4")
    events = play(game, "buy dirham-4 dirham-5", slot="personal-1-dirham")
    assert "bonus_action" not in kinds(events)
    assert game.state.seats[1].hand == ("dirham-4", "dirham-5")
    assert asked(game) == ("place_tiles", 0)


@pytest.mark.rule("41.4")
def test_the_place_decides_the_currency() -> None:
    game = stalls()
    stall(game, 1, dirham="garden-8-sw")
    hand(game, 0, "denar-8 dirham-7")
    assert fact(refused(game, "buy denar-8", slot="personal-1-dirham"), "WRONG_CURRENCY")["allowed"] == ["dirham"]
    assert codes(refused(game, "buy dirham-7", slot="personal-1-dirham")) == ["UNDERPAID"]


@pytest.mark.rule("41.29")
def test_nobody_buys_from_the_own_market() -> None:
    game = stalls()
    stall(game, 0, dirham="garden-8-sw")
    hand(game, 0, "dirham-8")
    assert codes(refused(game, "buy dirham-8", slot="personal-0-dirham")) == ["NOT_THERE"]


@pytest.mark.rule("41.29", "41.32")
def test_a_tile_is_for_sale_from_the_next_turn_on_and_its_place_stays_empty_afterwards() -> None:
    game = stalls()
    overpay(game, "garden-10")
    hand(game, 1, "gulden-9 gulden-1")
    play(game, "reserve garden-10", slot="personal-0-gulden")
    assert asked(game) == ("action", 1)
    play(game, "buy gulden-1 gulden-9", slot="personal-0-gulden")
    take_turn(game)
    play(game, "place garden-10 @1,0")
    assert asked(game) == ("action", 2)
    assert lying(game, 0) == {}


@pytest.mark.rule("41.34")
def test_a_seat_that_resigned_receives_nothing() -> None:
    game = stalls(4)
    stall(game, 1, dirham="garden-8-sw")
    hand(game, 0, "dirham-8")
    game.resign(1)
    play(game, "buy dirham-8", slot="personal-1-dirham")
    assert game.state.seats[1].hand == ()
    assert "dirham-8" in game.state.discard


@pytest.mark.rule("41.10", "41.12")
def test_tiles_on_personal_markets_are_neither_given_out_nor_scored() -> None:
    game = stalls()
    stall(game, 1, **FULL)
    hand(game, 0, "dirham-9 denar-9 gulden-9 dukat-9")
    market(game)
    events = end_game(game)
    assert "leftover_awarded" not in kinds(events)
    assert points(events, "majority") == {}


@pytest.mark.rule("41.3")
def test_every_tile_is_accounted_for() -> None:
    game = stalls()
    stall(game, 0, **FULL)
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    before = census(game)
    play(game, "remove seraglio-9")
    assert census(game) == before
    play(game, "reserve seraglio-9", slot="personal-0-dukat")
    assert census(game) == before


@pytest.mark.parametrize("seats", [2, 6])
def test_a_game_with_an_open_question_survives_its_bytes(seats: int) -> None:
    game = stalls(seats)
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    play(game, "remove seraglio-9")
    restored = Game.from_bytes(game.to_bytes())
    assert restored == game
    assert list(restored.moves()) == list(game.moves())


# -- Two players -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("41.11")
def test_a_tile_bought_from_the_other_player_may_be_given_to_dirk() -> None:
    game = stalls(2)
    stall(game, 1, dirham="garden-8-sw")
    hand(game, 0, "dirham-9")
    play(game, "buy dirham-9", slot="personal-1-dirham")
    play(game, "give_to_dirk garden-8-sw")
    assert game.state.dirk == ("garden-8-sw",)


@pytest.mark.rule("41.11")
def test_a_removed_tile_is_never_given_to_dirk() -> None:
    game = stalls(2)
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    play(game, "remove seraglio-9")
    assert codes(refused(game, "give_to_dirk seraglio-9")) == ["VERB_NOT_OFFERED"]


# -- With other modules ------------------------------------------------------------------------------------------------


@pytest.mark.rule("41.15")
def test_a_vizier_does_not_buy_from_players() -> None:
    game = stalls(3, "viziers_favour")
    stall(game, 2, dirham="garden-8-sw")
    hand(game, 1, "dirham-8")
    take_turn(game)
    assert asked(game) == ("window", 1)
    assert codes(refused(game, "buy dirham-8", slot="personal-2-dirham")) == ["NOT_THERE"]


@pytest.mark.rule("41.31")
def test_a_viziers_tile_finds_four_places_taken() -> None:
    game = stalls(3, "viziers_favour")
    stall(game, 1, **FULL)
    hand(game, 1, "dukat-5")
    take_turn(game)
    play(game, "buy market-dukat dukat-5")
    assert asked(game) == ("place_now", 1)
    assert legal(game, "box chambers-5-nsw")
    play(game, "reserve chambers-5-nsw", slot="personal-1-denar")
    assert lying(game, 1) == {**FULL, "denar": "chambers-5-nsw"}


def stall_squares(game: Game, seat: int, **places: str) -> None:
    """Squares of the garden stack, and other tiles, lie at the places of a seat."""
    kept = game.module_state(Stacks)
    left = tuple(tile for tile in kept.stacks["garden"] if tile not in places.values())
    kept.stacks = {**kept.stacks, "garden": left}
    stall(game, seat, **places)


@pytest.mark.rule("41.21", "04.38")
def test_squares_on_the_own_market_count_towards_the_limit_and_a_boxed_one_no_more() -> None:
    game = stalls(3, "squares")
    squares = {"gulden": "square_garden_1", "dirham": "square_garden_2", "denar": "square_garden_3"}
    stall_squares(game, 0, **squares, dukat="chambers-10")
    assert codes(refused(game, "take_square", slot="square-tower")) == ["LIMIT_REACHED"]
    overpay(game, "garden-11")
    play(game, "reserve garden-11", slot="personal-0-denar")
    take_turn(game)
    take_turn(game)
    assert legal(game, "take_square", slot="square-tower")


@pytest.mark.rule("41.7", "41.16")
def test_a_square_is_not_for_sale() -> None:
    game = stalls(3, "squares")
    stall_squares(game, 1, gulden="square_garden_1")
    hand(game, 0, "gulden-9 gulden-8")
    faults = refused(game, "buy gulden-9 gulden-8", slot="personal-1-gulden")
    assert codes(faults) == ["NOT_ELIGIBLE"]
    assert fact(faults, "NOT_ELIGIBLE") == {"tile": "square_garden_1", "for": "sale"}


@pytest.mark.rule("41.6", "41.9")
def test_a_gate_lets_a_tile_from_the_own_market_be_built_in() -> None:
    game = stalls(3, "city_gates")
    stall(game, 0, denar="garden-10-w")
    alhambra(game, 0, {(1, 0): "arcades-8-e"})
    hand(game, 0, "gate")
    events = play(game, "add garden-10-w @2,0", choice="gate")
    assert "gate_set" in kinds(events)
    assert lying(game, 0) == {}


@pytest.mark.rule("41.13")
def test_the_patron_pays_and_the_seller_receives_nothing() -> None:
    game = stalls(3, "characters")
    game.module_state(Characters).owners = {"rich_patron": 0}
    stall(game, 1, dirham="garden-8-sw")
    events = play(game, "buy", slot="personal-1-dirham", items=("rich_patron",))
    assert game.state.seats[1].hand == ()
    assert "bonus_action" in kinds(events)
    assert game.state.seats[0].pending == ("garden-8-sw",)


@pytest.mark.rule("41.22")
def test_the_miser_looks_at_the_price_of_another_players_tile() -> None:
    game = stalls(3, "characters")
    game.module_state(Characters).owners = {"miser": 0}
    stall(game, 1, dirham="garden-10")
    hand(game, 0, "dirham-9 dirham-2")
    play(game, "buy dirham-9 dirham-2", slot="personal-1-dirham")
    assert asked(game) == ("miser", 0)


@pytest.mark.rule("41.3", "41.9")
def test_the_master_builders_removal_asks_for_a_place_too() -> None:
    game = stalls(3, "characters")
    game.module_state(Characters).owners = {"master_builder": 0}
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    take_turn(game)
    assert asked(game) == ("late", 0)
    play(game, "remove seraglio-9", items=("master_builder",))
    assert asked(game) == ("stow", 0)
    play(game, "reserve seraglio-9", slot="personal-0-denar")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("41.16")
def test_camps_are_for_sale() -> None:
    game = stalls(3, "military_camps")
    stall(game, 1, gulden="camp_N")
    hand(game, 0, "gulden-4")
    events = play(game, "buy gulden-4", slot="personal-1-gulden")
    assert "bonus_action" in kinds(events)


@pytest.mark.rule("41.19")
def test_wooden_walls_stay_with_a_sold_tile() -> None:
    game = stalls(3, "city_walls")
    stall(game, 1, gulden="garden-10")
    game.state.wooden_walls = {"garden-10": (1,)}
    hand(game, 0, "gulden-9 gulden-2")
    play(game, "buy gulden-9 gulden-2", slot="personal-1-gulden")
    play(game, "place garden-10 @1,0")
    assert game.board(0).cells[1, 0].edges == "wooo"


@pytest.mark.rule("41.15")
def test_nobody_buys_from_players_where_thieves_are_at_work() -> None:
    game = stalls(3, "thieves")
    stall(game, 1, **FULL)
    hand(game, 2, "dirham-9 dirham-2")
    take_turn(game)
    assert asked(game) == ("window", 2)
    assert codes(refused(game, "buy dirham-9 dirham-2", slot="personal-1-dirham")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("41.13", "41.14")
def test_coins_go_to_the_seller_and_overpaying_draws_new_ones() -> None:
    game = stalls(3, "change")
    stall(game, 1, dirham="garden-8-sw")
    kept = game.module_state(Coins)
    bag = list(kept.bag)
    bag.remove("coin-dirham")
    kept.bag, kept.held = tuple(bag), (("coin-dirham",), (), ())
    hand(game, 0, "dirham-9")
    events = play(game, "buy dirham-9", slot="personal-1-dirham", items=("coin-dirham",))
    assert game.module_state(Coins).held[1] == ("coin-dirham",)
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 1
    assert len(game.module_state(Coins).held[0]) == 1


@pytest.mark.rule("41.13")
def test_a_builder_card_paid_to_another_player_leaves_the_game() -> None:
    game = stalls(3, "master_builders")
    stall(game, 1, denar="garden-8-sw")
    hand(game, 0, "denar-5 builder-denar")
    play(game, "buy denar-5 builder-denar", slot="personal-1-denar")
    assert game.state.seats[1].hand == ("denar-5",)
    assert "builder-denar" in game.state.box


@pytest.mark.rule("41.21")
def test_buildings_on_the_own_market_count_for_culture() -> None:
    game = stalls(3, "arts_of_the_moors")
    stall(game, 0, gulden="arcades-9", denar="seraglio-9")
    take_turn(game)
    assert asked(game) == ("culture", 0)
    assert game.decision is not None
    assert list(game.decision.context["pieces"]) == ["culture_9"]


@pytest.mark.rule("41.19")
def test_the_resident_leaves_before_the_tile_is_put_up_for_sale() -> None:
    game = stalls(3, "street_trader")
    kept = game.module_state(Residents)
    alhambra(game, 0, {(1, 0): "seraglio-9"})
    kept.homes = {"seraglio-9": "seraglio"}
    events = play(game, "remove seraglio-9")
    assert "resident_left" in kinds(events)
    assert asked(game) == ("stow", 0)


@pytest.mark.rule("41.22")
def test_a_scout_is_won_by_an_exact_payment_to_a_player_too() -> None:
    game = stalls(3, "invaders")
    stall(game, 1, dirham="garden-8-sw")
    game.module_state(Invaders).open = tuple(piece for piece in game.ruleset.pieces if piece.endswith("garden"))
    hand(game, 0, "dirham-8")
    assert "scout_won" in kinds(play(game, "buy dirham-8", slot="personal-1-dirham"))


@pytest.mark.rule("41.31")
def test_a_claimed_tile_finds_four_places_taken() -> None:
    game = stalls(3, "power_of_the_sultan")
    stall(game, 1, **FULL)
    sultan = game.module_state(Sultan)
    sultan.marks, sultan.owners = {"sultan_denar_1": "garden"}, {"sultan_denar_1": 1}
    market(game, gulden="pavilion-2-new", dirham="seraglio-3-esw", denar="arcades-4-nes")
    tower(game, "garden-11 pavilion-8")
    take_turn(game)
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    assert asked(game) == ("place_now", 1)
    assert legal(game, "box garden-11")
    assert legal(game, "reserve garden-11", slot="personal-1-denar")


@pytest.mark.rule("41.18")
def test_a_watchtower_comes_with_a_standard_building_and_not_with_a_camp() -> None:
    game = stalls(3, "watchtowers", "military_camps")
    stall(game, 1, dirham="garden-8-sw", gulden="camp_N")
    hand(game, 0, "dirham-9 dirham-5 gulden-9 gulden-1")
    assert codes(refused(game, "buy gulden-1 gulden-9", slot="personal-1-gulden", choice="watchtower")) == ["NOT_THERE"]
    play(game, "buy dirham-5 dirham-9", slot="personal-1-dirham", choice="watchtower")
    assert game.state.seats[0].pending == ("garden-8-sw", "watchtower_garden_1")


def test_the_modules_whose_tiles_may_lie_there_compile_together() -> None:
    keys = [KEY, "squares", "military_camps", "major_construction_projects", "viziers_favour", "change"]
    ruleset = table(3, modules=keys).ruleset
    assert ruleset.explain("reserve").splitlines() == ["reserve:", "  base", f"  {KEY}"]
    assert set(keys) == set(ruleset.keys)
