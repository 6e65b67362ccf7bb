"""40 Handymen together with other modules, and on tiles that move."""

from __future__ import annotations

import pytest

from alhambra import Move, registry
from alhambra.invariants import census
from alhambra.modules.characters import Characters
from alhambra.modules.handymen import Crew
from alhambra.modules.handymen.crew import largest_group
from tests.rules.example_modules import register_examples
from tests.rules.hooks.asking import asked, verbs
from tests.rules.modules.characters_table import give
from tests.rules.modules.handymen_table import at_start, crew, employ, post, posted, rolled, supply
from tests.rules.modules.menagerie_table import put
from tests.rules.modules.test_caravanserai import DUKATS
from tests.rules.modules.test_caravanserai import give as give_caravan
from tests.rules.modules.watchtowers_table import stand
from tests.rules.situations import (
    alhambra,
    beside,
    codes,
    display,
    events_of,
    fact,
    hand,
    legal,
    market,
    play,
    refused,
    reserve,
    take_turn,
    tower,
)

BUILT = {(1, 0): "garden-11", (2, 0): "tower-12"}

# -- A tile with a handyman moves --------------------------------------------------------------------------------------


@pytest.mark.rule("40.15", "40.38")
def test_handyman_removed_into_the_reserve_stays_on_its_tile() -> None:
    game = crew()
    alhambra(game, 0, BUILT)
    employ(game, 0, "tower-12")
    play(game, "remove tower-12")
    assert game.module_state(Crew).on_tiles == {"tower-12": 0}
    assert largest_group(game, 0) == 0


@pytest.mark.rule("40.38")
def test_handyman_added_from_the_reserve_scores_again() -> None:
    game = crew()
    alhambra(game, 0, {(1, 0): "garden-11"})
    reserve(game, 0, "tower-12")
    employ(game, 0, "tower-12", "garden-11")
    play(game, "add tower-12 @2,0")
    assert largest_group(game, 0) == 2


@pytest.mark.rule("40.38")
def test_handyman_swapped_out_stays_on_its_tile_and_the_new_tile_brings_its_own() -> None:
    game = crew()
    alhambra(game, 0, BUILT)
    reserve(game, 0, "arcades-9")
    employ(game, 0, "tower-12", "arcades-9")
    play(game, "swap arcades-9 @2,0")
    assert game.module_state(Crew).on_tiles == {"tower-12": 0, "arcades-9": 0}
    assert largest_group(game, 0) == 1


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()


@pytest.mark.rule("40.38")
@pytest.mark.usefixtures("examples")
def test_handyman_relocated_moves_with_its_tile() -> None:
    game = crew(3, "example_carters")
    alhambra(game, 0, BUILT)
    employ(game, 0, "tower-12", "start-0")
    play(game, "move_tile tower-12 @0,1", items=("cart",))
    assert largest_group(game, 0) == 2


@pytest.mark.rule("40.38", "41.19")
def test_handyman_sold_from_a_personal_market_returns_to_its_owner() -> None:
    game = crew(3, "personal_building_market", turn_of=1)
    reserve(game, 0)
    alhambra(game, 0, BUILT)
    employ(game, 0, "tower-12")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    game.state.seats[0].board.remove("tower-12")
    game.ruleset.reserve.put(game, 0, Move("reserve", "tower-12", slot="personal-0-denar"))
    hand(game, 1, "denar-9 denar-3")
    events = play(game, "buy denar-3 denar-9", slot="personal-0-denar")
    assert events_of(events, "handymen_taken_back") == [{"seat": 0, "tile": "tower-12", "amount": 1}]
    assert supply(game, 0) == 8
    assert game.module_state(Crew).on_tiles == {}


@pytest.mark.rule("40.38")
def test_handyman_boxed_with_its_tile_returns_to_its_owner() -> None:
    game = crew(3, "personal_building_market")
    alhambra(game, 0, BUILT)
    employ(game, 0, "tower-12")
    for currency in ("gulden", "dirham", "denar", "dukat"):
        tile = game.state.tower[-1]
        game.state.tower = game.state.tower[:-1]
        game.ruleset.reserve.put(game, 0, Move("reserve", tile, slot=f"personal-0-{currency}"))
    before = census(game)
    play(game, "remove tower-12")
    play(game, "box tower-12")
    assert supply(game, 0) == 8
    assert census(game) == before


def test_handyman_given_to_dirk_cannot_happen_because_a_bought_tile_carries_none() -> None:
    game = crew(2, "personal_building_market", turn_of=1)
    tower(game, "tower-12")
    game.state.tower = game.state.tower[:-1]
    game.ruleset.reserve.put(game, 0, Move("reserve", "tower-12", slot="personal-0-denar"))
    employ(game, 0, "tower-12")
    hand(game, 1, "denar-9 denar-4")
    play(game, "buy denar-4 denar-9", slot="personal-0-denar")
    play(game, "give_to_dirk tower-12")
    assert game.module_state(Crew).on_tiles == {}
    assert supply(game, 0) == 8


# -- Which tiles carry one ---------------------------------------------------------------------------------------------


@pytest.mark.rule("40.23")
def test_a_camp_carries_a_handyman_and_connects_like_a_tile() -> None:
    game = rolled(crew(3, "military_camps"), 4, 4, 4)
    camp = next(tile for tile in game.ruleset.tiles.values() if tile.kind == "camp")
    assert camp.price
    alhambra(game, 0, {(1, 0): "garden-11"})
    reserve(game, 0, camp.id)
    play(game, f"put_handyman {camp.id}")
    assert game.module_state(Crew).on_tiles == {camp.id: 0}


@pytest.mark.rule("40.23")
def test_a_handyman_on_a_camp_belongs_to_the_group_of_its_neighbours() -> None:
    game = crew(3, "military_camps")
    board = alhambra(game, 0, {(1, 0): "arcades-8-e"})
    camps = (tile for tile in game.ruleset.tiles.values() if tile.kind == "camp")
    camp = next(camp for camp in camps if (2, 0) in board.legal_cells(camp))
    board.place(camp, 2, 0)
    game.state.seats[0].board = board
    employ(game, 0, "arcades-8-e", camp.id)
    assert largest_group(game, 0) == 2


@pytest.mark.rule("22.40")
@pytest.mark.rule("40.40")
def test_no_handyman_works_on_a_watchtower_not_even_by_a_joker() -> None:
    game = rolled(crew(3, "watchtowers"), 4, 4, 4)
    alhambra(game, 0, {(1, 0): "garden-11"})
    found = stand(game, 0, "garden", (1, 1), "NE")
    assert codes(refused(game, f"put_handyman {found}")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("28.34", "40.24")
def test_a_project_carries_one_handyman_by_a_joker_and_is_one_neighbour_of_all_around() -> None:
    game = crew(3, "major_construction_projects")
    project = next(tile for tile in game.ruleset.tiles.values() if tile.kind == "project")
    board = game.board(0)
    cell = board.legal_cells(project)[0]
    board.place(project, *cell)
    game.state.seats[0].board = board
    rolled(game, 4, 4, 4)
    play(game, "put_handyman", tile=project.id)
    assert codes(refused(rolled(game, 4, 4, 4), "put_handyman", tile=project.id)) == ["PLACE_TAKEN"]
    employ(game, 0, "start-0")
    assert largest_group(game, 0) == 2


@pytest.mark.rule("40.20")
def test_tiles_beside_the_market_take_no_handyman() -> None:
    game = rolled(crew(3, "bazaars"), 4, 4, 4)
    beside(game, bazaar="bazaar_1")
    assert codes(refused(game, "put_handyman", slot="bazaar")) == ["NOT_THERE"]
    assert codes(refused(game, "put_handyman bazaar_1")) == ["NOT_THERE"]


@pytest.mark.rule("40.20")
def test_handymen_do_not_change_the_price_of_a_tile_beside_the_space() -> None:
    game = crew(3, "bathhouses")
    bath = next(tile.id for tile in game.ruleset.tiles.values() if tile.kind == "bathhouse")
    beside(game, beside_denar=bath)
    hand(game, 0, "denar-7")
    post(game, 0, "denar")
    assert not legal(game, f"buy {bath} denar-7", slot="beside-denar", items=("handyman:-1",))


# -- The market changes ------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.19", "40.36")
def test_the_dancer_leaves_handymen_at_the_space_and_nobody_takes_any_back() -> None:
    game = crew(3, "characters")
    give(game, 1, "dancer")
    post(game, 2, "denar", 2)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    tower(game, "chambers-10")
    play(game, "dance market-denar")
    assert game.state.market[2] == "chambers-10"
    assert asked(game)[0] == "start"
    assert posted(game, 2, "denar") == 2


@pytest.mark.rule("40.19")
@pytest.mark.usefixtures("examples")
def test_a_market_swap_leaves_handymen_at_their_spaces() -> None:
    game = crew(3, "example_porters")
    post(game, 0, "gulden")
    play(game, "swap_market market-gulden", items=("porter",))
    play(game, "swap_with market-denar")
    assert posted(game, 0, "gulden") == 1


@pytest.mark.rule("40.36")
@pytest.mark.usefixtures("examples")
def test_a_sold_space_that_a_swap_fills_gives_nothing_back() -> None:
    game = crew(3, "example_porters")
    hand(game, 0, "denar-9 denar-1")
    post(game, 1, "denar")
    post(game, 1, "dukat")
    play(game, "buy market-denar denar-1 denar-9")
    play(game, "swap_market market-denar", items=("barrow",))
    play(game, "swap_with market-dukat")
    play(game, "take_money dukat-1")
    while asked(game)[0] == "action":
        play(game, "pass")
    play(game, "reserve garden-10")
    assert asked(game)[0] != "take_back"
    assert game.module_state(Crew).sold == ()
    assert (posted(game, 1, "denar"), posted(game, 1, "dukat")) == (1, 1)


@pytest.mark.rule("40.21")
def test_a_vizier_uses_handymen_and_the_others_may_take_theirs_back() -> None:
    game = crew(3, "viziers_favour")
    hand(game, 1, "denar-9")
    post(game, 1, "denar")
    post(game, 2, "denar")
    take_turn(game)
    assert asked(game) == ("window", 1)
    play(game, "buy market-denar denar-9", items=("handyman:-1",))
    play(game, "reserve garden-10")
    assert asked(game) == ("take_back", 2)


# -- Turns -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("40.18", "14.22", "07.40")
def test_after_rolling_the_master_builder_and_builder_cards_are_not_asked_about() -> None:
    game = crew(3, "characters", "master_builders")
    give(game, 0, "master_builder")
    hand(game, 0, "denar-1")
    rolled(game, 1)
    play(game, "pass")
    take_turn(game)
    assert asked(game)[0] != "late"
    assert asked(game)[1] == 1


@pytest.mark.rule("40.18")
def test_after_rolling_nothing_entitles_to_a_redesign_at_the_end_of_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The animals have the seat asked, and a module would let it redesign in every turn."""
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    for dice in ((), (1,)):
        game = crew(3, "menagerie", "example_hermits")
        alhambra(game, 0, BUILT)
        reserve(game, 0, "arcades-9")
        put(game, "garden-11", "dove")
        if dice:
            rolled(game, *dice)
            play(game, "pass")
        take_turn(game)
        assert asked(game) == ("late", 0)
        if dice:
            assert fact(refused(game, "add arcades-9 @0,1"), "FORCED_ACTION") == {"verb": "add"}
            assert codes(refused(game, "remove tower-12")) == ["FORCED_ACTION"]
        else:
            assert legal(game, "add arcades-9 @0,1")


@pytest.mark.rule("40.18")
def test_a_real_roll_bars_the_master_builder_too() -> None:
    game = at_start(3, "characters")
    give(game, 1, "master_builder")
    reserve(game, 1, "arcades-9")
    play(game, "roll_dice")
    play(game, "pass")
    take_turn(game)
    assert asked(game) == ("start", 2)


@pytest.mark.rule("40.17")
def test_the_beggar_may_be_used_before_and_after_rolling() -> None:
    game = crew(3, "characters")
    give(game, 1, "beggar")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    assert {"draw_card", "roll_dice"} <= verbs(game)
    play(game, "roll_dice")
    play(game, "pass")
    assert asked(game) == ("start", 1)
    assert "draw_card" in verbs(game)


@pytest.mark.rule("19.28")
def test_rolling_closes_the_caravanserai_and_the_dancer() -> None:
    game = crew(3, "characters", "caravanserai")
    game.module_state(Characters).owners = {"dancer": 1, "beggar": 1}
    give_caravan(game, 1, **{DUKATS: ("dukat", 2)})
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    assert verbs(game) == {"dance", "advance_marker", "draw_card", "roll_dice", "pass"}
    play(game, "roll_dice")
    play(game, "pass")
    assert asked(game) == ("start", 1)
    assert verbs(game) == {"draw_card", "pass"}


@pytest.mark.rule("40.17")
def test_after_rolling_the_dancer_is_closed_and_the_beggar_is_open() -> None:
    game = crew(3, "characters")
    game.module_state(Characters).owners = {"dancer": 1, "beggar": 1}
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5")
    take_turn(game)
    assert {"dance", "draw_card", "roll_dice"} <= verbs(game)
    play(game, "roll_dice")
    play(game, "pass")
    assert asked(game) == ("start", 1)
    assert verbs(game) == {"draw_card", "pass"}


@pytest.mark.rule("40.22", "42.15")
def test_a_treasure_fills_what_handymen_leave_missing() -> None:
    game = crew(3, "treasures")
    hand(game, 0, "denar-6")
    post(game, 0, "denar", 2)
    assert legal(game, "buy market-denar denar-6", items=("handyman:-2", "treasure-2"))
    assert not legal(game, "buy market-denar denar-6", items=("handyman:-2", "treasure-1"))


@pytest.mark.rule("40.22", "22.44")
def test_a_watchtower_and_handymen_change_one_price() -> None:
    game = crew(3, "watchtowers")
    market(game, denar="garden-10")
    hand(game, 0, "denar-9 denar-5")
    post(game, 0, "denar", 2)
    assert legal(game, "buy market-denar denar-5 denar-9", items=("handyman:-2",), choice="watchtower")
