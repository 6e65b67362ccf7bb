"""Figures and hands: the designer (35) with the brickmaker (31), the major-domo (29) with money that is not taken as an
action, bonus cards (03) in a scoring after a key (37), and culture (20) with extensions (39)."""

from __future__ import annotations

import pytest

from alhambra import Game
from alhambra.modules.bonus_cards import BonusCards
from tests.rules.interactions.deals import COMING, MARKET, to_gate
from tests.rules.interactions.story import go_on, told
from tests.rules.modules.characters_table import give
from tests.rules.modules.designers_table import stand, where
from tests.rules.modules.extensions_table import attach
from tests.rules.modules.powers_table import WISDOM, load, use, with_function
from tests.rules.modules.test_arts_of_the_moors import owning
from tests.rules.modules.test_travelling_craftsmen_building import bricks
from tests.rules.situations import (
    alhambra,
    deck,
    display,
    hand,
    market,
    play,
    points,
    table,
)

# -- 31 × 35 -----------------------------------------------------------------------------------------------------------


def test_the_designer_stays_where_the_brickmaker_exchanges_another_tile_which_then_is_an_extension() -> None:
    game = bricks("palace_designers")
    stand(game, 0, (0, 0), "S")
    events = play(game, "lay_brick tower-12 @2,0", items=("brickmaker",))
    assert points(events, "designer") == {}
    assert points(play(game, "place garden-10 @0,1"), "designer") == {0: 2}


@pytest.mark.rule("99.62", "31.38")
def test_the_designer_of_a_lifted_tile_is_moved_before_that_tile_is_placed_and_may_stand_on_the_new_one() -> None:
    game = bricks("palace_designers")
    stand(game, 0, (1, 0), "N")
    events = play(game, "lay_brick tower-12 @1,0", items=("brickmaker",))
    assert told(events)[-1] == "asked move_designer"
    assert points(events, "designer") == {}
    assert told(play(game, "move_designer @1,0", side="N"))[-1] == "asked place_now"
    assert where(game) == ((1, 0), "N")
    assert points(play(game, "place arcades-10 @1,-1"), "designer") == {0: 2}


# -- 29 × 07, 38 -------------------------------------------------------------------------------------------------------


def served_table(*modules: str) -> Game:
    """Seat 0 has a garden that its major-domo could enter."""
    game = table(3, modules=["palace_staff", *modules])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    deck(game, COMING)
    alhambra(game, 0, {(1, 0): "garden-10"})
    return game


@pytest.mark.rule("99.36", "29.20")
def test_a_card_that_the_miser_takes_gives_the_major_domo_no_steps() -> None:
    game = served_table("characters")
    give(game, 0, "miser")
    hand(game, 0, "gulden-9 gulden-3")
    events = play(game, "buy market-gulden gulden-3 gulden-9")
    assert told(events)[-1] == "asked miser"
    assert "asked staff_walk" not in told(play(game, "take_open dukat-1"))


@pytest.mark.rule("99.36", "29.20")
def test_a_card_that_wisdom_keeps_gives_the_major_domo_no_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_function(WISDOM, 3, "palace_staff")
    alhambra(game, 0, {(1, 0): "garden-10-n"})
    deck(game, COMING)
    load(monkeypatch, 2)
    use(game, WISDOM)
    kept = next(move for move in game.moves() if move.verb == "keep_card")
    assert "asked staff_walk" not in told(game.apply(kept))


# -- 03 × 37 -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.16", "99.71", "37.54", "03.29")
def test_in_a_scoring_after_a_key_bonus_cards_are_asked_about_from_the_next_player_on() -> None:
    game = table(3, modules=["bonus_cards", "gates_without_end"])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    deck(game, COMING)
    assert all(game.module_state(BonusCards).unseen)
    to_gate("money_card")(game)
    deck(game, "scoring-1")
    play(game, "take_open dukat-1")
    go_on(game, "reveals")
    assert game.decision is not None
    assert game.decision.seat == 1


# -- 20 × 39 -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("99.68", "20.20")
def test_an_extension_makes_no_second_building_for_culture() -> None:
    game = table(3, modules=["arts_of_the_moors", "extensions"])
    market(game, **MARKET)
    display(game, "dukat-1 dukat-2 dukat-3 dukat-6")
    owning(game, 0, "garden-9-e")
    attach(game, "garden-9-e")
    assert "asked culture" not in told(play(game, "take_money dukat-6"))
