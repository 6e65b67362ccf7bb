"""38 Buildings of power are standard buildings for every other module; and pieces of several modules share one tile."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.bonus_cards import BonusCards
from alhambra.modules.menagerie import Menagerie
from tests.rules.interactions.deals import DEALS
from tests.rules.interactions.story import go_on, told
from tests.rules.modules.extensions_table import attach, seen
from tests.rules.modules.extensions_table import lay as lay_extensions
from tests.rules.modules.handymen_table import employ, rolled
from tests.rules.modules.menagerie_table import put as put_animals
from tests.rules.modules.palace_staff_table import house, served
from tests.rules.modules.powers_table import MARKET, WISDOM
from tests.rules.modules.test_arts_of_the_moors import owning
from tests.rules.situations import (
    alhambra,
    display,
    events_of,
    hand,
    hold_scoring,
    legal,
    market,
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)

SPECIAL_GARDEN = WISDOM
"""A special building that replaces the garden for 11 without walls."""


def special(*modules: str) -> Game:
    """Seat 0 has built the special garden and is at its action."""
    game = table(3, modules=["buildings_of_power", *modules])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    alhambra(game, 0, {(1, 0): SPECIAL_GARDEN})
    return game


def give_bonus_card(game: Game, card: str) -> None:
    """Seat 0 holds this bonus card, and no other seat holds any."""
    cards = game.module_state(BonusCards)
    cards.rest = tuple(sorted({*cards.rest, *(held for own in cards.unseen for held in own)} - {card}))
    cards.unseen = ((card,), *((),) * 2)


# -- A special building counts as the tile that it replaces ------------------------------------------------------------


@pytest.mark.rule("99.26", "38.17", "03.23")
def test_a_special_building_is_the_one_that_a_bonus_card_shows() -> None:
    game = special("bonus_cards")
    give_bonus_card(game, "bonus_garden-11")
    assert legal(game, "reveal_bonus bonus_garden-11")


@pytest.mark.rule("99.26", "38.17", "20.25")
def test_special_buildings_count_for_culture() -> None:
    game = special("arts_of_the_moors")
    owning(game, 0, "tower-11-n")
    assert told(play(game, "take_money dukat-4"))[-1] == "asked culture"


@pytest.mark.rule("99.26", "38.17")
def test_a_special_building_without_a_servant_costs_a_point_and_gets_a_servant() -> None:
    game = special("palace_staff")
    game.state.seats[0].score = 9
    sample = game.clone()
    assert points([*hold_scoring(sample, 1), *go_on(sample, "action")], "staff_missing") == {0: -1}
    house(game, SPECIAL_GARDEN, "garden")
    assert served(game) == {SPECIAL_GARDEN: ["garden"]}
    assert points([*hold_scoring(game, 1), *go_on(game, "action")], "staff_missing") == {}


@pytest.mark.rule("99.26", "30.18", "36.17", "38.17")
def test_a_special_garden_gets_fruit_and_animals_on_the_market() -> None:
    game = table(3, modules=["buildings_of_power", "orchards", "menagerie"])
    market(game, **{**MARKET, "denar": ""})
    tower(game, SPECIAL_GARDEN)
    display(game, "dukat-1")
    events = take_turn(game)
    assert [event["tile"] for event in events_of(events, "fruit_drawn")] == [SPECIAL_GARDEN]
    assert [event["tile"] for event in events_of(events, "animals_drawn")] == [SPECIAL_GARDEN]


@pytest.mark.rule("99.26", "37.28", "38.17")
def test_special_arcades_bring_a_key() -> None:
    deal = DEALS["standard building"]
    game = deal.table("buildings_of_power", "gates_without_end")
    market(game, **{**MARKET, "denar": "power_architecture_arcades-9"})
    assert "key_gained" in told(game.apply(deal.move(game, 9)))


@pytest.mark.rule("99.26", "38.17", "39.14")
def test_a_special_building_takes_an_extension() -> None:
    game = special("extensions")
    lay_extensions(game, "pavilion garden seraglio")
    hand(game, 0, "gulden-5 gulden-2 dirham-4")
    play(game, "extend gulden-5 gulden-2 dirham-4", slot="extension-1-2")
    assert seen(game, SPECIAL_GARDEN)


@pytest.mark.rule("99.26", "38.17", "40.25")
def test_a_special_building_gets_a_handyman_for_its_printed_price() -> None:
    game = special("handymen")
    rolled(game, 6, 5)
    assert legal(game, f"put_handyman {SPECIAL_GARDEN}")


# -- Pieces of several modules on one tile -----------------------------------------------------------------------------


@pytest.mark.rule("99.65", "99.73", "39.18")
def test_a_garden_holds_servant_animals_extension_handyman_and_bonus_card_at_once_and_all_of_them_count() -> None:
    game = table(3, modules=["bonus_cards", "palace_staff", "menagerie", "extensions", "handymen"])
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar="arcades-8-e", dukat="chambers-5-nsw")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    game.module_state(Menagerie).lying = {}
    alhambra(game, 0, {(1, 0): "garden-10"})
    house(game, "garden-10", "garden")
    put_animals(game, "garden-10", "dove")
    attach(game, "garden-10")
    employ(game, 0, "garden-10")
    give_bonus_card(game, "bonus_garden-10")
    play(game, "reveal_bonus bonus_garden-10")
    events = [*hold_scoring(game, 1), *go_on(game, "action")]
    assert points(events, "animals") == points(events, "handymen") == {0: 1}
    assert points(events, "staff_missing") == {}
    majority = [line for line in events_of(events, "scored") if line["reason"] == "majority"]
    assert [line["count"] for line in majority] == [6], "building, extension and bonus card, in half buildings"


@pytest.mark.rule("99.36")
def test_of_two_walkers_each_goes_by_its_own_steps() -> None:
    """The major-domo walks right after the money was taken, the animals at the end of the turn."""
    game = table(3, modules=["palace_staff", "menagerie"])
    market(game, gulden="tower-11", dirham="seraglio-7-w", denar="arcades-8-e", dukat="chambers-5-nsw")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    game.module_state(Menagerie).lying = {}
    alhambra(game, 0, {(1, 0): "garden-10"})
    put_animals(game, "garden-10", "dove")
    hand(game, 0, "denar-1")
    assert told(play(game, "take_money dukat-1"))[-1] == "asked staff_walk"
    assert refused(game, "step dove @1,0", side="W")
    play(game, "step", side="E")
    assert told(play(game, "pass"))[-1] == "asked late"
    play(game, "lead_animals denar-1")
    assert legal(game, "step dove @1,0", side="W")
