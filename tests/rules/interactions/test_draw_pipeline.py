"""How a market space is filled: tiles that lie beside the market, claims, the tile laid there, fruit and animals."""

from __future__ import annotations

import pytest

from alhambra import Event, Game
from tests.rules.interactions.story import go_on, order, told
from tests.rules.modules.handymen_table import post
from tests.rules.modules.power_of_the_sultan_table import held
from tests.rules.modules.powers_table import hide
from tests.rules.situations import display, events_of, hand, hold_scoring, kinds, market, play, table, take_turn, tower

MARKET = {"gulden": "tower-11", "dirham": "seraglio-7-w", "dukat": "chambers-5-nsw"}
"""The denar space is empty."""
SIDE = ("bazaar_1", "bathhouse_1", "well_3_1")
DRAWING = ("bazaars", "power_of_the_sultan", "orchards", "bathhouses", "wishing_well", "menagerie", "medina")


def drawing(*tiles: str, modules: tuple[str, ...] = (), mark: str = "arcades") -> tuple[Game, list[Event]]:
    """Seat 0 ends its turn; these tiles are drawn for the denar space. Seat 1 has a sultan card with this mark."""
    game = table(3, modules=[*DRAWING, *modules])
    market(game, **MARKET)
    held(game, 1, "sultan_denar_1", mark)
    tower(game, *tiles)
    display(game, "dukat-1")
    return game, take_turn(game)


@pytest.mark.rule("99.20")
def test_side_tiles_then_claims_then_the_tile_then_fruit_and_animals() -> None:
    game, events = drawing(*SIDE, "arcades-9", "garden-10")
    drawn = [event.public["tile"] for event in events if event.kind == "tile_drawn"]
    assert drawn == [*SIDE, "arcades-9"]
    assert game.decision is not None
    assert (game.decision.kind, game.decision.seat) == ("claim", 1)
    assert game.state.beside == {"bazaar": ("bazaar_1",), "beside-denar": ("bathhouse_1", "well_3_1")}
    events += play(game, "claim", piece="sultan_denar_1")
    events += go_on(game, "action")
    assert game.state.market[2] == "garden-10"
    wanted = ("claim_offered", "claimed", "asked place_now", "fruit_drawn", "animals_drawn", "market_filled")
    assert order(events, wanted) == list(wanted)


@pytest.mark.rule("99.21", "26.24", "18.28")
def test_only_typed_tiles_are_offered_to_claims() -> None:
    game, events = drawing("medina_5", mark="garden")
    assert not events_of(events, "claim_offered")
    assert game.state.market[2] == "medina_5"


@pytest.mark.rule("99.20")
def test_a_declined_tile_is_laid_and_gets_its_fruit_and_animals_then() -> None:
    game, events = drawing("garden-10", mark="garden")
    assert not {"fruit_drawn", "animals_drawn"} & {*kinds(events)}
    events = play(game, "pass")
    assert order(events, ("fruit_drawn", "animals_drawn", "market_filled")) == [
        *("fruit_drawn", "animals_drawn", "market_filled"),
    ]


@pytest.mark.rule("99.21", "18.31")
def test_a_claimed_tile_has_neither_fruit_nor_animals() -> None:
    game, events = drawing("garden-10", "tower-12", mark="garden")
    events += play(game, "claim", piece="sultan_denar_1")
    events += go_on(game, "action")
    assert not events_of(events, "animals_drawn")
    assert [event["tile"] for event in events_of(events, "fruit_drawn")] == ["tower-12"]


@pytest.mark.rule("99.13", "99.22", "30.20", "36.17", "18.29")
def test_a_hidden_tile_is_turned_up_after_the_take_back_and_is_claimed_by_nobody_but_gets_fruit_and_animals() -> None:
    game = table(3, modules=[*DRAWING, "buildings_of_power", "handymen"])
    market(game, **MARKET, denar="arcades-8-e")
    held(game, 1, "sultan_denar_1", "garden")
    hide(game, 2, "denar", "garden-10")
    post(game, 2, "denar")
    hand(game, 0, "denar-9")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    events = play(game, "buy market-denar denar-9")
    events += play(game, "reserve arcades-8-e")
    events += go_on(game, "action")
    wanted = ("asked take_back", "hidden_tile_turned", "fruit_drawn", "animals_drawn", "market_filled")
    assert order(events, (*wanted, "claim_offered")) == list(wanted)


@pytest.mark.rule("99.13")
def test_the_spaces_are_filled_one_after_another_from_the_first_to_the_last() -> None:
    game = table(3, modules=[*DRAWING])
    market(game, dirham="seraglio-7-w")
    tower(game, "garden-10", "bazaar_1", "garden-11", "tower-12")
    display(game, "dukat-1")
    events = take_turn(game)
    laid = [(event["slot"], event["tile"]) for event in events_of(events, "fruit_drawn")]
    assert laid == [("market-gulden", "garden-10"), ("market-denar", "garden-11"), ("market-dukat", "tower-12")]
    assert [word for word in told(events) if word in ("fruit_drawn", "animals_drawn")] == [
        *("fruit_drawn", "animals_drawn", "fruit_drawn", "animals_drawn", "fruit_drawn"),
    ]


@pytest.mark.rule("99.23")
def test_a_space_that_stays_empty_ends_the_game() -> None:
    game = table(3, modules=[*DRAWING])
    market(game, **MARKET)
    tower(game, *SIDE, only=True)
    display(game, "dukat-1")
    assert "end_began" in kinds(take_turn(game))


@pytest.mark.rule("99.24")
def test_tiles_that_dirk_draws_bring_nothing_but_the_building_of_a_ground() -> None:
    game = table(2, modules=[*DRAWING, "new_building_grounds"])
    market(game, **MARKET, denar="arcades-8-e")
    held(game, 1, "sultan_denar_1", "garden")
    tower(game, "garden-10", "bazaar_1", "ground_9_1", "bathhouse_1", "medina_5", "tower-12")
    events = hold_scoring(game, 1)
    assert order(events, ("building_chosen", "dirk_received")) == ["building_chosen", "dirk_received"]
    assert not {"claim_offered", "fruit_drawn", "animals_drawn"} & {*kinds(events)}
    assert {"bazaar_1", "bathhouse_1"} <= {*game.state.dirk}
