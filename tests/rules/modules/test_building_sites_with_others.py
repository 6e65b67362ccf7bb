"""23 Building sites: every way in which a tile can move, and the other modules."""

from __future__ import annotations

import pytest

from alhambra import Game, registry
from alhambra.modules.city_walls import Walls
from alhambra.modules.invaders import Invaders
from alhambra.modules.new_building_grounds import NUMBER, Columns
from alhambra.modules.personal_building_market import Markets
from alhambra.modules.street_trader import Residents
from alhambra.modules.treasure_chamber import Chamber
from tests.rules.example_modules import register_examples
from tests.rules.modules import viziers_favour_table
from tests.rules.modules.building_sites_table import (
    FULL,
    GARDEN,
    building_yard,
    built,
    lay_site,
    only_markers,
    sites,
    start,
    started,
)
from tests.rules.modules.characters_table import asked, give
from tests.rules.modules.city_gates_table import BEHIND, EAST_WALL, gates
from tests.rules.modules.street_trader_table import disc
from tests.rules.situations import (
    alhambra,
    beside,
    codes,
    end_game,
    events_of,
    fact,
    give_turn,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    reserve,
)

STARTED = {GARDEN: (0, "dukat")}


@pytest.fixture(autouse=True)
def examples_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some ways to move a tile are proved by example modules."""
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()


def on_turn(game: Game, cards: str = "") -> Game:
    """Seat 0 is at its action again, with these cards."""
    give_turn(game, 0)
    game.state.actions, game.state.taken = 1, ()
    hand(game, 0, cards)
    return game


def still_a_site(game: Game) -> bool:
    return sites(game).on == STARTED and game.state.covered == (GARDEN,)


# -- Every way in which a tile can move --------------------------------------------------------------------------------


@pytest.mark.rule("23.13")
def test_site_stays_on_a_tile_that_is_removed_and_added_again() -> None:
    game = on_turn(built())
    play(game, f"remove {GARDEN}")
    assert still_a_site(game)
    on_turn(game)
    play(game, f"add {GARDEN} @0,1")
    assert still_a_site(game)


@pytest.mark.rule("23.13")
def test_site_stays_on_a_tile_that_is_swapped_out_and_in() -> None:
    game = built()
    reserve(game, 0, "tower-12")
    play(on_turn(game), "swap tower-12 @1,0")
    assert still_a_site(game)
    assert game.state.seats[0].reserve == (GARDEN,)
    play(on_turn(game), f"swap {GARDEN} @1,0")
    assert still_a_site(game)


@pytest.mark.rule("23.13")
def test_site_stays_on_a_tile_that_is_moved_inside_the_alhambra() -> None:
    game = on_turn(built("dukat", "example_carters"))
    play(game, f"move_tile {GARDEN} @0,1", items=("cart",))
    assert still_a_site(game)


@pytest.mark.rule("23.45")
def test_site_cannot_be_given_to_dirk() -> None:
    game = started(seats=2)
    assert fact(refused(game, f"give_to_dirk {GARDEN}"), "NOT_ELIGIBLE") == {"tile": GARDEN, "for": "dirk"}
    assert not any(move.verb == "give_to_dirk" for move in game.moves())


@pytest.mark.rule("23.32", "23.44", "41.17")
def test_site_on_a_personal_market_is_not_for_sale_until_it_is_completed() -> None:
    game = started("dukat", "personal_building_market")
    play(game, f"reserve {GARDEN}", slot="personal-0-denar")
    assert still_a_site(game)
    hand(game, 1, "denar-9 denar-2")
    faults = refused(game, "buy denar-9 denar-2", slot="personal-0-denar")
    assert fact(faults, "NOT_ELIGIBLE") == {"tile": GARDEN, "for": "sale"}
    play(on_turn(game, "dukat-9 dukat-2"), f"complete_site {GARDEN} dukat-9 dukat-2")
    give_turn(game, 1)
    hand(game, 1, "denar-9 denar-2")
    assert legal(game, "buy denar-9 denar-2", slot="personal-0-denar")
    assert "NOT_ELIGIBLE" in codes(refused(game, "buy denar-9", slot="personal-0-denar", choice="site"))


@pytest.mark.rule("23.48")
def test_site_boxed_with_its_tile_returns_its_marker_to_the_stack_unseen() -> None:
    game = started("dukat", "personal_building_market")
    tiles = ("arcades-10", "tower-11", "tower-12", "pavilion-8")
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in tiles)
    kept = game.module_state(Markets)
    kept.lying = (tiles, *kept.lying[1:])
    events = play(game, f"box {GARDEN}")
    assert sites(game).on == {}
    assert game.state.covered == ()
    assert sites(game).stack == ("dukat", "dukat")
    assert all("dukat" not in repr(event.public) for event in events if event.kind == "boxed")


def test_site_boxed_because_another_tile_takes_its_place_returns_its_marker_too() -> None:
    game = building_yard(3, "personal_building_market", cards="dukat-6")
    tiles = ("arcades-10", "tower-11", "tower-12", GARDEN)
    market(game, **{**FULL, "denar": "garden-12-s"})
    game.state.tower = tuple(tile for tile in game.state.tower if tile not in tiles)
    kept = game.module_state(Markets)
    kept.lying = (tiles, *kept.lying[1:])
    lay_site(game, 0, GARDEN, "denar")
    play(game, "buy market-dukat dukat-6")
    play(game, "take_money gulden-1")
    play(game, "reserve pavilion-6-n", slot="personal-0-dukat")
    assert GARDEN in game.state.box
    assert sites(game).on == {}
    assert sites(game).stack.count("denar") == 2


@pytest.mark.rule("23.48")
def test_site_of_a_seat_that_resigns_while_it_chooses_returns_both_markers() -> None:
    game = building_yard()
    only_markers(game, "dukat", "gulden")
    start(game)
    game.resign(0)
    assert GARDEN in game.state.box
    assert sites(game).stack == ("dukat", "gulden")
    assert sites(game).drawn == ()
    assert game.state.covered == ()
    assert asked(game) == ("action", 1)


@pytest.mark.rule("23.31")
def test_site_is_not_started_for_a_seat_that_resigns_before_it_looks() -> None:
    game = building_yard(3, "exchange_certificates")
    start(game, "denar-6")
    assert asked(game) == ("save_certificate", 0)
    game.resign(0)
    assert sites(game).on == {}
    assert len(sites(game).stack) == 8


@pytest.mark.rule("23.49")
def test_sites_of_a_seat_that_resigned_stay_and_are_not_turned_up() -> None:
    game = built()
    market(game)
    game.resign(0)
    assert still_a_site(game)
    assert not events_of(end_game(game), "sites_revealed")


@pytest.mark.rule("23.32")
def test_a_leftover_tile_is_no_site() -> None:
    game = building_yard(cards="dukat-9")
    market(game, dukat="pavilion-8")
    end_game(game)
    assert asked(game) == ("leftover_tiles", 0)
    assert game.state.covered == ()


@pytest.mark.rule("23.19")
def test_no_site_is_started_out_of_turn() -> None:
    """The vizier cannot start a site."""
    game = viziers_favour_table.window(3, "building_sites", cards="denar-4 denar-5")
    assert codes(refused(game, "buy market-denar denar-4", choice="site")) == ["NOT_THERE"]
    assert not any(move.choice == "site" for move in game.moves())
    play(game, "buy market-denar denar-4 denar-5")
    assert game.state.covered == ()


def test_a_sunk_tile_is_never_a_site() -> None:
    game = building_yard(3, "characters")
    give(game, 0, "dancer")
    assert not set(game.state.covered) & {*game.state.market, *game.state.tower}
    start(game)
    assert not set(game.state.covered) & {*game.state.market, *game.state.tower}


# -- Which tiles -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.32", "25.21")
@pytest.mark.parametrize(
    ("module", "kind"), [("magical_buildings", "magical"), ("medina", "medina"), ("new_building_grounds", "ground")]
)
def test_every_tile_of_a_market_space_but_camps_can_be_a_site(module: str, kind: str) -> None:
    game = building_yard(3, module)
    tile = next(tile for tile in game.ruleset.tiles.values() if tile.kind == kind)
    market(game, **{**FULL, "denar": tile.id})
    half = (tile.price or 0) // 2
    hand(game, 0, f"denar-{half}")
    start(game, f"denar-{half}")
    assert asked(game) == (("ground_building" if kind == "ground" else "site_marker"), 0)


@pytest.mark.rule("23.20", "08.30")
def test_a_camp_cannot_be_a_site() -> None:
    game = building_yard(3, "military_camps")
    market(game, **{**FULL, "denar": "camp_N"})
    faults = refused(game, "buy market-denar denar-6", choice="site")
    assert fact(faults, "NOT_ELIGIBLE") == {"tile": "camp_N", "for": "site"}


@pytest.mark.rule("23.20")
@pytest.mark.parametrize(
    ("module", "kind"), [("bazaars", "bazaar"), ("bathhouses", "bathhouse"), ("wishing_well", "well")]
)
def test_what_lies_beside_the_market_cannot_be_a_site(module: str, kind: str) -> None:
    game = building_yard(3, module, cards="denar-9 denar-8 denar-7")
    tile = next(tile for tile in game.state.tower if game.ruleset.tiles[tile].kind == kind)
    slot = game.ruleset.side_slots[kind](2)
    beside(game, **{slot.replace("-", "_"): tile})
    faults = refused(game, f"buy {tile} denar-9", slot=slot, choice="site")
    assert codes(faults) in (["NOT_ELIGIBLE"], ["NOT_THERE"])


@pytest.mark.rule("23.33", "27.22")
def test_the_building_of_a_ground_is_chosen_at_once_and_counts_when_it_is_completed() -> None:
    """The completion price is that of the ground."""
    game = building_yard(3, "new_building_grounds")
    ground = next(tile for tile in NUMBER if tile in game.state.tower)
    number = NUMBER[ground]
    game.module_state(Columns).columns = {**game.module_state(Columns).columns, number: ("garden", "tower", "garden")}
    market(game, **{**FULL, "denar": ground})
    price = game.ruleset.tiles[ground].price or 0
    only_markers(game, "denar", "denar")
    hand(game, 0, f"denar-{price // 2}")
    start(game, f"denar-{price // 2}")
    play(game, "choose_building", type="tower")
    play(game, "keep_marker", currency="denar")
    play(game, f"reserve {ground}")
    on_turn(game, f"denar-9 denar-{price - 9}" if price > 9 else f"denar-{price}")
    cards = " ".join(game.state.seats[0].hand)
    assert events_of(play(game, f"complete_site {ground} {cards}"), "bonus_action")
    assert game.state.types[ground] == "tower"
    assert ground not in game.state.covered


@pytest.mark.rule("23.32", "18.23")
def test_a_claimed_tile_and_a_square_are_no_sites() -> None:
    game = building_yard(3, "squares")
    play(game, "take_square", slot="square-garden")
    assert game.state.covered == ()


# -- The other modules -------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.23", "23.41", "12.18")
def test_no_resident_moves_into_a_site_on_the_traders_space() -> None:
    """It is a colour that does not match; completing it later brings nobody."""
    game = started("dukat", "street_trader")
    disc(game, 0, (1, 0), "garden", "tower", "tower")
    play(game, f"place {GARDEN} @1,0")
    assert asked(game) == ("resident", 0)
    assert "NOT_ELIGIBLE" in codes(refused(game, "move_in"))
    assert any(move.verb == "swap_resident" for move in game.moves())
    play(game, "pass")
    while asked(game)[0] != "action":
        game.apply(next(game.moves()))
    play(on_turn(game, "dukat-9 dukat-2"), f"complete_site {GARDEN} dukat-2 dukat-9")
    assert GARDEN not in game.module_state(Residents).homes


@pytest.mark.rule("23.41", "12.18")
def test_a_completed_tile_that_comes_onto_the_traders_space_lets_a_resident_in() -> None:
    game = on_turn(built("dukat", "street_trader"), "dukat-9 dukat-2")
    play(game, f"complete_site {GARDEN} dukat-2 dukat-9")
    play(game, f"remove {GARDEN}")
    on_turn(game)
    disc(game, 0, (0, 1), "garden", "tower", "tower")
    play(game, f"add {GARDEN} @0,1")
    assert legal(game, "move_in")


@pytest.mark.rule("23.23", "13.19")
def test_no_chest_is_put_into_a_site() -> None:
    game = building_yard(3, "treasure_chamber")
    alhambra(game, 0, {(1, 0): "garden-10"})
    lay_site(game, 0, "garden-10", "denar")
    kept = game.module_state(Chamber)
    kept.rooms = {**kept.rooms, "room-1": ("garden",) * 4}
    hand(game, 0, "denar-8")
    assert not events_of(play(game, "buy_chests denar-8", slot="room-1"), "chest_put")


@pytest.mark.rule("23.21", "09.25")
def test_wooden_walls_may_be_put_on_a_site() -> None:
    game = on_turn(built("dukat", "city_walls"))
    game.module_state(Walls).open = ("wallcard_NE",)
    game.state.deck = tuple(card for card in game.state.deck if card != "wallcard_NE")
    assert any(move.verb == "build_wall" and move.tile == GARDEN for move in game.moves())


@pytest.mark.rule("23.25", "22.24")
def test_a_watchtower_cannot_be_bought_together_with_a_site_but_stands_beside_one() -> None:
    game = building_yard(3, "watchtowers", cards="denar-9 denar-8 denar-6")
    choices = {move.choice for move in game.moves() if move.slot == "market-denar"}
    assert choices == {None, "site", "watchtower"}
    game = built("dukat", "watchtowers")
    hand(game, 1)
    market(game, **{**FULL, "denar": "garden-10"})
    play(on_turn(game, "denar-9 denar-8"), "buy market-denar denar-8 denar-9", choice="watchtower")
    play(game, "reserve garden-10")
    assert any(move.verb == "place_watchtower" for move in game.moves()), "its colour is visible"


@pytest.mark.rule("23.15", "15.22")
def test_an_attack_counts_the_open_sides_of_a_site() -> None:
    """It is attacked like every full tile."""
    game = building_yard(3, "invaders", cards="")
    alhambra(game, 0, {(1, 0): "garden-10"})
    game.module_state(Invaders).attacks = (
        "invasion_E",
        *(card for card in game.module_state(Invaders).attacks if card[-1] != "E"),
    )
    open_sides = game.state.seats[0].board.open_sides("E")
    lay_site(game, 0, "garden-10", "denar")
    assert game.state.seats[0].board.open_sides("E") == open_sides > 0
    game.state.seats[0].score = 20
    assert points(hold_scoring(game, 1), "attack")[0] < 0


@pytest.mark.rule("23.40", "19.25")
def test_a_site_is_no_type_for_a_caravanserai_card() -> None:
    game = building_yard(3, "caravanserai", cards="denar-8")
    tiles = {(1, 0): "garden-10", (2, 0): "tower-11", (3, 0): "chambers-10", (4, 0): "arcades-10"}
    alhambra(game, 0, tiles)
    assert legal(game, "buy denar-8 caravanserai_1", slot="caravanserai")
    lay_site(game, 0, "garden-10", "denar")
    faults = refused(game, "buy denar-8 caravanserai_1", slot="caravanserai")
    assert fact(faults, "CONDITION_UNMET") == {"what": "types_built", "need": 4, "have": 3}


@pytest.mark.rule("23.21", "05.30")
def test_a_gate_may_be_set_at_a_site() -> None:
    game = gates(3, "building_sites")
    lay_site(game, 0, EAST_WALL[1, 0], "denar")
    lay_site(game, 0, BEHIND, "denar")
    assert legal(game, f"add {BEHIND} @2,0", choice="gate")


@pytest.mark.rule("23.47", "28.18")
def test_money_of_an_open_bid_returns_before_it_is_lost() -> None:
    game = built("dukat", "major_construction_projects")
    market(game)
    on_turn(game, "dukat-7 dukat-8")
    play(game, "bid_project dukat-7 dukat-8")
    events = end_game(game)
    assert kinds(events).index("bid_returned") < kinds(events).index("cards_forfeited")
    assert events_of(events, "cards_forfeited") == [{"seat": 0, "cards": ("dukat-7", "dukat-8")}]
