"""The end of a game with many modules: last refill, servants, bids, sites, leftover tiles, building, last scoring."""

from __future__ import annotations

import pytest

from alhambra import Event, Game
from alhambra.modules.major_construction_projects import Projects
from alhambra.modules.orchards import Orchards
from tests.rules.interactions.story import answer, go_on, order, told
from tests.rules.modules.building_sites_table import lay_site
from tests.rules.modules.gates_without_end_table import give_key
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.modules.powers_table import hide
from tests.rules.situations import (
    alhambra,
    beside,
    deck,
    display,
    events_of,
    hand,
    kinds,
    market,
    play,
    table,
    take_turn,
    tower,
)

MODULES = (
    *("viziers_favour", "street_trader", "bazaars", "power_of_the_sultan", "building_sites", "new_building_grounds"),
    *("major_construction_projects", "palace_staff", "orchards", "palace_designers", "gates_without_end"),
    *("buildings_of_power", "handymen"),
)


def last_turn() -> tuple[Game, list[Event]]:
    """Seat 0 makes the last turn, with a key before it. A ground is left on the gulden space, a garden with a fruit and
    a tower hidden under it on the dirham space; the only tile of the tower may be claimed by seat 1."""
    game = table(3, modules=list(MODULES))
    market(game, gulden="ground_9_1", dirham="garden-10")
    beside(game, bazaar="bazaar_1")
    hide(game, 2, "dirham", "tower-11")
    tower(game, "arcades-8-e", only=True)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-6")
    deck(game, "dukat-5 dukat-7")
    kept = game.module_state(Orchards)
    kept.on_tiles, kept.supply = {"garden-10": kept.supply[0]}, kept.supply[1:]
    alhambra(game, 0, {(1, 0): "garden-10-n"})
    lay_site(game, 0, "garden-10-n", "denar")
    alhambra(game, 1, {(1, 0): "tower-9-es"})
    held(game, 1, "sultan_denar_1", "arcades")
    give_key(game, 0, "key_1")
    hand(game, 0, "denar-9 gulden-2")
    hand(game, 1, "dirham-9 gulden-9 gulden-8 gulden-3")
    hand(game, 2, "dirham-3")
    game.state.seats[1].score = 10
    projects = game.module_state(Projects)
    projects.bidder, projects.cards, projects.total = 1, ("gulden-8", "gulden-9"), 17
    game.state.seats[1].hand = ("dirham-9", "gulden-3")
    return game, take_turn(game)


@pytest.fixture(scope="module")
def ending() -> tuple[Game, list[Event]]:
    """The finished game, and all events since the last action. Seat 1 claims; leftover tiles are built."""
    game, events = last_turn()
    events += go_on(game, "claim")
    events += play(game, "claim", piece="sultan_denar_1")
    while game.decision is not None:
        taking = game.decision.kind in ("place_now", "leftover_tiles")
        events += game.apply(next(game.moves())) if taking else answer(game)
    return game, events


Ending = tuple[Game, list[Event]]


@pytest.mark.rule("99.80", "99.85")
def test_everything_comes_in_the_printed_order(ending: Ending) -> None:
    wanted = (
        *("claimed", "end_began", "scored staff_missing", "bid_returned", "sites_revealed", "cards_forfeited"),
        *("leftover_awarded", "asked ground_building", "building_chosen", "hidden_tile_turned"),
        *("asked choose_leftover", "asked leftover_tiles", "scoring_began", "game_ended"),
    )
    assert order(ending[1], wanted) == list(wanted)


@pytest.mark.rule("99.81", "18.14")
def test_a_tile_of_the_last_refill_is_claimed_and_built_before_the_end_begins(ending: Ending) -> None:
    words = told(ending[1])
    assert words.index("claimed") < words.index("placed") < words.index("asked lay_disc") < words.index("end_began")
    assert "arcades-8-e" in ending[0].state.seats[1].board.placed


@pytest.mark.rule("99.81", "99.84", "37.27", "01.17")
def test_keys_lapse_and_neither_viziers_nor_handymen_nor_the_disc_are_asked_about(ending: Ending) -> None:
    _, events = ending
    words = told(events)
    after_the_end = words[words.index("end_began") :]
    assert not {"asked after", "asked window", "asked take_back", "asked lay_disc"} & {*after_the_end}
    assert not {"key_shown", "key_gained", "dirk_received", "die_placed"} & {*kinds(events)}


@pytest.mark.rule("99.83")
def test_the_bid_returns_before_money_is_compared_and_counts(ending: Ending) -> None:
    ground = next(line for line in events_of(ending[1], "leftover_awarded") if line["tile"] == "ground_9_1")
    assert (ground["seat"], dict(ground["totals"])) == (1, {0: 2, 1: 20, 2: 0})


@pytest.mark.rule("99.83")
def test_cards_of_a_built_site_are_lost_before_money_is_compared(ending: Ending) -> None:
    (lost,) = events_of(ending[1], "cards_forfeited")
    assert (lost["seat"], lost["cards"]) == (0, ("denar-9",))


@pytest.mark.rule("99.84", "16.14")
def test_tiles_beside_the_market_are_given_to_nobody(ending: Ending) -> None:
    game, events = ending
    assert "bazaar_1" not in [line["tile"] for line in events_of(events, "leftover_awarded")]
    assert game.state.beside["bazaar"] == ("bazaar_1",)


@pytest.mark.rule("99.84", "99.85", "30.20", "38.26")
def test_the_fruit_comes_along_with_the_open_tile_and_not_with_the_hidden_one(ending: Ending) -> None:
    fruit = [line["seat"] for line in events_of(ending[1], "fruit_planted")]
    assert fruit == [1]


@pytest.mark.rule("99.86")
def test_recipients_build_in_turn_order_and_their_designers_score_at_once(ending: Ending) -> None:
    events = ending[1][kinds(ending[1]).index("end_began") :]
    built = [(line["seat"], line["tile"]) for line in events_of(events, "placed")]
    assert built == [(1, "ground_9_1"), (1, "garden-10"), (2, "tower-11")]
    assert "scored designer" in told(events)
    assert {line["frame"] for line in events_of(events, "scored") if line["reason"] == "designer"} == {"now"}


@pytest.mark.rule("99.82", "99.87")
def test_the_last_scoring_is_the_third_and_has_no_loss_for_servants_any_more(ending: Ending) -> None:
    lines = [line for line in events_of(ending[1], "scored") if line["reason"] == "staff_missing"]
    assert {line["frame"] for line in lines} == {"E2"}
    assert [line["scoring"] for line in events_of(ending[1], "scoring_began")] == [3]
