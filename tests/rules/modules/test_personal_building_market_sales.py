"""41 The personal building market: what a sale tells, and what is not for sale."""

from __future__ import annotations

import pytest

from alhambra.modules.invaders import Invaders
from alhambra.modules.personal_building_market import PLACES
from tests.rules.modules.personal_market_table import stall
from tests.rules.modules.test_personal_building_market import asked, lying, overpay, stalls
from tests.rules.situations import codes, events_of, hand, kinds, play, refused


@pytest.mark.rule("41.5", "41.24")
def test_everybody_is_told_which_cards_the_seller_receives() -> None:
    game = stalls()
    stall(game, 1, dirham="garden-8-sw")
    hand(game, 0, "dirham-5 dirham-4")
    events = play(game, "buy dirham-4 dirham-5", slot="personal-1-dirham")
    sale = {"tile": "garden-8-sw", "slot": "personal-1-dirham", "seller": 1}
    assert events_of(events, "sold") == [{**sale, "cards": ("dirham-4", "dirham-5")}]


@pytest.mark.rule("41.34")
def test_everybody_is_told_that_a_seller_who_resigned_receives_nothing() -> None:
    game = stalls(4)
    stall(game, 1, dirham="garden-8-sw")
    hand(game, 0, "dirham-8")
    game.resign(1)
    events = play(game, "buy dirham-8", slot="personal-1-dirham")
    sale = {"tile": "garden-8-sw", "slot": "personal-1-dirham", "seller": 1}
    assert events_of(events, "sold") == [{**sale, "cards": ()}]


@pytest.mark.rule("41.4")
def test_an_empty_place_has_nothing_for_sale() -> None:
    game = stalls()
    stall(game, 1, dirham="garden-8-sw")
    hand(game, 0, "denar-8")
    assert codes(refused(game, "buy denar-8", slot="personal-1-denar")) == ["NOT_THERE"]


@pytest.mark.rule("41.3", "41.27")
def test_nothing_leaves_the_game_when_a_tile_is_put_at_a_free_place() -> None:
    game = stalls()
    overpay(game, "garden-10")
    boxed = game.state.box
    events = play(game, "reserve garden-10", slot="personal-0-dukat")
    assert lying(game, 0) == {"dukat": "garden-10"}
    assert game.state.box == boxed
    assert "tile_boxed" not in kinds(events)


@pytest.mark.rule("27.20", "41.22")
def test_an_exact_payment_for_a_ground_of_another_player_wins_no_scout() -> None:
    game = stalls(3, "invaders", "new_building_grounds")
    stall(game, 1, denar="ground_9_1")
    game.state.types = {"ground_9_1": "garden"}
    game.module_state(Invaders).open = tuple(piece for piece in game.ruleset.pieces if piece.endswith("garden"))
    hand(game, 0, "denar-9")
    events = play(game, "buy denar-9", slot=f"personal-1-{PLACES[PLACES.index('denar')]}")
    assert "bonus_action" in kinds(events)
    assert "scout_won" not in kinds(events)
    assert asked(game) == ("action", 0)
