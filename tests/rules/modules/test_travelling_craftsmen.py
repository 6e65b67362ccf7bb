"""31 The travelling craftsmen: dealing, wandering on, and each of the nine."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import Game, Move, Options
from alhambra.modules.travelling_craftsmen import CRAFTSMEN, Craftsmen
from tests.rules.modules.craftsmen_table import asked, shown, workshop
from tests.rules.situations import (
    codes,
    deck,
    discard,
    display,
    events_of,
    fact,
    hand,
    kinds,
    legal,
    market,
    pieces,
    play,
    refused,
)

MONEY = "gulden-1 gulden-2 gulden-3 gulden-4 gulden-5 gulden-6"


# -- Setting up -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.2", "31.3", "31.20")
@pytest.mark.parametrize(("seats", "in_play"), [(2, 9), (3, 9), (4, 9), (5, 11), (6, 13)])
def test_two_open_for_everybody_and_one_face_down_for_the_start_player(seats: int, in_play: int) -> None:
    """Worked example T1: with four players all nine are dealt."""
    game = Game.new(Options(seats=seats, seed="wandering", modules=["travelling_craftsmen"]))
    kept = game.module_state(Craftsmen)
    assert [len(own) for own in kept.shown] == [2] * seats
    assert kept.holder == game.state.first
    everywhere = [*(piece for own in kept.shown for piece in own), kept.hidden, *kept.undealt]
    assert len(everywhere) == len(set(everywhere)) == in_play
    assert len(kept.undealt) == in_play - 2 * seats - 1


@pytest.mark.rule("31.1", "31.2")
def test_marked_craftsmen_are_for_five_or_six_players_only() -> None:
    kinds_of = Counter(CRAFTSMEN.values())
    assert {kind for kind, count in kinds_of.items() if count == 2} == {
        *("goldsmith", "stonemason", "mosaic_layer", "carpenter"),
    }
    five = Game.new(Options(seats=5, seed="marks", modules=["travelling_craftsmen"])).module_state(Craftsmen)
    found = {*(piece for own in five.shown for piece in own), five.hidden}
    assert {piece for piece in found if piece.endswith("_2")} == {"goldsmith_2", "stonemason_2"}


@pytest.mark.rule("31.27")
def test_only_its_holder_sees_the_craftsman_that_is_dealt_face_down() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    game.module_state(Craftsmen).secret = True
    assert pieces(game, "travelling_craftsmen", 1, choice="face_down") == [
        {"kind": "craftsman", "seat": 0, "choice": "face_down"}
    ]
    assert pieces(game, "travelling_craftsmen", 0, choice="face_down")[0]["piece"] == "coiner"


@pytest.mark.rule("31.27")
def test_a_twin_deals_the_unknown_craftsman_anew_for_everybody_but_its_holder() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    game.module_state(Craftsmen).secret = True
    others = {game.determinize(1, Random(seed)).module_state(Craftsmen).hidden for seed in range(30)}
    own = {game.determinize(0, Random(seed)).module_state(Craftsmen).hidden for seed in range(10)}
    assert others == {"coiner", *game.module_state(Craftsmen).undealt}
    assert own == {"coiner"}


# -- Wandering on -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.5", "31.6")
def test_a_craftsman_that_was_not_used_is_passed_on_by_choice() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    play(game, "take_money dukat-4")
    assert asked(game) == ("pass_craftsman", 0)
    assert codes(refused(game, "pass_craftsman coiner")) == ["NOT_THERE"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]
    events = play(game, "pass_craftsman goldsmith")
    assert events_of(events, "craftsman_passed") == [{"seat": 0, "piece": "goldsmith", "receiver": 1}]
    assert events_of(events, "craftsman_turned") == [{"seat": 0, "piece": "coiner"}]
    assert shown(game, 0) == ("carpenter", "coiner")
    assert (game.module_state(Craftsmen).hidden, game.module_state(Craftsmen).holder) == ("goldsmith", 1)


@pytest.mark.rule("31.5", "31.26")
def test_the_used_craftsman_is_passed_on_without_a_question() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    events = play(game, "take_money", display=("dukat-1", "dukat-3", "dukat-4"), items=("goldsmith",))
    assert events_of(events, "craftsman_used") == [{"seat": 0, "piece": "goldsmith"}]
    assert events_of(events, "craftsman_passed")[0]["forced"]
    assert shown(game, 0) == ("carpenter", "coiner")
    assert kinds(events).index("craftsman_passed") < kinds(events).index("display_filled")


@pytest.mark.rule("31.27")
def test_the_craftsman_face_down_cannot_be_used() -> None:
    game = workshop("carpenter coiner", hidden="goldsmith")
    violations = refused(game, "take_money", display=("dukat-1", "dukat-3", "dukat-4"), items=("goldsmith",))
    assert fact(violations, "NOT_THERE") == {"id": "goldsmith", "place": "held"}


@pytest.mark.rule("31.27")
def test_the_first_craftsman_that_is_turned_up_was_unknown_so_it_is_not_taken_back() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner", confirm_turn=True)
    game.module_state(Craftsmen).secret = True
    play(game, "take_money dukat-4")
    events = play(game, "pass_craftsman goldsmith")
    assert events_of(events, "craftsman_shown") == [{"seat": 0, "piece": "coiner"}]
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"
    assert not game.module_state(Craftsmen).secret


@pytest.mark.rule("31.27")
def test_everybody_knows_which_craftsman_was_passed_on() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman goldsmith")
    assert pieces(game, "travelling_craftsmen", None, choice="face_down") == [
        {"kind": "craftsman", "piece": "goldsmith", "seat": 1, "choice": "face_down"}
    ]


@pytest.mark.rule("31.4")
def test_only_one_craftsman_is_used_in_a_turn() -> None:
    game = workshop("mortar_mixer blacksmith")
    deck(game, MONEY)
    play(game, "swap_market market-gulden", items=("mortar_mixer",))
    play(game, "swap_with market-denar")
    assert fact(refused(game, "enlarge_display", items=("blacksmith",)), "USED_UP") == {
        "what": "craftsman",
        "limit": 1,
        "per": "turn",
    }
    assert pieces(game, "travelling_craftsmen", choice="used") == [
        {"kind": "craftsman", "piece": "mortar_mixer", "seat": 0, "choice": "used"}
    ]


@pytest.mark.rule("31.18")
def test_with_two_players_they_pass_to_each_other_and_dirk_has_none() -> None:
    game = workshop("carpenter goldsmith", seats=2)
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman carpenter")
    assert len(game.module_state(Craftsmen).shown) == 2
    assert game.module_state(Craftsmen).holder == 1


@pytest.mark.rule("31.47")
def test_a_seat_that_resigns_hands_the_face_down_craftsman_on_and_its_own_leave() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    game.resign(0)
    kept = game.module_state(Craftsmen)
    assert kept.gone == ("carpenter", "goldsmith")
    assert (kept.hidden, kept.holder) == ("coiner", 1)
    while asked(game)[0] != "action":
        game.apply(Move("pass"))
    assert asked(game) == ("action", 1)


@pytest.mark.rule("31.47")
def test_a_seat_that_resigns_while_it_chooses_passes_nothing_on() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner")
    play(game, "take_money dukat-4")
    game.resign(0)
    assert (game.module_state(Craftsmen).hidden, game.module_state(Craftsmen).holder) == ("coiner", 1)
    assert shown(game, 0) == ()


@pytest.mark.rule("31.47")
def test_the_left_neighbour_is_the_next_seat_that_still_plays() -> None:
    game = workshop("carpenter goldsmith", hidden="coiner", seats=4)
    game.resign(1)
    play(game, "take_money dukat-4")
    play(game, "pass_craftsman carpenter")
    assert game.module_state(Craftsmen).holder == 2


# -- The carpenter ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.8", "31.21")
def test_the_carpenter_lowers_the_price_and_paying_it_is_exact() -> None:
    """Worked example T2: chambers priced 9 cost 7."""
    game = workshop("carpenter goldsmith")
    market(game, dukat="chambers-9-w")
    hand(game, 0, "dukat-7")
    events = play(game, "buy market-dukat dukat-7", items=("carpenter:2",))
    paid = events_of(events, "paid")[0]
    assert (paid["due"], paid["paid"], paid["exact"]) == (7, 7, True)
    assert asked(game) == ("action", 0)


@pytest.mark.rule("31.8")
def test_the_discount_is_one_or_two() -> None:
    game = workshop("carpenter goldsmith")
    market(game, dukat="chambers-9-w")
    hand(game, 0, "dukat-8")
    assert legal(game, "buy market-dukat dukat-8", items=("carpenter:1",))
    both = refused(game, "buy market-dukat dukat-8", items=("carpenter:1", "carpenter:2"))
    assert codes(both) == ["COMBINATION_FORBIDDEN"]
    assert codes(refused(game, "buy market-dukat dukat-8", items=("carpenter:3",)))[0] == "NOT_THERE"


def test_the_carpenter_of_another_player_does_not_help() -> None:
    game = workshop("goldsmith coiner")
    market(game, dukat="chambers-9-w")
    hand(game, 0, "dukat-7")
    assert codes(refused(game, "buy market-dukat dukat-7", items=("carpenter:2",)))[0] == "NOT_THERE"


# -- The blacksmith ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.9", "31.10", "31.23")
def test_the_blacksmith_enlarges_the_display_which_is_refilled_only_below_four() -> None:
    """Worked example T4."""
    game = workshop("blacksmith carpenter")
    deck(game, MONEY)
    events = play(game, "enlarge_display", items=("blacksmith",))
    assert len(events_of(events, "display_enlarged")[0]["display"]) == open_cards(game) == 6
    play(game, "take_money dukat-4")
    assert open_cards(game) == 5
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4")
    pass_at_start(game)
    play(game, "take_money dukat-4")
    assert open_cards(game) == 3
    play(game, f"pass_craftsman {shown(game, 1)[0]}")
    assert open_cards(game) == 4


def open_cards(game: Game) -> int:
    return len(game.state.display)


def pass_at_start(game: Game) -> None:
    """Whoever is asked at the start passes."""
    while asked(game)[0] == "start":
        game.apply(Move("pass"))


@pytest.mark.rule("31.11")
def test_a_scoring_card_that_the_blacksmith_turns_up_waits_for_the_end_of_the_turn() -> None:
    game = workshop("blacksmith carpenter")
    deck(game, "scoring-1 gulden-1 gulden-2")
    events = play(game, "enlarge_display", items=("blacksmith",))
    assert "scoring_began" not in kinds(events)
    assert game.state.due == (1,)
    events = play(game, "take_money dukat-4")
    assert "scoring_began" in kinds(events)


@pytest.mark.rule("31.32")
def test_with_two_scoring_cards_both_are_held_in_order() -> None:
    game = workshop("blacksmith carpenter")
    deck(game, "scoring-1 scoring-2 gulden-1 gulden-2")
    play(game, "enlarge_display", items=("blacksmith",))
    events = play(game, "take_money dukat-4")
    assert [event["scoring"] for event in events_of(events, "scoring_began")] == [1, 2]


@pytest.mark.rule("31.25", "31.44")
def test_with_six_cards_open_the_blacksmith_has_no_effect_and_keeps_nothing_open() -> None:
    game = workshop("blacksmith carpenter")
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5 dukat-6")
    assert codes(refused(game, "enlarge_display", items=("blacksmith",))) == ["NO_EFFECT"]
    display(game, "dukat-1 dukat-2 dukat-3 dukat-4 dukat-5 dukat-6 dukat-7")
    play(game, "take_money dukat-4")
    assert asked(game) == ("pass_craftsman", 0)


@pytest.mark.rule("31.44")
def test_without_a_card_to_turn_up_the_blacksmith_has_no_effect() -> None:
    game = workshop("blacksmith carpenter")
    discard(game)
    deck(game, only=True)
    assert codes(refused(game, "enlarge_display", items=("blacksmith",))) == ["NO_EFFECT"]


@pytest.mark.rule("31.25")
def test_the_actions_stay_open_for_a_blacksmith_and_a_pass_closes_them() -> None:
    game = workshop("blacksmith carpenter")
    play(game, "take_money dukat-4")
    assert asked(game) == ("action", 0)
    assert game.state.actions == 0
    play(game, "pass")
    assert asked(game) == ("pass_craftsman", 0)


# -- The goldsmith ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.12", "31.22")
def test_the_goldsmith_takes_eight_together_and_a_single_card_of_any_value() -> None:
    """Worked example T3."""
    game = workshop("goldsmith carpenter")
    display(game, "dukat-3 dukat-4 dukat-1 dukat-2 dukat-9")
    assert legal(game, "take_money", display=("dukat-1", "dukat-3", "dukat-4"), items=("goldsmith",))
    violations = refused(game, "take_money", display=("dukat-2", "dukat-3", "dukat-4"), items=("goldsmith",))
    assert fact(violations, "SUM_TOO_HIGH") == {"sum": 9, "limit": 8}
    assert legal(game, "take_money dukat-9")


@pytest.mark.rule("31.43")
def test_a_goldsmith_named_in_vain_is_refused() -> None:
    game = workshop("goldsmith carpenter")
    assert codes(refused(game, "take_money", display=("dukat-1", "dukat-4"), items=("goldsmith",))) == ["NO_EFFECT"]
    assert codes(refused(game, "take_money", display=("dukat-4",), items=("goldsmith",))) == ["NO_EFFECT"]


# -- The coiner -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.13", "31.31")
def test_the_coiner_pays_from_hand_and_display() -> None:
    game = workshop("coiner carpenter")
    market(game, dukat="chambers-9-w")
    hand(game, 0, "dukat-5")
    events = play(game, "buy market-dukat", cards=("dukat-5",), display=("dukat-4",), items=("coiner",))
    assert events_of(events, "paid")[0]["exact"]
    assert game.state.display == ("dukat-1", "dukat-2", "dukat-3")
    assert game.state.discard == ("dukat-5", "dukat-4")
    assert asked(game) == ("action", 0)


@pytest.mark.rule("31.13")
def test_cards_of_the_display_alone_suffice_for_the_coiner() -> None:
    game = workshop("coiner carpenter")
    market(game, dukat="pavilion-7-e")
    assert legal(game, "buy market-dukat", display=("dukat-3", "dukat-4"), items=("coiner",))


@pytest.mark.rule("31.30")
def test_the_display_pays_only_with_the_coiner_and_he_needs_a_card_of_it() -> None:
    game = workshop("coiner carpenter")
    market(game, dukat="pavilion-7-e")
    hand(game, 0, "dukat-7")
    assert codes(refused(game, "buy market-dukat", display=("dukat-3", "dukat-4"))) == ["NOT_ACCEPTED"] * 2
    assert codes(refused(game, "buy market-dukat dukat-7", items=("coiner",))) == ["NO_EFFECT"]


@pytest.mark.rule("31.30")
def test_the_coiner_does_not_change_the_currency_that_is_demanded() -> None:
    game = workshop("coiner carpenter")
    market(game, denar="pavilion-7-e")
    assert (
        codes(refused(game, "buy market-denar", display=("dukat-3", "dukat-4"), items=("coiner",)))
        == ["WRONG_CURRENCY"] * 2
    )


@pytest.mark.rule("31.28")
def test_coiner_and_carpenter_do_not_help_together() -> None:
    game = workshop("coiner carpenter")
    market(game, dukat="pavilion-7-e")
    named = ("carpenter:1", "coiner")
    assert "COMBINATION_FORBIDDEN" in codes(
        refused(game, "buy market-dukat", display=("dukat-2", "dukat-4"), items=named)
    )


# -- The mortar mixer -------------------------------------------------------------------------------------------------


@pytest.mark.rule("31.4", "31.14")
def test_the_mortar_mixer_swaps_two_occupied_spaces_and_takes_no_action() -> None:
    game = workshop("mortar_mixer carpenter")
    play(game, "swap_market market-gulden", items=("mortar_mixer",))
    events = play(game, "swap_with market-denar")
    assert game.state.market == ("arcades-9", "seraglio-9", "garden-10", "chambers-10")
    assert "market_swapped" in kinds(events)
    assert asked(game) == ("action", 0)
    assert game.state.actions == 1


@pytest.mark.rule("31.34", "31.44")
def test_the_mortar_mixer_swaps_nothing_with_an_empty_space() -> None:
    game = workshop("mortar_mixer carpenter")
    market(game, gulden="garden-10")
    assert codes(refused(game, "swap_market market-gulden", items=("mortar_mixer",))) == ["NO_EFFECT"]
    play(game, "take_money dukat-4")
    assert asked(game)[0] == "pass_craftsman"


# -- The stonemason ---------------------------------------------------------------------------------------------------


def at_start(held: str, *modules: str) -> Game:
    """Seat 1 has a stonemason and is asked at the start of its turn."""
    game = workshop("stonemason goldsmith", *modules)
    kept = game.module_state(Craftsmen)
    first, second, *rest = kept.shown
    kept.shown = (second, first, *rest)
    play(game, "take_money dukat-4")
    while asked(game)[0] != "pass_craftsman":
        game.apply(Move("pass"))
    hand(game, 1, held)
    deck(game, MONEY)
    play(game, f"pass_craftsman {shown(game, 0)[0]}")
    return game


@pytest.mark.rule("31.17")
def test_the_stonemason_swaps_a_card_with_an_open_one_of_its_currency() -> None:
    game = at_start("dukat-9 denar-5")
    assert asked(game) == ("start", 1)
    events = play(game, "cut_stone", cards=("dukat-9",), display=("dukat-1",), items=("stonemason",))
    assert game.state.seats[1].hand == ("denar-5", "dukat-1")
    assert game.state.display == ("dukat-2", "dukat-3", "gulden-1", "dukat-9")
    assert events_of(events, "money_taken") == [
        {"seat": 1, "display": ("dukat-1",), "how": "mason", "cards": ("dukat-9",)}
    ]
    assert asked(game) == ("action", 1)


@pytest.mark.rule("31.17", "31.45")
def test_the_stonemason_swaps_no_other_currency_and_no_equal_card() -> None:
    game = at_start("denar-5 dukat-1")
    move_of = {"display": ("dukat-1",), "items": ("stonemason",)}
    assert codes(refused(game, "cut_stone", cards=("denar-5",), **move_of)) == ["WRONG_CURRENCY"]
    assert codes(refused(game, "cut_stone", cards=("dukat-1",), **move_of)) == ["NO_EFFECT"]


@pytest.mark.rule("31.24", "31.46")
def test_the_stonemason_is_asked_whatever_the_hand_and_not_later_in_the_turn() -> None:
    game = at_start("")
    assert asked(game) == ("start", 1)
    play(game, "pass")
    late = Move("cut_stone", cards=("dukat-9",), display=("dukat-1",), items=("stonemason",))
    assert codes(refused(game, late)) == ["VERB_NOT_OFFERED"]
