"""Deck and discard hold nothing but gate cards: the display keeps its gaps, and nobody draws for ever (05.43)."""

from __future__ import annotations

import pytest

from alhambra import Game, Move, Options
from alhambra.modules.city_gates import Gates
from alhambra.modules.thieves import Thieves
from tests.rules.modules.characters_table import begging
from tests.rules.modules.city_gates_table import asked, gates, lie_open
from tests.rules.situations import deck, discard, display, events_of, fact, play, refused, take_turn


def only_gates(game: Game, *, on_deck: int, discarded: int = 0) -> None:
    """Nothing but gate cards can be drawn; every other card has left the game."""
    state = game.state
    cards = [card for card in state.deck if card == "gate"][: on_deck + discarded]
    state.box = (*state.box, *(card for card in (*state.deck, *state.discard) if card != "gate"))
    state.deck, state.discard = tuple(cards[:on_deck]), tuple(cards[on_deck:])
    state.piles = (on_deck,) if on_deck else ()


@pytest.mark.rule("05.43")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_hoarding_all_the_money_leaves_gaps_and_the_game_goes_on(seats: int) -> None:
    game = Game.new(Options(seats=seats, seed="gates", modules=["city_gates"]))
    while game.state.display:
        assert asked(game)[0] == "action"
        game.apply(Move("take_money", display=(game.state.display[0],)))
    assert {*game.state.deck, *game.state.discard} <= {"gate"}
    assert asked(game)[0] == "action"


@pytest.mark.rule("99.19", "05.43")
def test_a_refill_turns_each_gate_card_up_once_and_leaves_the_gaps() -> None:
    game = gates(4, cards="gate")
    lie_open(game)
    display(game, "denar-1 denar-2")
    only_gates(game, on_deck=1, discarded=1)
    events = take_turn(game)
    assert [event["card"] for event in events_of(events, "card_revealed")] == ["gate", "gate"]
    assert events_of(events, "display_filled") == [{"display": ("denar-2",)}]


@pytest.mark.rule("05.42")
def test_a_gate_card_in_the_discard_still_finds_its_place_if_none_lies_open() -> None:
    game = gates(3, cards="gate")
    display(game, "denar-1 denar-2")
    only_gates(game, on_deck=0, discarded=1)
    take_turn(game)
    assert game.module_state(Gates).open
    assert game.state.deck == game.state.discard == ()


@pytest.mark.rule("05.43")
def test_money_behind_gate_cards_that_came_round_again_is_still_laid_out() -> None:
    for seed in range(20):  # the reshuffle decides whether the gate cards come first
        game = gates(5, cards="gate")
        lie_open(game)
        display(game, "denar-1 denar-2 denar-3 denar-4")
        discard(game, "dukat-9")
        deck(game, "gate gate", only=True)
        game.reseed(f"reshuffle {seed}")
        take_turn(game)
        assert "dukat-9" in game.state.display


@pytest.mark.rule("05.43")
def test_after_a_thief_the_display_keeps_its_gap() -> None:
    game = gates(3, "thieves", cards="gate")
    lie_open(game)
    game.module_state(Thieves).held = ((), (), ("thief-denar",))
    display(game, "denar-1 denar-2 denar-3")
    only_gates(game, on_deck=1)
    take_turn(game)
    assert asked(game) == ("window", 2)
    events = play(game, "play_thief denar-3", currency="denar")
    assert events_of(events, "display_filled") == [{"display": ("denar-2",)}]


@pytest.mark.rule("99.19", "07.57")
def test_the_beggar_draws_at_most_as_many_cards_as_there_were_when_he_began() -> None:
    game = begging(modules=("city_gates",))
    lie_open(game)
    only_gates(game, on_deck=1, discarded=1)
    for _ in range(2):
        assert asked(game) == ("start", 1)
        play(game, "draw_card")
    assert asked(game) == ("action", 1)
    assert {*game.state.deck, *game.state.discard} == {"gate"}


@pytest.mark.rule("07.57")
def test_the_beggars_second_turn_counts_anew() -> None:
    game = begging(held="", modules=("city_gates",))
    lie_open(game)
    only_gates(game, on_deck=1, discarded=1)
    play(game, "draw_card")
    play(game, "pass")
    for _ in game.state.seats:
        take_turn(game)
    assert asked(game) == ("start", 1)
    assert [move.verb for move in game.legal_moves()] == ["pass", "draw_card"]


def test_begging_on_is_no_word_of_the_view() -> None:
    game = begging("gate", modules=("city_gates",))
    play(game, "draw_card")
    assert asked(game) == ("start", 1)
    assert game.view(None)["turn"]["used"] == ["beggar"]


def test_who_has_begged_enough_is_told_that_the_character_is_used_up() -> None:
    game = begging(modules=("city_gates",))
    lie_open(game)
    only_gates(game, on_deck=2)
    play(game, "draw_card")
    game.state.used = ("dancer",)
    assert fact(refused(game, "draw_card"), "USED_UP")["what"] == "character"
