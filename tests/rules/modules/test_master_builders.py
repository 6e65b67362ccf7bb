"""14 The master builders: money of value 3, or one more redesign at the end of the own turn."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from alhambra import CURRENCIES, Game, Options, registry
from alhambra.base.game_end import money_in_hand
from alhambra.invariants import census
from alhambra.modules.change import Coins
from alhambra.modules.city_gates import GATE
from alhambra.modules.master_builders import BUILDERS, Builders
from alhambra.modules.thieves import Thieves
from tests.rules.example_modules import register_examples
from tests.rules.modules.characters_table import asked, give
from tests.rules.situations import (
    alhambra,
    codes,
    display,
    events_of,
    fact,
    give_turn,
    hand,
    legal,
    market,
    play,
    refused,
    reserve,
    table,
)

FULL = {"gulden": "garden-10", "dirham": "seraglio-9", "denar": "arcades-9", "dukat": "chambers-10"}


def builders(seats: int = 3, *others: str) -> Game:
    """A table at which all builder cards can be fetched from the deck."""
    game = table(seats, modules=["master_builders", *others])
    kept = game.module_state(Builders)
    game.state.deck = (*kept.rest, *game.state.deck)
    game.state.piles = (game.state.piles[0] + len(kept.rest), *game.state.piles[1:])
    kept.rest = ()
    market(game, **FULL)
    display(game, "dukat-1 dukat-2 dukat-4 dukat-5")
    return game


def at_late(cards: str = "builder-denar", *others: str, seats: int = 3) -> Game:
    """Seat 0 has taken money and is asked at the end of its turn; a garden lies in its reserve."""
    game = builders(seats, *others)
    hand(game, 0, cards)
    alhambra(game, 0, {(1, 0): "tower-12", (2, 0): "chambers-11"})
    reserve(game, 0, "garden-11")
    play(game, "take_money dukat-5")
    return game


# -- Setting up -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.1", "14.2", "14.3", "14.4")
@pytest.mark.parametrize(
    ("seats", "third", "fifth", "left"), [(2, 3, 3, 6), (3, 3, 3, 4), (4, 3, 3, 2), (5, 3, 3, 0), (6, 3, 1, 0)]
)
def test_two_for_every_player_some_into_two_piles_the_rest_leaves(
    seats: int, third: int, fifth: int, left: int
) -> None:
    game = Game.new(Options(seats=seats, seed="builders", modules=["master_builders"]))
    state = game.state
    piles, at = [], len(state.deck)
    for size in reversed(state.piles):
        piles.append(state.deck[at - size : at])
        at -= size
    assert [sum(card in BUILDERS for card in pile) for pile in piles] == [0, 0, third, 0, fifth]
    held = [[card for card in seat.hand if card in BUILDERS] for seat in state.seats]
    assert [len(own) for own in held] == [2] * seats
    assert len(game.module_state(Builders).rest) == left
    cards = [*state.deck, *(card for own in held for card in own), *game.module_state(Builders).rest]
    assert Counter(card for card in cards if card in BUILDERS) == {f"builder-{currency}": 4 for currency in CURRENCIES}


@pytest.mark.rule("14.1", "14.4")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_sixteen_builder_cards_are_accounted_for_with_those_that_left_unseen(seats: int) -> None:
    game = Game.new(Options(seats=seats, seed="builders", modules=["master_builders"]))
    counted = {card: count for card, count in census(game).items() if card in BUILDERS}
    assert counted == {f"builder-{currency}": 4 for currency in CURRENCIES}


@pytest.mark.rule("14.2", "14.32")
def test_the_initial_cards_are_dealt_face_down_before_the_starting_money() -> None:
    game = Game.new(Options(seats=3, seed="builders", modules=["master_builders"]))
    dealt = [event for event in game.events if event.kind == "hand_dealt"]
    assert [event.public for event in dealt[:3]] == [{"seat": seat, "count": 2} for seat in range(3)]
    for seat, event in enumerate(dealt[:3]):
        assert event.private is not None
        assert set(event.private) == {seat}
        assert set(event.private[seat]["cards"]) <= set(BUILDERS)


@pytest.mark.rule("14.36")
def test_none_is_dealt_to_a_seat_that_resigned_before() -> None:
    game = Game.new(Options(3, "early", modules=["master_builders", "palace_designers"]))
    game.resign(1)
    dealt = []
    while asked(game)[0] == "face_designer":
        dealt += events_of(play(game, "face_designer", side="N"), "hand_dealt")
    assert {event["seat"] for event in dealt} == {0, 2}
    assert game.state.seats[1].hand == ()
    assert sum(card.startswith("builder-") for card in game.state.box) == 2


@pytest.mark.rule("14.26")
def test_they_count_neither_as_starting_money_nor_for_the_first_player() -> None:
    plain = Game.new(Options(seats=4, seed="builders"))
    game = Game.new(Options(seats=4, seed="builders", modules=["master_builders"]))
    for old, new in zip(plain.state.seats, game.state.seats, strict=True):
        assert [card for card in new.hand if card not in BUILDERS] == list(old.hand)
    assert game.state.first == plain.state.first


@pytest.mark.rule("14.32")
def test_the_others_cannot_tell_whose_initial_cards_are_which() -> None:
    game = Game.new(Options(seats=3, seed="builders", modules=["master_builders"]))
    hands = set()
    for number in range(20):
        sample = game.determinize(0, Random(number))
        assert sample.view(0) == game.view(0)
        assert sample.state.seats[0].hand == game.state.seats[0].hand
        own = [card for card in sample.state.seats[1].hand if card in BUILDERS]
        assert len(own) == 2
        hands.add((*own, *sample.module_state(Builders).rest))
    assert len(hands) > 1


@pytest.mark.rule("14.33")
@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_nobody_knows_which_builder_cards_were_left_over(viewer: int | None) -> None:
    game = Game.new(Options(seats=3, seed="builders", modules=["master_builders"]))
    left_over = set()
    for number in range(20):
        sample = game.determinize(viewer, Random(number))
        assert sample.view(viewer) == game.view(viewer)
        left_over.add(tuple(sorted(sample.module_state(Builders).rest)))
    assert len(left_over) > 1


@pytest.mark.rule("14.2", "14.3")
def test_chance_decides_which_builder_cards_are_dealt_inserted_and_left_over() -> None:
    dealt, inserted, left_over = set(), set(), set()
    for number in range(10):
        game = Game.new(Options(seats=3, seed=f"builders {number}", modules=["master_builders"]))
        dealt.add(tuple(card for card in game.state.seats[0].hand if card in BUILDERS))
        fifth_pile = game.state.deck[: game.state.piles[0]]
        inserted.add(tuple(sorted(card for card in fifth_pile if card in BUILDERS)))
        left_over.add(tuple(sorted(game.module_state(Builders).rest)))
    assert len(dealt) > 1
    assert len(inserted) > 1
    assert len(left_over) > 1


@pytest.mark.rule("14.11")
def test_in_a_game_for_two_no_builder_card_is_taken_out_with_the_copies() -> None:
    game = Game.new(Options(seats=2, seed="builders", modules=["master_builders"]))
    found = [
        *game.state.deck,
        *game.module_state(Builders).rest,
        *(card for seat in game.state.seats for card in seat.hand),
    ]
    assert sum(card in BUILDERS for card in found) == 16


# -- As money ---------------------------------------------------------------------------------------------------------


# worked example
@pytest.mark.rule("14.6", "14.23")
def test_two_builders_and_a_nine_pay_9_12_or_15() -> None:
    """Worked example: two gulden builder cards and gulden 9 in hand, a building on the gulden space."""
    game = builders()
    market(game, **{**FULL, "gulden": "tower-12"})
    hand(game, 0, "builder-gulden builder-gulden gulden-9")
    assert fact(refused(game, "buy market-gulden gulden-9"), "UNDERPAID") == {"due": 12, "paid": 9}
    assert legal(game, "buy market-gulden gulden-9 builder-gulden builder-gulden")
    events = play(game, "buy market-gulden gulden-9 builder-gulden")
    assert events_of(events, "paid")[0]["exact"]
    assert game.state.seats[0].hand == ("builder-gulden",)


@pytest.mark.rule("14.9")
def test_a_builder_card_that_was_paid_leaves_the_game() -> None:
    game = builders()
    hand(game, 0, "builder-gulden gulden-7")
    events = play(game, "buy market-gulden gulden-7 builder-gulden")
    assert events_of(events, "card_left_game") == [{"card": "builder-gulden"}]
    assert "builder-gulden" in game.state.box
    assert game.state.discard == ("gulden-7",)


# worked example
@pytest.mark.rule("14.5", "14.24")
def test_a_builder_and_a_two_may_be_taken_together() -> None:
    """Worked example: builder card 3 and a card of value 2 lie open."""
    game = builders()
    display(game, "builder-denar dukat-2 gulden-3")
    assert fact(refused(game, "take_money builder-denar gulden-3"), "SUM_TOO_HIGH") == {"sum": 6, "limit": 5}
    play(game, "take_money builder-denar dukat-2")
    assert game.state.seats[0].hand == ("builder-denar", "dukat-2")


@pytest.mark.rule("14.6")
def test_a_builder_card_pays_only_in_its_currency() -> None:
    game = builders()
    hand(game, 0, "builder-denar gulden-9")
    assert codes(refused(game, "buy market-gulden gulden-9 builder-denar")) == ["WRONG_CURRENCY"]


@pytest.mark.rule("14.12")
def test_builder_cards_in_hand_count_when_leftover_tiles_are_given_out() -> None:
    game = builders()
    hand(game, 0, "builder-denar builder-denar denar-1")
    assert money_in_hand(game, 0, "denar") == 7


# -- As a redesign ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("14.7", "14.9", "14.10", "14.27")
def test_a_builder_card_buys_one_more_redesign_at_the_end_of_any_turn() -> None:
    game = at_late()
    assert asked(game) == ("late", 0)
    assert legal(game, "remove chambers-11 builder-denar")
    assert legal(game, "swap garden-11 @2,0 builder-denar")
    events = play(game, "add garden-11 @0,1 builder-denar")
    assert "garden-11" in game.state.seats[0].board.placed
    assert game.state.seats[0].hand == ("dukat-5",)
    assert events_of(events, "card_left_game") == [{"card": "builder-denar"}]
    assert "builder-denar" in game.state.box
    assert asked(game) == ("action", 1)


# worked example
@pytest.mark.rule("14.8", "14.25")
def test_two_builder_cards_buy_only_one_redesign_in_a_turn() -> None:
    """Worked example: two builder cards at the end of the turn."""
    game = at_late("builder-denar builder-dukat")
    play(game, "add garden-11 @0,1 builder-dukat")
    assert game.state.seats[0].hand == ("builder-denar", "dukat-5")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("14.34")
def test_one_card_is_enough_and_two_are_refused() -> None:
    game = at_late("builder-denar builder-dukat")
    assert codes(refused(game, "add garden-11 @0,1 builder-denar builder-dukat")) == ["NOT_THERE"]


@pytest.mark.rule("14.8")
def test_in_the_next_turn_another_one_may_be_used() -> None:
    game = at_late("builder-denar builder-dukat")
    play(game, "add garden-11 @0,1 builder-dukat")
    for _ in range(2):
        play(game, f"take_money {game.state.display[0]}")
        if asked(game)[0] == "late":
            play(game, "pass")
    play(game, f"take_money {game.state.display[0]}")
    assert asked(game) == ("late", 0)
    assert legal(game, "remove garden-11 builder-denar")


@pytest.mark.rule("14.27")
def test_the_redesign_is_optional_and_needs_a_card_in_hand() -> None:
    game = at_late()
    assert codes(refused(game, "add garden-11 @0,1")) == ["NOUN_MISSING"]
    assert codes(refused(game, "add garden-11 @0,1 builder-gulden")) == ["NOT_THERE"]
    assert codes(refused(game, "add garden-11 @0,1 dukat-5")) == ["NOT_THERE"]
    play(game, "pass")
    assert asked(game) == ("action", 1)
    assert "builder-denar" in game.state.seats[0].hand


@pytest.mark.rule("14.10")
def test_each_redesign_obeys_the_construction_rules() -> None:
    game = at_late()
    assert codes(refused(game, "remove tower-12 builder-denar")) == ["NOT_REACHABLE"]


@pytest.mark.rule("14.29")
def test_a_tile_placed_in_this_turn_may_be_redesigned() -> None:
    game = builders()
    hand(game, 0, "denar-9 denar-3 builder-denar")
    play(game, "buy market-denar denar-9 denar-3")
    play(game, "place arcades-9 @1,0")
    assert legal(game, "remove arcades-9 builder-denar")


@pytest.mark.rule("14.27")
def test_it_is_no_action_and_cannot_be_used_as_one() -> None:
    game = builders()
    hand(game, 0, "builder-denar")
    alhambra(game, 0, {(1, 0): "tower-12"})
    assert codes(refused(game, "remove tower-12 builder-denar")) == ["NOT_THERE"]


@pytest.mark.rule("14.31")
def test_the_redesign_comes_before_the_display_is_refilled() -> None:
    game = at_late()
    assert len(game.state.display) == 3
    play(game, "add garden-11 @0,1 builder-denar")
    assert len(game.state.display) == 4


@pytest.mark.rule("14.35")
def test_whoever_holds_any_card_is_asked_so_that_the_question_tells_nothing() -> None:
    assert asked(at_late("")) == ("late", 0), "the card just taken"
    game = builders()
    display(game, "")
    hand(game, 0, "gulden-9 gulden-4")
    play(game, "buy market-gulden gulden-4 gulden-9")
    play(game, "reserve garden-10")
    assert asked(game) == ("action", 1), "an empty hand"


@pytest.mark.rule("14.22")
def test_after_a_sole_action_there_is_no_redesign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    register_examples()
    game = builders(3, "example_hermits")
    hand(game, 0, "builder-denar")
    play(game, "meditate")
    assert asked(game) == ("action", 1)


# -- With other modules -----------------------------------------------------------------------------------------------


@pytest.mark.rule("14.13", "14.28", "14.34", "07.30")
@pytest.mark.parametrize("first", ["builder", "character"])
def test_the_master_builder_and_a_builder_card_give_two_redesigns_in_either_order(first: str) -> None:
    game = builders(3, "characters")
    give(game, 0, "master_builder")
    hand(game, 0, "builder-denar builder-dukat")
    alhambra(game, 0, {(1, 0): "tower-12", (2, 0): "chambers-11"})
    reserve(game, 0, "garden-11")
    play(game, "take_money dukat-5")
    if first == "builder":
        play(game, "add garden-11 @0,1 builder-denar")
        assert codes(refused(game, "remove chambers-11 builder-dukat")) == ["NOT_THERE"]
        play(game, "remove chambers-11", items=("master_builder",))
    else:
        play(game, "add garden-11 @0,1", items=("master_builder",))
        play(game, "remove chambers-11 builder-denar")
    assert asked(game) == ("action", 1)


@pytest.mark.rule("14.20", "10.16")
def test_a_thief_of_its_currency_steals_a_builder_card() -> None:
    game = builders(3, "thieves")
    thieves = game.module_state(Thieves)
    thieves.held, thieves.rest = ((), (), ("thief-denar",)), ()
    display(game, "builder-denar dukat-2 dukat-4 dukat-5")
    play(game, "take_money dukat-5")
    play(game, "pass")
    assert asked(game) == ("window", 2)
    play(game, "play_thief builder-denar", currency="denar")
    assert game.state.seats[2].hand == ("builder-denar",)


@pytest.mark.rule("14.16", "05.26")
def test_a_gate_may_be_set_in_the_redesign() -> None:
    game = builders(3, "city_gates")
    hand(game, 0, f"builder-denar {GATE}")
    alhambra(game, 0, {(1, 0): "garden-9-e"})
    reserve(game, 0, "chambers-9-w")
    play(game, "take_money dukat-5")
    assert codes(refused(game, "add chambers-9-w @2,0 builder-denar")) == ["NOT_REACHABLE"]
    play(game, "add chambers-9-w @2,0 builder-denar", choice=GATE)
    assert game.state.seats[0].board.passages


@pytest.mark.rule("14.21", "14.30")
def test_overpaying_with_a_builder_card_gives_change() -> None:
    game = builders(3, "change")
    hand(game, 0, "gulden-9 builder-gulden")
    play(game, "buy market-gulden gulden-9 builder-gulden")
    assert len(game.module_state(Coins).held[0]) == 1


@pytest.mark.rule("14.14", "01.24")
def test_a_builder_card_pays_a_vizier_purchase_but_builds_nothing_there() -> None:
    game = builders(3, "viziers_favour")
    hand(game, 1, "builder-gulden gulden-7")
    play(game, "take_money dukat-5")
    play(game, "pass")
    assert asked(game) == ("window", 1)
    assert legal(game, "buy market-gulden gulden-7 builder-gulden")
    assert "remove" not in {move.verb for move in game.moves()}


@pytest.mark.rule("14.17", "07.63")
def test_the_money_changer_takes_a_builder_card_out_of_the_game() -> None:
    game = builders(3, "characters")
    give(game, 0, "money_changer")
    hand(game, 0, "builder-denar")
    give_turn(game, 2)
    play(game, "take_money dukat-5")
    play(game, "pass")
    assert asked(game) == ("start", 0)
    play(game, "change_money builder-denar", cards=("builder-denar",), display=("dukat-2",))
    assert "builder-denar" in game.state.box
    assert game.state.seats[0].hand == ("dukat-2",)
