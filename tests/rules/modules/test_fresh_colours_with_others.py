"""34 Fresh colours: which purchases count, which column is meant, and how it goes with other modules."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.invariants import census
from tests.rules.hooks.asking import asked
from tests.rules.modules.change_table import coins
from tests.rules.modules.colours_table import FULL, colours, have, options_now, overpay, own_projects, plan
from tests.rules.modules.major_construction_projects_table import VERTICAL
from tests.rules.modules.major_construction_projects_table import build as build_project
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.power_of_the_sultan_table import beside as sultan_card
from tests.rules.situations import (
    beside,
    display,
    events_of,
    hand,
    hold_scoring,
    kinds,
    market,
    play,
    points,
    take_turn,
)


def column(game: Game) -> str:
    """The currency of the column that is offered."""
    assert asked(game) == ("fresh_choice", 0)
    assert game.decision is not None
    return str(game.decision.context["currency"])


# -- The column --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("34.17")
@pytest.mark.parametrize("currency", ["gulden", "dirham", "denar", "dukat"])
def test_the_column_is_that_of_the_currency_paid(currency: str) -> None:
    game = colours()
    overpay(game, currency)
    assert column(game) == currency
    assert all(slot == "fresh-stack" or currency in slot for slot in options_now(game))


@pytest.mark.rule("34.17")
def test_a_bureau_that_mixes_two_currencies_means_the_one_asked_for() -> None:
    game = colours(3, "bureaux_de_change")
    hand(game, 0, "exchange_gulden_dirham gulden-9 dirham-4")
    play(game, "buy market-gulden exchange_gulden_dirham gulden-9 dirham-4")
    assert column(game) == "gulden"


@pytest.mark.rule("34.18")
def test_a_bureau_payment_wholly_in_the_other_currency_uses_its_column() -> None:
    game = colours(3, "bureaux_de_change")
    hand(game, 0, "exchange_gulden_dirham dirham-9 dirham-4")
    play(game, "buy market-gulden exchange_gulden_dirham dirham-9 dirham-4")
    assert column(game) == "dirham"


@pytest.mark.rule("34.18")
def test_coins_alone_in_the_other_currency_use_its_column() -> None:
    """The cards do not tell: the only one is the bureau."""
    game = colours(3, "bureaux_de_change", "change")
    market(game, **{**FULL, "gulden": "pavilion-2-new"})
    coins(game, 0, *["dirham"] * 3)
    hand(game, 0, "exchange_gulden_dirham")
    play(game, "buy market-gulden exchange_gulden_dirham", items=("coin-dirham",) * 3)
    assert column(game) == "dirham"


@pytest.mark.rule("34.17")
def test_diamonds_mean_the_currency_asked_for() -> None:
    game = colours(3, "diamonds")
    hand(game, 0, "diamond-9 diamond-7")
    play(game, "buy market-denar diamond-7 diamond-9")
    assert column(game) == "denar"


@pytest.mark.rule("34.17", "34.19")
def test_a_tile_of_a_personal_market_means_the_currency_of_its_place() -> None:
    game = colours(3, "personal_building_market")
    stall(game, 1, dukat="garden-10")
    hand(game, 0, "dukat-9 dukat-5")
    play(game, "buy dukat-5 dukat-9", slot="personal-1-dukat")
    assert column(game) == "dukat"


@pytest.mark.rule("34.17", "34.19")
def test_a_bathhouse_means_the_currency_it_lies_at() -> None:
    game = colours(3, "bathhouses")
    beside(game, beside_denar="bathhouse_1")
    hand(game, 0, "denar-9")
    play(game, "buy bathhouse_1 denar-9", slot="beside-denar")
    assert column(game) == "denar"


# -- Which purchases ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("34.19", "22.44")
@pytest.mark.parametrize(("cards", "kind"), [("gulden-8 gulden-9", "action"), ("gulden-9 gulden-9", "fresh_choice")])
def test_the_surcharge_of_a_watchtower_belongs_to_the_price(cards: str, kind: str) -> None:
    game = colours(3, "watchtowers")
    hand(game, 0, cards)
    play(game, f"buy market-gulden {cards}", choice="watchtower")
    assert asked(game) == (kind, 0), "the tower costs 11, the watchtower 6"


@pytest.mark.rule("34.20", "42.11")
def test_a_treasure_makes_a_payment_exact_so_nothing_is_taken() -> None:
    game = colours(3, "treasures")
    hand(game, 0, "gulden-9")
    play(game, "buy market-gulden gulden-9", items=("treasure-3",))
    assert asked(game)[0] == "action"


@pytest.mark.rule("34.20", "18.36")
def test_a_sultan_card_brings_nothing() -> None:
    game = colours(3, "power_of_the_sultan")
    sultan_card(game, "sultan_denar_1", "tower")
    hand(game, 0, "denar-9")
    play(game, "buy denar-9", slot="sultan", piece="sultan_denar_1")
    assert asked(game)[0] != "fresh_choice"


@pytest.mark.rule("34.19")
def test_other_special_tiles_bring_a_choice() -> None:
    for module, tile in (
        ("magical_buildings", "magical_garden"),
        ("medina", "medina_2"),
        ("military_camps", "camp_E"),
        ("new_building_grounds", "ground_9_1"),
    ):
        game = colours(3, module)
        market(game, **{**FULL, "gulden": tile})
        hand(game, 0, "gulden-9 gulden-8")
        play(game, "buy market-gulden gulden-8 gulden-9")
        assert asked(game) == ("fresh_choice", 0), module


@pytest.mark.rule("34.21")
def test_coins_come_first_then_the_certificate_then_the_colours() -> None:
    game = colours(3, "change", "exchange_certificates")
    events = overpay(game)
    assert events_of(events, "coins_drawn")
    assert asked(game) == ("save_certificate", 0)
    play(game, "pass")
    assert column(game) == "gulden"


@pytest.mark.rule("34.21")
def test_the_choice_comes_before_the_building_of_a_ground() -> None:
    game = colours(3, "new_building_grounds")
    market(game, **{**FULL, "gulden": "ground_12_1"})
    hand(game, 0, "gulden-9 gulden-5")
    play(game, "buy market-gulden gulden-5 gulden-9")
    assert asked(game) == ("fresh_choice", 0)
    events = play(game, "pass")
    assert asked(game)[0] == "ground_building" or "building_chosen" in kinds(events)


# -- Scoring, resigning ------------------------------------------------------------------------------------------------


@pytest.mark.rule("34.22")
def test_each_half_of_a_project_is_a_building_of_its_type() -> None:
    game = colours(3, "major_construction_projects")
    build_project(game, 0, VERTICAL, (1, 0))
    own_projects(game, 0, "fresh_pavilion_2", "fresh_arcades_2", completed=True)
    assert points(hold_scoring(game, 1), "decoration") == {0: 4}


@pytest.mark.rule("34.22")
def test_an_unfinished_building_is_not_decorated() -> None:
    game = colours()
    own_projects(game, 0, "fresh_tower_2", completed=True)
    board = game.board(0)
    board.place(game.ruleset.tiles["tower-12"], 1, 0)
    game.state.seats[0].board = board
    game.state.covered = ("tower-12",)
    assert points(hold_scoring(game, 1), "decoration") == {}


@pytest.mark.rule("34.35")
def test_the_colours_of_a_seat_that_resigns_return_and_its_projects_leave_the_game() -> None:
    game = colours()
    have(game, 1, "tower", "garden")
    own_projects(game, 1, "fresh_tower_2")
    own_projects(game, 1, "fresh_chambers_2", completed=True)
    before = census(game)
    events = game.resign(1)
    assert events_of(events, "colours_returned") == [{"seat": 1, "types": ("garden", "tower")}]
    kept = plan(game)
    assert kept.colours[1] == kept.uncompleted[1] == kept.completed[1] == ()
    assert {"fresh_tower_2", "fresh_chambers_2"} <= {*kept.out}
    assert census(game)["colour-tower"] == before["colour-tower"] == 6


@pytest.mark.rule("34.36")
def test_a_seat_that_resigns_while_it_returns_colours_is_not_waited_for() -> None:
    game = colours()
    have(game, 0, "pavilion", "pavilion", "tower", "seraglio", "arcades")
    overpay(game)
    play(game, "take_colours", slot="colours-gulden-2")
    assert asked(game) == ("return_colours", 0)
    game.resign(0)
    assert asked(game) == ("action", 1)
    assert len(plan(game).supply) == 36


@pytest.mark.rule("34.36")
@pytest.mark.parametrize("kind", ["fresh_choice", "second_project"])
def test_a_seat_that_resigns_at_another_question_is_not_waited_for(kind: str) -> None:
    game = colours()
    if kind == "fresh_choice":
        overpay(game)
    else:
        own_projects(game, 0, "fresh_tower_2", "fresh_garden_2")
        have(game, 0, "tower", "seraglio", "garden", "pavilion")
        play(game, "complete_project fresh_garden_2")
    assert asked(game) == (kind, 0)
    game.resign(0)
    assert asked(game) == ("action", 1)


def test_a_turn_without_a_purchase_asks_nothing() -> None:
    game = colours()
    display(game, "dukat-1")
    take_turn(game)
    assert asked(game) == ("action", 1)
