"""Tiles of some kinds never lie on a market space: they go to a stall beside it and are bought there."""

from __future__ import annotations

import pytest

from alhambra import Game, Module, register
from alhambra.invariants import census
from alhambra.modules.power_of_the_sultan import CARDS, Sultan
from tests.rules.example_modules.cellars import Cellars
from tests.rules.hooks.asking import asked
from tests.rules.situations import (
    codes,
    display,
    end_game,
    events_of,
    hand,
    market,
    play,
    refused,
    table,
    take_turn,
    tower,
)

OTHERS = {"gulden": "garden-10", "dirham": "garden-11", "dukat": "tower-12"}


def refilled(*coming: str, modules: tuple[str, ...] = ("example_stands",), only: bool = False) -> Game:
    """Seat 1 is to act; the denar space was filled from these tiles."""
    game = table(modules=list(modules))
    market(game, **OTHERS)
    tower(game, *coming, only=only)
    display(game, "gulden-1")
    take_turn(game)
    return game


def test_a_tile_with_a_stall_goes_there_and_drawing_goes_on() -> None:
    game = refilled("stand-1", "booth-1", "stand-2", "arcades-9")
    assert game.state.market[2] == "arcades-9"
    assert game.state.beside == {"beside-denar": ("stand-1", "stand-2"), "booths": ("booth-1",)}
    drawn = events_of(game.events, "tile_drawn")
    assert [event["slot"] for event in drawn] == ["beside-denar", "booths", "beside-denar", "market-denar"]


def test_everybody_sees_what_lies_beside_the_market() -> None:
    game = refilled("stand-1", "arcades-9")
    for viewer in (None, 0, 2):
        assert game.view(viewer)["table"]["beside"] == {"beside-denar": ["stand-1"]}
    assert "beside" not in refilled("arcades-9").view(None)["table"]


def test_what_lies_beside_the_market_is_counted_and_survives_bytes() -> None:
    game = refilled("stand-1", "arcades-9")
    assert census(game)["stand-1"] == 1
    assert game.with_state(game.state_bytes()).state.beside == game.state.beside


def test_it_is_bought_by_its_name_and_leaves_its_stall() -> None:
    game = refilled("stand-1", "stand-2", "arcades-9")
    hand(game, 1, "denar-5")
    assert codes(refused(game, "buy denar-5", slot="beside-denar")) == ["NOUN_MISSING"]
    play(game, "buy stand-2 denar-5", slot="beside-denar")
    assert game.state.beside == {"beside-denar": ("stand-1",)}
    assert game.state.seats[1].pending == ("stand-2",)
    assert game.state.actions == 1, "paid exactly"
    assert game.state.market[2] == "arcades-9", "the space keeps its tile"


def test_a_stall_that_was_sold_out_is_gone() -> None:
    game = refilled("stand-1", "arcades-9")
    hand(game, 1, "denar-5")
    play(game, "buy stand-1 denar-5", slot="beside-denar")
    assert game.state.beside == {}


def test_a_tile_can_cost_what_the_tile_on_a_space_costs() -> None:
    game = refilled("booth-1", "arcades-9")
    hand(game, 1, "dirham-9 dirham-2 dirham-8")
    assert codes(refused(game, "buy booth-1 dirham-9 dirham-8", slot="booths")) == ["NOT_EXACT"]
    play(game, "buy booth-1 dirham-9 dirham-2", slot="booths")
    assert game.state.seats[1].pending == ("booth-1",)


def test_it_is_not_for_sale_while_that_space_is_empty() -> None:
    game = refilled("booth-1", "arcades-9")
    market(game, gulden="garden-10")
    hand(game, 1, "dirham-9 dirham-2")
    assert codes(refused(game, "buy booth-1 dirham-9 dirham-2", slot="booths")) == ["NOT_THERE"]


def test_it_is_not_for_sale_while_the_tile_on_that_space_is_covered() -> None:
    game = refilled("booth-1", "arcades-9")
    hand(game, 1, "dirham-9 dirham-2")
    game.state.covered = ("garden-11",)
    assert codes(refused(game, "buy booth-1 dirham-9 dirham-2", slot="booths")) == ["NOT_THERE"]


def test_if_only_tiles_with_a_stall_are_left_the_space_stays_empty_and_the_game_ends() -> None:
    game = table(modules=["example_stands"])
    market(game, **OTHERS)
    tower(game, "stand-1", "booth-1", only=True)
    display(game, "gulden-1")
    events = take_turn(game)
    assert events_of(events, "end_began") == [{"because": "market"}]
    assert game.state.beside == {"beside-denar": ("stand-1",), "booths": ("booth-1",)}


def test_what_lies_beside_the_market_is_not_given_out_at_the_end() -> None:
    game = refilled("stand-1", "arcades-9")
    hand(game, 0, "denar-9")
    awarded = {event["tile"] for event in events_of(end_game(game), "leftover_awarded")}
    assert "stand-1" not in awarded
    assert game.state.beside == {"beside-denar": ("stand-1",)}


@pytest.mark.rule("99.22")
def test_a_tile_that_is_turned_up_instead_of_drawn_goes_to_its_stall_and_the_space_is_drawn_for() -> None:
    game = table(modules=["example_stands", "example_cellars"])
    market(game, **OTHERS)
    kept = game.module_state(Cellars)
    game.state.tower = tuple(tile for tile in game.state.tower if tile != "stand-3")
    kept.hidden, kept.hiders, kept.used = ("", "", "stand-3", ""), (None, None, 1, None), (0, 1, 2)
    tower(game, "arcades-9")
    display(game, "gulden-1")
    events = take_turn(game)
    assert events_of(events, "hidden_tile_turned") == [{"tile": "stand-3", "slot": "beside-denar"}]
    assert game.state.beside == {"beside-denar": ("stand-3",)}
    assert game.state.market[2] == "arcades-9"


def test_modules_that_offer_drawn_tiles_hear_nothing_of_tiles_with_a_stall() -> None:
    heard: list[str] = []

    def hear(_game: Game, tile: str, _place: int) -> bool:
        heard.append(tile)
        return False

    register(Module(997, "example_crier", drawn=hear))
    game = refilled("stand-1", "booth-1", "arcades-9", modules=("example_stands", "example_crier"))
    assert heard[-1:] == ["arcades-9"]
    assert not {"stand-1", "booth-1"} & set(heard)
    assert game.state.market[2] == "arcades-9"


@pytest.mark.rule("18.29")
def test_claims_are_offered_for_drawn_tiles_only_and_never_for_tiles_with_a_stall() -> None:
    game = table(modules=["example_stands", "example_cellars", "power_of_the_sultan"])
    market(game, gulden="garden-10", dukat="tower-12")
    kept = game.module_state(Cellars)
    game.state.tower = tuple(tile for tile in game.state.tower if tile != "arcades-8-e")
    kept.hidden, kept.hiders, kept.used = ("", "arcades-8-e", "", ""), (None, 1, None, None), (0, 1, 2)
    card = min(CARDS)
    game.state.deck = tuple(other for other in game.state.deck if other != card)
    game.state.piles = (len(game.state.deck),)
    game.module_state(Sultan).marks, game.module_state(Sultan).owners = {card: "arcades"}, {card: 2}
    tower(game, "stand-1", "arcades-9", "chambers-10")
    display(game, "gulden-1")
    take_turn(game)
    assert game.state.market[1] == "arcades-8-e", "turned up, not drawn: nobody may claim it"
    assert asked(game) == ("claim", 2)
    assert game.decision is not None
    assert game.decision.context["tile"] == "arcades-9"
