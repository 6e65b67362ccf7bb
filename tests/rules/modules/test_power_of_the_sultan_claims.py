"""18 The power of the sultan: what all players see, and which moves can be undone."""

from __future__ import annotations

import pytest

from alhambra import Game, Options
from alhambra.invariants import census
from alhambra.modules.power_of_the_sultan import CARDS
from alhambra.modules.street_trader import Residents
from tests.rules.modules.power_of_the_sultan_table import beside, buy_card, decision, held, refill, sultans
from tests.rules.situations import deck, display, events_of, hand, pieces, play, take_turn


@pytest.mark.rule("18.3")
def test_chance_decides_which_cards_are_in_which_pile() -> None:
    first_piles = set()
    for number in range(10):
        state = Game.new(Options(3, f"sultan {number}", modules=["power_of_the_sultan"])).state
        first_piles.add(frozenset(card for card in state.deck[len(state.deck) - state.piles[-1] :] if card in CARDS))
    assert {len(pile) for pile in first_piles} == {3}
    assert len(first_piles) > 1


@pytest.mark.rule("18.4")
def test_everybody_is_told_which_card_is_laid_out_what_was_rolled_and_how_it_is_marked() -> None:
    game = sultans()
    display(game, "dukat-1")
    deck(game, "sultan_denar_1 gulden-1 gulden-2 gulden-3 gulden-4")
    events = take_turn(game)
    (shown,) = pieces(game, "power_of_the_sultan")
    revealed = events_of(events, "card_revealed")
    assert {"card": "sultan_denar_1", "to": "aside"} in revealed
    assert events_of(events, "sultan_rolled") == [{"piece": "sultan_denar_1", "type": shown["type"]}]
    assert events_of(events, "sultan_marked") == [{"piece": "sultan_denar_1", "type": shown["type"]}]


@pytest.mark.rule("18.6")
def test_everybody_is_told_that_the_buyer_keeps_the_mark() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    buy_card(game, "denar-7")
    events = play(game, "choose", choice="keep")
    assert events_of(events, "sultan_marked") == [{"piece": "sultan_denar_1", "type": "garden"}]


@pytest.mark.rule("18.8")
def test_everybody_is_told_who_claims_which_tile_with_which_card() -> None:
    game = sultans()
    held(game, 2, "sultan_denar_1", "tower")
    refill(game, "tower-12", "pavilion-8")
    events = play(game, "claim", piece="sultan_denar_1")
    assert events_of(events, "claimed") == [{"seat": 2, "piece": "sultan_denar_1", "tile": "tower-12"}]


@pytest.mark.rule("18.1", "18.8")
def test_eight_sultan_cards_are_in_the_deck_on_the_table_or_out_of_the_game() -> None:
    game = sultans()
    beside(game, "sultan_dukat_1", "garden")
    held(game, 2, "sultan_denar_1", "tower")
    assert {card: count for card, count in census(game).items() if card in CARDS} == dict.fromkeys(CARDS, 1)
    refill(game, "tower-12", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    assert {card: count for card, count in census(game).items() if card in CARDS} == dict.fromkeys(CARDS, 1)


@pytest.mark.rule("18.10")
def test_who_declines_a_tile_takes_that_back_only_if_the_others_agree() -> None:
    game = sultans(undo="by_consent")
    held(game, 1, "sultan_denar_1", "tower")
    refill(game, "tower-12")
    assert decision(game) == ("claim", 1)
    play(game, "pass")
    assert decision(game) == ("action", 1)
    refusal = game.can_undo(1)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"
    assert game.can_undo(1, consent=True) is None


@pytest.mark.rule("18.9", "18.10")
def test_who_places_a_claimed_tile_takes_that_back_only_if_the_others_agree() -> None:
    game = sultans(3, "street_trader", undo="by_consent")
    held(game, 2, "sultan_denar_1", "garden")
    game.module_state(Residents).discs = ((0, 1), (0, 1), (1, 0))
    refill(game, "garden-11", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "place garden-11 @1,0")
    assert decision(game) == ("resident", 2)
    refusal = game.can_undo(2)
    assert refusal is not None
    assert refusal.metadata["because"] == "other_seat"
    assert game.can_undo(2, consent=True) is None


@pytest.mark.rule("18.10", "18.11")
def test_the_only_standing_order_about_claims_is_to_decline() -> None:
    kind = sultans().ruleset.questions["claim"].kind
    assert [order.answer for order in kind.orders] == ["pass"]
