"""Helpers that change one price together; turns that are restricted by falcons (21) or dice (40); craftsmen (31) that
touch the market."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.buildings_of_power import Powers
from alhambra.modules.menagerie import Menagerie
from alhambra.modules.orchards import Orchards
from tests.rules.interactions.deals import DEALS
from tests.rules.interactions.story import go_on, told
from tests.rules.modules.characters_table import give
from tests.rules.modules.colours_table import own_projects
from tests.rules.modules.craftsmen_table import lay_before, workshop
from tests.rules.modules.extensions_table import attach
from tests.rules.modules.falconers_table import BLOCK, falconers
from tests.rules.modules.falconers_table import buy as buy_falcon
from tests.rules.modules.gates_without_end_table import give_key
from tests.rules.modules.handymen_table import crew, post, posted, rolled
from tests.rules.modules.menagerie_table import put as put_animals
from tests.rules.modules.powers_table import MARKET as SPECIAL_MARKET
from tests.rules.modules.powers_table import WEALTH, hide, put_die
from tests.rules.modules.test_arts_of_the_moors import holding, owning
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
    own,
    play,
    points,
    refused,
    reserve,
    table,
)


def verbs(game: Game) -> set[str]:
    return {move.verb for move in game.moves()}


# -- One price ---------------------------------------------------------------------------------------------------------

HELPERS = ("watchtowers", "travelling_craftsmen", "buildings_of_power", "handymen", "treasures", "change")


def helped(*modules: str) -> Game:
    """A tower for 11 on the gulden space; seat 0 has a carpenter, a white die and two handymen there."""
    game = table(3, modules=[*HELPERS, *modules])
    market(game, **SPECIAL_MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    alhambra(game, 0, {(1, 0): WEALTH})
    put_die(game, 0, WEALTH, 3)
    lay_before(game, 0, "carpenter")
    post(game, 0, "gulden", 2)
    return game


WHITE_DIE = f"white_die:{WEALTH}"


@pytest.mark.rule("99.49", "38.24", "40.22", "22.44")
def test_watchtower_handymen_carpenter_and_white_die_add_up_in_one_price() -> None:
    """11 and 6 for the watchtower, less 2 handymen, 2 by the carpenter and 1 by the die: 12."""
    game = helped()
    hand(game, 0, "gulden-9 gulden-3")
    items = ("carpenter:2", "handyman:-2", WHITE_DIE)
    (told_price,) = events_of(
        play(game, "buy market-gulden gulden-3 gulden-9", items=items, choice="watchtower"), "paid"
    )
    assert (told_price["due"], told_price["paid"], told_price["exact"]) == (12, 12, True)


@pytest.mark.rule("99.53", "42.15")
def test_a_treasure_fills_what_all_other_helpers_leave_missing() -> None:
    game = helped()
    hand(game, 0, "gulden-2")
    items = ("carpenter:2", "handyman:-2", "treasure-4", WHITE_DIE)
    assert legal(game, "buy market-gulden gulden-2", items=items)
    short = ("carpenter:2", "handyman:-2", "treasure-3", WHITE_DIE)
    assert codes(refused(game, "buy market-gulden gulden-2", items=short)) == ["UNDERPAID"]


@pytest.mark.rule("99.52", "99.56")
def test_what_exceeds_the_price_after_all_helpers_is_overpaid() -> None:
    game = helped("exchange_certificates", "fresh_colours")
    hand(game, 0, "gulden-9 gulden-1")
    events = play(game, "buy market-gulden gulden-1 gulden-9", items=("carpenter:2", "handyman:-2", WHITE_DIE))
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 2
    assert events_of(play(game, "save", currency="denar"), "saved")[0]["amount"] == 4
    assert game.decision is not None
    assert game.decision.kind == "fresh_choice"


@pytest.mark.rule("99.52", "40.10")
def test_handymen_can_raise_a_price_to_make_an_overpayment_exact() -> None:
    game = helped("exchange_certificates", "fresh_colours")
    hand(game, 0, "gulden-9 gulden-4")
    events = play(game, "buy market-gulden gulden-4 gulden-9", items=("handyman:+2",))
    assert "bonus_action" in kinds(events)
    assert not {"asked save_certificate", "asked fresh_choice", "coins_drawn"} & {*told(events)}


@pytest.mark.rule("99.54", "22.45", "07.39")
def test_the_rich_patron_pays_the_watchtower_along_and_no_helper_joins_him() -> None:
    game = helped("characters")
    give(game, 0, "rich_patron")
    for item in ("carpenter:1", "handyman:-1", "treasure-1", WHITE_DIE):
        assert refused(game, "buy market-gulden", items=tuple(sorted((item, "rich_patron"))))
    events = play(game, "buy market-gulden", items=("rich_patron",), choice="watchtower")
    assert (events_of(events, "paid")[0]["paid"], events_of(events, "paid")[0]["exact"]) == (0, True)


@pytest.mark.rule("99.51", "31.29", "40.35")
def test_a_price_of_0_is_paid_exactly_with_nothing_but_helpers() -> None:
    deal = DEALS["well"]
    game = deal.table("treasures")
    assert not game.verify(deal.move(game, 0, items=("treasure-5",)))
    game = helped("medina")
    market(game, **{**SPECIAL_MARKET, "gulden": "medina_4"})
    events = play(game, "buy market-gulden", items=("carpenter:1", "handyman:-2", WHITE_DIE))
    assert events_of(events, "paid")[0]["exact"]


# -- Falcon turns ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.6", "31.25", "31.42", "21.25", "21.26")
def test_a_falcon_turn_has_no_contractor_but_blacksmith_and_mixer() -> None:
    game = falconers(3, "travelling_craftsmen", cards="denar-1 denar-2")
    lay_before(game, 0, "contractor")
    buy_falcon(game)
    assert game.decision is not None
    assert game.decision.kind == "pass_craftsman"
    game = falconers(3, "travelling_craftsmen", cards="denar-1")
    lay_before(game, 0, "mortar_mixer")
    buy_falcon(game)
    assert "swap_market" in verbs(game)


@pytest.mark.rule("99.6", "21.25")
def test_falcons_are_refused_after_the_contractor() -> None:
    game = falconers(3, "travelling_craftsmen", cards="denar-1 denar-2")
    reserve(game, 0, "garden-11")
    lay_before(game, 0, "contractor")
    assert "buy_falcon" in verbs(game)
    play(game, "add garden-11 @2,0", items=("contractor",))
    assert "buy_falcon" not in verbs(game)


@pytest.mark.rule("20.19")
def test_culture_is_not_developed_in_a_falcon_turn() -> None:
    tiles = {**BLOCK, (2, 0): "arcades-9", (2, 1): "garden-11"}
    game = holding(falconers(3, "arts_of_the_moors", tiles=tiles), 0, culture_9=(0, 1))
    assert legal(game, "develop_culture")
    buy_falcon(game)
    assert {move.verb for move in game.moves()} == {"buy_falcon", "pass"}
    assert codes(refused(game, "develop_culture")) == ["VERB_NOT_OFFERED"]


@pytest.mark.rule("99.6", "36.16", "20.19", "21.26")
def test_culture_animals_and_keys_are_part_of_a_falcon_turn() -> None:
    game = falconers(3, "arts_of_the_moors", "menagerie", "gates_without_end", cards="denar-1 denar-4")
    owning(game, 0, "garden-9-e", "tower-9-es")
    game.module_state(Menagerie).lying = {}
    put_animals(game, "garden-10", "dove")
    give_key(game, 0, "key_1")
    assert told(buy_falcon(game))[-1] == "asked late"
    play(game, "lead_animals denar-4")
    events = play(game, "pass")
    assert told(events)[-1] == "asked culture"
    assert told(play(game, "pass"))[-1] == "asked after"


@pytest.mark.rule("99.26", "21.23")
def test_special_buildings_show_their_colours_to_a_falcon() -> None:
    tiles = {(1, 0): "power_architecture_tower-12", (0, 1): "power_wisdom_garden-11", (1, 1): "chambers-6-es"}
    game = table(3, modules=["falconers", "buildings_of_power"])
    alhambra(game, 0, tiles)
    hand(game, 0, "denar-1")
    assert legal(game, "buy_falcon falcon_white_garden_tower @0,0 denar-1", side="SE")


# -- Turns with dice ---------------------------------------------------------------------------------------------------


def after_rolling(*modules: str) -> Game:
    """Seat 0 has rolled in vain and is at its action."""
    game = crew(3, *modules)
    rolled(game, 6, 6, 5)
    play(game, "pass")
    go_on(game, "action")
    return game


@pytest.mark.rule("99.7", "31.42", "40.18", "21.27")
def test_after_rolling_neither_falcons_nor_extensions_nor_projects_nor_the_contractor_are_left() -> None:
    game = after_rolling("falconers", "extensions", "fresh_colours", "arts_of_the_moors", "travelling_craftsmen")
    alhambra(game, 0, {(1, 0): "tower-12", (0, 1): "garden-11", (1, 1): "chambers-10"})
    reserve(game, 0, "garden-8-sw")
    hand(game, 0, "denar-1 denar-9 denar-8 gulden-5 gulden-2 dirham-4")
    lay_before(game, 0, "contractor")
    assert verbs(game) == {"take_money"}


@pytest.mark.rule("99.7", "31.42", "40.18")
def test_after_rolling_goldsmith_blacksmith_and_mixer_still_serve() -> None:
    for craftsman, verb in (("blacksmith", "enlarge_display"), ("mortar_mixer", "swap_market")):
        game = after_rolling("travelling_craftsmen")
        lay_before(game, 0, craftsman)
        assert verbs(game) == {"take_money", verb}
    game = after_rolling("travelling_craftsmen")
    lay_before(game, 0, "goldsmith")
    assert legal(game, "take_money", display=("dukat-3", "dukat-4"), items=("goldsmith",))


@pytest.mark.rule("99.7")
def test_money_taken_after_rolling_sends_the_major_domo_on_his_way() -> None:
    game = after_rolling("palace_staff")
    alhambra(game, 0, {(1, 0): "tower-12"})
    assert told(play(game, "take_money dukat-2"))[-1] == "asked staff_walk"


@pytest.mark.rule("99.7", "36.16")
def test_animals_are_led_after_rolling() -> None:
    game = after_rolling("menagerie")
    alhambra(game, 0, {(1, 0): "garden-11"})
    game.module_state(Menagerie).lying = {}
    put_animals(game, "garden-11", "dove")
    hand(game, 0, "denar-2")
    assert told(play(game, "take_money dukat-2"))[-1] == "asked late"


# -- Craftsmen and the market ------------------------------------------------------------------------------------------


@pytest.mark.rule("99.25", "30.21", "31.34", "36.24", "38.23", "40.19")
def test_the_mortar_mixer_moves_fruit_and_animals_but_neither_handymen_nor_hidden_tiles_nor_tiles_beside() -> None:
    modules = ("orchards", "menagerie", "buildings_of_power", "handymen", "bathhouses")
    game = table(3, modules=["travelling_craftsmen", *modules])
    market(game, **SPECIAL_MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    game.state.beside = {"beside-denar": ("bathhouse_1",)}
    game.state.tower = tuple(tile for tile in game.state.tower if tile != "bathhouse_1")
    fruit, animals = game.module_state(Orchards), game.module_state(Menagerie)
    fruit.on_tiles = {"garden-10": "apple"}
    animals.lying = {"garden-10": ((0, "dove"), (0, "monkey"))}
    hide(game, 2, "denar", "tower-8-nes")
    post(game, 1, "denar", 2)
    hidden = game.module_state(Powers).hidden
    lay_before(game, 0, "mortar_mixer")
    play(game, "swap_market market-gulden", items=("mortar_mixer",))
    play(game, "swap_with market-denar")
    assert (game.state.market[0], game.state.market[2]) == ("garden-10", "tower-11")
    assert fruit.on_tiles == {"garden-10": "apple"}
    assert animals.lying == {"garden-10": ((0, "dove"), (0, "monkey"))}
    assert game.module_state(Powers).hidden == hidden
    assert (posted(game, 1, "denar"), posted(game, 1, "gulden")) == (2, 0)
    assert game.state.beside == {"beside-denar": ("bathhouse_1",)}


@pytest.mark.rule("29.19")
def test_the_goldsmith_gives_the_major_domo_no_steps_for_six_and_more() -> None:
    game = workshop("goldsmith carpenter", "palace_staff")
    own(game, 0, garden=1)
    display(game, "dukat-3 dukat-4 dukat-6 dukat-7")
    events = play(game, "take_money", display=("dukat-3", "dukat-4"), items=("goldsmith",))
    assert "asked staff_walk" not in told(events)


@pytest.mark.rule("34.18")
def test_the_column_of_the_coiners_money_is_that_of_its_currency() -> None:
    game = workshop("coiner carpenter", "fresh_colours")
    market(game, dukat="chambers-7-sw")
    hand(game, 0, "dukat-6")
    events = play(game, "buy market-dukat dukat-6", display=("dukat-4",), items=("coiner",))
    assert told(events)[-1] == "asked fresh_choice"
    assert {move.slot for move in game.moves() if move.slot} >= {"fresh-dukat"}
    assert not any(move.slot and "gulden" in move.slot for move in game.moves())


@pytest.mark.rule("99.68", "34.22", "39.13", "20.20")
def test_an_extended_building_is_one_building_for_culture_decoration_and_animals() -> None:
    game = table(3, modules=["extensions", "arts_of_the_moors", "fresh_colours", "menagerie"])
    market(game, gulden="seraglio-8-s", dirham="seraglio-7-w", denar="chambers-7-sw", dukat="pavilion-6-n")
    game.module_state(Menagerie).lying = {}
    alhambra(game, 0, {(1, 0): "garden-10"})
    put_animals(game, "garden-10", "dove dove")
    own_projects(game, 0, "fresh_garden_1", completed=True)
    attach(game, "garden-10")
    events = hold_scoring(game, 1)
    events += go_on(game, "action")
    assert "asked culture" not in told(events)
    assert points(events, "decoration") == {0: 2}
    assert points(events, "animals") == {0: 2}
    assert [line["count"] for line in events_of(events, "scored") if line["reason"] == "majority"] == [4]
