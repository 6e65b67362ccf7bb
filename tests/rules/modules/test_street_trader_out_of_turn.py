"""12 The street trader: who lays the disc at once after building out of turn, and discs that nobody may move."""

from __future__ import annotations

import pytest

from alhambra import Game
from tests.rules.modules.street_trader_table import aboard, asked, at_hand, disc, supply, trader_table, where
from tests.rules.situations import alhambra, deck, display, events_of, hand, kinds, legal, market, play, reserve, tower

FULL = {"gulden": "tower-11", "dirham": "tower-12", "denar": "arcades-9", "dukat": "tower-11-s"}
CARD = "sultan_denar_1"


def owning_a_sultan_card(seat: int, *modules: str, turn_of: int = 0) -> Game:
    """The seat owns a card marked with a garden, its disc lies at (1, 0), and four cards lie open."""
    game = trader_table(3, "power_of_the_sultan", *modules, turn_of=turn_of)
    disc(game, seat, (1, 0), "arcades", "garden", "tower")
    sultan = game.state.module_states["power_of_the_sultan"]
    game.state.deck = tuple(card for card in game.state.deck if card != CARD)
    sultan.marks, sultan.owners = {CARD: "garden"}, {CARD: seat}
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    deck(game, "gulden-1 gulden-2 gulden-3")
    return game


@pytest.mark.rule("12.41")
def test_who_has_just_finished_and_claims_a_tile_lays_the_disc_at_once() -> None:
    game = owning_a_sultan_card(0)
    market(game, **{**FULL, "denar": ""})
    tower(game, "garden-10 arcades-9")
    play(game, "take_money dukat-1")
    assert asked(game) == ("claim", 0)
    play(game, "claim", piece=CARD)
    play(game, "place garden-10 @1,0")
    play(game, "pass")
    assert asked(game) == ("lay_disc", 0)
    assert game.state.market[2] == ""
    events = play(game, "lay_disc @2,0")
    assert kinds(events).index("disc_laid") < kinds(events).index("market_filled")
    assert asked(game) == ("action", 1)


def test_who_has_just_finished_and_buys_with_the_vizier_lays_the_disc_at_once() -> None:
    game = trader_table(3, "viziers_favour")
    game.state.module_states["viziers_favour"].awake = (True, False, False)
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    hand(game, 0, "denar-5 denar-5")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    market(game, **{**FULL, "denar": "garden-10"})
    play(game, "take_money dukat-1")
    assert asked(game) == ("window", 0)
    play(game, "buy market-denar denar-5 denar-5")
    play(game, "place garden-10 @1,0")
    play(game, "pass")
    assert asked(game) == ("lay_disc", 0)
    play(game, "lay_disc @2,0")
    assert where(game, 0) == (2, 0)
    assert asked(game) == ("action", 1)


def test_who_claims_the_tile_of_somebody_elses_dancer_lays_the_disc_at_once() -> None:
    game = owning_a_sultan_card(1, "characters", turn_of=2)
    kept = game.state.module_states["characters"]
    game.state.deck = tuple(card for card in game.state.deck if card != "dancer")
    kept.aside = tuple(card for card in kept.aside if card != "dancer")
    kept.owners = {"dancer": 0}
    market(game, **FULL)
    tower(game, "garden-10 chambers-10")
    play(game, "take_money dukat-1")
    assert asked(game) == ("start", 0)
    play(game, "dance market-denar")
    assert asked(game) == ("claim", 1)
    play(game, "claim", piece=CARD)
    play(game, "place garden-10 @1,0")
    play(game, "pass")
    assert asked(game) == ("lay_disc", 1)
    play(game, "lay_disc @2,0")
    assert game.state.market[2] == "chambers-10"
    assert asked(game) == ("action", 0)


# -- An empty supply ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.37")
def test_a_resident_may_move_in_although_the_supply_was_empty_before_the_tile_was_built() -> None:
    game = trader_table()
    disc(game, 0, (1, 0), "arcades", "garden", "tower")
    supply(game)
    at_hand(game, "garden-10")
    play(game, "place garden-10 @1,0")
    assert asked(game) == ("resident", 0)
    assert not legal(game, "swap_resident", type="arcades")
    events = play(game, "move_in")
    assert events_of(events, "resident_moved_in") == [{"seat": 0, "tile": "garden-10", "type": "garden"}]
    assert "resident_changed" not in kinds(events)
    assert aboard(game, 0) == ("arcades", "tower")
    assert asked(game) == ("lay_disc", 0)


# -- A disc left alone -------------------------------------------------------------------------------------------------


@pytest.mark.rule("12.33")
@pytest.mark.parametrize("redesign", ["remove", "swap"])
def test_a_disc_is_not_moved_when_the_tile_beside_it_leaves(redesign: str) -> None:
    game = trader_table()
    alhambra(game, 0, {(1, 0): "garden-10"})
    reserve(game, 0, "tower-11")
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    events = play(game, "remove garden-10" if redesign == "remove" else "swap tower-11 @1,0")
    assert where(game, 0) == (2, 0)
    assert "disc_laid" not in kinds(events)
    assert asked(game) == ("action", 1)


def test_a_disc_left_alone_waits_and_is_met_when_a_tile_is_built_there() -> None:
    game = trader_table()
    reserve(game, 0, "garden-10 tower-11")
    disc(game, 0, (2, 0), "arcades", "garden", "tower")
    game.state.actions = 2
    play(game, "add tower-11 @1,0")
    assert where(game, 0) == (2, 0)
    assert asked(game) == ("action", 0)
    play(game, "add garden-10 @2,0")
    assert where(game, 0) is None
    assert asked(game) == ("resident", 0)
