"""18 The power of the sultan: cards that are marked by a die and claim the tiles of one type."""

from __future__ import annotations

from collections import Counter

import pytest

from alhambra import CURRENCIES, TYPES, Game, Violation
from alhambra.modules.power_of_the_sultan import CARDS, OPPOSITE, Sultan
from tests.rules.modules.power_of_the_sultan_table import FULL, beside, buy_card, decision, held, refill, sultans
from tests.rules.situations import (
    codes,
    deck,
    dirk,
    discard,
    display,
    end_game,
    events_of,
    fact,
    hand,
    hold_scoring,
    kinds,
    legal,
    market,
    pieces,
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)

# -- The deck ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.1", "18.3", "18.37")
def test_three_cards_lie_in_the_first_pile_two_in_the_second_three_in_the_third() -> None:
    game = table(4, modules=["power_of_the_sultan"], dealt=True)
    counts, at = [], 0
    for size in game.state.piles:
        counts.append(sum(card in CARDS for card in game.state.deck[at : at + size]))
        at += size
    assert counts[::-1] == [3, 2, 3, 0, 0]
    assert {card for card in game.state.deck if card in CARDS} == set(CARDS)


@pytest.mark.rule("18.1")
def test_each_currency_is_on_two_cards() -> None:
    assert Counter(card["currency"] for card in CARDS.values()) == dict.fromkeys(CURRENCIES, 2)


@pytest.mark.rule("18.4")
def test_a_card_turned_up_is_laid_beside_the_board_marked_and_replaced() -> None:
    game = sultans()
    display(game, "dukat-1")
    deck(game, "sultan_denar_1 gulden-1 sultan_dukat_2 gulden-2 gulden-3 gulden-4")
    events = take_turn(game)
    assert game.state.display == ("gulden-1", "gulden-2", "gulden-3", "gulden-4")
    shown = {card["piece"]: card["type"] for card in pieces(game, "power_of_the_sultan", seat=None)}
    assert list(shown) == ["sultan_denar_1", "sultan_dukat_2"]
    assert {line["piece"]: line["type"] for line in events_of(events, "sultan_rolled")} == shown
    assert set(shown.values()) <= set(TYPES)


# -- Buying a card -------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.5")
def test_a_card_costs_7_of_its_currency_and_an_exact_payment_grants_a_further_action() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-3 denar-4")
    events = buy_card(game, "denar-3", "denar-4")
    assert events_of(events, "acquired") == [{"seat": 0, "piece": "sultan_denar_1", "how": "buy"}]
    play(game, "choose", choice="keep")
    assert decision(game) == ("action", 0)
    assert game.state.actions == 1
    assert pieces(game, "power_of_the_sultan") == [
        {"kind": "sultan", "piece": "sultan_denar_1", "type": "garden", "seat": 0}
    ]


@pytest.mark.rule("18.5")
def test_paying_8_is_legal_but_grants_nothing_and_no_change_is_given() -> None:
    game = sultans()
    market(game, **FULL)
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-8")
    buy_card(game, "denar-8")
    play(game, "choose", choice="keep")
    assert decision(game) == ("action", 1)
    assert game.state.seats[0].hand == ()


@pytest.mark.rule("18.5")
@pytest.mark.parametrize(
    ("cards", "code"), [("denar-6", "UNDERPAID"), ("dukat-7", "WRONG_CURRENCY")], ids=["too little", "other currency"]
)
def test_6_is_too_little_and_another_currency_is_refused(cards: str, code: str) -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, cards)
    assert code in codes(refused(game, f"buy {cards}", slot="sultan", piece="sultan_denar_1"))


# worked example
@pytest.mark.rule("18.26")
@pytest.mark.parametrize(("card", "outcome"), [("denar-7", "exact"), ("denar-8", "bought"), ("denar-6", "refused")])
def test_7_denar_are_exact_8_too_many_and_6_too_few(card: str, outcome: str) -> None:
    game = sultans()
    market(game, **FULL)
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, card)
    if outcome == "refused":
        assert codes(refused(game, f"buy {card}", slot="sultan", piece="sultan_denar_1")) == ["UNDERPAID"]
        return
    events = buy_card(game, card) + play(game, "choose", choice="keep")
    assert events_of(events, "acquired") == [{"seat": 0, "piece": "sultan_denar_1", "how": "buy"}]
    assert len(events_of(events, "bonus_action")) == (outcome == "exact")
    assert decision(game) == ("action", 0 if outcome == "exact" else 1)


def test_a_card_that_does_not_lie_there_cannot_be_bought() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    for others in ((), ("sultan_dukat_1",)):
        for card in others:
            beside(game, card, "tower")
        for card in ("sultan_denar_1", "sultan_denar_2"):
            assert refused(game, "buy denar-7", slot="sultan", piece=card) == (
                Violation("NOT_THERE", "piece", id=card, place="slot"),
            )


@pytest.mark.rule("18.5")
def test_which_card_is_bought_must_be_said() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    assert refused(game, "buy denar-7", slot="sultan") == (Violation("NOUN_MISSING", "piece", noun="piece"),)


@pytest.mark.rule("18.6")
def test_the_buyer_keeps_the_mark_or_rolls_nothing_else() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    buy_card(game, "denar-7")
    assert decision(game) == ("remark", 0)
    assert [move.choice for move in game.legal_moves()] == ["keep", "reroll"]
    assert codes(refused(game, "choose", choice="exchange")) == ["NOUN_MALFORMED"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


@pytest.mark.rule("18.7")
def test_after_rolling_only_the_type_rolled_and_the_opposite_one_can_be_marked() -> None:
    faces = set()
    for number in range(40):
        game = sultans(seed=f"roll {number}")
        beside(game, "sultan_denar_1", "garden")
        hand(game, 0, "denar-7")
        buy_card(game, "denar-7")
        face = events_of(play(game, "choose", choice="reroll"), "sultan_rolled")[0]["type"]
        faces.add(face)
        assert decision(game) == ("mark", 0)
        assert {name for name in TYPES if legal(game, "mark", type=name)} == {face, OPPOSITE[face]}
        faults = refused(game, "mark", type=next(name for name in TYPES if name not in (face, OPPOSITE[face])))
        assert fact(faults, "TYPE_MISMATCH")["expected"] == [face, OPPOSITE[face]]
        play(game, "mark", type=OPPOSITE[face])
        assert game.module_state(Sultan).marks == {"sultan_denar_1": OPPOSITE[face]}
        assert decision(game) == ("action", 0)
    assert faces == set(TYPES)


@pytest.mark.rule("18.42")
def test_a_card_whose_owner_resigns_before_marking_it_bears_the_type_rolled() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    buy_card(game, "denar-7")
    face = events_of(play(game, "choose", choice="reroll"), "sultan_rolled")[0]["type"]
    game.resign(0)
    assert game.module_state(Sultan).marks == {"sultan_denar_1": face}
    assert decision(game) == ("action", 1)


# worked example
@pytest.mark.rule("18.25")
def test_who_rolls_arcades_marks_arcades_or_chambers_and_nothing_else() -> None:
    for number in range(100):
        game = sultans(seed=f"roll {number}")
        beside(game, "sultan_denar_1", "garden")
        hand(game, 0, "denar-7")
        buy_card(game, "denar-7")
        if events_of(play(game, "choose", choice="reroll"), "sultan_rolled")[0]["type"] == "arcades":
            break
    assert {name for name in TYPES if legal(game, "mark", type=name)} == {"arcades", "chambers"}


def test_arcades_and_chambers_are_opposite_faces() -> None:
    assert OPPOSITE["arcades"] == "chambers"
    assert all(OPPOSITE[OPPOSITE[name]] == name != OPPOSITE[name] for name in TYPES)


@pytest.mark.rule("18.34")
def test_a_roll_cannot_be_taken_back() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    buy_card(game, "denar-7")
    assert game.can_undo(0) is None
    play(game, "choose", choice="reroll")
    refusal = game.can_undo(0)
    assert refusal is not None
    assert refusal.metadata["because"] == "revealed"


# -- Claiming ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.8", "18.9")
def test_an_owner_may_take_a_drawn_tile_of_the_type_for_nothing() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    events = refill(game, "tower-12", "pavilion-8")
    assert events_of(events, "claim_offered") == [{"tile": "tower-12", "slot": "market-gulden", "seats": (1,)}]
    assert decision(game) == ("claim", 1)
    events = play(game, "claim", piece="sultan_denar_1")
    assert events_of(events, "acquired") == [{"seat": 1, "tile": "tower-12", "how": "claim"}]
    assert "sultan_denar_1" in game.state.box
    assert game.module_state(Sultan).marks == {}
    assert decision(game) == ("place_now", 1)
    play(game, "place tower-12 @1,0")
    assert game.state.market[0] == "pavilion-8"
    assert decision(game) == ("action", 1)
    assert game.state.actions == 1


@pytest.mark.rule("18.9")
def test_a_claimed_tile_may_go_to_the_reserve() -> None:
    game = sultans()
    held(game, 2, "sultan_denar_1", "tower")
    refill(game, "tower-12", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve tower-12")
    assert game.state.seats[2].reserve == ("tower-12",)
    assert decision(game) == ("action", 1)


# worked example
@pytest.mark.rule("18.10", "18.11", "18.27")
def test_the_owner_whose_turn_comes_soonest_decides_first_and_the_space_gets_another_tile() -> None:
    game = sultans()
    held(game, 2, "sultan_dukat_1", "garden")
    held(game, 1, "sultan_denar_1", "garden")
    refill(game, "garden-11", "pavilion-8", "tower-12", spaces="dirham dukat")
    assert decision(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    events = play(game, "reserve garden-11")
    assert [(line["tile"], line["slot"]) for line in events_of(events, "tile_drawn")] == [
        ("pavilion-8", "market-dirham"),
        ("tower-12", "market-dukat"),
    ]
    assert game.module_state(Sultan).owners == {"sultan_dukat_1": 2}


@pytest.mark.rule("18.10", "18.39")
def test_who_just_finished_decides_last() -> None:
    game = sultans()
    for seat, card in enumerate(("sultan_denar_1", "sultan_denar_2", "sultan_dukat_1")):
        held(game, seat, card, "garden")
    refill(game, "garden-11", "pavilion-8")
    order = []
    while decision(game)[0] == "claim":
        order.append(decision(game)[1])
        play(game, "pass")
    assert order == [1, 2, 0]


@pytest.mark.rule("18.11")
def test_if_all_decline_the_tile_is_laid_on_its_space_and_refilling_goes_on() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    held(game, 2, "sultan_dukat_1", "garden")
    refill(game, "garden-11", "tower-12", spaces="gulden denar")
    assert "garden-11" in game.state.aside
    play(game, "pass")
    play(game, "pass")
    assert not game.state.aside
    assert game.state.market == ("garden-11", "seraglio-9", "tower-12", "chambers-10")
    assert game.module_state(Sultan).owners == {"sultan_denar_1": 1, "sultan_dukat_1": 2}
    assert decision(game) == ("action", 1)


@pytest.mark.rule("18.30")
def test_every_drawn_tile_is_offered_by_itself_and_one_card_is_spent_for_one_tile() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    held(game, 1, "sultan_denar_2", "garden")
    refill(game, "garden-11", "garden-10-n", "garden-10-w", spaces="gulden")
    assert [move.piece for move in game.legal_moves() if move.verb == "claim"] == ["sultan_denar_1", "sultan_denar_2"]
    play(game, "claim", piece="sultan_denar_2")
    play(game, "reserve garden-11")
    assert decision(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-10-n")
    assert game.state.market[0] == "garden-10-w"
    assert decision(game) == ("action", 1)


@pytest.mark.rule("18.39")
def test_a_claim_needs_an_own_card_with_the_mark_of_the_tile() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    held(game, 1, "sultan_denar_2", "tower")
    held(game, 2, "sultan_dukat_1", "garden")
    beside(game, "sultan_dukat_2", "garden")
    refill(game, "garden-11")
    faults = refused(game, "claim", piece="sultan_denar_2")
    assert fact(faults, "TYPE_MISMATCH") == {"expected": ["garden"], "got": "tower"}
    for card in ("sultan_dukat_1", "sultan_dukat_2", "sultan_gulden_1"):
        assert fact(refused(game, "claim", piece=card), "NOT_THERE")["place"] == "held"
    assert codes(refused(game, "claim", piece="vizier")) == ["ID_UNKNOWN"]


@pytest.mark.rule("18.8", "18.39")
def test_tiles_of_other_types_and_cards_that_nobody_owns_interest_nobody() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    beside(game, "sultan_dukat_2", "garden")
    assert "claim_offered" not in kinds(refill(game, "garden-11"))
    assert decision(game) == ("action", 1)


@pytest.mark.rule("18.12")
def test_money_comes_first_then_the_scoring_then_the_market() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    deck(game, "scoring-1")
    expected = ["display_filled", "scoring_ended", "claim_offered"]
    assert [kind for kind in kinds(refill(game, "garden-11")) if kind in expected] == expected


@pytest.mark.rule("18.40")
def test_a_card_bought_this_turn_claims_in_the_refill_of_this_turn() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-8")
    market(game, **{**FULL, "gulden": ""})
    tower(game, "garden-11")
    buy_card(game, "denar-8")
    play(game, "choose", choice="keep")
    assert decision(game) == ("claim", 0)


@pytest.mark.rule("18.14")
def test_the_last_incomplete_refill_offers_claims_too() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    market(game, gulden="pavilion-8")
    tower(game, "garden-11", only=True)
    display(game, "dukat-1")
    take_turn(game)
    assert decision(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    events = play(game, "place garden-11 @1,0")
    assert events_of(events, "end_began") == [{"because": "market"}]
    assert game.over
    assert points(events, "majority", type="garden") == {1: 20}


@pytest.mark.rule("18.15")
def test_leftover_tiles_cannot_be_claimed_and_unused_cards_are_worth_nothing() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    market(game, gulden="garden-11")
    hand(game, 2, "gulden-9")
    events = end_game(game)
    assert "claim_offered" not in kinds(events)
    assert decision(game) == ("leftover_tiles", 2)
    play(game, "leave garden-11")
    assert game.scores == (0, 0, 0)


@pytest.mark.rule("18.38")
def test_cards_that_nobody_bought_stay_beside_the_board_and_none_comes_back_with_the_discard() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    held(game, 1, "sultan_denar_2", "tower")
    held(game, 2, "sultan_dukat_1", "garden")
    refill(game, "tower-12", "pavilion-8")
    play(game, "claim", piece="sultan_denar_2")
    play(game, "reserve tower-12")
    discard(game, "denar-1")
    deck(game, only=True)
    events = take_turn(game)
    assert events_of(events, "deck_reshuffled") == [{"count": 1}]
    assert not {*game.state.deck, *game.state.display, *game.state.discard} & {*CARDS}
    assert list(game.module_state(Sultan).marks) == ["sultan_denar_1", "sultan_dukat_1"]
    market(game)
    end_game(game)
    assert [card["piece"] for card in pieces(game, "power_of_the_sultan", seat=None)] == ["sultan_denar_1"]


@pytest.mark.rule("18.42")
def test_a_seat_that_leaves_the_table_claims_nothing() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    held(game, 2, "sultan_dukat_1", "garden")
    refill(game, "garden-11")
    game.resign(1)
    assert decision(game) == ("claim", 2)
    play(game, "pass")
    assert game.state.market[0] == "garden-11"


def test_a_claim_survives_the_trip_through_bytes() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    refill(game, "garden-11", "pavilion-8")
    stored = Game.from_bytes(game.to_bytes())
    for sample in (game, stored):
        play(sample, "claim", piece="sultan_denar_1")
        play(sample, "reserve garden-11")
    assert stored.to_bytes() == game.to_bytes()


# -- Two players ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.13")
def test_the_tiles_that_dirk_gets_after_a_scoring_cannot_be_claimed() -> None:
    game = sultans(2)
    held(game, 0, "sultan_denar_1", "garden")
    market(game, **FULL)
    tower(game, "garden-11 garden-10-n garden-10-w garden-9-e garden-8-ne garden-8-nw")
    events = hold_scoring(game, 1)
    assert len(events_of(events, "dirk_received")[0]["tiles"]) == 6
    assert "claim_offered" not in kinds(events)


@pytest.mark.rule("18.13")
def test_a_claimed_tile_may_be_given_to_dirk() -> None:
    game = sultans(2)
    held(game, 1, "sultan_denar_1", "garden")
    dirk(game)
    refill(game, "garden-11", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "give_to_dirk garden-11")
    assert game.state.dirk == ("garden-11",)
