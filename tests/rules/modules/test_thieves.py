"""10 The thieves: one open money card of their currency, between two turns."""

from __future__ import annotations

from random import Random

import pytest

from alhambra import CURRENCIES, Game, Move, Options
from alhambra.modules.invaders import Invaders
from alhambra.modules.thieves import Thieves
from tests.rules.hooks.asking import asked
from tests.rules.modules.thieves_table import all_pass, finish, held, steal, thieves
from tests.rules.situations import (
    codes,
    deck,
    display,
    end_game,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    own,
    pieces,
    play,
    points,
    refused,
    tower,
)

# -- Dealing -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(("seats", "each"), [(2, 4), (3, 4), (4, 3), (5, 2), (6, 2)])
def test_everybody_is_dealt_as_many_thieves_as_the_number_of_players_says(seats: int, each: int) -> None:
    game = Game.new(Options(seats=seats, seed="thieves", modules=["thieves"]))
    kept = game.module_state(Thieves)
    assert [len(own_thieves) for own_thieves in kept.held] == [each] * seats
    everyone = [*kept.rest, *(thief for own_thieves in kept.held for thief in own_thieves)]
    assert sorted(everyone) == sorted(f"thief-{currency}" for currency in CURRENCIES for _ in range(3))


@pytest.mark.rule("10.2")
def test_thieves_are_dealt_face_down() -> None:
    game = Game.new(Options(seats=3, seed="thieves", modules=["thieves"]))
    dealt = [event for event in game.events if event.kind == "thieves_dealt"]
    for seat, event in enumerate(dealt):
        assert event.seen_by(None) == {"id": event.id, "kind": "thieves_dealt", "seat": seat, "count": 4}
        assert event.seen_by((seat + 1) % 3) == event.seen_by(None)
        assert event.seen_by(seat)["private"] == {"items": game.module_state(Thieves).held[seat]}


@pytest.mark.rule("10.30")
def test_how_many_thieves_a_seat_holds_is_public_and_which_ones_is_not() -> None:
    game = thieves()
    held(game, s0="denar dukat", s1="gulden")
    two = {"kind": "thief", "seat": 0, "amount": 2, "choice": "face_down"}
    one = {"kind": "thief", "seat": 1, "choice": "face_down"}
    for stranger in (None, 2):
        assert pieces(game, "thieves", stranger) == [two, one]
    assert pieces(game, "thieves", 1) == [two, {**one, "currency": "gulden"}]
    assert pieces(game, "thieves", 0) == [
        one,
        {"kind": "thief", "seat": 0, "currency": "denar", "choice": "face_down"},
        {"kind": "thief", "seat": 0, "currency": "dukat", "choice": "face_down"},
    ]


@pytest.mark.rule("10.30")
def test_thieves_are_no_cards_of_the_hand() -> None:
    game = thieves()
    held(game, s0="denar dukat")
    assert game.view(1)["seats"][0]["hand_count"] == 0
    assert codes(refused(game, Move("buy", slot="market-denar", cards=("thief-denar",)))) == ["ID_UNKNOWN", "UNDERPAID"]


@pytest.mark.rule("10.30")
def test_thieves_decide_nothing_about_money_and_first_player() -> None:
    with_thieves = Game.new(Options(seats=4, seed="same", modules=["thieves"])).state
    without = Game.new(Options(seats=4, seed="same")).state
    assert with_thieves.first == without.first
    assert (with_thieves.deck, with_thieves.tower) == (without.deck, without.tower)
    assert [seat.hand for seat in with_thieves.seats] == [seat.hand for seat in without.seats]


# -- Stealing ----------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("10.9", "10.10", "10.22")
def test_the_player_due_next_steals_nothing_and_the_others_go_in_turn_order() -> None:
    game = thieves(4, turn_of=1)
    held(game, s0="denar", s1="denar", s2="dirham", s3="denar")
    display(game, "dirham-1 denar-6 dirham-4 gulden-1")
    finish(game)
    assert all_pass(game) == [3, 0, 1]
    assert asked(game) == ("action", 2)


# worked example
@pytest.mark.rule("10.4", "10.23")
def test_a_thief_takes_exactly_one_of_several_cards() -> None:
    game = thieves()
    held(game, s2="denar")
    finish(game)
    both = refused(game, "play_thief denar-1 denar-9", currency="denar")
    assert fact(both, "CARD_COUNT") == {"need": 1, "got": 2}
    assert legal(game, "play_thief denar-1", currency="denar")
    steal(game, "denar-9")
    assert game.state.seats[2].hand == ("denar-9",)
    assert "denar-1" in game.state.display


# worked example
@pytest.mark.rule("10.24")
def test_without_an_open_card_of_its_currency_a_thief_cannot_be_played() -> None:
    game = thieves()
    held(game, s2="gulden")
    finish(game)
    assert asked(game) == ("window", 2)
    assert game.legal_moves() == [Move("pass")]
    assert codes(refused(game, "play_thief denar-9", currency="gulden")) == ["WRONG_CURRENCY"]
    assert codes(refused(game, "play_thief gulden-9", currency="gulden")) == ["NOT_THERE"]


@pytest.mark.rule("10.7")
def test_small_cards_are_not_stolen_together() -> None:
    game = thieves()
    held(game, s2="denar")
    display(game, "denar-1 denar-2 denar-2 gulden-1")
    finish(game)
    assert [move for move in game.moves() if move.verb == "play_thief"] == [
        Move("play_thief", currency="denar", display=("denar-1",)),
        Move("play_thief", currency="denar", display=("denar-2",)),
    ]


@pytest.mark.rule("10.5", "10.31")
def test_a_thief_leaves_the_game_and_shows_card_and_currency_to_all() -> None:
    game = thieves()
    held(game, s2="denar dukat")
    finish(game)
    events = steal(game, "denar-9")
    assert events_of(events, "thief_played") == [{"seat": 2, "currency": "denar", "card": "denar-9"}]
    assert events_of(events, "money_taken") == [{"seat": 2, "display": ("denar-9",), "how": "thief"}]
    assert pieces(game, "thieves", 1) == [
        {"kind": "thief", "seat": 2, "choice": "face_down"},
        {"kind": "thief", "currency": "denar", "choice": "played"},
    ]
    assert game.state.discard == ()


@pytest.mark.rule("10.31")
def test_everybody_knows_the_stolen_card() -> None:
    game = thieves()
    held(game, s2="denar")
    finish(game)
    steal(game, "denar-9")
    for number in range(5):
        assert game.determinize(1, Random(number)).state.seats[2].hand == ("denar-9",)


@pytest.mark.rule("10.6")
def test_the_display_is_refilled_after_each_thief() -> None:
    game = thieves()
    held(game, s2="denar denar")
    finish(game)
    events = steal(game, "denar-9")
    assert events_of(events, "card_revealed") == [{"card": "dukat-3", "to": "display"}]
    assert len(game.state.display) == 4
    events = steal(game, "denar-1")
    assert events_of(events, "card_revealed") == [{"card": "dukat-4", "to": "display"}]


@pytest.mark.rule("10.8")
def test_a_card_that_comes_up_can_be_stolen_right_away() -> None:
    game = thieves()
    held(game, s2="denar dukat")
    display(game, "denar-1 denar-9 dirham-4 gulden-1")
    deck(game, "gulden-2 dukat-9")
    finish(game)
    steal(game, "denar-9")
    steal(game, "dukat-9")
    assert game.state.seats[2].hand == ("denar-9", "dukat-9")


@pytest.mark.rule("10.8", "10.25")
def test_several_thieves_are_played_in_a_row_before_anybody_else_is_asked() -> None:
    game = thieves(4)
    held(game, s2="denar denar dirham", s3="denar")
    finish(game)
    for card in ("denar-9", "dirham-4"):
        steal(game, card)
        assert asked(game) == ("window", 2)
    play(game, "pass")
    assert asked(game) == ("window", 2)
    assert all_pass(game) == [2, 3]


@pytest.mark.rule("10.25")
def test_after_the_last_thief_of_a_run_all_are_asked_from_the_first() -> None:
    game = thieves(4)
    held(game, s2="denar", s3="denar")
    finish(game)
    play(game, "pass")
    assert asked(game) == ("window", 3)
    steal(game, "denar-9")
    assert asked(game) == ("window", 2)
    assert all_pass(game) == [2]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.25")
def test_after_a_sweep_of_passes_the_next_turn_begins() -> None:
    game = thieves(4)
    held(game, s0="denar", s2="denar", s3="denar")
    finish(game)
    assert all_pass(game) == [2, 3, 0]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.10")
def test_who_just_finished_may_steal_last() -> None:
    game = thieves()
    held(game, s0="denar")
    finish(game)
    steal(game, "denar-9")
    assert game.state.seats[0].hand == ("denar-9", "gulden-1")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.11")
def test_with_two_players_only_the_one_who_just_finished_steals() -> None:
    game = thieves(2)
    held(game, s0="denar", s1="denar")
    finish(game)
    assert all_pass(game) == [0]
    assert asked(game) == ("action", 1)
    play(game, "take_money dirham-4")
    assert all_pass(game) == [1]


@pytest.mark.rule("10.29")
def test_without_cards_to_draw_the_display_stays_as_it_is() -> None:
    game = thieves()
    held(game, s2="denar denar")
    deck(game, only=True)
    finish(game)
    assert list(game.state.display) == ["denar-1", "denar-9", "dirham-4"]
    steal(game, "denar-9")
    assert asked(game) == ("window", 2)
    steal(game, "denar-1")
    assert list(game.state.display) == ["dirham-4"]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.6")
def test_a_theft_refills_no_market() -> None:
    game = thieves()
    held(game, s2="denar")
    tower(game, only=True)
    finish(game)
    events = steal(game, "denar-9")
    assert "market_filled" not in kinds(events)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.33")
def test_a_thief_cannot_be_taken_back() -> None:
    game = thieves()
    held(game, s2="denar denar")
    deck(game, only=True)
    finish(game)
    steal(game, "denar-9")
    refusal = game.can_undo(2)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


# -- A scoring in between ----------------------------------------------------------------------------------------------


@pytest.mark.rule("10.27")
def test_a_scoring_card_is_scored_at_once_and_the_same_player_goes_on() -> None:
    game = thieves()
    held(game, s2="denar denar")
    own(game, 1, tower=1)
    finish(game)
    deck(game, "scoring-1 dukat-9")
    events = steal(game, "denar-9")
    order = kinds(events)
    assert order.index("display_filled") < order.index("scoring_began") < order.index("scoring_ended")
    assert len(game.state.display) == 4
    assert points(events, "majority", type="tower") == {1: 6}
    assert asked(game) == ("window", 2)
    assert game.state.held == (1,)


@pytest.mark.rule("10.27")
def test_with_two_players_dirk_gets_his_tiles_after_such_a_scoring() -> None:
    game = thieves(2)
    held(game, s0="denar")
    finish(game)
    deck(game, "scoring-1")
    events = steal(game, "denar-9")
    assert len(events_of(events, "dirk_received")[0]["tiles"]) == len(game.state.dirk) > 0
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.27")
def test_the_invaders_attack_after_such_a_scoring_and_thieves_go_on() -> None:
    game = thieves(3, "invaders")
    held(game, s2="denar denar")
    finish(game)
    deck(game, "scoring-1")
    events = steal(game, "denar-9")
    order = kinds(events)
    assert order.index("scoring_began") < order.index("attack") < order.index("scoring_ended")
    assert len(game.module_state(Invaders).past) == 1
    assert asked(game) == ("window", 2)


@pytest.mark.rule("10.25")
def test_viziers_are_not_asked_before_the_thieves_of_the_same_player_are_done() -> None:
    game = thieves(3, "viziers_favour")
    held(game, s2="denar denar")
    finish(game)
    play(game, "pass")
    deck(game, "scoring-1")
    steal(game, "denar-9")
    assert asked(game) == ("window", 2)
    assert legal(game, "play_thief denar-1", currency="denar")


# -- Who is asked, and what others learn -------------------------------------------------------------------------------


@pytest.mark.rule("10.32")
def test_who_holds_no_thief_is_not_asked() -> None:
    game = thieves(4)
    held(game, s3="dukat")
    finish(game)
    assert all_pass(game) == [3]


@pytest.mark.rule("10.32")
def test_nobody_is_asked_while_no_money_lies_open() -> None:
    game = thieves()
    held(game, s0="denar", s2="denar")
    display(game, "gulden-1")
    deck(game, only=True)
    finish(game)
    assert game.state.display == ()
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.32")
@pytest.mark.parametrize("currency", CURRENCIES)
def test_whether_a_seat_is_asked_does_not_depend_on_the_currency_of_its_thieves(currency: str) -> None:
    game = thieves(4)
    held(game, s2=currency)
    finish(game)
    assert asked(game) == ("window", 2)
    assert game.view(3)["decision"] == {"kind": "window", "seat": 2, "context": {}}


@pytest.mark.rule("10.3")
def test_others_cannot_tell_a_seats_thieves_from_those_never_dealt() -> None:
    game = thieves()
    held(game, s0="gulden", s1="denar dukat", s2="denar")
    finish(game)
    seen = set()
    for number in range(30):
        sample = game.determinize(0, Random(number))
        assert sample.view(0) == game.view(0)
        assert sample.decision == game.decision
        assert sample.module_state(Thieves).held[0] == ("thief-gulden",)
        assert [len(own_thieves) for own_thieves in sample.module_state(Thieves).held] == [1, 2, 1]
        seen.add(sample.module_state(Thieves).held[2])
    assert len(seen) > 1


@pytest.mark.rule("10.30")
def test_the_owner_knows_the_own_thieves_in_every_twin() -> None:
    game = thieves()
    held(game, s1="denar dukat", s2="denar denar")
    finish(game)
    for number in range(10):
        sample = game.determinize(2, Random(number))
        assert sample.legal_moves() == game.legal_moves()


@pytest.mark.rule("10.3")
def test_an_imagined_deal_mixes_the_thieves_of_others_with_those_that_were_never_dealt() -> None:
    game = Game.new(Options(2, "undealt", modules=["thieves"]))
    dealt = game.module_state(Thieves).held
    samples = [game.determinize(0, Random(number)).module_state(Thieves) for number in range(50)]
    assert {sample.held[0] for sample in samples} == {dealt[0]}
    assert len({sample.held[1] for sample in samples}) > 1, "what the other seat could hold comes from the rest"
    assert {tuple(sorted((*sample.held[1], *sample.rest))) for sample in samples} == {
        tuple(sorted((*dealt[1], *game.module_state(Thieves).rest)))
    }


@pytest.mark.rule("10.4", "10.30")
def test_a_refusal_does_not_say_where_a_thief_is() -> None:
    answers = []
    for elsewhere in ("denar denar denar", "dirham"):
        game = thieves()
        held(game, s0=elsewhere, s2="dirham")
        finish(game)
        assert asked(game) == ("window", 2)
        answers.append(refused(game, "play_thief denar-9", currency="denar"))
    assert answers[0] == answers[1]
    assert fact(answers[0], "NOT_THERE") == {"id": "denar", "place": "held"}


def test_everything_wrong_with_a_theft_is_said_at_once() -> None:
    game = thieves()
    held(game, s2="dirham")
    finish(game)
    assert codes(refused(game, Move("play_thief", currency="dukat", display=("dirham-4", "dukat-9")))) == [
        *("NOT_THERE", "NOT_THERE", "WRONG_CURRENCY", "CARD_COUNT"),
    ]
    assert codes(refused(game, Move("play_thief", currency="dirham", display=("ducat-1",)))) == ["ID_UNKNOWN"]
    assert codes(refused(game, Move("play_thief", currency="dirham"))) == ["NOUN_MISSING"]


@pytest.mark.rule("10.4")
def test_a_thief_is_not_played_in_the_own_turn() -> None:
    game = thieves()
    held(game, s0="denar")
    assert codes(refused(game, "play_thief denar-9", currency="denar")) == ["VERB_NOT_OFFERED"]


# -- The end of the game -----------------------------------------------------------------------------------------------


@pytest.mark.rule("10.28")
def test_no_thief_is_played_once_the_end_has_begun() -> None:
    game = thieves()
    held(game, s0="denar", s2="denar")
    hand(game, 1, "gulden-9")
    events = end_game(game)
    assert "window" not in [event["decision"] for event in events_of(events, "decision_opened")]
    assert asked(game) == ("leftover_tiles", 1)


@pytest.mark.rule("10.12")
def test_thieves_left_over_are_worth_nothing() -> None:
    game = thieves()
    held(game, s0="denar denar denar", s2="gulden")
    market(game, gulden="tower-11")
    display(game, "dukat-1")
    events = end_game(game)
    assert events_of(events, "leftover_awarded")[0]["seat"] is None
    assert game.over
    assert not points(events, "majority")


# -- Leaving the table -------------------------------------------------------------------------------------------------


@pytest.mark.rule("10.35")
def test_the_thieves_of_a_seat_that_resigns_leave_the_game_unseen() -> None:
    game = thieves(4)
    held(game, s1="gulden", s2="denar dukat")
    events = game.resign(2)
    assert "thief" not in str([event.seen_by(1) for event in events])
    assert pieces(game, "thieves", 1) == [{"kind": "thief", "seat": 1, "currency": "gulden", "choice": "face_down"}]
    finish(game)
    assert asked(game) == ("action", 1)


@pytest.mark.rule("10.35")
def test_who_resigns_while_being_asked_steals_nothing() -> None:
    game = thieves(4)
    held(game, s2="denar", s3="denar")
    finish(game)
    game.resign(2)
    assert asked(game) == ("window", 3)
    assert game.state.display == ("denar-1", "denar-9", "dirham-4", "dukat-2")


@pytest.mark.rule("10.34")
def test_if_the_player_due_next_resigns_the_following_one_is_due_and_steals_no_more() -> None:
    game = thieves(4)
    held(game, s2="denar", s3="denar")
    finish(game)
    assert asked(game) == ("window", 2)
    game.resign(1)
    assert codes(refused(game, "play_thief denar-9", currency="denar")) == ["CONDITION_UNMET"]
    assert all_pass(game) == [2, 3]
    assert asked(game) == ("action", 2)


@pytest.mark.rule("10.2")
def test_chance_decides_who_is_dealt_which_thieves_and_only_the_owner_is_told() -> None:
    dealt = set()
    for number in range(10):
        game = Game.new(Options(3, f"thieves {number}", modules=["thieves"]))
        held = game.module_state(Thieves).held
        dealt.add(held)
        told = [event for event in game.events if event.kind == "thieves_dealt"]
        assert [event.public for event in told] == [{"seat": seat, "count": 4} for seat in range(3)]
        assert [event.private for event in told] == [{seat: {"items": held[seat]}} for seat in range(3)]
    assert len(dealt) > 1
