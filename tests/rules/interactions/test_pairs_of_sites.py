"""23 Building sites with the other newer modules: what comes with a tile under construction, and what it lacks."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.bonus_cards import BonusCards
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.handymen.crew import largest_group
from alhambra.modules.menagerie import Menagerie
from alhambra.modules.orchards import Orchards
from tests.rules.interactions.deals import DEALS
from tests.rules.interactions.story import go_on, told
from tests.rules.modules.building_sites_table import GARDEN, building_yard, lay_site, sites, start, started
from tests.rules.modules.colours_table import own_projects
from tests.rules.modules.craftsmen_table import lay_before
from tests.rules.modules.designers_table import stand
from tests.rules.modules.extensions_table import lay as lay_extensions
from tests.rules.modules.handymen_table import employ, rolled
from tests.rules.modules.menagerie_table import put as put_animals
from tests.rules.modules.palace_staff_table import served
from tests.rules.modules.test_arts_of_the_moors import owning
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    events_of,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    play,
    points,
    refused,
    table,
)

SITE = "garden-10"
"""A tile under construction, in the Alhambra east of the fountain."""


def with_site(*modules: str) -> Game:
    """Seat 0 has built a site and is at its action."""
    game = table(3, modules=["building_sites", *modules])
    market(game, gulden="seraglio-8-s", dirham="arcades-9", denar="garden-11", dukat="pavilion-6-n")
    display(game, "dukat-1 dukat-2 dukat-4 dukat-5")
    alhambra(game, 0, {(1, 0): SITE})
    lay_site(game, 0, SITE, "denar")
    return game


def on_sale(tile: str, *modules: str, cards: str) -> Game:
    """The tile lies on the denar space; seat 0 has these cards."""
    game = table(3, modules=["building_sites", *modules])
    market(game, gulden="seraglio-7-w", dirham="seraglio-5-sw", denar=tile, dukat="pavilion-6-n")
    display(game, "dukat-1 dukat-2 dukat-4 dukat-5")
    hand(game, 0, cards)
    return game


# -- What comes with the purchase of a tile that becomes a site --------------------------------------------------------


@pytest.mark.rule("99.34", "23.39", "23.42", "30.24")
def test_the_fruit_of_a_tile_is_planted_when_its_site_is_started_and_not_when_it_is_completed() -> None:
    game = building_yard(3, "orchards")
    kept = game.module_state(Orchards)
    kept.on_tiles, kept.supply = {GARDEN: kept.supply[0]}, kept.supply[1:]
    events = [*start(game), *go_on(game, "place_tiles", taking=True)]
    assert "fruit_planted" in kinds(events)
    marker = sites(game).on[GARDEN][1]
    game.apply(next(game.moves()))
    go_on(game, "action")
    game.state.active, game.state.actions, game.state.taken = 0, 1, ()
    assert game.decision is not None
    game.state.decision = game.decision._replace(seat=0)
    hand(game, 0, f"{marker}-9 {marker}-2")
    assert not events_of(play(game, f"complete_site {GARDEN} {marker}-9 {marker}-2"), "fruit_planted")


@pytest.mark.rule("99.34", "23.42", "38.20")
def test_the_die_of_a_special_building_is_rolled_when_its_site_is_started() -> None:
    game = on_sale("power_strength_tower-13-e", "buildings_of_power", cards="denar-6")
    events = [*start(game, "denar-6"), *go_on(game, "place_tiles", taking=True)]
    assert "die_placed" in kinds(events)


@pytest.mark.rule("99.34", "38.20")
def test_a_function_is_used_at_the_end_of_the_turn_in_which_the_site_is_started() -> None:
    game = on_sale("power_wisdom_arcades-10", "buildings_of_power", cards="denar-5")
    start(game)
    go_on(game, "after", taking=True)
    assert game.module_state(Powers).functions
    assert any(move.verb == "use_function" for move in game.moves())


@pytest.mark.rule("99.34", "23.42", "36.20")
def test_the_animals_of_a_garden_lie_on_its_site() -> None:
    game = building_yard(3, "menagerie")
    kept = game.module_state(Menagerie)
    kept.lying = {GARDEN: ((0, "dove"),)}
    start(game)
    go_on(game, "place_tiles", taking=True)
    play(game, f"place {GARDEN} @1,0")
    assert game.module_state(Menagerie).lying == {GARDEN: ((0, "dove"),)}


@pytest.mark.rule("23.15", "23.42", "23.43", "36.20")
def test_animals_walk_from_a_site_that_does_not_score_as_a_garden() -> None:
    game = with_site("menagerie")
    game.module_state(Menagerie).lying = {}
    put_animals(game, SITE, "dove")
    hand(game, 0, "denar-2")
    play(game, "take_money dukat-5")
    play(game, "lead_animals denar-2")
    assert legal(game, "step dove @1,0", side="W")
    play(game, "pass")
    assert points(hold_scoring(game, 1), "animals") == {}


# -- What a site lacks until it is completed ---------------------------------------------------------------------------


@pytest.mark.rule("99.28", "99.65", "23.15", "23.40", "23.43")
def test_a_site_is_entered_by_the_major_domo_but_gets_no_servant_and_costs_no_point() -> None:
    game = with_site("palace_staff")
    display(game, "denar-1")
    game.state.seats[0].score = 9
    play(game, "take_money denar-1")
    play(game, "step", side="E")
    assert served(game) == {}
    go_on(game, "action")
    assert points(hold_scoring(game, 1), "staff_missing") == {}


@pytest.mark.rule("99.28", "23.40", "03.22")
def test_a_site_is_no_building_for_a_bonus_card() -> None:
    game = with_site("bonus_cards")
    cards = game.module_state(BonusCards)
    cards.rest = tuple(sorted({*cards.rest, *(card for own in cards.unseen for card in own)} - {"bonus_garden-10"}))
    cards.unseen = (("bonus_garden-10",), *((),) * 2)
    assert refused(game, "reveal_bonus bonus_garden-10")
    sites(game).on, game.state.covered = {}, ()
    assert legal(game, "reveal_bonus bonus_garden-10")


@pytest.mark.rule("99.28", "23.24", "20.17")
def test_a_building_completed_in_a_turn_counts_for_culture_at_its_end() -> None:
    game = with_site("arts_of_the_moors")
    owning(game, 0, "garden-10-w")
    hand(game, 0, "denar-9 denar-1 denar-3")
    sample = game.clone()
    events = [*play(sample, "take_money dukat-5")]
    assert "asked culture" not in told(events)
    play(game, f"complete_site {SITE} denar-1 denar-9")
    events = play(game, "take_money dukat-5")
    assert "asked culture" in told(events)


@pytest.mark.rule("99.28", "99.65", "23.40", "39.14")
def test_a_site_takes_no_extension() -> None:
    game = with_site("extensions")
    lay_extensions(game, "pavilion garden seraglio")
    hand(game, 0, "gulden-5 gulden-2 dirham-4")
    faults = refused(game, "extend gulden-5 gulden-2 dirham-4", slot="extension-1-2")
    assert [fault.code for fault in faults] == ["CONDITION_UNMET"]
    sites(game).on, game.state.covered = {}, ()
    assert legal(game, "extend gulden-5 gulden-2 dirham-4", slot="extension-1-2")


@pytest.mark.rule("99.28", "23.40", "34.22")
def test_a_site_is_not_decorated() -> None:
    game = with_site("fresh_colours")
    own_projects(game, 0, "fresh_garden_1", completed=True)
    assert points(hold_scoring(game.clone(), 1), "decoration") == {}
    sites(game).on, game.state.covered = {}, ()
    assert points(hold_scoring(game, 1), "decoration") == {0: 2}


@pytest.mark.rule("99.29", "21.24")
def test_a_site_may_be_a_corner_of_a_falcon_but_shows_no_colour() -> None:
    game = with_site("falconers")
    alhambra(game, 0, {(1, 0): SITE, (0, 1): "tower-11", (1, 1): "chambers-10"})
    hand(game, 0, "denar-1")
    assert legal(game, "buy_falcon falcon_white_chambers_tower @0,0 denar-1", side="SE")
    faults = refused(game, "buy_falcon falcon_white_garden_tower @0,0 denar-1", side="SE")
    assert [fault.code for fault in faults] == ["TYPE_MISMATCH"]


# -- What a site has like every tile -----------------------------------------------------------------------------------


@pytest.mark.rule("99.29", "23.43", "40.25")
def test_a_handyman_may_be_put_on_a_site_and_counts_in_its_group() -> None:
    game = with_site("handymen")
    alhambra(game, 0, {(1, 0): SITE, (2, 0): "tower-12"})
    employ(game, 0, "tower-12")
    rolled(game, 6, 4)
    play(game, f"put_handyman {SITE}")
    assert largest_group(game, 0) == 2


@pytest.mark.rule("99.28", "35.12")
def test_a_site_built_at_the_feet_of_the_designer_brings_points() -> None:
    game = started("dukat", "palace_designers")
    stand(game, 0, (0, 0), "E")
    events = play(game, f"place {GARDEN} @1,0")
    assert points(events, "designer") == {0: 2}


@pytest.mark.rule("23.46")
def test_the_brickmaker_exchanges_a_tile_that_was_bought_as_a_site_and_its_marker_stays_on_it() -> None:
    game = building_yard(2, "travelling_craftsmen")
    alhambra(game, 0, {(1, 0): "tower-12"})
    lay_before(game, 0, "brickmaker")
    start(game)
    go_on(game, "place_tiles", taking=True)
    play(game, f"lay_brick {GARDEN} @1,0", items=("brickmaker",))
    assert sites(game).on[GARDEN][0] == 0
    assert GARDEN in game.state.covered
    assert codes(refused(game, "give_to_dirk tower-12")) == ["NOT_ELIGIBLE"]


@pytest.mark.rule("99.58", "23.32", "37.32")
def test_no_site_is_started_at_a_gate() -> None:
    deal = DEALS["key bonus"]
    game = deal.table("building_sites")
    assert not game.verify(deal.move(game, 14))
    assert game.verify(deal.move(game, 14, choice="site"))
