"""18 The power of the sultan: cards that are marked by a die and claim the tiles of one type."""

from __future__ import annotations

from typing import Any

import pytest

from alhambra import TYPES, Event, Game, Move
from alhambra.base.supply import draw
from alhambra.modules.change import Coins
from alhambra.modules.characters import Characters
from alhambra.modules.invaders import Invaders
from alhambra.modules.power_of_the_sultan import CARDS, OPPOSITE, Sultan
from alhambra.modules.street_trader import Residents
from alhambra.modules.viziers_favour import Viziers
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
    play,
    points,
    refused,
    table,
    take_turn,
    tower,
)

FULL = {"gulden": "garden-10", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-10"}
"""A market with nothing to refill."""


PLAIN = tuple(f"gulden-{value}" for value in range(1, 10))
"""Money that comes up unless a test says otherwise."""


def sultans(seats: int = 3, *modules: str, **options: Any) -> Game:
    """A table at which nothing but money will come up for a while."""
    game = table(seats, modules=["power_of_the_sultan", *modules], **options)
    deck(game, *PLAIN)
    return game


def beside(game: Game, card: str, mark: str) -> None:
    """The card lies beside the board with that mark."""
    deck(game, card)
    draw(game)
    sultan = game.slice(Sultan)
    sultan.marks = {**sultan.marks, card: mark}


def held(game: Game, seat: int, card: str, mark: str) -> None:
    """The card lies before that seat with that mark."""
    beside(game, card, mark)
    sultan = game.slice(Sultan)
    sultan.owners = {**sultan.owners, card: seat}


def buy_card(game: Game, *cards: str) -> list[Event]:
    return play(game, " ".join(["buy", *cards]), slot="sultan", piece="sultan_denar_1")


def decision(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def refill(game: Game, *tiles: str, spaces: str = "gulden") -> list[Event]:
    """Ends a plain turn of seat 0 after which these spaces are refilled with these tiles."""
    market(game, **{currency: tile for currency, tile in FULL.items() if currency not in spaces.split()})
    tower(game, *tiles)
    display(game, "dukat-1")
    return take_turn(game)


# -- The deck ------------------------------------------------------------------------------------------------------


def test_three_cards_lie_in_the_first_pile_two_in_the_second_three_in_the_third() -> None:
    game = table(4, modules=["power_of_the_sultan"], dealt=True)
    counts, at = [], 0
    for size in game.state.piles:
        counts.append(sum(card in CARDS for card in game.state.deck[at : at + size]))
        at += size
    assert counts[::-1] == [3, 2, 3, 0, 0]
    assert {card for card in game.state.deck if card in CARDS} == set(CARDS)


def test_a_card_turned_up_is_laid_beside_the_board_marked_and_replaced() -> None:
    game = sultans()
    display(game, "dukat-1")
    deck(game, "sultan_denar_1 gulden-1 sultan_dukat_2 gulden-2 gulden-3 gulden-4")
    events = take_turn(game)
    assert game.state.display == ("gulden-1", "gulden-2", "gulden-3", "gulden-4")
    shown = game.view(None)["slices"]["power_of_the_sultan"]["open"]
    assert list(shown) == ["sultan_denar_1", "sultan_dukat_2"]
    assert {line["piece"]: line["type"] for line in events_of(events, "sultan_rolled")} == shown
    assert set(shown.values()) <= set(TYPES)


# -- Buying a card -------------------------------------------------------------------------------------------------


def test_a_card_costs_7_of_its_currency_and_an_exact_payment_grants_a_further_action() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-3 denar-4")
    events = buy_card(game, "denar-3", "denar-4")
    assert events_of(events, "acquired") == [{"seat": 0, "piece": "sultan_denar_1", "how": "buy"}]
    play(game, "choose", choice="keep")
    assert decision(game) == ("action", 0)
    assert game.state.actions == 1
    assert game.view(None)["slices"]["power_of_the_sultan"] == {
        "open": {},
        "held": [{"sultan_denar_1": "garden"}, {}, {}],
        "offered": None,
    }


def test_paying_8_is_legal_but_grants_nothing_and_no_change_is_given() -> None:
    game = sultans()
    market(game, **FULL)
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-8")
    buy_card(game, "denar-8")
    play(game, "choose", choice="keep")
    assert decision(game) == ("action", 1)
    assert game.state.seats[0].hand == ()


@pytest.mark.parametrize(
    ("cards", "code"), [("denar-6", "UNDERPAID"), ("dukat-7", "WRONG_CURRENCY")], ids=["too little", "other currency"]
)
def test_6_is_too_little_and_another_currency_is_refused(cards: str, code: str) -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, cards)
    assert code in codes(refused(game, f"buy {cards}", slot="sultan", piece="sultan_denar_1"))


# worked example
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
    assert len(events_of(events, "bonus_action")) == (outcome == "exact")
    assert decision(game) == ("action", 0 if outcome == "exact" else 1)


def test_a_card_that_does_not_lie_there_cannot_be_bought() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    assert codes(refused(game, "buy denar-7", slot="sultan", piece="sultan_denar_1")) == ["NOT_THERE"]
    assert codes(refused(game, "buy denar-7", slot="sultan", piece="sultan_denar_2")) == ["NOT_THERE"]


def test_the_buyer_keeps_the_mark_or_rolls_nothing_else() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-7")
    buy_card(game, "denar-7")
    assert decision(game) == ("remark", 0)
    assert [move.choice for move in game.legal_moves()] == ["keep", "reroll"]
    assert codes(refused(game, "choose", choice="exchange")) == ["NOUN_MALFORMED"]
    assert codes(refused(game, "pass")) == ["PASS_REFUSED"]


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
        assert game.slice(Sultan).marks == {"sultan_denar_1": OPPOSITE[face]}
        assert decision(game) == ("action", 0)
    assert faces == set(TYPES)


# worked example
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


def test_an_owner_may_take_a_drawn_tile_of_the_type_for_nothing() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    events = refill(game, "tower-12", "pavilion-8")
    assert events_of(events, "claim_offered") == [{"tile": "tower-12", "slot": "market-gulden", "seats": (1,)}]
    assert decision(game) == ("claim", 1)
    events = play(game, "claim", piece="sultan_denar_1")
    assert events_of(events, "acquired") == [{"seat": 1, "tile": "tower-12", "how": "claim"}]
    assert "sultan_denar_1" in game.state.box
    assert game.slice(Sultan).marks == {}
    assert decision(game) == ("place_now", 1)
    play(game, "place tower-12 @1,0")
    assert game.state.market[0] == "pavilion-8"
    assert decision(game) == ("action", 1)
    assert game.state.actions == 1


def test_a_claimed_tile_may_go_to_the_reserve() -> None:
    game = sultans()
    held(game, 2, "sultan_denar_1", "tower")
    refill(game, "tower-12", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve tower-12")
    assert game.state.seats[2].reserve == ("tower-12",)
    assert decision(game) == ("action", 1)


# worked example
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
    assert game.slice(Sultan).owners == {"sultan_dukat_1": 2}


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


def test_if_all_decline_the_tile_is_laid_on_its_space_and_refilling_goes_on() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    held(game, 2, "sultan_dukat_1", "garden")
    refill(game, "garden-11", "tower-12", spaces="gulden denar")
    play(game, "pass")
    play(game, "pass")
    assert game.state.market == ("garden-11", "seraglio-9", "tower-12", "chambers-10")
    assert game.slice(Sultan).owners == {"sultan_denar_1": 1, "sultan_dukat_1": 2}
    assert decision(game) == ("action", 1)


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


def test_tiles_of_other_types_and_cards_that_nobody_owns_interest_nobody() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "tower")
    beside(game, "sultan_dukat_2", "garden")
    assert "claim_offered" not in kinds(refill(game, "garden-11"))
    assert decision(game) == ("action", 1)


def test_money_comes_first_then_the_scoring_then_the_market() -> None:
    game = sultans()
    held(game, 1, "sultan_denar_1", "garden")
    deck(game, "scoring-1")
    expected = ["display_filled", "scoring_ended", "claim_offered"]
    assert [kind for kind in kinds(refill(game, "garden-11")) if kind in expected] == expected


def test_a_card_bought_this_turn_claims_in_the_refill_of_this_turn() -> None:
    game = sultans()
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-8")
    market(game, **{**FULL, "gulden": ""})
    tower(game, "garden-11")
    buy_card(game, "denar-8")
    play(game, "choose", choice="keep")
    assert decision(game) == ("claim", 0)


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
    assert list(game.slice(Sultan).marks) == ["sultan_denar_1", "sultan_dukat_1"]
    market(game)
    end_game(game)
    assert game.view(None)["slices"]["power_of_the_sultan"]["open"] == {"sultan_denar_1": "garden"}


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
    for twin in (game, stored):
        play(twin, "claim", piece="sultan_denar_1")
        play(twin, "reserve garden-11")
    assert stored.to_bytes() == game.to_bytes()


# -- Two players ---------------------------------------------------------------------------------------------------


def test_the_tiles_that_dirk_gets_after_a_scoring_cannot_be_claimed() -> None:
    game = sultans(2)
    held(game, 0, "sultan_denar_1", "garden")
    market(game, **FULL)
    tower(game, "garden-11 garden-10-n garden-10-w garden-9-e garden-8-ne garden-8-nw")
    events = hold_scoring(game, 1)
    assert len(events_of(events, "dirk_received")[0]["tiles"]) == 6
    assert "claim_offered" not in kinds(events)


def test_a_claimed_tile_may_be_given_to_dirk() -> None:
    game = sultans(2)
    held(game, 1, "sultan_denar_1", "garden")
    dirk(game)
    refill(game, "garden-11", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "give_to_dirk garden-11")
    assert game.state.dirk == ("garden-11",)


# -- With other modules --------------------------------------------------------------------------------------------


def test_a_vizier_cannot_buy_a_sultan_card() -> None:
    game = sultans(3, "viziers_favour")
    market(game, **FULL)
    beside(game, "sultan_denar_1", "garden")
    hand(game, 1, "denar-7")
    display(game, "dukat-1")
    take_turn(game)
    assert decision(game) == ("window", 1)
    assert codes(refused(game, "buy denar-7", slot="sultan", piece="sultan_denar_1")) == ["NOT_THERE"]


def test_claims_come_before_any_vizier_and_his_purchase_brings_new_ones() -> None:
    game = sultans(3, "viziers_favour")
    game.slice(Viziers).awake = (False, True, False)
    held(game, 2, "sultan_denar_1", "garden")
    hand(game, 1, "dirham-9")
    refill(game, "garden-11")
    assert decision(game) == ("claim", 2)
    play(game, "pass")
    assert decision(game) == ("window", 1)
    tower(game, "garden-10-n pavilion-8")
    play(game, "buy market-dirham dirham-9")
    play(game, "reserve seraglio-9")
    assert decision(game) == ("claim", 2)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-10-n")
    assert game.state.market[1] == "pavilion-8"
    assert decision(game) == ("action", 1)


def test_coins_pay_for_a_sultan_card_and_overpaying_one_gives_change() -> None:
    game = sultans(3, "change")
    beside(game, "sultan_denar_1", "garden")
    coins = game.slice(Coins)
    coins.bag = tuple(coin for coin in coins.bag if coin != "coin-denar")
    coins.held = (("coin-denar",), (), ())
    hand(game, 0, "denar-6 denar-9")
    assert legal(game, "buy denar-6", slot="sultan", piece="sultan_denar_1", items=("coin-denar",))
    events = buy_card(game, "denar-9")
    assert len(events_of(events, "coins_drawn")[0]["items"]) == 1


def test_a_camp_is_never_claimed() -> None:
    game = sultans(3, "military_camps")
    for card, name in zip(CARDS, TYPES, strict=False):
        held(game, 1, card, name)
    assert "claim_offered" not in kinds(refill(game, "camp_N"))
    assert game.state.market[0] == "camp_N"


def test_a_claim_brings_neither_watchtower_nor_scout_and_neither_does_a_sultan_card() -> None:
    game = sultans(3, "watchtowers", "invaders")
    game.slice(Invaders).open = ("scout_garden", "scout_tower")
    beside(game, "sultan_denar_1", "garden")
    hand(game, 0, "denar-9 denar-4 denar-7")
    with_tower = Move("buy", piece="sultan_denar_1", slot="sultan", cards=("denar-4", "denar-9"), choice="watchtower")
    assert codes(refused(game, with_tower)) == ["NOT_THERE"]
    events = buy_card(game, "denar-7")
    play(game, "choose", choice="keep")
    events += refill(game, "garden-11", "pavilion-8")
    events += play(game, "claim", piece="sultan_denar_1")
    events += play(game, "reserve garden-11")
    assert decision(game) == ("action", 1)
    assert not {"scout_won", "watchtower_placed"} & set(kinds(events))


def test_a_claimed_tile_that_is_not_built_goes_to_the_personal_market() -> None:
    game = sultans(3, "personal_building_market")
    held(game, 1, "sultan_denar_1", "garden")
    refill(game, "garden-11", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    assert codes(refused(game, "reserve garden-11")) == ["NOUN_MISSING"]
    play(game, "reserve garden-11", slot="personal-1-dukat")
    assert game.ruleset.reserve.tiles(game, 1) == ("garden-11",)


def test_after_a_claim_the_traders_disc_is_laid_again_at_once() -> None:
    game = sultans(3, "street_trader")
    held(game, 2, "sultan_denar_1", "garden")
    game.slice(Residents).discs = ((0, 1), (0, 1), (1, 0))
    refill(game, "garden-11", "pavilion-8")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "place garden-11 @1,0")
    assert decision(game) == ("resident", 2)
    play(game, "pass")
    assert decision(game) == ("lay_disc", 2)
    play(game, "lay_disc @2,0")
    assert game.state.market[0] == "pavilion-8"
    assert decision(game) == ("action", 1)


def test_a_wall_card_and_a_sultan_card_may_come_up_in_one_refill() -> None:
    game = sultans(3, "city_walls")
    display(game, "dukat-1")
    deck(game, "wallcard_N sultan_denar_1")
    take_turn(game)
    assert len(game.state.display) == 4
    assert list(game.slice(Sultan).marks) == ["sultan_denar_1"]


def test_the_tile_that_replaces_the_dancers_may_be_claimed_by_her_owner_first() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "dancer")
    held(game, 0, "sultan_denar_1", "garden")
    held(game, 1, "sultan_denar_2", "garden")
    refill(game, "pavilion-8")
    assert decision(game) == ("start", 1)
    tower(game, "garden-11", "tower-12")
    play(game, "dance", slot="market-gulden")
    assert decision(game) == ("claim", 1)
    play(game, "pass")
    assert decision(game) == ("claim", 0)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-11")
    assert game.state.market[0] == "tower-12"
    assert game.state.tower[0] == "pavilion-8"


def test_if_no_other_tile_is_left_the_dancers_own_comes_back_and_can_be_claimed_too() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "dancer")
    held(game, 1, "sultan_denar_1", "garden")
    held(game, 2, "sultan_denar_2", "pavilion")
    refill(game, "pavilion-8")
    play(game, "pass")
    assert decision(game) == ("start", 1)
    tower(game, "garden-11", only=True)
    play(game, "dance", slot="market-gulden")
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-11")
    assert decision(game) == ("claim", 2)
    play(game, "pass")
    assert game.state.market[0] == "pavilion-8"
    assert decision(game) == ("action", 1)


def test_a_claim_does_not_move_the_miser() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "miser")
    held(game, 1, "sultan_denar_1", "garden")
    refill(game, "garden-11", "pavilion-8")
    assert decision(game) == ("claim", 1)
    play(game, "claim", piece="sultan_denar_1")
    play(game, "reserve garden-11")
    assert decision(game) == ("action", 1)


def test_the_rich_patron_does_not_pay_for_a_sultan_card() -> None:
    game = sultans(3, "characters")
    own_character(game, 0, "rich_patron")
    beside(game, "sultan_denar_1", "garden")
    faults = refused(game, "buy", slot="sultan", piece="sultan_denar_1", items=("rich_patron",))
    assert "NOT_THERE" in codes(faults)


def test_a_sultan_card_that_the_beggar_draws_is_laid_out_and_he_may_draw_again() -> None:
    game = sultans(3, "characters")
    own_character(game, 1, "beggar")
    refill(game, "pavilion-8")
    deck(game, "sultan_denar_1 gulden-1")
    assert decision(game) == ("start", 1)
    play(game, "draw_card")
    assert list(game.slice(Sultan).marks) == ["sultan_denar_1"]
    play(game, "draw_card")
    assert game.state.seats[1].hand == ("gulden-1",)


def own_character(game: Game, seat: int, piece: str) -> None:
    kept = game.slice(Characters)
    if piece in kept.aside:
        kept.aside = tuple(other for other in kept.aside if other != piece)
    else:
        deck(game, piece)
        draw(game)
    kept.owners = {**kept.owners, piece: seat}
